import { presentableName } from '@rtr/shared';
import { writeSessionHint } from '../../lib/session-hint.ts';
import type { BrowserStorage } from '../../lib/storage.ts';
import type { ProviderUser } from './firebase.ts';

/** Firebase stores its session in localStorage under a key with this prefix. */
export const providerKeyPrefix = 'firebase:authUser:';

export interface SessionUser {
  uid: string;
  email: string;
  /** The name of the customer. Empty if it is missing or not allowed. */
  displayName: string;
  photoURL: string;
  /** True if the customer has proved that the email address is theirs. */
  isEmailVerified: boolean;
}

export interface SessionState {
  user: SessionUser | null;
  /** True until the auth state is known. */
  loading: boolean;
  /**
   * True while a sign-in is running in this tab. It ends when its access token is stored, or when the sign-in at Firebase
   * fails.
   */
  signingIn: boolean;
  /** The reason why the last session ended. Undefined after Sign Out, and after the next sign-in. */
  ended?: 'expired' | 'turned off';
  /**
   * True if the customer is signed in at Firebase, but has no access token that the API accepts. The customer must then log
   * in again.
   */
  needsLogin: boolean;
  /** True if the API has rejected an access token directly after issuing it. Then `needsLogin` is true too. */
  isTokenRejected: boolean;
}

export const signedOutState: SessionState = {
  user: null,
  loading: false,
  signingIn: false,
  needsLogin: false,
  isTokenRejected: false,
};
export const loadingState: SessionState = { ...signedOutState, loading: true };

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Creates the store for the auth state of this tab. The first state is 'loading' if the browser stores a Firebase session,
 * otherwise 'signed out'.
 */
export function createSessionStore(storage: BrowserStorage) {
  const hasProviderSession = () => storage.keys().some((key) => key.startsWith(providerKeyPrefix));
  const listeners = new Set<() => void>();
  let state = hasProviderSession() ? loadingState : signedOutState;
  // Sets the cookie that tells the server whether the browser has a session.
  const writeHint = () => writeSessionHint(state.user !== null || hasProviderSession());
  writeHint();
  const replace = (next: SessionState) => {
    state = next;
    writeHint();
    for (const listener of listeners) listener();
  };
  return {
    getState: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update: (changes: Partial<SessionState>) => replace({ ...state, ...changes }),
    setUser(user: ProviderUser): void {
      const { signingIn, needsLogin, isTokenRejected } = state;
      // Firebase also reports the user after each refresh of the ID token. A refresh is no new sign-in.
      const isRefresh = !signingIn && state.user?.uid === user.uid;
      replace({
        ...signedOutState,
        user: toSessionUser(user),
        signingIn,
        ...(isRefresh && { needsLogin, isTokenRejected }),
      });
    },
  };
}

function toSessionUser({ uid, email, displayName, photoURL, emailVerified }: ProviderUser): SessionUser {
  return {
    uid,
    email: email ?? '',
    displayName: presentableName(displayName ?? ''),
    photoURL: photoURL ?? '',
    isEmailVerified: emailVerified,
  };
}
