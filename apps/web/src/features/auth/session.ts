import type { WebConfig } from '@rtr/shared';
import { removeDraftsOf } from '../../lib/draft.ts';
import type { Http } from '../../lib/http.ts';
import { onDemand } from '../../lib/on-demand.ts';
import { onlineOr, retryDelayMs } from '../../lib/retry.ts';
import type { BrowserStorage } from '../../lib/storage.ts';
import { createAccessTokens } from './access-token.ts';
import type { Provider, ProviderUser } from './firebase.ts';
import { createProfile } from './profile.ts';
import { createSessionStore, providerKeyPrefix, type SessionUser } from './session-store.ts';
import { createSignIn } from './sign-in.ts';

interface SessionOptions {
  loadConfig: () => Promise<WebConfig>;
  storage: BrowserStorage;
  /** The HTTP client for calls with a Firebase ID token. It sends no access token. */
  http: Http;
}

export type Session = ReturnType<typeof createSession>;

/**
 * Creates the session of this browser. Firebase is loaded on the pages for login and sign-up, or if the browser already has
 * a session.
 */
export function createSession({ loadConfig, storage, http }: SessionOptions) {
  const closing = new AbortController();
  const store = createSessionStore(storage);
  let opening: Promise<Provider> | undefined;
  let openedProvider: Provider | undefined;
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const loadProvider = onDemand(() => Promise.all([import('./firebase.ts'), loadConfig()]));

  /** Loads Firebase. All calls share one instance. If loading fails, the next call tries again. */
  function openProvider(): Promise<Provider> {
    opening ??= loadProvider().then(
      ([firebase, config]) => {
        // After `close`, no caller needs the result, so the promise stays pending.
        if (closing.signal.aborted) return new Promise<never>(() => {});
        openedProvider = firebase.openProvider(config, onUser);
        return openedProvider;
      },
      (cause: unknown) => {
        opening = undefined;
        throw Object.assign(new Error('The identity provider could not be loaded', { cause }), {
          code: 'auth/network-request-failed',
        });
      },
    );
    return opening;
  }

  const tokens = createAccessTokens({ storage, http, store, openProvider });

  function onUser(user: ProviderUser | null, askIfDisabled?: () => Promise<boolean>): void {
    if (closing.signal.aborted) return;
    if (user) return store.setUser(user);
    // Sign Out removes the token before the session ends. If there still is a token, the session has ended for another
    // reason.
    const hasExpired = tokens.isAccessTokenStored();
    tokens.removeAccessToken();
    store.update({ user: null, loading: false, needsLogin: false, isTokenRejected: false });
    if (askIfDisabled && hasExpired)
      void askIfDisabled().then((isDisabled) => {
        if (!store.getState().user && !closing.signal.aborted)
          store.update({ ended: isDisabled ? 'turned off' : 'expired' });
      });
  }

  let isFollowing = false;
  /**
   * Loads the provider, which then updates the auth state. If loading fails, tries again with increasing delays, and when
   * the browser is online again. Until then, the auth state is unknown, and the loading state of a page has a button that
   * reloads the page.
   */
  async function followProvider(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    for (let attempts = 0; !openedProvider && !closing.signal.aborted; attempts += 1)
      await openProvider().catch(() => onlineOr(retryDelayMs(attempts), closing.signal));
    isFollowing = false;
  }
  // Loads Firebase after a sign-in in another tab. From then on, Firebase itself detects sign-ins in other tabs.
  addEventListener(
    'storage',
    ({ key, newValue }) => {
      if (newValue && key?.startsWith(providerKeyPrefix)) void followProvider();
    },
    { signal: closing.signal },
  );

  return {
    /**
     * Starts to follow the identity provider, if the browser has a session. Call this after hydration: nothing that the
     * page needs earlier depends on it, and the router's component misses results of loaders from before.
     */
    start(): void {
      start();
      if (store.getState().loading) void followProvider();
    },
    getState: store.getState,
    subscribe: store.subscribe,
    openProvider,
    getAccessToken: tokens.getAccessToken,
    getPublishedName: tokens.getPublishedName,
    refreshAccessToken: tokens.refreshAccessToken,
    ownTokens: tokens.ownTokens,
    ...createSignIn({ store, getAccessToken: tokens.getAccessToken, openProvider }),
    ...createProfile({ http, tokens, openProvider }),

    /** Waits for `start`, and until the auth state is known. Resolves with the signed-in customer, or null. */
    async waitForUser(): Promise<SessionUser | null> {
      await started;
      while (store.getState().loading) {
        await new Promise<void>((resolve) => {
          const unsubscribe = store.subscribe(() => {
            unsubscribe();
            resolve();
          });
        });
      }
      return store.getState().user;
    },

    /**
     * Returns true if the ID token of the customer says that they are a moderator. The ID token can be an hour old, so use
     * the result only to decide whether to show a link. Returns false if Firebase does not load.
     */
    isModerator: () =>
      openProvider()
        .then((provider) => provider.isModerator())
        .catch(() => false),

    /**
     * Signs the customer out in every tab, and removes their drafts. If another customer has signed in meanwhile, that
     * customer stays signed in.
     */
    async signOut(uid = store.getState().user?.uid): Promise<void> {
      if (uid) removeDraftsOf(storage, uid);
      const provider = await openProvider();
      const current = provider.currentUser();
      if (current && current.uid !== uid) return;
      tokens.removeAccessToken();
      await provider.signOut();
    },

    /** Stops listening to Firebase and to the other tabs. The session stays in the browser. */
    async close(): Promise<void> {
      if (closing.signal.aborted) return;
      closing.abort();
      await openedProvider?.close();
    },
  };
}
