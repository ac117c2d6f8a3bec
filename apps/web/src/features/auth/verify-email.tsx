import { useEffect, useState } from 'react';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { useSessionActions } from './session-context.ts';
import type { SessionUser } from './session-store.ts';
import { errorCodeOf, signInErrorText } from './sign-in-errors.ts';

const text = {
  verified: 'Your address is verified.',
  notVerified: 'Your address is not verified yet. Emails about news go only to verified addresses.',
  send: 'Send a link to verify it',
  sent: 'The link is on its way. Open it, then come back to this page.',
  demo: 'Demo: the link is printed in the terminal.',
  tooMany: 'Too many tries. Wait a few minutes, then try again.',
  failed: 'The link was not sent. Try again in a few minutes.',
};

type Outcome = { isDemo: boolean } | { failed: string };

/** Says whether the email address of the customer is verified. If not, a button sends the link of Firebase that verifies it. */
export function VerifyEmail({ isEmailVerified }: Pick<SessionUser, 'isEmailVerified'>) {
  const { sendVerification, refreshUser } = useSessionActions();
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (isEmailVerified) return undefined;
    // The customer opens the link in another tab or on another device. If this request fails, the next return repeats it.
    const refresh = () => {
      if (document.visibilityState === 'visible') void refreshUser().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [isEmailVerified, refreshUser]);
  const [send, isPending] = useSingleFlight(async () => {
    setOutcome(undefined);
    try {
      setOutcome(await sendVerification());
    } catch (error) {
      const isTooMany = errorCodeOf(error) === 'too-many-requests';
      setOutcome({ failed: (isTooMany ? text.tooMany : signInErrorText(error, text.failed)) ?? text.failed });
    }
  });
  return (
    <>
      <LiveRegion>
        <p className="text-muted">{isEmailVerified ? text.verified : text.notVerified}</p>
      </LiveRegion>
      {!isEmailVerified && (
        <>
          <Button tone="quiet" className="justify-self-start" pending={isPending} onClick={() => void send()}>
            {text.send}
          </Button>
          {outcome && 'failed' in outcome && <Alert>{outcome.failed}</Alert>}
          <LiveRegion variant="collapsible">
            {outcome && 'isDemo' in outcome && (
              <Alert kind="ok">
                <p>{text.sent}</p>
                {outcome.isDemo && <p className="text-small">{text.demo}</p>}
              </Alert>
            )}
          </LiveRegion>
        </>
      )}
    </>
  );
}
