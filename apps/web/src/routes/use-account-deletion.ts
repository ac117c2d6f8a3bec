import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { DeletionFailure, IdentityProof } from '../features/accounts/delete-account.tsx';
import type { Session } from '../features/auth/session.ts';
import { useSessionActions } from '../features/auth/session-context.ts';
import { signInErrorText } from '../features/auth/sign-in-errors.ts';
import { ApiError, NetworkError, UnexpectedResponse } from '../lib/api-error.ts';
import { failureOf } from '../lib/failure.ts';
import { removeInactive } from '../lib/query-client.ts';
import { failureText } from '../ui/failure-alert.tsx';
import { toast } from '../ui/toasts.tsx';

const text = {
  deleting: 'Deleting your account…',
  deleted: 'Your account is deleted.',
  wrongPassword: 'This password is not correct. Try again, or sign out and set a new password on the login page.',
  wrongGoogle: 'Google could not confirm your identity. Try again with the Google account that you use here.',
  failed: 'Your account was not deleted. Try again in a minute.',
  unknown: 'We could not confirm that your account was deleted. Try again in a minute.',
  closed: 'Your session has ended, or your account is already deleted. Log in again to check.',
};

/** Returns a function that deletes the account. `onDeleted` is called before the home page opens. */
export function useAccountDeletion(uid: string, onDeleted: () => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const session = useSessionActions();
  return async (proof: IdentityProof): Promise<DeletionFailure | null> => {
    const failure = await deleteAccount(session, uid, proof);
    if (failure) return failure;
    // The cached data of other pages may contain the deleted reviews. The sign-out removes the data of this page.
    removeInactive(queries);
    onDeleted();
    // Open the home page before the sign-out, because a protected page would then redirect to the login page.
    await navigate('/', { flushSync: true });
    toast.success(text.deleted, { id: 'deletion' });
    await session.signOut(uid);
    return null;
  };
}

async function deleteAccount(session: Session, uid: string, proof: IdentityProof): Promise<DeletionFailure | null> {
  try {
    if (proof === 'google') await session.reauthenticateWithGoogle();
    else if (proof) await session.reauthenticateWithPassword(proof.password);
  } catch (error) {
    return { message: signInErrorText(error, text[proof === 'google' ? 'wrongGoogle' : 'wrongPassword']) };
  }
  try {
    await toast.during(session.deleteAccount(uid), text.deleting, 'deletion');
    return null;
  } catch (error) {
    if (error instanceof NetworkError || error instanceof UnexpectedResponse) return { message: text.unknown };
    if (!(error instanceof ApiError)) return { message: signInErrorText(error, text.failed) };
    if (error.status === 403) return { signInMethods: await session.getSignInMethods() };
    if (error.status === 401) return { message: text.closed };
    return { message: failureText(failureOf(error), text.failed) };
  }
}
