import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Failure } from '../lib/failure.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { commonText } from './texts.ts';

const text = { away: 'We cannot reach the kitchen right now. Your text is safe here.' };

/** Returns the text for a failed call. `otherwise` is the text if the API rejected it or is unavailable. */
export function failureText({ reason, wait }: Failure, otherwise: string): string {
  if (reason === 'session') return commonText.sessionEnded;
  return reason === 'too fast' ? commonText.tooFast(wait) : otherwise;
}

/** Returns the text for a form that was not sent, whose draft is stored. `otherwise` is the text if the API rejected it. */
export function unsentText(failure: Failure, otherwise: string): string {
  return failure.reason === 'away' ? text.away : failureText(failure, otherwise);
}

interface FailureAlertProps {
  failure: Failure;
  /** The text that is shown if the API has rejected the call. */
  otherwise: string;
  /** A link or button that replaces the button Try again. */
  action?: ReactNode;
}

/** Shows why a form could not be sent. A button sends the form again, unless a limit of the API was reached. */
export function FailureAlert({ failure, otherwise, action }: FailureAlertProps) {
  const from = useLocation();
  return (
    <Alert
      action={
        failure.reason === 'session' ? (
          <Link to="/login" state={{ from }} className="link">
            {commonText.logIn}
          </Link>
        ) : (
          action ||
          (failure.reason !== 'limit' && (
            <Button ref={focusHeadingOnRemoval} type="submit" tone="quiet">
              {commonText.tryAgain}
            </Button>
          ))
        )
      }
    >
      <p>{unsentText(failure, otherwise)}</p>
      {(failure.reason === 'refused' || failure.reason === 'limit') && <p className="text-small">{failure.detail}</p>}
    </Alert>
  );
}
