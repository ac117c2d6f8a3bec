import { UnavailableError } from '../errors.ts';
import { InvalidTokenError } from './access-token.ts';
import { firebaseErrorCode } from './firebase-app.ts';

/** The timeout of a call to Firebase. The default timeout of firebase-admin, 25 s, is too long for a request. */
const callTimeoutMs = 4000;
const unavailableRetryAfterSeconds = 5;

export type WaitForFirebase = ReturnType<typeof createWaitForFirebase>;

/**
 * Creates a function that waits for the result of a call to Firebase. If the call fails or takes too long, throws an
 * UnavailableError. An InvalidTokenError is a result of the call, so it is not converted.
 */
export function createWaitForFirebase(onFirebaseCall: (outcome: 'answered' | 'away') => void) {
  return async <T>(call: Promise<T>): Promise<T> => {
    try {
      const result = await withTimeout(call);
      onFirebaseCall('answered');
      return result;
    } catch (error) {
      if (error instanceof InvalidTokenError) throw error;
      onFirebaseCall('away');
      throw new UnavailableError(
        'Your login cannot be checked right now, because the login service does not respond. Try again in a few seconds.',
        unavailableRetryAfterSeconds,
        error,
      );
    }
  };
}

/** Handles the failure of a call: returns undefined if the user does not exist, and throws every other error. */
export function undefinedIfNoUser(error: unknown): undefined {
  if (firebaseErrorCode(error) !== 'auth/user-not-found') throw error;
}

async function withTimeout<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Firebase did not respond within ${callTimeoutMs} ms`)), callTimeoutMs);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
