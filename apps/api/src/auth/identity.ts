import type { SignedInCustomer, VerifiedToken } from './access-token.ts';

/** The identity provider. If it does not respond within 4 seconds, a call throws an UnavailableError. */
export interface Identity {
  /**
   * Verifies an ID token with a call to the provider. Throws an IdTokenError if the token is invalid or its session has
   * ended.
   */
  verifyIdToken(idToken: string): Promise<SignedInCustomer>;
  /**
   * Returns why the session of an access token has ended, as a text for the customer, or undefined if it has not ended. The
   * account status is cached for 60 s, or for 15 minutes while the provider is unavailable.
   */
  findSessionEnd(token: VerifiedToken): Promise<string | undefined>;
  /** Deletes a user. Succeeds if the user does not exist. */
  deleteUser(uid: string): Promise<void>;
  close(): Promise<void>;
}

/** Thrown when an ID token is invalid. The message is shown to the customer. */
export class IdTokenError extends Error {}
