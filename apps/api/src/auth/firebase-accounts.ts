import type { App } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { firebaseErrorCode } from './firebase-app.ts';

/** The operations on Firebase accounts that the operator commands need. */
export interface FirebaseAccounts {
  findUid(uidOrEmail: string): Promise<string | undefined>;
  /** Disables or enables a customer. A disabled customer cannot log in, and the API rejects their tokens within 60 s. */
  setDisabled(uid: string, isDisabled: boolean): Promise<'done' | 'already'>;
  /** Adds or removes the custom claim `moderator`. The API notices this within 60 s. */
  setModerator(uid: string, isModerator: boolean): Promise<'done' | 'already'>;
  /** Returns the moderators. For this, it reads all accounts, up to 1,000 with each call to Firebase. */
  listModerators(): Promise<{ uid: string; email: string }[]>;
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

    async setModerator(uid, isModerator) {
      const { customClaims = {} } = await auth.getUser(uid);
      if ((customClaims.moderator === true) === isModerator) return 'already';
      const { moderator: _, ...otherClaims } = customClaims;
      await auth.setCustomUserClaims(uid, isModerator ? { ...otherClaims, moderator: true } : otherClaims);
      return 'done';
    },

    async listModerators() {
      const moderators: { uid: string; email: string }[] = [];
      for (let pageToken: string | undefined; ; ) {
        const page = await auth.listUsers(1000, pageToken);
        for (const { uid, email = '', customClaims } of page.users)
          if (customClaims?.moderator === true) moderators.push({ uid, email });
        if (page.pageToken === undefined) return moderators;
        ({ pageToken } = page);
      }
    },
  };
}
