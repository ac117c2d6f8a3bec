import type { App } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { firebaseErrorCode } from './firebase-app.ts';

/** The customers' Firebase accounts, as operators use them. */
export interface FirebaseAccounts {
  /** Finds an account by uid or email, and returns its uid. */
  findUid(uidOrEmail: string): Promise<string | undefined>;
  /** Disables or enables a customer. A disabled customer cannot log in, and their tokens are rejected within 60 s. */
  setDisabled(uid: string, isDisabled: boolean): Promise<'done' | 'already'>;
}

const notFoundCodes = new Set(['auth/user-not-found', 'auth/invalid-email', 'auth/invalid-uid']);

export function createFirebaseAccounts(app: App): FirebaseAccounts {
  const auth = getAuth(app);
  return {
    async findUid(uidOrEmail) {
      try {
        const user = await (uidOrEmail.includes('@') ? auth.getUserByEmail(uidOrEmail) : auth.getUser(uidOrEmail));
        return user.uid;
      } catch (error) {
        if (notFoundCodes.has(firebaseErrorCode(error))) return undefined;
        throw error;
      }
    },

    async setDisabled(uid, isDisabled) {
      if ((await auth.getUser(uid)).disabled === isDisabled) return 'already';
      await auth.updateUser(uid, { disabled: isDisabled });
      return 'done';
    },
  };
}
