// The last steps of every sign-in: request the access token, then open the page that the customer came from.
import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { ApiError, NetworkError, UnexpectedResponse } from '../../lib/api-error.ts';
import { originIn } from '../../lib/safe-path.ts';
import { toast } from '../../ui/toasts.tsx';
import type { Session } from './session.ts';
import { signInErrorText } from './sign-in-errors.ts';

/**
 * The result of a sign-in. Null: it succeeded. `rejection`: the sign-in at Firebase failed. `tokenFailed`: the customer is
 * signed in but has no access token yet, so the next attempt only requests the token.
 */
export type SignInOutcome = { tokenFailed: string } | { rejection: string } | null;

/** Login and sign-up use the same toast id, so that each toast replaces the toast of the previous attempt. */
export const signInToast = { id: 'sign-in' };

const text = {
  tokenFailed: 'We could not log you in because our server did not respond. Nothing you typed is lost.',
};

/**
 * Requests and stores the access token. Callers wait for the result before they open another page, because that page may
 * need the token.
 */
export async function finishSignIn(session: Session, success: string): Promise<SignInOutcome> {
  try {
    if (!(await session.refreshAccessToken(session.getAccessToken()))) return { tokenFailed: text.tokenFailed };
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError || error instanceof UnexpectedResponse)
      return { tokenFailed: text.tokenFailed };
    return { tokenFailed: signInErrorText(error, text.tokenFailed) ?? text.tokenFailed };
  }
  toast.success(success, signInToast);
  return null;
}

/**
 * When the customer is signed in, opens the page that they came from, or else the home page. The opened page replaces the
 * history entry of the form, so the Back button does not return to the form.
 */
export function useRedirectWhenSignedIn(isSignedIn: boolean): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  // The redirect waits while the router runs an action, or opens another page that the customer has chosen.
  const isIdle = useNavigation().state === 'idle';
  useEffect(() => {
    if (!isSignedIn || !isIdle) return;
    const origin = originIn(state);
    void navigate(origin.to, { replace: true, state: origin.state });
  }, [isSignedIn, isIdle, navigate, state]);
}
