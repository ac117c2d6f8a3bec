import { ApiError, UnexpectedResponse } from '../../lib/api-error.ts';
import type { CustomerTokens, Http } from '../../lib/http.ts';
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

/**
 * Creates the functions that request, store and refresh the access token of the API. To request an access token, the app
 * sends an ID token of Firebase, the identity provider, to the API.
 */
export function createAccessTokens({ storage, http, store, openProvider }: AccessTokenOptions) {
  let refreshing: { uid: string | undefined; token: Promise<string | null> } | undefined;

  /** Returns the stored token if it belongs to the signed-in customer, otherwise null. */
  function getAccessToken(): string | null {
    const token = storage.get(tokenKey);
    const { user } = store.getState();
    return token && user && subjectOf(token) === user.uid ? token : null;
  }

  /**
   * Requests a token from the API and stores it. Returns null if the provider or the API rejects the request, or if another
   * customer has signed in meanwhile. Throws an error if the network or a server fails.
   */
  async function requestAccessToken(): Promise<string | null> {
    const provider = await openProvider();
    const user = provider.currentUser();
    if (!user) return null;
    // The first attempt uses the cached ID token, which may be outdated. If the API rejects it, the second attempt requests
    // a new ID token from Firebase. If the customer is disabled, Firebase issues no ID token and ends the session.
    const token = (await exchange(provider, user, false)) ?? (await exchange(provider, user, true));
    if (!token || provider.currentUser()?.uid !== user.uid || subjectOf(token) !== user.uid) return null;
    storage.set(tokenKey, token);
    return token;
  }

  /**
   * Returns a new access token. `outdated` is the token that the new one replaces, or null if there is no token. The
   * result is null if the customer must log in again. Throws an error if the network or a server fails. Concurrent
   * calls for the same customer share one request. Only one tab at a time requests a token, and the other tabs then
   * find the new token in the storage.
   */
  function refreshAccessToken(outdated: string | null): Promise<string | null> {
    const uid = store.getState().user?.uid;
    if (refreshing && refreshing.uid === uid) return refreshing.token;
    const token = withTabLock(`rtr-cloud-kitchen-token-refresh ${uid}`, async () => {
      const stored = getAccessToken();
      const fresh = stored && stored !== outdated ? stored : await requestAccessToken();
      const { user, signingIn, needsLogin, isTokenRejected } = store.getState();
      // A new access token ends the state `needsLogin`, unless the API has rejected the previous new token and the customer
      // has not signed in since. In that case, `reportUse` ends the state when the API accepts a token.
      if (fresh && (signingIn || (needsLogin && !isTokenRejected)))
        store.update({ signingIn: false, needsLogin: false, isTokenRejected: false });
      if (!fresh && user && user.uid === uid) store.update({ needsLogin: true, isTokenRejected: false });
      return fresh;
    }).finally(() => {
      if (refreshing?.token === token) refreshing = undefined;
    });
    refreshing = { uid, token };
    return token;
  }

  /**
   * Returns the tokens of the customer who is signed in now. If another customer signs in later, the functions in the result
   * return null.
   */
  function ownTokens(): CustomerTokens {
    const uid = store.getState().user?.uid;
    const own = (token: string | null) => (token && subjectOf(token) === uid ? token : null);
    return {
      getAccessToken: () => own(getAccessToken()),
      refreshAccessToken: async (outdated) => (isSignedIn(uid) ? own(await refreshAccessToken(outdated)) : null),
      reportUse(isAccepted) {
        const { needsLogin, signingIn } = store.getState();
        if (isSignedIn(uid) && !signingIn && needsLogin === isAccepted)
          store.update({ needsLogin: !isAccepted, isTokenRejected: !isAccepted });
      },
    };
  }

  const isSignedIn = (uid: string | undefined) => store.getState().user?.uid === uid;

  async function exchange(provider: Provider, { email }: ProviderUser, forceRefresh: boolean): Promise<string | null> {
    try {
      const idToken = await provider.getIdToken(forceRefresh);
      if (!idToken) return null;
      const { data } = await http('POST /jwt', { as: { idToken }, body: { email: email ?? '' } });
      const token: unknown = data?.token;
      if (typeof token !== 'string') throw new UnexpectedResponse();
      return token;
    } catch (error) {
      const isRejected = error instanceof ApiError ? [401, 403].includes(error.status) : provider.hasRejected(error);
      if (isRejected) return null;
      throw error;
    }
  }

  return {
    getAccessToken,
    /** Returns the name in the access token. The API publishes services and reviews under this name. */
    getPublishedName: (): string | undefined => claimsOf(getAccessToken())?.name,
    refreshAccessToken,
    ownTokens,
    removeAccessToken: (): void => storage.remove(tokenKey),
    isAccessTokenStored: (): boolean => storage.get(tokenKey) !== null,
  };
}

/** Reads the claims of a JWT. The signature is not verified, because only the API has the key. */
function claimsOf(token: string | null): { sub?: string; name?: string } | null {
  try {
    const payload = (token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as { sub?: string; name?: string };
  } catch {
    return null;
  }
}

const subjectOf = (token: string) => claimsOf(token)?.sub ?? null;

/**
 * Runs `act` when no other tab holds the lock. Browsers offer the Web Locks API only on https and on localhost. Without it,
 * `act` runs at once.
 */
function withTabLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(name, act) : act();
}
