import type { Access } from '@rtr/shared';
import type { Request } from 'express';
import { HttpError } from '../http/problem.ts';
import { AccessTokenError, type AccessTokens, type Customer, type SignedInCustomer } from './access-token.ts';
import { type Identity, IdTokenError } from './identity.ts';

/** Who a handler meets, by the route's access. */
export interface Callers {
  public: undefined;
  optional: Customer | undefined;
  customer: Customer;
  firebase: SignedInCustomer;
}

/** The API's one way in: says who is calling, or throws an HttpError when they may not. */
export interface Gate {
  admit<A extends Access>(access: A, req: Request): Promise<Callers[A]>;
  /** Counts one write of this customer against their limit. */
  spend(uid: string): Promise<void>;
}

interface GateOptions {
  tokens: AccessTokens;
  identity: Identity;
  /** Whether the customer asked for the deletion of their account. */
  isClosed: (uid: string) => Promise<boolean>;
  spend: (uid: string) => Promise<void>;
  /** Told how each request with a token ended, and each that lacked one. */
  seen: (token: 'access' | 'firebase', outcome: 'accepted' | 'missing' | 'refused' | 'failed') => void;
}

const which = {
  customer: 'Send the token that POST /jwt gives, as Authorization: Bearer <token>.',
  firebase: 'Send a Firebase ID token of the signed-in customer, as Authorization: Bearer <token>.',
};

export function requireCustomer({ tokens, identity, isClosed, spend, seen }: GateOptions): Gate {
  const doors: { [A in Access]: (req: Request) => Promise<Callers[A]> } = {
    public: async () => undefined,
    optional: async (req) => (req.headers.authorization === undefined ? undefined : doors.customer(req)),
    customer: (req) => counted('access', req, customer(req)),
    firebase: (req) => counted('firebase', req, firebase(req)),
  };
  return { admit: (access, req) => doors[access](req), spend };

  async function counted<T>(token: 'access' | 'firebase', req: Request, admission: Promise<T>): Promise<T> {
    try {
      const who = await admission;
      seen(token, 'accepted');
      return who;
    } catch (error) {
      const refused = error instanceof HttpError && error.status === 401;
      seen(token, req.headers.authorization === undefined ? 'missing' : refused ? 'refused' : 'failed');
      throw error;
    }
  }

  async function customer(req: Request): Promise<Customer> {
    const token = bearer(req, 'customer');
    const verified = attempt(() => tokens.verify(token));
    const { customer } = verified;
    const [closed, end] = await Promise.all([isClosed(customer.uid), identity.sessionEnd(verified)]);
    if (closed) throw refused('customer', 'Its account is closed.');
    if (end) throw refused('customer', end);
    return customer;
  }

  async function firebase(req: Request): Promise<SignedInCustomer> {
    const token = bearer(req, 'firebase');
    const user = await identity.verify(token).catch((error: unknown) => {
      throw error instanceof IdTokenError ? refused('firebase', error.message) : error;
    });
    if (await isClosed(user.uid)) throw refused('firebase', 'Its account is closed.');
    return user;
  }
}

function attempt<T>(verify: () => T): T {
  try {
    return verify();
  } catch (error) {
    throw error instanceof AccessTokenError ? refused('customer', error.message) : error;
  }
}

function bearer(req: Request, kind: keyof typeof which): string {
  const { authorization } = req.headers;
  if (authorization === undefined)
    throw new HttpError(401, `This needs a token. ${which[kind]}`, { headers: { 'WWW-Authenticate': 'Bearer' } });
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token) throw refused(kind, 'It is not a bearer token.');
  return token;
}

function refused(kind: keyof typeof which, why: string): HttpError {
  return new HttpError(401, `The token sent does not hold. ${why} ${which[kind]}`, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}
