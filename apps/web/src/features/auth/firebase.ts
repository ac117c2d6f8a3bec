// Only this module imports the Firebase SDK. The module is loaded on the pages for login and sign-up, or if the browser
// already has a session.
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
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from 'firebase/auth';

/** A Google account for the demonstration. The account need not exist, because the Auth emulator accepts any account. */
export interface DemoAccount {
  email: string;
  name: string;
  picture: string;
}

export type Provider = ReturnType<typeof openProvider>;
export type ProviderUser = Pick<User, 'uid' | 'email' | 'displayName' | 'photoURL' | 'emailVerified'>;

/**
 * Connects to Firebase, the identity provider. Calls `onUser` when the auth state is known, and again after each sign-in,
 * sign-out and refresh of the ID token. If a session has ended, `onUser` receives the function `askIfDisabled`, which asks
 * Firebase whether the customer was disabled.
 */
export function openProvider(
  config: WebConfig,
  onUser: (user: ProviderUser | null, askIfDisabled?: () => Promise<boolean>) => void,
) {
  const { apiKey, authDomain, projectId, authEmulator } = config;
  const app = firebaseApp.initializeApp({ apiKey, authDomain, projectId });
  let refreshToken = storedRefreshToken(apiKey);
  // Passes no popup resolver. With a popup resolver, Firebase would load a script from Google before it reports the first
  // auth state. The session is stored in localStorage and not in IndexedDB, so that the app can find a session without
  // loading Firebase.
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
     * True in the demonstration, where the Auth emulator replaces Google and prints the links for new passwords in its
     * terminal.
     */
    isDemo: authEmulator !== undefined,
    currentUser: (): ProviderUser | null => auth.currentUser,
    /**
     * Returns a Firebase ID token. With `forceRefresh`, requests a new one, and rejects if the customer is disabled.
     */
    getIdToken: async (forceRefresh: boolean) => (await auth.currentUser?.getIdToken(forceRefresh)) ?? null,
    /** Returns true if the ID token says that the customer is a moderator. The API checks this itself. */
    isModerator: async () => (await auth.currentUser?.getIdTokenResult())?.claims.moderator === true,
    /** Returns true if Firebase rejected the request, and false if the network failed. */
    hasRejected: (error: unknown) =>
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
    // Reauthentication fails if the password or the Google account belongs to somebody else. The session then stays
    // unchanged.
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
    sendVerification: async () => {
      if (auth.currentUser) await sendEmailVerification(auth.currentUser);
    },
    /** Fetches the user from Firebase. Then `onUser` is called. */
    refreshUser: async () => {
      if (auth.currentUser) await reload(auth.currentUser);
    },
    sendPasswordReset: (email: string) => sendPasswordResetEmail(auth, email),
    signOut: () => signOut(auth),
    /** Shuts down the Firebase SDK. The customer stays signed in, because the session stays in the browser. */
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
 * Makes the SDK refresh the ID token 5 minutes before it expires, so that an open page notices if its customer was disabled.
 * The SDK does this only if another Firebase product listens for tokens. So this function adds such a listener, through an
 * internal interface without public types.
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
 * Returns true if the customer was disabled. The SDK does not say why a session has ended. So this function sends the last
 * refresh token to Firebase and reads the error response.
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
