import { createHmac } from 'node:crypto';
import type { SignedUp } from '../installation.ts';
import type { IdentityPlan } from './request-plans.ts';

interface Callers {
  /** The customer whose token is sent. For some kinds of Authorization headers, the token is changed first. */
  customer: SignedUp;
  /** Another customer, whose uid is in some of the forged tokens. */
  other: SignedUp;
  expiredToken: string;
}

/** Returns the value of the Authorization header, or undefined if the request has none. */
export function authorizationOf({ kind, garbage, oddClaim }: IdentityPlan, callers: Callers): string | undefined {
  const { customer, other, expiredToken } = callers;
  switch (kind) {
    case 'none':
      return undefined;
    case 'garbage':
      return garbage;
    case 'customer':
    case 'owner':
    case 'moderator':
      return `Bearer ${customer.token}`;
    case 'idToken':
      return `Bearer ${customer.idToken}`;
    case 'expired':
      return `Bearer ${expiredToken}`;
    case 'altered':
      return `Bearer ${change(customer.token, {}, { sub: other.uid, email: other.email })}`;
    case 'unsigned':
      return `Bearer ${change(customer.token, { alg: 'none' }, {}, '')}`;
    case 'otherKey':
      return `Bearer ${sign(change(customer.token, {}, { sub: other.uid }))}`;
    case 'expiredIdToken':
      return `Bearer ${change(customer.idToken, {}, { iat: 1_600_000_000, exp: 1_600_003_600 })}`;
    case 'oddIdToken':
      return `Bearer ${change(customer.idToken, {}, oddClaim)}`;
    case 'otherProject':
      return `Bearer ${change(customer.idToken, {}, { aud: 'demo-other', iss: 'https://securetoken.google.com/demo-other' })}`;
  }
}

/** Changes parts of the header and the payload of a JWT, and keeps the signature by default. */
function change(token: string, header: object, payload: object, newSignature?: string): string {
  const [oldHeader = '', oldPayload = '', signature = ''] = token.split('.');
  const merge = (part: string, added: object) =>
    Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(part, 'base64url').toString()) as object), ...added }),
    ).toString('base64url');
  return `${merge(oldHeader, header)}.${merge(oldPayload, payload)}.${newSignature ?? signature}`;
}

/** Signs a JWT with a secret that the API does not have. */
function sign(token: string): string {
  const content = token.split('.').slice(0, 2).join('.');
  return `${content}.${createHmac('sha256', 'another secret').update(content).digest('base64url')}`;
}
