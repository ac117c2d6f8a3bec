// The end of every sign-in: request the access token, then go to the page that the customer came from.
import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { ApiError, NetworkError, UnexpectedAnswer } from '../../lib/api-error.ts';
import { originIn } from '../../lib/safe-path.ts';
import { toast } from '../../ui/toasts.tsx';
import type { Session } from './session.ts';
import { signInErrorText } from './sign-in-errors.ts';

/**
 * Why a sign-in did not succeed; null when it did. After `tokenFailed` the customer is signed in, and only the access
 * token is requested again.
 */
export type SignInOutcome = { tokenFailed: string } | { refused: string } | null;

/** One toast id for login and sign-up, so that the outcome of an attempt replaces that of the attempt before. */
export const signInToast = { id: 'sign-in' };

export const text = {
  tokenFailed: 'You are signed in, but our server did not answer. Nothing you typed is lost.',
  retry: 'Retry',
};

/** Requests the access token, which is stored before the customer goes to another page. */
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

/** Replaces this page by the page that the customer came from, or by home, once they are signed in. */
export function useRedirectWhenSignedIn(isSignedIn: boolean): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  // Do not interrupt a running action, or a navigation that the customer started.
  const isIdle = useNavigation().state === 'idle';
  useEffect(() => {
    if (!isSignedIn || !isIdle) return;
    const origin = originIn(state);
    void navigate(origin.to, { replace: true, state: origin.state });
  }, [isSignedIn, isIdle, navigate, state]);
}
