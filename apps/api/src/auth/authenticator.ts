import type { Access } from '@rtr/shared';
import type { Request } from 'express';
import { UnauthenticatedError } from '../errors.ts';
import { AccessTokenError, type AccessTokens, type Customer, type SignedInCustomer } from './access-token.ts';
import { type Identity, IdTokenError } from './identity.ts';

/** The caller that a route handler receives. The type of the caller depends on the `access` of the route. */
export interface CallerByAccess {
  public: undefined;
  optional: Customer | undefined;
  customer: Customer;
  firebase: SignedInCustomer;
}

export interface Authenticator {
  /**
   * Identifies the caller by the token of the request. Throws an UnauthenticatedError if the token is invalid, or if a
   * required token is missing.
   */
  authenticate<A extends Access>(access: A, req: Request): Promise<CallerByAccess[A]>;
  /** Counts one write of the customer towards the rate limit. */
  countWrite(uid: string): Promise<void>;
}

type TokenKind = 'access' | 'firebase';

interface AuthenticatorOptions {
  tokens: AccessTokens;
  identity: Identity;
  isAccountClosed: (uid: string) => Promise<boolean>;
  countWrite: (uid: string) => Promise<void>;
  /** Called with the result of the token check, for each request to a route that expects a token. */
  onTokenChecked: (kind: TokenKind, outcome: 'accepted' | 'missing' | 'refused' | 'failed') => void;
}

const instructions: Record<TokenKind, string> = {
  access: 'Send the token from POST /jwt as Authorization: Bearer <token>.',
  firebase: 'Send a Firebase ID token of the signed-in customer as Authorization: Bearer <token>.',
};
const accountClosed = 'Its account is closed.';

export function createAuthenticator({
  tokens,
  identity,
  isAccountClosed,
  countWrite,
  onTokenChecked,
}: AuthenticatorOptions): Authenticator {
  const authenticateFor: { [A in Access]: (req: Request) => Promise<CallerByAccess[A]> } = {
    public: async () => undefined,
    optional: async (req) => (req.headers.authorization === undefined ? undefined : authenticateFor.customer(req)),
    customer: (req) => reportOutcome('access', req, authenticateWithAccessToken(req)),
    firebase: (req) => reportOutcome('firebase', req, authenticateWithIdToken(req)),
  };
  return { authenticate: (access, req) => authenticateFor[access](req), countWrite };

  async function reportOutcome<T>(kind: TokenKind, req: Request, authentication: Promise<T>): Promise<T> {
    try {
      const caller = await authentication;
      onTokenChecked(kind, 'accepted');
      return caller;
    } catch (error) {
      const isInvalid = error instanceof UnauthenticatedError;
      onTokenChecked(kind, req.headers.authorization === undefined ? 'missing' : isInvalid ? 'refused' : 'failed');
      throw error;
    }
  }

  async function authenticateWithAccessToken(req: Request): Promise<Customer> {
    const verified = verifyAccessToken(readBearerToken(req, 'access'));
    const { customer } = verified;
    const [isClosed, sessionEnd] = await Promise.all([
      isAccountClosed(customer.uid),
      identity.findSessionEnd(verified),
    ]);
    if (isClosed) throw invalidToken('access', accountClosed);
    if (sessionEnd) throw invalidToken('access', sessionEnd);
    return customer;
  }

  async function authenticateWithIdToken(req: Request): Promise<SignedInCustomer> {
    const token = readBearerToken(req, 'firebase');
    const customer = await identity.verifyIdToken(token).catch((error: unknown) => {
      throw error instanceof IdTokenError ? invalidToken('firebase', error.message) : error;
    });
    if (await isAccountClosed(customer.uid)) throw invalidToken('firebase', accountClosed);
    return customer;
  }

  function verifyAccessToken(token: string) {
    try {
      return tokens.verify(token);
    } catch (error) {
      throw error instanceof AccessTokenError ? invalidToken('access', error.message) : error;
    }
  }
}

function readBearerToken(req: Request, kind: TokenKind): string {
  const { authorization } = req.headers;
  if (authorization === undefined)
    throw new UnauthenticatedError(`This route needs a token. ${instructions[kind]}`, 'missing');
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token) throw invalidToken(kind, 'It is not a bearer token.');
  return token;
}

function invalidToken(kind: TokenKind, reason: string): UnauthenticatedError {
  return new UnauthenticatedError(`The token is not valid. ${reason} ${instructions[kind]}`, 'invalid');
}
