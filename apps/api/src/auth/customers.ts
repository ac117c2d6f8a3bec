import type { App } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';

/** Customers' accounts, as their operator sees them. */
export interface Customers {
  /** By uid or email; undefined when there is none. */
  uidOf(uidOrEmail: string): Promise<string | undefined>;
  /** A disabled customer cannot log in, and loses every route that needs a token within 60 s. */
  setDisabled(uid: string, disabled: boolean): Promise<'done' | 'already'>;
}

export function firebaseCustomers(app: App): Customers {
  const auth = getAuth(app);
  return {
    async uidOf(uidOrEmail) {
      try {
        const user = await (uidOrEmail.includes('@') ? auth.getUserByEmail(uidOrEmail) : auth.getUser(uidOrEmail));
        return user.uid;
      } catch (error) {
        const unknown = ['auth/user-not-found', 'auth/invalid-email', 'auth/invalid-uid'];
        if (error instanceof Error && 'code' in error && unknown.includes(String(error.code))) return undefined;
        throw error;
      }
    },

    async setDisabled(uid, disabled) {
      if ((await auth.getUser(uid)).disabled === disabled) return 'already';
      await auth.updateUser(uid, { disabled });
      return 'done';
    },
  };
}
