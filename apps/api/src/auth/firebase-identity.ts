import { deleteApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import type { AuthConfig } from '../config.ts';
import { UnavailableError } from '../errors.ts';
import {
  decodeHeader,
  displayNameOrDefault,
  maxClockSkewSeconds,
  type SignedInCustomer,
  webUrlOrEmpty,
} from './access-token.ts';
import { createFirebaseApp, firebaseErrorCode } from './firebase-app.ts';
import { type Identity, IdTokenError } from './identity.ts';

interface FirebaseIdentityOptions {
  /** Returns the current time in milliseconds since 1970. */
  now?: () => number;
  /** Called after each call to Firebase with its outcome. */
  onFirebaseCall?: (outcome: 'answered' | 'away') => void;
}

/** The timeout of a call to Firebase. The default of firebase-admin is 25 s. */
const callTimeoutMs = 4000;
const freshForMs = 60_000;
const usableForMs = 15 * 60_000;
/** While Firebase is unavailable, the cached status is used and the next call is made only after this delay. */
const retryDelayMs = 5000;
const unavailableRetryAfterSeconds = 5;
const maxCachedAccounts = 20_000;

const sessionEnds = {
  disabled: 'This account is disabled.',
  deleted: 'This account does not exist any more.',
  revoked: 'Its session has ended. Log in again.',
  unlinked: 'The sign-in method of this session is no longer linked to the account. Log in again.',
};

const idTokenProblems: Record<string, string> = {
  'auth/id-token-expired': 'It has expired.',
  // With the Auth emulator, firebase-admin itself also reports revoked tokens, disabled customers and deleted customers.
  'auth/id-token-revoked': sessionEnds.revoked,
  'auth/user-disabled': sessionEnds.disabled,
  'auth/user-not-found': sessionEnds.deleted,
};

/** The status of an account at the time of the last call to Firebase. */
interface AccountStatus {
  state: 'active' | 'disabled' | 'deleted';
  /** A time in seconds since 1970. Sessions that began earlier are revoked. */
  sessionsValidAfter: number;
  /** The ids of the sign-in providers that are linked to the account. */
  providers: readonly string[];
  /** The time of the call to Firebase, in milliseconds since 1970. */
  fetchedAt: number;
}

interface CachedStatus extends AccountStatus {
  refreshAt: number;
}

export function createFirebaseIdentity(
  config: AuthConfig,
  { now = Date.now, onFirebaseCall = () => {} }: FirebaseIdentityOptions = {},
): Identity {
  const app = createFirebaseApp(config);
  const auth = getAuth(app);

  const statusByUid = new Map<string, CachedStatus>();
  const pendingByUid = new Map<string, Promise<AccountStatus>>();

  return {
    async verifyIdToken(idToken) {
      if (!decodeHeader(idToken)) throw new IdTokenError('It is not a token.');
      const { claims, status } = await withTimeout(verifyAndFetchStatus(idToken)).catch((error: unknown) => {
        const problem = findIdTokenProblem(error);
        throw problem ? new IdTokenError(problem, { cause: error }) : unavailable(error);
      });
      onFirebaseCall('answered');
      const customer = {
        uid: claims.uid,
        email: claims.email ?? '',
        name: displayNameOrDefault(claims.name),
        picture: webUrlOrEmpty(claims.picture),
        authTime: claims.auth_time,
        // This claim is missing in the handwritten tokens that the emulator also accepts.
        signInProvider: claims.firebase?.sign_in_provider ?? '',
      };
      const sessionEnd = sessionEndByStatus(status, customer);
      if (sessionEnd) throw new IdTokenError(sessionEnd);
      return customer;
    },

    async findSessionEnd({ customer, issuedAt }) {
      const startedAt = now();
      const status = await getStatus(customer.uid);
      const sessionEnd = sessionEndByStatus(status, customer);
      // If the cached status is older than the token, it may lack a provider that was linked by this login.
      const isMaybeStale = status.fetchedAt < startedAt && status.fetchedAt < (issuedAt + maxClockSkewSeconds) * 1000;
      return sessionEnd && isMaybeStale ? sessionEndByStatus(await refreshStatus(customer.uid), customer) : sessionEnd;
    },

    async deleteUser(uid) {
      try {
        await withTimeout(auth.deleteUser(uid));
      } catch (error) {
        if (firebaseErrorCode(error) !== 'auth/user-not-found') throw unavailable(error);
      }
      onFirebaseCall('answered');
    },

    close: () => deleteApp(app),
  };

  async function getStatus(uid: string): Promise<AccountStatus> {
    const cached = statusByUid.get(uid);
    if (cached && now() < cached.refreshAt) return cached;
    try {
      return await refreshStatus(uid);
    } catch (error) {
      if (!cached || now() >= cached.fetchedAt + usableForMs) throw error;
      cached.refreshAt = now() + retryDelayMs;
      return cached;
    }
  }

  /** Fetches the status of an account. Concurrent calls for the same customer share one request. */
  function refreshStatus(uid: string): Promise<AccountStatus> {
    const pending = pendingByUid.get(uid) ?? requestStatus(uid);
    pendingByUid.set(uid, pending);
    return pending;
  }

  async function requestStatus(uid: string): Promise<AccountStatus> {
    try {
      const status = await withTimeout(fetchStatus(uid));
      onFirebaseCall('answered');
      return status;
    } catch (error) {
      throw unavailable(error);
    } finally {
      pendingByUid.delete(uid);
    }
  }

  async function verifyAndFetchStatus(idToken: string) {
    const claims = await auth.verifyIdToken(idToken);
    return { claims, status: await fetchStatus(claims.uid) };
  }

  async function fetchStatus(uid: string): Promise<AccountStatus> {
    const fetchedAt = now();
    const status = await auth.getUser(uid).then(
      ({ disabled, tokensValidAfterTime, providerData }): AccountStatus => ({
        state: disabled ? 'disabled' : 'active',
        sessionsValidAfter: tokensValidAfterTime ? Date.parse(tokensValidAfterTime) / 1000 : 0,
        providers: providerData.map(({ providerId }) => providerId),
        fetchedAt,
      }),
      (error: unknown): AccountStatus => {
        if (firebaseErrorCode(error) !== 'auth/user-not-found') throw error;
        return { state: 'deleted', sessionsValidAfter: 0, providers: [], fetchedAt };
      },
    );
    statusByUid.delete(uid); // `set` then adds the entry at the end, so that the oldest entries come first
    statusByUid.set(uid, { ...status, refreshAt: fetchedAt + freshForMs });
    if (statusByUid.size > maxCachedAccounts) statusByUid.delete(statusByUid.keys().next().value ?? '');
    return status;
  }

  function unavailable(cause: unknown): UnavailableError {
    onFirebaseCall('away');
    return new UnavailableError(
      'Your login cannot be checked right now. Try again in a few seconds.',
      unavailableRetryAfterSeconds,
      cause,
    );
  }
}

/**
 * Returns why the session has ended, or undefined if it has not. Only times of Firebase are compared with each other, never
 * with the local clock.
 *
 * A session ends when its provider is unlinked: if the owner of an email address signs in with Google, Firebase unlinks the
 * password of the person who registered the address before. Sessions of the providers 'anonymous' and 'custom' are rejected,
 * because these providers are never linked.
 */
function sessionEndByStatus(
  { state, sessionsValidAfter, providers }: AccountStatus,
  { authTime, signInProvider }: SignedInCustomer,
): string | undefined {
  if (state !== 'active') return sessionEnds[state];
  if (authTime < sessionsValidAfter) return sessionEnds.revoked;
  return providers.includes(signInProvider) ? undefined : sessionEnds.unlinked;
}

async function withTimeout<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Firebase did not answer within ${callTimeoutMs} ms`)), callTimeoutMs);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns why the ID token is invalid, or undefined if Firebase failed. If Google's certificates cannot be fetched,
 * firebase-admin reports the same code as for an invalid token, so only the message distinguishes the two.
 */
function findIdTokenProblem(error: unknown): string | undefined {
  const code = firebaseErrorCode(error);
  if (code !== 'auth/argument-error') return idTokenProblems[code];
  const tokenMessage = /^(Firebase ID token |Decoding Firebase ID token |verifyIdToken\(\) expects )/;
  return error instanceof Error && tokenMessage.test(error.message)
    ? 'It is not an ID token of this project.'
    : undefined;
}
