import { randomUUID } from 'node:crypto';
import { type App, cert, deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import type { AuthConfig } from '../config.ts';
import { HttpError } from '../http/problem.ts';
import {
  headerOf,
  maxClockSkewSeconds,
  presentName,
  presentPicture,
  type SignedInCustomer,
  type VerifiedToken,
} from './access-token.ts';

/** The identity provider. Every call ends within 4 s, and is a 503 when Firebase is away. */
export interface Identity {
  /** Asks Firebase each time. Throws an IdTokenError for an invalid token, or one whose session has ended. */
  verify(idToken: string): Promise<SignedInCustomer>;
  /**
   * Why the session behind an access token has ended, in words for its holder; undefined while it lasts. What Firebase
   * said serves for 60 s; while Firebase is away, for 15 minutes.
   */
  sessionEnd(token: VerifiedToken): Promise<string | undefined>;
  /** One that is gone already is no error. */
  deleteUser(uid: string): Promise<void>;
  close(): Promise<void>;
}

/** Why an ID token does not hold, in words for whoever sent it. */
export class IdTokenError extends Error {}

interface IdentityOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Told of each question to Firebase whether it came back. */
  asked?: (outcome: 'answered' | 'away') => void;
}

const deadline = 4000;
const freshFor = 60_000;
const usableFor = 15 * 60_000;
/** While Firebase is away, how long an older answer serves before it is asked again. */
const retryAfter = 5000;
const mostKept = 20_000;

const sessionEnds = {
  disabled: 'This account is disabled.',
  deleted: 'This account does not exist any more.',
  revoked: 'Its session was ended. Log in again.',
  unlinked: 'The account no longer has the sign-in method that this session began with. Log in again.',
};

const refusals: Record<string, string> = {
  'auth/id-token-expired': 'It has expired.',
  // The emulator's tokens are always checked for these by firebase-admin.
  'auth/id-token-revoked': sessionEnds.revoked,
  'auth/user-disabled': sessionEnds.disabled,
  'auth/user-not-found': sessionEnds.deleted,
};

/** An account, as Firebase described it at one moment. */
interface AccountStatus {
  state: 'active' | 'disabled' | 'deleted';
  /** In seconds since 1970: sessions that began before it are revoked. */
  validAfter: number;
  /** The sign-in providers that are linked to it. */
  providers: readonly string[];
  /** When Firebase was asked, in milliseconds since 1970. */
  seenAt: number;
}

interface CachedStatus extends AccountStatus {
  askAgainAt: number;
}

/** firebase-admin for the project, or for the emulator. */
export function firebaseApp(config: AuthConfig): App {
  // firebase-admin has no other switch than this variable, and believes unsigned tokens while it is set.
  const { env } = process; // oxlint-disable-line node/no-process-env -- written, never read
  if (config.mode === 'emulator') env.FIREBASE_AUTH_EMULATOR_HOST = config.emulatorHost;
  else delete env.FIREBASE_AUTH_EMULATOR_HOST;

  const { projectId } = config;
  const credential = config.mode === 'firebase' ? { credential: cert({ ...config.serviceAccount }) } : {};
  return initializeApp({ projectId, ...credential }, randomUUID());
}

export function firebaseIdentity(
  config: AuthConfig,
  { now = Date.now, asked = () => {} }: IdentityOptions = {},
): Identity {
  const app = firebaseApp(config);
  const auth = getAuth(app);

  const statuses = new Map<string, CachedStatus>();
  const lookups = new Map<string, Promise<AccountStatus>>();

  return {
    async verify(idToken) {
      if (!headerOf(idToken)) throw new IdTokenError('It is not a token.');
      const { claims, status } = await inTime(verifyAndLookUp(idToken)).catch((error: unknown) => {
        const refusal = refusalOf(error);
        throw refusal ? new IdTokenError(refusal, { cause: error }) : away(error);
      });
      asked('answered');
      const customer = {
        uid: claims.uid,
        email: claims.email ?? '',
        name: presentName(claims.name),
        picture: presentPicture(claims.picture),
        authTime: claims.auth_time,
        // The emulator also takes tokens that somebody wrote, without this claim.
        signInProvider: claims.firebase?.sign_in_provider ?? '',
      };
      const end = sessionEndBy(status, customer);
      if (end) throw new IdTokenError(end);
      return customer;
    },

    async sessionEnd({ customer, issuedAt }) {
      const startedAt = now();
      const status = await cachedStatus(customer.uid);
      const end = sessionEndBy(status, customer);
      // A cached status may be older than the token. It then lacks a provider that was linked by this very login.
      const mayBeStale = status.seenAt < startedAt && status.seenAt < (issuedAt + maxClockSkewSeconds) * 1000;
      return end && mayBeStale ? sessionEndBy(await freshStatus(customer.uid), customer) : end;
    },

    async deleteUser(uid) {
      try {
        await inTime(auth.deleteUser(uid));
      } catch (error) {
        if (codeOf(error) !== 'auth/user-not-found') throw away(error);
      }
      asked('answered');
    },

    close: () => deleteApp(app),
  };

  async function cachedStatus(uid: string): Promise<AccountStatus> {
    const last = statuses.get(uid);
    if (last && now() < last.askAgainAt) return last;
    try {
      return await freshStatus(uid);
    } catch (error) {
      if (!last || now() >= last.seenAt + usableFor) throw error;
      last.askAgainAt = now() + retryAfter;
      return last;
    }
  }

  /** Calls made during a lookup share its answer. */
  function freshStatus(uid: string): Promise<AccountStatus> {
    const lookup = lookups.get(uid) ?? ask(uid);
    lookups.set(uid, lookup);
    return lookup;
  }

  async function ask(uid: string): Promise<AccountStatus> {
    try {
      const status = await inTime(lookUp(uid));
      asked('answered');
      return status;
    } catch (error) {
      throw away(error);
    } finally {
      lookups.delete(uid);
    }
  }

  async function verifyAndLookUp(idToken: string) {
    const claims = await auth.verifyIdToken(idToken);
    return { claims, status: await lookUp(claims.uid) };
  }

  async function lookUp(uid: string): Promise<AccountStatus> {
    const seenAt = now();
    const status = await auth.getUser(uid).then(
      ({ disabled, tokensValidAfterTime, providerData }): AccountStatus => ({
        state: disabled ? 'disabled' : 'active',
        validAfter: tokensValidAfterTime ? Date.parse(tokensValidAfterTime) / 1000 : 0,
        providers: providerData.map(({ providerId }) => providerId),
        seenAt,
      }),
      (error: unknown): AccountStatus => {
        if (codeOf(error) !== 'auth/user-not-found') throw error;
        return { state: 'deleted', validAfter: 0, providers: [], seenAt };
      },
    );
    statuses.delete(uid); // so that the oldest entries come first
    statuses.set(uid, { ...status, askAgainAt: seenAt + freshFor });
    if (statuses.size > mostKept) statuses.delete(statuses.keys().next().value ?? '');
    return status;
  }

  function away(cause: unknown): HttpError {
    asked('away');
    return new HttpError(503, 'Who you are cannot be checked right now. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause,
    });
  }
}

/**
 * Compares Firebase's times with each other, never with our clock. A session whose provider was unlinked has ended:
 * when the owner of an address signs in with Google, Firebase unlinks the password of whoever registered it first. The
 * providers 'anonymous' and 'custom' are never linked, so their sessions are refused.
 */
function sessionEndBy({ state, validAfter, providers }: AccountStatus, customer: SignedInCustomer): string | undefined {
  if (state !== 'active') return sessionEnds[state];
  if (customer.authTime < validAfter) return sessionEnds.revoked;
  return providers.includes(customer.signInProvider) ? undefined : sessionEnds.unlinked;
}

/** firebase-admin by itself waits 25 s. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Firebase did not answer within ${deadline} ms`)), deadline);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What is wrong with the token; undefined when it is Firebase that failed. A failure to fetch Google's certificates has
 * the code of a bad token, and only the message of a bad token speaks of the token.
 */
function refusalOf(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== 'auth/argument-error') return refusals[code];
  const ofToken = /^(Firebase ID token |Decoding Firebase ID token |verifyIdToken\(\) expects )/;
  return error instanceof Error && ofToken.test(error.message) ? 'It is not an ID token of this project.' : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
