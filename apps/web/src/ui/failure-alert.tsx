import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Failure } from '../lib/failure.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

const text = {
  session: 'Your session has ended. Log in again to go on; what you typed is kept.',
  away: 'We cannot reach the kitchen right now. Your text is safe here.',
  tooFast: (seconds: number) => `That was quick. Try again in ${seconds} seconds.`,
  logIn: 'Log in',
  again: 'Try again',
};

/** What a failed call says. `otherwise` is for what the API refused. */
export function failureText({ reason, wait }: Failure, otherwise: string): string {
  if (reason === 'session') return text.session;
  if (reason === 'away') return text.away;
  return reason === 'too fast' ? text.tooFast(wait) : otherwise;
}

interface FailureAlertProps {
  failure: Failure;
  /** What was not done, where the reason is none of the usual. */
  otherwise: string;
  /** A way on that suits what the API refused. */
  action?: ReactNode;
}

/** Shown in a form that was not sent. Its button sends the form again, unless a limit of the API was reached. */
export function FailureAlert({ failure, otherwise, action }: FailureAlertProps) {
  const from = useLocation();
  return (
    <Alert
      action={
        failure.reason === 'session' ? (
          <Link to="/login" state={{ from }} className="link">
            {text.logIn}
          </Link>
        ) : (
          action ||
          (failure.reason !== 'limit' && (
            <Button ref={focusHeadingOnRemoval} type="submit" tone="quiet">
              {text.again}
            </Button>
          ))
        )
      }
    >
      <p>{failureText(failure, otherwise)}</p>
      {(failure.reason === 'refused' || failure.reason === 'limit') && <p className="text-small">{failure.detail}</p>}
    </Alert>
  );
}
