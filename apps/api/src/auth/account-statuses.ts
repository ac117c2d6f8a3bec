import type { Auth } from 'firebase-admin/auth';
import { undefinedIfNoUser, type WaitForFirebase } from './firebase-calls.ts';

export interface Clocks {
  now: () => number;
  /**
   * A monotonic clock in milliseconds, for the age of cached values. It never goes back, even if the clock of the machine is
   * corrected.
   */
  monotonicNow: () => number;
}

const freshForMs = 60_000;
const usableForMs = 15 * 60_000;
/** The pause after a failed call to Firebase. During the pause, the cached account status is used. */
const retryDelayMs = 5000;
const maxCachedAccounts = 20_000;

/** The status of a Firebase account, as Firebase returned it. */
export interface AccountStatus {
  state: 'active' | 'disabled' | 'deleted';
  /** Sessions that began before this time are revoked. The time is in seconds since 1970. */
  sessionsValidAfter: number;
  /** The ids of the sign-in providers that are linked to the account, such as 'google.com'. */
  providers: readonly string[];
  isModerator: boolean;
  /**
   * When Firebase was asked for this status, in milliseconds since 1970. This time is compared with the times in tokens,
   * which are also counted from 1970, but in seconds.
   */
  fetchedAt: number;
  /** When Firebase was asked for this status, on the monotonic clock. The API computes the age of the status from it. */
  fetchedAtMonotonic: number;
}

interface CachedStatus extends AccountStatus {
  /** The time on the monotonic clock after which the status is fetched again. */
  refreshAt: number;
}

/** Creates the cache of the statuses of Firebase accounts. */
export function createAccountStatuses(
  auth: Pick<Auth, 'getUser'>,
  waitForFirebase: WaitForFirebase,
  { now, monotonicNow }: Clocks,
) {
  const statusByUid = new Map<string, CachedStatus>();
  const pendingByUid = new Map<string, Promise<AccountStatus>>();

  /** Returns a status that is at most 60 s old. While Firebase is unavailable, the status may be up to 15 minutes old. */
  async function get(uid: string): Promise<AccountStatus> {
    const cached = statusByUid.get(uid);
    if (cached && monotonicNow() < cached.refreshAt) return cached;
    try {
      return await refresh(uid);
    } catch (error) {
      if (!cached || monotonicNow() >= cached.fetchedAtMonotonic + usableForMs) throw error;
      cached.refreshAt = monotonicNow() + retryDelayMs;
      return cached;
    }
  }

  /** Returns a status that is at most 60 s old. Throws an error if Firebase is unavailable and no such status is cached. */
  async function getFresh(uid: string): Promise<AccountStatus> {
    const status = await get(uid);
    return monotonicNow() < status.fetchedAtMonotonic + freshForMs ? status : refresh(uid);
  }

  /** Fetches the status of an account. Concurrent calls for the same customer share one request to Firebase. */
  function refresh(uid: string): Promise<AccountStatus> {
    const pending =
      pendingByUid.get(uid) ?? waitForFirebase(fetchStatus(uid)).finally(() => void pendingByUid.delete(uid));
    pendingByUid.set(uid, pending);
    return pending;
  }

  /** Fetches the status of an account, without a timeout. */
  async function fetchStatus(uid: string): Promise<AccountStatus> {
    const [fetchedAt, fetchedAtMonotonic] = [now(), monotonicNow()];
    const user = await auth.getUser(uid).catch(undefinedIfNoUser);
    const status: AccountStatus = {
      state: !user ? 'deleted' : user.disabled ? 'disabled' : 'active',
      sessionsValidAfter: user?.tokensValidAfterTime ? Date.parse(user.tokensValidAfterTime) / 1000 : 0,
      providers: user?.providerData.map(({ providerId }) => providerId) ?? [],
      isModerator: user?.customClaims?.moderator === true,
      fetchedAt,
      fetchedAtMonotonic,
    };
    // `delete` and `set` move the entry to the end of the map. So the first entry of the map is always the oldest.
    statusByUid.delete(uid);
    statusByUid.set(uid, { ...status, refreshAt: fetchedAtMonotonic + freshForMs });
    if (statusByUid.size > maxCachedAccounts) statusByUid.delete(statusByUid.keys().next().value ?? '');
    return status;
  }

  return { get, getFresh, refresh, fetchStatus };
}
