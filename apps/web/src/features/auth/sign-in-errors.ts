import { commonText } from '../../ui/texts.ts';

export const accountTurnedOff = 'This account has been turned off, so you were signed out.';

/**
 * Returns the text for a failed sign-in. Returns null if the customer closed the Google window, which is no error.
 * `fallback` is the text for unknown error codes.
 */
export function signInErrorText(error: unknown, fallback: string): string | null {
  switch (errorCodeOf(error)) {
    case 'popup-closed-by-user':
    case 'cancelled-popup-request':
      return null;
    case 'user-disabled':
      return accountTurnedOff;
    case 'too-many-requests':
      return 'Too many tries. Wait a few minutes, or set a new password.';
    case 'weak-password':
    case 'password-does-not-meet-requirements':
      return 'Choose a stronger password. Make it longer, and use capital letters, numbers and symbols.';
    case 'network-request-failed':
      return commonText.noConnection;
    case 'popup-blocked':
      return 'Your browser blocked the Google window. Allow it, then press the button again.';
    case 'unauthorized-domain':
      return 'Google sign-in is not set up for this address. Use email and password.';
    case 'requires-recent-login':
      return 'Log in again to continue.';
    default:
      return fallback;
  }
}

/** Returns the code of a Firebase error, such as 'wrong-password'. Rethrows an error without a code. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code.replace('auth/', '');
  throw error;
}
