import type { SignedInCustomer, VerifiedToken } from './access-token.ts';

/** The identity provider. If the provider does not respond within 4 seconds, the call throws an UnavailableError. */
export interface Identity {
  /**
   * Verifies an ID token. Each call sends a request to the provider. Throws an InvalidTokenError if the token is invalid or
   * its session has ended.
   */
  verifyIdToken(idToken: string): Promise<SignedInCustomer>;
  /**
   * If the session of an access token has ended, returns the reason as a text for the customer. The account status is cached
   * for 60 s. While the provider is unavailable, it is cached for 15 minutes.
   */
  findSessionEnd(token: VerifiedToken): Promise<string | undefined>;
  /** True if the account has the custom claim `moderator`. The claim is cached for at most 60 s. */
  isModerator(uid: string): Promise<boolean>;
  /** Finds the address of the profile picture of a user. Returns an empty text if there is none. */
  findPicture(uid: string): Promise<string>;
  /** Deletes a user. Succeeds even if the user does not exist. */
  deleteUser(uid: string): Promise<void>;
  close(): Promise<void>;
}
