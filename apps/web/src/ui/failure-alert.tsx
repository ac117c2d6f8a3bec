import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { canRetry, type Failure } from '../lib/failure.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { commonText } from './texts.ts';

/**
 * Returns the text for a failed API call. `otherwise` is used for all failures except an ended session and too many
 * requests.
 */
export function failureText({ reason, waitSeconds }: Failure, otherwise: string): string {
  if (reason === 'session') return commonText.sessionEnded;
  return reason === 'too fast' ? commonText.tooFast(waitSeconds) : otherwise;
}

interface FailureAlertProps {
  failure: Failure;
  message: string;
  /** Replaces the 'Try again' button. Without `action`, this button is shown only if a retry may succeed. */
  action?: ReactNode;
}

/**
 * If a failure has one of these reasons, the alert also shows the text of the API, which says more than the message of the
 * form.
 */
const reasonsWithDetail = new Set<Failure['reason']>(['rejected', 'forbidden', 'limit']);

export function FailureAlert({ failure, message, action }: FailureAlertProps) {
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
          (canRetry(failure) && (
            <Button ref={focusHeadingOnRemoval} type="submit" tone="quiet">
              {commonText.tryAgain}
            </Button>
          ))
        )
      }
    >
      <p>{message}</p>
      {reasonsWithDetail.has(failure.reason) && <p className="text-small">{failure.detail}</p>}
    </Alert>
  );
}
