import { randomUUID } from 'node:crypto';
import { isWebUrl } from '@rtr/shared';
import jwt from 'jsonwebtoken';
import * as z from 'zod/mini';
import type { JwtSecret } from '../config.ts';

/** Who a verified access token of ours speaks for. */
export interface Customer {
  uid: string;
  email: string;
  /** Display name, 1 to 80 characters. */
  name: string;
  /** An http(s) URL, or empty. */
  picture: string;
}

/** A token that held, and when it was issued, in seconds since 1970. */
export interface VerifiedToken {
  customer: Customer;
  issuedAt: number;
}

export interface AccessTokens {
  sign(customer: Customer): string;
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
/** Clocks of several machines differ: seconds by which a token may come from the future, and outlive its end. */
const aheadBy = 60;
const pastBy = 5;
const audience = 'rtr-cloud-kitchen-api';
/** Tells our tokens from Firebase's and from any other that the same secret might sign (RFC 9068). */
const type = 'at+jwt';

const claims = z.object({
  sub: z.string().check(z.minLength(1)),
  email: z.string(),
  name: z.string(),
  picture: z.optional(z.string()),
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
    sign({ uid, email, name, picture }) {
      const iat = seconds();
      return jwt.sign(
        { sub: uid, email, name, ...(picture && { picture }), iat, exp: iat + lifetime, jti: randomUUID() },
        current.key,
        { algorithm: 'HS256', issuer, audience, header: { alg: 'HS256', typ: type, kid: current.kid } },
      );
    },

    verify(token) {
      const header = headerOf(token);
      const key = header?.typ === type && header.kid !== undefined ? keys.get(header.kid) : undefined;
      if (!key) throw new AccessTokenError('It is not an access token of this API.');
      const { data } = z.safeParse(claims, signed(token, key));
      if (!data) throw new AccessTokenError('It lacks a claim that access tokens of this API hold.');
      if (data.iat > seconds() + aheadBy) throw new AccessTokenError('It was issued in the future.');
      const { sub: uid, email, name, picture = '', iat: issuedAt } = data;
      return { customer: { uid, email, name, picture }, issuedAt };
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

/** A display name as tokens and reviews carry it: at most 80 characters, else 'Customer'. */
export function presentName(name: unknown): string {
  return typeof name === 'string' && name.trim() !== '' && name.length <= 80 ? name : 'Customer';
}

/** A photo as tokens and reviews carry it: an http(s) URL of at most 2,048 characters, else empty. */
export function presentPicture(picture: unknown): string {
  return typeof picture === 'string' && picture.length <= 2048 && isWebUrl(picture) ? picture : '';
}
