import type { SignedInCustomer, VerifiedToken } from './access-token.ts';

/** The identity provider. If the provider does not respond within 4 seconds, the call throws an UnavailableError. */
export interface Identity {
  /**
   * Verifies an ID token, without a cached account status. Throws an InvalidTokenError if the token is invalid or its
   * session has ended.
   */
  verifyIdToken(idToken: string): Promise<SignedInCustomer>;
  /**
   * If the session of an access token has ended, returns the reason as a text for the customer. Uses an account status that
   * is at most 60 s old. While the provider is unavailable, the status may be up to 15 minutes old.
   */
  findSessionEnd(token: VerifiedToken): Promise<string | undefined>;
  /** True if the account has the custom claim `moderator`. The result is at most 60 s old. */
  isModerator(uid: string): Promise<boolean>;
  /** Returns the address of a user's profile picture, or an empty text if there is none. */
  findPicture(uid: string): Promise<string>;
  /** Returns the email address of a user. Returns undefined if it is not verified, or if the user is disabled or does not exist. */
  findVerifiedEmail(uid: string): Promise<string | undefined>;
  /** Deletes a user. Succeeds even if the user does not exist. */
  deleteUser(uid: string): Promise<void>;
  close(): Promise<void>;
}
