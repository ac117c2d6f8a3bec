// The ways in, and what to say when one fails.
import type { DemoAccount, Provider } from './firebase.ts';
import { accessToken, openSession, startSignIn } from './session.ts';

export type WaysIn = ReturnType<Provider['waysIn']>;

export interface NewCustomer {
  name: string;
  picture: string;
  email: string;
  password: string;
}

export function logIn(email: string, password: string): Promise<void> {
  return enter((provider) => provider.logIn(email, password));
}

/** Opens an account. Its name and picture are saved before the first token is asked for, so that the token holds them. */
export async function signUp({ name, picture, email, password }: NewCustomer): Promise<{ profileError?: unknown }> {
  const provider = await openSession();
  // Sent again after the account was opened and the access token was not to be had: the account is there.
  const opened = !accessToken() && provider.currentUser()?.email === email.trim().toLowerCase();
  if (!opened) await enter(() => provider.signUp(email, password));
  try {
    await provider.saveProfile({ displayName: name, photoURL: picture });
    await provider.idToken(true);
    return {};
  } catch (profileError) {
    return { profileError };
  }
}

export function logInWithGoogle(): Promise<void> {
  return enter((provider) => provider.logInWithGoogle());
}

export function logInWithDemoGoogle(account: DemoAccount): Promise<void> {
  return enter((provider) => provider.logInWithDemoGoogle(account));
}

/** By which ways the customer can show once more that it is they, who is signed in already. */
export async function waysIn(): Promise<WaysIn> {
  return (await openSession()).waysIn();
}

export async function logInAgain(password: string): Promise<void> {
  await (await openSession()).logInAgain(password);
}

export async function logInAgainWithGoogle(): Promise<void> {
  await (await openSession()).logInAgainWithGoogle();
}

/** Asks for the email that sets a new password. Whether the address has an account stays unknown. */
export async function sendPasswordReset(email: string): Promise<{ demo: boolean }> {
  const provider = await openSession();
  try {
    await provider.sendPasswordReset(email);
  } catch (error) {
    if (codeOf(error) !== 'user-not-found' && codeOf(error) !== 'invalid-email') throw error;
  }
  return { demo: provider.demo };
}

async function enter(way: (provider: Provider) => Promise<void>): Promise<void> {
  const provider = await openSession();
  const attempt = startSignIn();
  try {
    await way(provider);
  } catch (error) {
    attempt.failed();
    throw error;
  }
}

/** What a failed way in says; null when the customer closed the Google window themselves. `otherwise` is for all else. */
export function signInText(error: unknown, otherwise: string): string | null {
  switch (codeOf(error)) {
    case 'popup-closed-by-user':
    case 'cancelled-popup-request':
      return null;
    case 'user-disabled':
      return 'This account has been turned off, so you were signed out.';
    case 'too-many-requests':
      return 'Too many tries. Wait a few minutes, or set a new password.';
    case 'weak-password':
    case 'password-does-not-meet-requirements':
      return 'We need a stronger password. Make it longer, and mix capitals, digits and symbols.';
    case 'network-request-failed':
      return 'No connection. Check your network and try again.';
    case 'popup-blocked':
      return 'Your browser blocked the Google window. Allow it, then press the button again.';
    case 'unauthorized-domain':
      return 'Google sign-in is not set up for this address. Use email and password.';
    case 'requires-recent-login':
      return 'Log in again to go on.';
    default:
      return otherwise;
  }
}

/** The provider's code, such as 'wrong-password'. What is no error of the provider's is thrown on. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code.replace('auth/', '');
  throw error;
}
