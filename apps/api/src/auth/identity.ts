import type { SignedInCustomer, VerifiedToken } from './access-token.ts';

/**
 * The identity provider. Every call ends within 4 seconds. If the provider does not answer, it throws an UnavailableError.
 */
export interface Identity {
  /** Always asks the provider. Throws an IdTokenError if the token is invalid or its session has ended. */
  verifyIdToken(idToken: string): Promise<SignedInCustomer>;
  /**
   * Why the session of an access token has ended, as text for the customer. Undefined if it has not ended. The account
   * status is cached for 60 s, or for 15 minutes while the provider is unavailable.
   */
  findSessionEnd(token: VerifiedToken): Promise<string | undefined>;
  /** Also succeeds if the user does not exist. */
  deleteUser(uid: string): Promise<void>;
  close(): Promise<void>;
}

/** An ID token is invalid. The message is shown to the customer. */
export class IdTokenError extends Error {}
