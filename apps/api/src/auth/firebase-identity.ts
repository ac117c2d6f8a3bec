import { deleteApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import type { AuthConfig } from '../config.ts';
import { UnavailableError } from '../errors.ts';
import {
  decodeHeader,
  displayNameOrDefault,
  InvalidTokenError,
  maxClockSkewSeconds,
  type SignedInCustomer,
  webUrlOrEmpty,
} from './access-token.ts';
import { createFirebaseApp, firebaseErrorCode } from './firebase-app.ts';
import type { Identity } from './identity.ts';

interface FirebaseIdentityOptions {
  now?: () => number;
  /**
   * A monotonic clock in milliseconds, for the age of cached values. It never goes back, even if the clock of the machine is
   * corrected.
   */
  monotonicNow?: () => number;
  onFirebaseCall?: (outcome: 'answered' | 'away') => void;
}

/** The timeout of a call to Firebase. The default timeout of firebase-admin, 25 s, is too long for a request. */
const callTimeoutMs = 4000;
const freshForMs = 60_000;
const usableForMs = 15 * 60_000;
/** The pause after a failed call to Firebase. During the pause, the cached account status is used. */
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
  // firebase-admin reports the following three codes only with the Auth emulator.
  'auth/id-token-revoked': sessionEnds.revoked,
  'auth/user-disabled': sessionEnds.disabled,
  'auth/user-not-found': sessionEnds.deleted,
};

/** The status of a Firebase account, as Firebase returned it. */
interface AccountStatus {
  state: 'active' | 'disabled' | 'deleted';
  /** Sessions that began before this time are revoked. The time is in seconds since 1970. */
  sessionsValidAfter: number;
  /** The ids of the sign-in providers that are linked to the account, such as 'google.com'. */
  providers: readonly string[];
  isModerator: boolean;
  /**
   * The time of the call to Firebase that returned this status, in milliseconds since 1970. It can be compared with the
   * times in tokens.
   */
  fetchedAt: number;
  /** The time of the call to Firebase on the monotonic clock. The age of the status is computed from it. */
  fetchedAtMonotonic: number;
}

interface CachedStatus extends AccountStatus {
  /** The time on the monotonic clock after which the status is fetched again. */
  refreshAt: number;
}

export function createFirebaseIdentity(
  config: AuthConfig,
  { now = Date.now, monotonicNow = () => performance.now(), onFirebaseCall = () => {} }: FirebaseIdentityOptions = {},
): Identity {
  const app = createFirebaseApp(config);
  const auth = getAuth(app);

  const statusByUid = new Map<string, CachedStatus>();
  const pendingByUid = new Map<string, Promise<AccountStatus>>();

  return {
    async verifyIdToken(idToken) {
      if (!decodeHeader(idToken)) throw new InvalidTokenError('It is not a token.');
      const { claims, status } = await withTimeout(verifyAndFetchStatus(idToken)).catch((error: unknown) => {
        const problem = findIdTokenProblem(error);
        throw problem ? new InvalidTokenError(problem, { cause: error }) : unavailable(error);
      });
      onFirebaseCall('answered');
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
      const status = await getStatus(customer.uid);
      const sessionEnd = sessionEndByStatus(status, customer);
      // A login can link a new sign-in provider to the account. An account status that is older than the token may lack this
      // provider.
      const isMaybeStale =
        status.fetchedAtMonotonic < startedAt && status.fetchedAt < (issuedAt + maxClockSkewSeconds) * 1000;
      return sessionEnd && isMaybeStale ? sessionEndByStatus(await refreshStatus(customer.uid), customer) : sessionEnd;
    },

    async isModerator(uid) {
      const status = await getStatus(uid);
      // While Firebase is unavailable, `getStatus` returns an old status. But the claim `moderator` may be at most 60 s old.
      const isFresh = monotonicNow() < status.fetchedAtMonotonic + freshForMs;
      return (isFresh ? status : await refreshStatus(uid)).isModerator;
    },

    async findPicture(uid) {
      try {
        const { photoURL } = await withTimeout(auth.getUser(uid));
        onFirebaseCall('answered');
        return webUrlOrEmpty(photoURL);
      } catch (error) {
        if (firebaseErrorCode(error) !== 'auth/user-not-found') throw unavailable(error);
        return '';
      }
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
    if (cached && monotonicNow() < cached.refreshAt) return cached;
    try {
      return await refreshStatus(uid);
    } catch (error) {
      if (!cached || monotonicNow() >= cached.fetchedAtMonotonic + usableForMs) throw error;
      cached.refreshAt = monotonicNow() + retryDelayMs;
      return cached;
    }
  }

  /** Fetches the status of an account. Concurrent calls for the same customer share one request to Firebase. */
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
    const [fetchedAt, fetchedAtMonotonic] = [now(), monotonicNow()];
    const status = await auth.getUser(uid).then(
      ({ disabled, tokensValidAfterTime, providerData, customClaims }): AccountStatus => ({
        state: disabled ? 'disabled' : 'active',
        sessionsValidAfter: tokensValidAfterTime ? Date.parse(tokensValidAfterTime) / 1000 : 0,
        providers: providerData.map(({ providerId }) => providerId),
        isModerator: customClaims?.moderator === true,
        fetchedAt,
        fetchedAtMonotonic,
      }),
      (error: unknown): AccountStatus => {
        if (firebaseErrorCode(error) !== 'auth/user-not-found') throw error;
        const state = 'deleted';
        return { state, sessionsValidAfter: 0, providers: [], isModerator: false, fetchedAt, fetchedAtMonotonic };
      },
    );
    // `delete` and `set` move the entry to the end of the map. So the first entry of the map is always the oldest.
    statusByUid.delete(uid);
    statusByUid.set(uid, { ...status, refreshAt: fetchedAtMonotonic + freshForMs });
    if (statusByUid.size > maxCachedAccounts) statusByUid.delete(statusByUid.keys().next().value ?? '');
    return status;
  }

  function unavailable(cause: unknown): UnavailableError {
    onFirebaseCall('away');
    return new UnavailableError(
      'Your login cannot be checked right now, because the login service does not respond. Try again in a few seconds.',
      unavailableRetryAfterSeconds,
      cause,
    );
  }
}

/**
 * Returns why the session has ended, or undefined if it has not ended. The clock of this machine may be wrong, so all times
 * that this function compares come from Firebase. A session also ends when its sign-in provider is unlinked from the
 * account.
 *
 * Example: a stranger signs up with somebody's email address and a password. When the owner of the address signs in with
 * Google, Firebase unlinks the password of the stranger, so the session of the stranger ends. Sessions of the providers
 * 'anonymous' and 'custom' are rejected, because these providers are never linked to an account.
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
    timer = setTimeout(() => reject(new Error(`Firebase did not respond within ${callTimeoutMs} ms`)), callTimeoutMs);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns why the ID token is invalid, or undefined if the call to Firebase failed. If
 * firebase-admin cannot fetch the certificates of Google, it reports the same error code as for an invalid token. Only the
 * error message differs.
 */
function findIdTokenProblem(error: unknown): string | undefined {
  const code = firebaseErrorCode(error);
  if (code !== 'auth/argument-error') return idTokenProblems[code];
  const tokenMessage = /^(Firebase ID token |Decoding Firebase ID token |verifyIdToken\(\) expects )/;
  return error instanceof Error && tokenMessage.test(error.message)
    ? 'It is not an ID token of this project.'
    : undefined;
}
