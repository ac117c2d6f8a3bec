// All that touches the Firebase SDK. It is loaded when this browser holds a session or makes one, never for a visitor.
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

/** A Google account of the demo: the emulator takes a token that says who it is for. */
export interface DemoAccount {
  email: string;
  name: string;
  picture: string;
}

export type Provider = ReturnType<typeof openProvider>;
export type ProviderUser = Pick<User, 'uid' | 'email' | 'displayName' | 'photoURL'>;

/**
 * Opens the identity provider. `onUser` hears of the first state and of every change, the profile's included. When a
 * session was held and is gone, `turnedOff` asks whether its customer was disabled.
 */
export function openProvider(
  config: WebConfig,
  onUser: (user: ProviderUser | null, turnedOff?: () => Promise<boolean>) => void,
) {
  const { apiKey, authDomain, projectId, authEmulator } = config;
  const app = firebaseApp.initializeApp({ apiKey, authDomain, projectId });
  let refreshToken = heldRefreshToken(apiKey);
  // No popup resolver here: it would make the first state wait on a third party. No IndexedDB either: whether
  // localStorage holds a session can be seen without loading this file.
  const auth = initializeAuth(app, { persistence: browserLocalPersistence });
  if (authEmulator) connectAuthEmulator(auth, authEmulator, { disableWarnings: true });
  refreshAheadOfExpiry(app);

  onIdTokenChanged(auth, (user) => {
    const before = refreshToken;
    refreshToken = user?.refreshToken;
    if (user || !before) onUser(user);
    else onUser(null, () => isTurnedOff(config, before));
  });

  return {
    /** The demo's emulator stands in for Google, and prints password links where it runs. */
    demo: authEmulator !== undefined,
    /** Who is signed in now, with the name and picture of this moment. */
    currentUser: (): ProviderUser | null => auth.currentUser,
    /** A Firebase ID token: the one at hand while it is good, or a `fresh` one, refused to a disabled customer. */
    idToken: async (fresh: boolean) => (await auth.currentUser?.getIdToken(fresh)) ?? null,
    /** Whether the provider said no, as opposed to not answering. */
    hasRefused: (error: unknown) =>
      error instanceof firebaseApp.FirebaseError && error.code !== 'auth/network-request-failed',
    signUp: async (email: string, password: string) => {
      await createUserWithEmailAndPassword(auth, email, password);
    },
    saveProfile: async (profile: { displayName: string; photoURL: string }) => {
      if (auth.currentUser) await updateProfile(auth.currentUser, profile);
    },
    logIn: async (email: string, password: string) => {
      await signInWithEmailAndPassword(auth, email, password);
    },
    logInWithGoogle: async () => {
      await signInWithPopup(auth, google(), browserPopupRedirectResolver);
    },
    logInWithDemoGoogle: async (account: DemoAccount) => {
      await signInWithCredential(auth, demoGoogle(account));
    },
    /** By which ways the customer can log in again. */
    waysIn: () => {
      const ids = auth.currentUser?.providerData.map(({ providerId }) => providerId) ?? [];
      return { password: ids.includes('password'), google: ids.includes('google.com') };
    },
    /** The same customer shows once more that it is they: any other is refused, and stays outside. */
    logInAgain: async (password: string) => {
      const user = auth.currentUser;
      if (user) await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password));
    },
    logInAgainWithGoogle: async () => {
      const user = auth.currentUser;
      if (!user) return;
      const { email, displayName, photoURL } = user;
      const account = { email: email ?? '', name: displayName ?? '', picture: photoURL ?? '' };
      if (authEmulator) await reauthenticateWithCredential(user, demoGoogle(account));
      else await reauthenticateWithPopup(user, google(), browserPopupRedirectResolver);
    },
    sendPasswordReset: (email: string) => sendPasswordResetEmail(auth, email),
    signOut: () => signOut(auth),
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
 * The SDK renews its token 5 minutes early, and so notices a disabled customer, only while another Firebase product
 * listens. This is the door those products use; the public typings leave it out.
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

function heldRefreshToken(apiKey: string): string | undefined {
  try {
    const held = JSON.parse(localStorage.getItem(`firebase:authUser:${apiKey}:[DEFAULT]`) ?? 'null') as {
      stsTokenManager?: { refreshToken?: string };
    } | null;
    return held?.stsTokenManager?.refreshToken;
  } catch {
    return undefined;
  }
}

/** The SDK ends a session without a reason, so its last refresh token is shown once more: the answer names it. */
async function isTurnedOff({ apiKey, authEmulator }: WebConfig, refreshToken: string): Promise<boolean> {
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
