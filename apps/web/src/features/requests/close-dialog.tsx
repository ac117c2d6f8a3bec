import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { canRetry, type Failure, failureOf } from '../../lib/failure.ts';
import { useHttp } from '../../lib/http-context.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { failureText } from '../../ui/failure-alert.tsx';
import { Form } from '../../ui/form.tsx';
import { commonText } from '../../ui/texts.ts';
import { toast } from '../../ui/toasts.tsx';
import { requestText } from './texts.ts';
import { closeRequest } from './write.ts';

const text = {
  title: 'Close this request?',
  body: 'Nobody can add messages to a closed request, and you cannot open it again. Both of you can still read it.',
  done: 'The request is closed.',
  failed: 'The request was not closed. Try again.',
};

/** The dialog in which the customer confirms that a conversation is closed. */
export function CloseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const http = useHttp();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Failure>();
  const close = async () => {
    try {
      await closeRequest({ http, queries }, id);
      toast.success(text.done, { id });
      onClose();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p className="measure">{text.body}</p>
      <Form send={close} className="grid gap-4">
        {failure && <Alert>{failureText(failure, canRetry(failure) ? text.failed : failure.detail)}</Alert>}
        <div className="flex flex-wrap gap-4">
          <Button type="submit" tone="danger">
            {requestText.close}
          </Button>
          <Button tone="quiet" onClick={onClose}>
            {commonText.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
