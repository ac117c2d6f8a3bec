import { randomUUID } from 'node:crypto';
import { isWebUrl, limits, presentableName } from '@rtr/shared';
import jwt from 'jsonwebtoken';
import * as z from 'zod/mini';
import type { JwtSecret } from '../config.ts';

export interface Customer {
  uid: string;
  /** Empty if Firebase has none. Firebase does not verify addresses at sign-up, so it identifies nobody. */
  email: string;
  /** A name that is allowed to be shown, or 'Customer'. */
  name: string;
  /** An http(s) URL, or empty. */
  picture: string;
}

/**
 * A customer and their login, as in the Firebase ID token. The access token contains both, so that it becomes invalid when
 * the session of the login ends.
 */
export interface SignedInCustomer extends Customer {
  /** When they last logged in, in seconds since 1970 by the clock of Firebase. */
  authTime: number;
  /** The provider id of Firebase, such as 'password' or 'google.com'. */
  signInProvider: string;
}

export interface VerifiedToken {
  customer: SignedInCustomer;
  /** In seconds since 1970 by the clock of the API instance that signed the token. */
  issuedAt: number;
}

export interface AccessTokens {
  sign(customer: SignedInCustomer): string;
  /** Throws an AccessTokenError if the token is invalid. */
  verify(token: string): VerifiedToken;
}

/** An access token is invalid. The message is shown to the customer. */
export class AccessTokenError extends Error {}

interface AccessTokenOptions {
  /** The first secret signs, and all secrets verify. So a rotation does not sign out anyone. */
  secrets: readonly [JwtSecret, ...JwtSecret[]];
  projectId: string;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

const lifetimeSeconds = 3600;
/** How much the clocks of two instances may differ: a token may be issued that far in the future. */
export const maxClockSkewSeconds = 60;
/** How long a token is accepted after its expiry. */
const expiryToleranceSeconds = 5;
const audience = 'rtr-cloud-kitchen-api';
/** Distinguishes access tokens from ID tokens and from other tokens that the same secret might sign (RFC 9068). */
const tokenType = 'at+jwt';

const claimsSchema = z.object({
  sub: z.string().check(z.minLength(1)),
  email: z.string(),
  name: z.string(),
  picture: z.optional(z.string()),
  auth_time: z.number(),
  sign_in_provider: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/** Signs and verifies access tokens: JWTs that are valid for one hour and for one Firebase project. */
export function createAccessTokens({ secrets, projectId, now = Date.now }: AccessTokenOptions): AccessTokens {
  const [signingSecret] = secrets;
  const keyByKid = new Map(secrets.map(({ kid, key }) => [kid, key]));
  const issuer = `rtr-cloud-kitchen/${projectId}`;
  const nowSeconds = () => Math.floor(now() / 1000);

  return {
    sign({ uid, email, name, picture, authTime, signInProvider }) {
      const iat = nowSeconds();
      const payload = {
        sub: uid,
        email,
        name,
        ...(picture && { picture }),
        auth_time: authTime,
        sign_in_provider: signInProvider,
        iat,
        exp: iat + lifetimeSeconds,
        jti: randomUUID(),
      };
      return jwt.sign(payload, signingSecret.key, {
        algorithm: 'HS256',
        issuer,
        audience,
        header: { alg: 'HS256', typ: tokenType, kid: signingSecret.kid },
      });
    },

    verify(token) {
      const header = decodeHeader(token);
      const key = header?.typ === tokenType && header.kid !== undefined ? keyByKid.get(header.kid) : undefined;
      if (!key) throw new AccessTokenError('It is not an access token of this API.');
      const { data } = z.safeParse(claimsSchema, verifySignature(token, key));
      if (!data) throw new AccessTokenError('It lacks a claim of the access tokens of this API.');
      if (data.iat > nowSeconds() + maxClockSkewSeconds) throw new AccessTokenError('It was issued in the future.');
      const { sub: uid, email, name, picture = '', auth_time: authTime, sign_in_provider: signInProvider } = data;
      return { customer: { uid, email, name, picture, authTime, signInProvider }, issuedAt: data.iat };
    },
  };

  function verifySignature(token: string, key: JwtSecret['key']): unknown {
    try {
      return jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        clockTimestamp: nowSeconds(),
        clockTolerance: expiryToleranceSeconds,
      });
    } catch (error) {
      const isExpired = error instanceof jwt.TokenExpiredError;
      throw new AccessTokenError(isExpired ? 'It has expired.' : 'It is not an access token of this API.', {
        cause: error,
      });
    }
  }
}

/** The header of a JWT before its signature is verified. Undefined if the text is not a JWT. */
export function decodeHeader(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header;
  } catch {
    return undefined; // `decode` throws if the payload is not JSON
  }
}

/** The name for tokens and reviews: 'Customer' if there is no name that is allowed to be shown. */
export function displayNameOrDefault(name: unknown): string {
  return (typeof name === 'string' && presentableName(name)) || 'Customer';
}

/** The picture for tokens and reviews: empty if it is not an http(s) URL of allowed length. */
export function webUrlOrEmpty(picture: unknown): string {
  return typeof picture === 'string' && picture.length <= limits.urlLength && isWebUrl(picture) ? picture : '';
}
