import { useState } from 'react';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { Button } from '../../ui/button.tsx';
import { dialogOnDemand } from '../../ui/dialog-on-demand.tsx';
import { requestText } from './texts.ts';

const CloseDialog = dialogOnDemand(async () => (await import('./close-dialog.tsx')).CloseDialog);

/** A button that closes a conversation after a confirmation. */
export function CloseRequest({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button ref={focusHeadingOnRemoval} tone="quiet" onClick={() => setIsOpen(true)}>
        {requestText.close}
      </Button>
      {isOpen && <CloseDialog id={id} onClose={() => setIsOpen(false)} />}
    </>
  );
}
