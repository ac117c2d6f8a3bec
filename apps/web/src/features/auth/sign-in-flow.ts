// The last steps of every sign-in: request the access token, then return to the page that the customer came from.
import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { ApiError, NetworkError, UnexpectedAnswer } from '../../lib/api-error.ts';
import { originIn } from '../../lib/safe-path.ts';
import { toast } from '../../ui/toasts.tsx';
import type { Session } from './session.ts';
import { signInErrorText } from './sign-in-errors.ts';

/**
 * The result of a sign-in: null if it succeeded, `refused` if the provider rejected it. With `tokenFailed`, the customer is
 * signed in, and the next attempt requests only the access token.
 */
export type SignInOutcome = { tokenFailed: string } | { refused: string } | null;

/** The toast id of login and sign-up. With the same id, the toast of an attempt replaces the toast of the previous one. */
export const signInToast = { id: 'sign-in' };

const text = {
  tokenFailed: 'Our server did not answer, so we could not finish signing you in. Nothing you typed is lost.',
};

/** Requests and stores the access token. Await this before the customer goes to another page. */
export async function finishSignIn(session: Session, success: string): Promise<SignInOutcome> {
  try {
    if (!(await session.requestAccessToken())) return { tokenFailed: text.tokenFailed };
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError || error instanceof UnexpectedAnswer)
      return { tokenFailed: text.tokenFailed };
    return { tokenFailed: signInErrorText(error, text.tokenFailed) ?? text.tokenFailed };
  }
  toast.success(success, signInToast);
  return null;
}

/** Once the customer is signed in, replaces this page by the page that they came from, or by the home page. */
export function useRedirectWhenSignedIn(isSignedIn: boolean): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  // Does not interrupt a running action or a navigation that the customer has started.
  const isIdle = useNavigation().state === 'idle';
  useEffect(() => {
    if (!isSignedIn || !isIdle) return;
    const origin = originIn(state);
    void navigate(origin.to, { replace: true, state: origin.state });
  }, [isSignedIn, isIdle, navigate, state]);
}
