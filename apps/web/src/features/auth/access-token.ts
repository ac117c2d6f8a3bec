import { ApiError, UnexpectedAnswer } from '../../lib/api-error.ts';
import type { Http } from '../../lib/http.ts';
import type { BrowserStorage } from '../../lib/storage.ts';
import type { Provider, ProviderUser } from './firebase.ts';
import type { SessionStore } from './session-store.ts';

const tokenKey = 'rtr-cloud-kitchen-token';

interface AccessTokenOptions {
  storage: BrowserStorage;
  http: Http;
  store: SessionStore;
  openProvider: () => Promise<Provider>;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** The API's access token, which the API issues for an ID token of the identity provider. */
export function createAccessTokens({ storage, http, store, openProvider }: AccessTokenOptions) {
  let refreshing: Promise<string | null> | undefined;

  /** The stored token, if it belongs to the customer who is signed in now. */
  function getAccessToken(): string | null {
    const token = storage.get(tokenKey);
    const { user } = store.getState();
    return token && user && subjectOf(token) === user.uid ? token : null;
  }

  /**
   * Requests a token and stores it. Null when the provider or the API refuses, or when another customer has signed in
   * meanwhile. Throws when the network or a server fails.
   */
  async function requestAccessToken(): Promise<string | null> {
    const provider = await openProvider();
    const user = provider.currentUser();
    if (!user) return null;
    // The ID token may only be stale. Refreshing it makes the provider sign out a disabled customer.
    const token = (await exchange(provider, user, false)) ?? (await exchange(provider, user, true));
    if (!token || provider.currentUser()?.uid !== user.uid || subjectOf(token) !== user.uid) return null;
    storage.set(tokenKey, token);
    const { signingIn, needsLogin } = store.getState();
    if (signingIn || needsLogin) store.update({ signingIn: false, needsLogin: false });
    return token;
  }

  /**
   * Returns another token after the API `refused` one, or null when the customer must log in again. Concurrent calls
   * share one request. Tabs take turns, so that the second tab finds the token of the first. Throws when the network or
   * a server fails.
   */
  function refreshAccessToken(refused: string | null = getAccessToken()): Promise<string | null> {
    refreshing ??= withTabLock(async () => {
      const stored = getAccessToken();
      const token = stored && stored !== refused ? stored : await requestAccessToken();
      if (!token && store.getState().user) store.update({ needsLogin: true });
      return token;
    }).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function exchange(provider: Provider, { email }: ProviderUser, forceRefresh: boolean): Promise<string | null> {
    try {
      const idToken = await provider.getIdToken(forceRefresh);
      if (!idToken) return null;
      const { data } = await http('POST /jwt', { as: { idToken }, body: { email: email ?? '' } });
      const token: unknown = data?.token;
      if (typeof token !== 'string') throw new UnexpectedAnswer();
      return token;
    } catch (error) {
      const isRefused = error instanceof ApiError ? [401, 403].includes(error.status) : provider.hasRefused(error);
      if (isRefused) return null;
      throw error;
    }
  }

  return {
    getAccessToken,
    requestAccessToken,
    refreshAccessToken,
    /** Removes a token whose claims are outdated and requests a new one. If that fails, the next call requests it. */
    async replaceAccessToken(): Promise<string | null> {
      storage.remove(tokenKey);
      return requestAccessToken();
    },
    removeAccessToken: (): void => storage.remove(tokenKey),
    isAccessTokenStored: (): boolean => storage.get(tokenKey) !== null,
  };
}

/** The uid in a JWT. Only the API verifies the token. */
function subjectOf(token: string): string | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { sub?: string }).sub ?? null;
  } catch {
    return null;
  }
}

/** Runs `act` while no other tab does. Browsers have the Web Locks API only on https and on localhost. */
function withTabLock<T>(act: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('rtr-cloud-kitchen-renewal', act) : act();
}
