import type { Access } from '@rtr/shared';
import type { Request } from 'express';
import { NotFoundError, notFound, UnauthenticatedError } from '../errors.ts';
import { type AccessTokens, type Customer, InvalidTokenError, type SignedInCustomer } from './access-token.ts';
import type { Identity } from './identity.ts';

/** The caller that a route handler receives. Its type depends on the `access` of the route. */
export interface CallerByAccess {
  public: undefined;
  optional: Customer | undefined;
  customer: Customer;
  moderator: Customer;
  firebase: SignedInCustomer;
}

type TokenKind = 'access' | 'firebase';

interface AuthenticatorOptions {
  tokens: AccessTokens;
  identity: Identity;
  isAccountClosed: (uid: string) => Promise<boolean>;
  /** Returns whether the account is closed. The result may be up to 60 s old. */
  isAccountClosedCached: (uid: string) => Promise<boolean>;
  /** Called with the result of each token check. */
  onTokenChecked: (kind: TokenKind, outcome: 'accepted' | 'missing' | 'rejected' | 'failed') => void;
}

const instructions: Record<TokenKind, string> = {
  access: 'Send the token from POST /jwt as Authorization: Bearer <token>.',
  firebase: 'Send a Firebase ID token of the signed-in customer as Authorization: Bearer <token>.',
};
const accountClosed = 'Its account is closed.';

/**
 * Creates the function that identifies the caller of a request by its token. The function throws an UnauthenticatedError if
 * the token is invalid, or if a required token is missing. On routes for moderators, it throws a NotFoundError if the caller
 * is no moderator.
 */
export function createAuthenticator({
  tokens,
  identity,
  isAccountClosed,
  isAccountClosedCached,
  onTokenChecked,
}: AuthenticatorOptions) {
  const authenticateFor: { [A in Access]: (req: Request) => Promise<CallerByAccess[A]> } = {
    public: async () => undefined,
    optional: async (req) => (req.headers.authorization === undefined ? undefined : authenticateFor.customer(req)),
    customer: (req) => checkToken('access', req, authenticateWithAccessToken),
    moderator: async (req) => {
      const caller = await authenticateFor.customer(req);
      if (!(await identity.isModerator(caller.uid))) throw new NotFoundError(notFound.path(req.path));
      return caller;
    },
    firebase: (req) => checkToken('firebase', req, authenticateWithIdToken),
  };
  return <A extends Access>(access: A, req: Request) => authenticateFor[access](req);

  async function checkToken<T>(kind: TokenKind, req: Request, check: (token: string) => Promise<T>): Promise<T> {
    const { authorization } = req.headers;
    if (authorization === undefined) {
      onTokenChecked(kind, 'missing');
      throw new UnauthenticatedError(`This route needs a token. ${instructions[kind]}`, 'missing');
    }
    try {
      const caller = await check(parseBearerToken(authorization));
      onTokenChecked(kind, 'accepted');
      return caller;
    } catch (error) {
      const isInvalid = error instanceof InvalidTokenError;
      onTokenChecked(kind, isInvalid ? 'rejected' : 'failed');
      if (!isInvalid) throw error;
      throw new UnauthenticatedError(`The token is not valid. ${error.message} ${instructions[kind]}`, 'invalid');
    }
  }

  async function authenticateWithAccessToken(token: string): Promise<Customer> {
    const verified = tokens.verify(token);
    const { customer } = verified;
    const [isClosed, sessionEnd] = await Promise.all([
      isAccountClosedCached(customer.uid),
      identity.findSessionEnd(verified),
    ]);
    if (isClosed) throw new InvalidTokenError(accountClosed);
    if (sessionEnd) throw new InvalidTokenError(sessionEnd);
    return customer;
  }

  async function authenticateWithIdToken(token: string): Promise<SignedInCustomer> {
    const customer = await identity.verifyIdToken(token);
    if (await isAccountClosed(customer.uid)) throw new InvalidTokenError(accountClosed);
    return customer;
  }
}

function parseBearerToken(authorization: string): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token) throw new InvalidTokenError('It is not a bearer token.');
  return token;
}
