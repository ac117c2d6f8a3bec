import { randomUUID } from 'node:crypto';
import { isWebUrl, limits, presentableName } from '@rtr/shared';
import jwt from 'jsonwebtoken';
import * as z from 'zod/mini';
import type { JwtSecret } from '../environment.ts';

export interface Customer {
  uid: string;
  /**
   * The email address, or an empty text if the Firebase account has none. It does not identify the customer, because
   * Firebase does not verify it at sign-up.
   */
  email: string;
  /** The displayed name. It is 'Customer' if the name in Firebase is missing or not allowed. */
  name: string;
  /** The http(s) URL of the profile picture. Empty if there is none. */
  picture: string;
}

/**
 * A customer and their last login. Both come from the Firebase ID token, and the access token contains both. When the
 * Firebase session ends, the access token becomes invalid.
 */
export interface SignedInCustomer extends Customer {
  /** The time of the last login by the clock of Firebase, in seconds since 1970. */
  authTime: number;
  /** The id of the Firebase sign-in provider, such as 'password' or 'google.com'. */
  signInProvider: string;
}

export interface VerifiedToken {
  customer: SignedInCustomer;
  /** The time when the token was signed, in seconds since 1970, by the clock of the API instance that signed it. */
  issuedAt: number;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Thrown when an access token or an ID token is invalid. The message explains the reason to the customer. */
export class InvalidTokenError extends Error {}

interface AccessTokenOptions {
  /**
   * The first secret signs new tokens. All secrets verify tokens, so that tokens stay valid when an operator rotates the
   * secret.
   */
  secrets: readonly [JwtSecret, ...JwtSecret[]];
  projectId: string;
  /** Returns the current time in milliseconds since 1970. */
  now: () => number;
}

const lifetimeSeconds = limits.accessTokenHours * 60 * 60;
/**
 * The maximum difference between the clocks of two API instances, in seconds. A token is accepted if its time of issue is at
 * most this far in the future.
 */
export const maxClockSkewSeconds = 60;
/** How long a token is accepted after it has expired. */
const expiryToleranceSeconds = 5;
/** The maximum number of cached tokens. They need about 10 MB. */
const maxVerifiedTokens = 5000;
const audience = 'rtr-cloud-kitchen-api';
/**
 * The header `typ` of access tokens (RFC 9068). It distinguishes them from ID tokens, and from other tokens that are signed
 * with the same secret.
 */
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

/**
 * Creates the functions that sign and verify access tokens. An access token is a JWT that is valid for one hour and for one
 * Firebase project.
 */
export function createAccessTokens({ secrets, projectId, now }: AccessTokenOptions) {
  const [signingSecret] = secrets;
  const keyByKid = new Map(secrets.map(({ kid, key }) => [kid, key]));
  const issuer = `rtr-cloud-kitchen/${projectId}`;
  const nowSeconds = () => Math.floor(now() / 1000);
  /**
   * Tokens that were verified recently. They are cached, because verifying a signature takes longer than the rest of the
   * check.
   */
  const verifiedByToken = new Map<string, { verified: VerifiedToken; acceptedUntil: number }>();

  return {
    sign({ uid, email, name, picture, authTime, signInProvider }: SignedInCustomer): string {
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

    /** Throws an InvalidTokenError if the token is invalid. */
    verify(token: string): VerifiedToken {
      const known = verifiedByToken.get(token);
      if (known && nowSeconds() < known.acceptedUntil) return known.verified;
      const verified = verifyToken(token);
      if (verifiedByToken.size >= maxVerifiedTokens) verifiedByToken.clear();
      verifiedByToken.set(token, verified);
      return verified.verified;
    },
  };

  function verifyToken(token: string) {
    const header = decodeToken(token)?.header;
    const key = header?.typ === tokenType && header.kid !== undefined ? keyByKid.get(header.kid) : undefined;
    if (!key) throw new InvalidTokenError('It is not an access token of this API.');
    const { data } = z.safeParse(claimsSchema, verifySignature(token, key));
    if (!data) throw new InvalidTokenError('It lacks a claim of the access tokens of this API.');
    if (data.iat > nowSeconds() + maxClockSkewSeconds) throw new InvalidTokenError('It was issued in the future.');
    const { sub: uid, email, name, picture = '', auth_time: authTime, sign_in_provider: signInProvider } = data;
    const customer = { uid, email, name, picture, authTime, signInProvider };
    return { verified: { customer, issuedAt: data.iat }, acceptedUntil: data.exp + expiryToleranceSeconds };
  }

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
      throw new InvalidTokenError(isExpired ? 'It has expired.' : 'It is not an access token of this API.', {
        cause: error,
      });
    }
  }
}

/** Decodes a JWT without verifying its signature. Returns undefined if the text is not a JWT. */
export function decodeToken(token: string): jwt.Jwt | undefined {
  try {
    return jwt.decode(token, { complete: true }) ?? undefined;
  } catch {
    return undefined; // `decode` throws an error if the payload is not JSON.
  }
}

/** Returns the name that tokens and reviews contain. It is 'Customer' if the given name is missing or not allowed. */
export function displayNameOrDefault(name: unknown): string {
  return (typeof name === 'string' && presentableName(name)) || 'Customer';
}

/**
 * Returns the picture URL that tokens and reviews contain. It is empty if the given URL is too long or is not an http(s)
 * URL.
 */
export function webUrlOrEmpty(picture: unknown): string {
  return typeof picture === 'string' && picture.length <= limits.urlLength && isWebUrl(picture) ? picture : '';
}
