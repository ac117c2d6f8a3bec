import { deleteApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import * as z from 'zod/mini';
import type { AuthConfig } from '../config.ts';
import {
  decodeToken,
  displayNameOrDefault,
  InvalidTokenError,
  maxClockSkewSeconds,
  type SignedInCustomer,
  webUrlOrEmpty,
} from './access-token.ts';
import { type AccountStatus, type Clocks, createAccountStatuses } from './account-statuses.ts';
import { createFirebaseApp, firebaseErrorCode } from './firebase-app.ts';
import { createWaitForFirebase, undefinedIfNoUser } from './firebase-calls.ts';
import type { Identity } from './identity.ts';

interface FirebaseIdentityOptions extends Partial<Clocks> {
  onFirebaseCall?: (outcome: 'answered' | 'away') => void;
}

const sessionEnds = {
  disabled: 'This account is disabled.',
  deleted: 'This account does not exist any more.',
  revoked: 'Its session has ended. Log in again.',
  unlinked: 'The sign-in method of this session is no longer linked to the account. Log in again.',
};

const idTokenProblems: Record<string, string> = {
  'auth/id-token-expired': 'It has expired.',
  // firebase-admin reports the following three codes only with the Auth emulator.
  'auth/id-token-revoked': sessionEnds.revoked,
  'auth/user-disabled': sessionEnds.disabled,
  'auth/user-not-found': sessionEnds.deleted,
};

const notAnIdToken = 'It is not an ID token of this project.';

/**
 * The types of two claims that the API needs. In tokens that Firebase has signed, these types are always right. The API
 * checks them because the Auth emulator also accepts tokens that were written by hand.
 */
const claimsSchema = z.object({ email: z.optional(z.string()), auth_time: z.number() });

export function createFirebaseIdentity(
  config: AuthConfig,
  { now = Date.now, monotonicNow = () => performance.now(), onFirebaseCall = () => {} }: FirebaseIdentityOptions = {},
): Identity {
  const app = createFirebaseApp(config);
  const auth = getAuth(app);
  const waitForFirebase = createWaitForFirebase(onFirebaseCall);
  const statuses = createAccountStatuses(auth, waitForFirebase, { now, monotonicNow });

  async function verifyAndFetchStatus(idToken: string) {
    const claims = await auth.verifyIdToken(idToken).catch((error: unknown) => {
      const problem = findIdTokenProblem(error);
      throw problem ? new InvalidTokenError(problem, { cause: error }) : error;
    });
    return { claims, status: await statuses.fetchStatus(claims.uid) };
  }

  return {
    async verifyIdToken(idToken) {
      const { success } = z.safeParse(claimsSchema, decodeToken(idToken)?.payload);
      if (!success) throw new InvalidTokenError(notAnIdToken);
      const { claims, status } = await waitForFirebase(verifyAndFetchStatus(idToken));
      const customer = {
        uid: claims.uid,
        email: claims.email ?? '',
        name: displayNameOrDefault(claims.name),
        picture: webUrlOrEmpty(claims.picture),
        authTime: claims.auth_time,
        // The Auth emulator also accepts tokens that a test wrote by hand. Such a token may have no sign-in provider.
        signInProvider: claims.firebase?.sign_in_provider ?? '',
      };
      const sessionEnd = sessionEndByStatus(status, customer);
      if (sessionEnd) throw new InvalidTokenError(sessionEnd);
      return customer;
    },

    async findSessionEnd({ customer, issuedAt }) {
      const startedAt = monotonicNow();
      const status = await statuses.get(customer.uid);
      const sessionEnd = sessionEndByStatus(status, customer);
      // The cached account status may be older than the token. For example, it may lack a sign-in provider that this
      // login has linked to the account. So the API fetches the account status again before it rejects the token.
      const isMaybeStale =
        status.fetchedAtMonotonic < startedAt && status.fetchedAt < (issuedAt + maxClockSkewSeconds) * 1000;
      return sessionEnd && isMaybeStale
        ? sessionEndByStatus(await statuses.refresh(customer.uid), customer)
        : sessionEnd;
    },

    isModerator: async (uid) => (await statuses.getFresh(uid)).isModerator,

    async findPicture(uid) {
      const user = await waitForFirebase(auth.getUser(uid).catch(undefinedIfNoUser));
      return webUrlOrEmpty(user?.photoURL);
    },

    async findVerifiedEmail(uid) {
      const user = await waitForFirebase(auth.getUser(uid).catch(undefinedIfNoUser));
      return user?.emailVerified && !user.disabled ? user.email : undefined;
    },

    async deleteUser(uid) {
      await waitForFirebase(auth.deleteUser(uid).catch(undefinedIfNoUser));
    },

    close: () => deleteApp(app),
  };
}

/**
 * Returns why the session has ended, or undefined if it has not ended. A session ends when its account is disabled or
 * deleted, when all sessions of the account are revoked, or when its sign-in provider is unlinked from the account.
 * Sessions of the providers 'anonymous' and 'custom' are always rejected, because these providers are never linked.
 *
 * The check of the provider protects owners of email addresses. A stranger may sign up with somebody else's address and a
 * password. When the owner of the address signs in with Google, Firebase unlinks the password from the account.
 *
 * Both compared times come from Firebase, because the clock of this machine may be wrong.
 */
function sessionEndByStatus(
  { state, sessionsValidAfter, providers }: AccountStatus,
  { authTime, signInProvider }: SignedInCustomer,
): string | undefined {
  if (state !== 'active') return sessionEnds[state];
  if (authTime < sessionsValidAfter) return sessionEnds.revoked;
  return providers.includes(signInProvider) ? undefined : sessionEnds.unlinked;
}

/**
 * Returns why the ID token is invalid, or undefined if the call to Firebase failed. If firebase-admin cannot fetch the
 * certificates of Google, it reports the same error code as for an invalid token. Only the error message differs.
 */
function findIdTokenProblem(error: unknown): string | undefined {
  const code = firebaseErrorCode(error);
  if (code !== 'auth/argument-error') return idTokenProblems[code];
  const tokenMessage = /^(Firebase ID token |Decoding Firebase ID token |verifyIdToken\(\) expects )/;
  return error instanceof Error && tokenMessage.test(error.message) ? notAnIdToken : undefined;
}
