// What the ways in have in common once the provider knows who it is: the access token, then the page one came for.
import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { ApiError, NetworkError, UnexpectedAnswer } from '../../lib/api-error.ts';
import { originIn } from '../../lib/safe-path.ts';
import { toast } from '../../ui/toasts.tsx';
import { takeAccessToken } from './session.ts';
import { signInText } from './sign-in.ts';

/**
 * Why an attempt to get in did not succeed; null when it did. After `noToken` only the access token is missing, and only
 * that is asked for again.
 */
export type Entry = { noToken: string } | { refused: string } | null;

/** One toast for all attempts on both pages: the outcome of an attempt replaces that of the attempt before. */
export const entryToast = { id: 'sign-in' };

export const text = {
  noToken: 'You are signed in, but our server did not answer. Nothing you typed is lost.',
  retry: 'Retry',
};

/** Asks for the access token, which is stored before anybody navigates. */
export async function finishEntry(success: string): Promise<Entry> {
  try {
    if (!(await takeAccessToken())) return { noToken: text.noToken };
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError || error instanceof UnexpectedAnswer)
      return { noToken: text.noToken };
    return { noToken: signInText(error, text.noToken) ?? text.noToken };
  }
  toast.success(success, entryToast);
  return null;
}

/** Sends a customer who is signed in on to the page that sent them here, or home, in place of this page. */
export function useOnwardRedirect(signedIn: boolean): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  // An action that is still running would be interrupted, and a customer who is leaving by a link is left alone.
  const idle = useNavigation().state === 'idle';
  useEffect(() => {
    if (!signedIn || !idle) return;
    const origin = originIn(state);
    void navigate(origin.to, { replace: true, state: origin.state });
  }, [signedIn, idle, navigate, state]);
}
