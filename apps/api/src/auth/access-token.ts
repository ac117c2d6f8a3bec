import { randomUUID } from 'node:crypto';
import { isWebUrl, presentableName } from '@rtr/shared';
import jwt from 'jsonwebtoken';
import * as z from 'zod/mini';
import type { JwtSecret } from '../config.ts';

export interface Customer {
  uid: string;
  /** Empty when Firebase holds none. Firebase does not verify addresses at sign-up, so it is only compared. */
  email: string;
  /** 1 to 80 characters, without control and format characters, and not the product's own name. */
  name: string;
  /** An http(s) URL, or empty. */
  picture: string;
}

/** A customer and their login, as Firebase's ID token describes it. Our token carries both, so that it ends with the login. */
export interface SignedInCustomer extends Customer {
  /** When they last logged in, in seconds since 1970 by Firebase's clock. */
  authTime: number;
  /** How they logged in, by Firebase's name for it, such as 'password' or 'google.com'. */
  signInProvider: string;
}

export interface VerifiedToken {
  customer: SignedInCustomer;
  /** In seconds since 1970, by the clock of the API that signed the token. */
  issuedAt: number;
}

export interface AccessTokens {
  sign(customer: SignedInCustomer): string;
  /** Throws an AccessTokenError that says what is wrong with the token. */
  verify(token: string): VerifiedToken;
}

/** Why a token does not hold, in words for whoever sent it. */
export class AccessTokenError extends Error {}

interface AccessTokenOptions {
  /** The first signs, all verify: a secret is rotated with no one signed out. */
  secrets: readonly [JwtSecret, ...JwtSecret[]];
  projectId: string;
  /** Milliseconds since 1970. */
  now?: () => number;
}

const lifetime = 3600;
/** By how many seconds the clocks of two APIs may differ: a token may come from that far in the future. */
export const maxClockSkewSeconds = 60;
/** By how many seconds a token may outlive its end. */
const pastBy = 5;
const audience = 'rtr-cloud-kitchen-api';
/** Tells our tokens from Firebase's and from any other that the same secret might sign (RFC 9068). */
const type = 'at+jwt';

const claims = z.object({
  sub: z.string().check(z.minLength(1)),
  email: z.string(),
  name: z.string(),
  picture: z.optional(z.string()),
  auth_time: z.number(),
  sign_in_provider: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/** Our own access tokens: JWTs of one hour, bound to one Firebase project. */
export function accessTokens({ secrets, projectId, now = Date.now }: AccessTokenOptions): AccessTokens {
  const [current] = secrets;
  const keys = new Map(secrets.map(({ kid, key }) => [kid, key]));
  const issuer = `rtr-cloud-kitchen/${projectId}`;
  const seconds = () => Math.floor(now() / 1000);

  return {
    sign({ uid, email, name, picture, authTime, signInProvider }) {
      const iat = seconds();
      const payload = {
        sub: uid,
        email,
        name,
        ...(picture && { picture }),
        auth_time: authTime,
        sign_in_provider: signInProvider,
        iat,
        exp: iat + lifetime,
        jti: randomUUID(),
      };
      return jwt.sign(payload, current.key, {
        algorithm: 'HS256',
        issuer,
        audience,
        header: { alg: 'HS256', typ: type, kid: current.kid },
      });
    },

    verify(token) {
      const header = headerOf(token);
      const key = header?.typ === type && header.kid !== undefined ? keys.get(header.kid) : undefined;
      if (!key) throw new AccessTokenError('It is not an access token of this API.');
      const { data } = z.safeParse(claims, signed(token, key));
      if (!data) throw new AccessTokenError('It lacks a claim that access tokens of this API hold.');
      if (data.iat > seconds() + maxClockSkewSeconds) throw new AccessTokenError('It was issued in the future.');
      const { sub: uid, email, name, picture = '', auth_time: authTime, sign_in_provider: signInProvider } = data;
      return { customer: { uid, email, name, picture, authTime, signInProvider }, issuedAt: data.iat };
    },
  };

  function signed(token: string, key: JwtSecret['key']): unknown {
    try {
      return jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        clockTimestamp: seconds(),
        clockTolerance: pastBy,
      });
    } catch (error) {
      const expired = error instanceof jwt.TokenExpiredError;
      throw new AccessTokenError(expired ? 'It has expired.' : 'It is not an access token of this API.', {
        cause: error,
      });
    }
  }
}

/** The header of a JWT, believed by nobody yet; undefined when the text is no JWT. */
export function headerOf(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header;
  } catch {
    return undefined; // a payload that is not JSON makes decode throw
  }
}

/** A display name as tokens and reviews carry it; 'Customer' when there is none that may be shown. */
export function presentName(name: unknown): string {
  return (typeof name === 'string' && presentableName(name)) || 'Customer';
}

/** A photo as tokens and reviews carry it: an http(s) URL of at most 2,048 characters, else empty. */
export function presentPicture(picture: unknown): string {
  return typeof picture === 'string' && picture.length <= 2048 && isWebUrl(picture) ? picture : '';
}
