// This is the only module that imports the Firebase SDK. It is loaded only if this browser has a session or starts one.
import type { WebConfig } from '@rtr/shared';
import * as firebaseApp from 'firebase/app';
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  GoogleAuthProvider,
  initializeAuth,
  onIdTokenChanged,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from 'firebase/auth';

/** A Google account of the demonstration. The Auth emulator accepts a token for any account. */
export interface DemoAccount {
  email: string;
  name: string;
  picture: string;
}

export type Provider = ReturnType<typeof openProvider>;
export type ProviderUser = Pick<User, 'uid' | 'email' | 'displayName' | 'photoURL'>;

/**
 * Connects to the identity provider. Calls `onUser` with the first state and after every change of the customer or their
 * profile. If a session ends, `askIfDisabled` asks the provider whether the customer was disabled.
 */
export function openProvider(
  config: WebConfig,
  onUser: (user: ProviderUser | null, askIfDisabled?: () => Promise<boolean>) => void,
) {
  const { apiKey, authDomain, projectId, authEmulator } = config;
  const app = firebaseApp.initializeApp({ apiKey, authDomain, projectId });
  let refreshToken = storedRefreshToken(apiKey);
  // There is no popup resolver, because the first state would wait for its script from Google. The session is not in
  // IndexedDB, because the app would have to load this file to find out whether there is a session.
  const auth = initializeAuth(app, { persistence: browserLocalPersistence });
  if (authEmulator) connectAuthEmulator(auth, authEmulator, { disableWarnings: true });
  refreshAheadOfExpiry(app);

  onIdTokenChanged(auth, (user) => {
    const previous = refreshToken;
    refreshToken = user?.refreshToken;
    if (user || !previous) onUser(user);
    else onUser(null, () => isDisabled(config, previous));
  });

  return {
    /**
     * True in the demonstration, where the Auth emulator replaces Google and prints the links of password resets in its
     * terminal.
     */
    isDemo: authEmulator !== undefined,
    /** The customer who is signed in, with their current name and picture. */
    currentUser: (): ProviderUser | null => auth.currentUser,
    /** Returns a Firebase ID token. With `forceRefresh`, Firebase issues a new one, unless the customer is disabled. */
    getIdToken: async (forceRefresh: boolean) => (await auth.currentUser?.getIdToken(forceRefresh)) ?? null,
    /** True if the provider rejected the request, false if the network failed. */
    hasRefused: (error: unknown) =>
      error instanceof firebaseApp.FirebaseError && error.code !== 'auth/network-request-failed',
    signUp: async (email: string, password: string) => {
      await createUserWithEmailAndPassword(auth, email, password);
    },
    saveProfile: async (profile: { displayName: string; photoURL: string }) => {
      if (auth.currentUser) await updateProfile(auth.currentUser, profile);
    },
    signInWithPassword: async (email: string, password: string) => {
      await signInWithEmailAndPassword(auth, email, password);
    },
    signInWithGoogle: async () => {
      await signInWithPopup(auth, google(), browserPopupRedirectResolver);
    },
    signInWithDemoGoogle: async (account: DemoAccount) => {
      await signInWithCredential(auth, demoGoogle(account));
    },
    getSignInMethods: () => {
      const ids = auth.currentUser?.providerData.map(({ providerId }) => providerId) ?? [];
      return { password: ids.includes('password'), google: ids.includes('google.com') };
    },
    // Firebase rejects the login of any other customer, and does not sign them in.
    reauthenticateWithPassword: async (password: string) => {
      const user = auth.currentUser;
      if (user) await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password));
    },
    reauthenticateWithGoogle: async () => {
      const user = auth.currentUser;
      if (!user) return;
      const { email, displayName, photoURL } = user;
      const account = { email: email ?? '', name: displayName ?? '', picture: photoURL ?? '' };
      if (authEmulator) await reauthenticateWithCredential(user, demoGoogle(account));
      else await reauthenticateWithPopup(user, google(), browserPopupRedirectResolver);
    },
    sendPasswordReset: (email: string) => sendPasswordResetEmail(auth, email),
    signOut: () => signOut(auth),
    /** Disconnects this page from the provider. The stored session remains. */
    close: () => firebaseApp.deleteApp(app),
  };
}

function google(): GoogleAuthProvider {
  const provider = new GoogleAuthProvider();
  provider.addScope('profile');
  return provider;
}

function demoGoogle({ email, name, picture }: DemoAccount) {
  const token = { sub: `demo-google-${email}`, email, email_verified: true, name, picture };
  return GoogleAuthProvider.credential(JSON.stringify(token));
}

/**
 * Makes the SDK refresh its token 5 minutes before it expires, so that it notices a disabled customer. The SDK does this
 * only if another Firebase product listens for tokens. This function uses the interface of those products, which has no
 * public types.
 */
function refreshAheadOfExpiry(app: firebaseApp.FirebaseApp): void {
  const { _getProvider } = firebaseApp as unknown as {
    _getProvider(
      app: firebaseApp.FirebaseApp,
      name: 'auth-internal',
    ): { getImmediate(): { addAuthTokenListener(listener: () => void): void } };
  };
  _getProvider(app, 'auth-internal')
    .getImmediate()
    .addAuthTokenListener(() => {});
}

function storedRefreshToken(apiKey: string): string | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(`firebase:authUser:${apiKey}:[DEFAULT]`) ?? 'null') as {
      stsTokenManager?: { refreshToken?: string };
    } | null;
    return stored?.stsTokenManager?.refreshToken;
  } catch {
    return undefined;
  }
}

/**
 * Returns true if the customer was disabled. The SDK does not say why it ends a session, so this asks with the last refresh
 * token.
 */
async function isDisabled({ apiKey, authEmulator }: WebConfig, refreshToken: string): Promise<boolean> {
  const host = authEmulator ? `${authEmulator}/securetoken.googleapis.com` : 'https://securetoken.googleapis.com';
  try {
    const response = await fetch(`${host}/v1/token?key=${encodeURIComponent(apiKey)}`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    });
    const { error } = (await response.json()) as { error?: { message?: string } };
    return error?.message?.startsWith('USER_DISABLED') ?? false;
  } catch {
    return false;
  }
}
