import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureOf } from '../../lib/failure.ts';
import { useHttp } from '../../lib/http-context.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { failureText } from '../../ui/failure-alert.tsx';
import { RetryAlert } from '../../ui/retry-alert.tsx';
import { toast } from '../../ui/toasts.tsx';
import { newsEmailsQuery } from './emails-query.ts';
import { useSaveNewsEmails } from './write.ts';

const text = {
  label: 'Email me about news',
  hint: 'We email you news that you have not read after 15 minutes, at most once an hour. Each email has a link to stop.',
  on: 'You get emails about news.',
  off: 'You get no more emails about news.',
  failed: 'Your choice was not saved. Try again.',
  notLoaded: 'We could not load whether you get emails.',
};
const toastId = 'emails';

/**
 * The choice of emails about news. It is shown if the server sends emails, and if the address is verified or emails are
 * already on.
 */
export function EmailsChoice({ isEmailVerified }: { isEmailVerified: boolean }) {
  const { data, isError, isFetching, refetch } = useQuery(newsEmailsQuery(useHttp()));
  const saveNewsEmails = useSaveNewsEmails();
  /** The choice that is being saved. */
  const [chosen, setChosen] = useState<boolean>();
  const [error, setError] = useState<string>();
  const [save, isPending] = useSingleFlight(async (isOn: boolean) => {
    setChosen(isOn);
    setError(undefined);
    try {
      await saveNewsEmails(isOn);
      toast.success(isOn ? text.on : text.off, { id: toastId });
    } catch (failure) {
      setError(failureText(failureOf(failure), text.failed));
    }
    setChosen(undefined);
  });
  if (!data)
    return (
      isError && (
        <RetryAlert pending={isFetching} onRetry={() => void refetch()}>
          <p>{text.notLoaded}</p>
        </RetryAlert>
      )
    );
  if (!data.isAvailable || !(isEmailVerified || data.isOn)) return null;
  return (
    <>
      <Checkbox
        label={text.label}
        hint={text.hint}
        isOn={chosen ?? data.isOn}
        pending={isPending}
        onChange={(isOn) => void save(isOn)}
      />
      {error && <Alert>{error}</Alert>}
    </>
  );
}
