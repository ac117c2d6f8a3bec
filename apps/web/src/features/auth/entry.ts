// What the ways in have in common once the provider knows who it is: the access token, then the page one came for.
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError, NetworkError, UnexpectedAnswer } from '../../lib/api-error.ts';
import { originIn } from '../../lib/safe-path.ts';
import { toast } from '../../ui/toasts.tsx';
import { takeAccessToken } from './session.ts';
import { signInText } from './sign-in.ts';

/** How an attempt to get in ended. After `noToken` only the access token is missing, and only that is asked for again. */
export type Entry = { entered: true } | { noToken: string } | { refused: string };

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
  toast.success(success);
  return { entered: true };
}

/** Once in, goes on to the page that sent the customer here, in place of the form. */
export function useLanding(entry: Entry | undefined): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const entered = entry !== undefined && 'entered' in entry;
  useEffect(() => {
    if (!entered) return;
    const origin = originIn(state);
    void navigate(origin.to, { replace: true, state: origin.state });
  }, [entered, navigate, state]);
}
