import { randomUUID } from 'node:crypto';
import { type App, cert, deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import type { AuthConfig } from '../config.ts';
import { HttpError } from '../http/problem.ts';
import { headerOf, presentName, presentPicture } from './access-token.ts';

/** Who a verified Firebase ID token speaks for. */
export interface FirebaseUser {
  uid: string;
  /** Empty when Firebase holds none for them. Nobody has shown that it is theirs: it is only compared. */
  email: string;
  name: string;
  /** An http(s) URL, or empty. */
  picture: string;
  /** When the customer last proved who they are, in seconds since 1970. */
  authTime: number;
}

/** What Firebase last said of a customer. */
export interface Standing {
  /** Neither disabled nor deleted. */
  active: boolean;
  /** Tokens issued before it, in seconds since 1970, were revoked. */
  validAfter: number;
}

/** The identity provider. Every call ends within 4 s, and is a 503 when Firebase is away. */
export interface Identity {
  /** Throws an IdTokenError for a token that does not hold, or whose customer is disabled, deleted or signed out. */
  verify(idToken: string): Promise<FirebaseUser>;
  /** At most 60 s old; while Firebase is away, at most 15 minutes. */
  standing(uid: string): Promise<Standing>;
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

const refusals: Record<string, string> = {
  'auth/id-token-expired': 'It has expired.',
  'auth/id-token-revoked': 'Its session was ended. Log in again.',
  'auth/user-disabled': 'This account is disabled.',
  'auth/user-not-found': 'This account does not exist any more.',
};

interface Kept extends Standing {
  seenAt: number;
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

  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<Standing>>();

  return {
    async verify(idToken) {
      if (!headerOf(idToken)) throw new IdTokenError('It is not a token.');
      try {
        const { uid, email = '', name, picture, auth_time } = await inTime(auth.verifyIdToken(idToken, true));
        asked('answered');
        return { uid, email, name: presentName(name), picture: presentPicture(picture), authTime: auth_time };
      } catch (error) {
        const refusal = refusalOf(error);
        throw refusal ? new IdTokenError(refusal, { cause: error }) : away(error);
      }
    },

    async standing(uid) {
      const last = kept.get(uid);
      if (last && now() < last.askAgainAt) return last;
      const question = asking.get(uid) ?? ask(uid);
      asking.set(uid, question);
      try {
        return await question;
      } catch (error) {
        if (!last || now() >= last.seenAt + usableFor) throw error;
        last.askAgainAt = now() + retryAfter;
        return last;
      } finally {
        asking.delete(uid);
      }
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

  async function ask(uid: string): Promise<Standing> {
    const seenAt = now();
    const standing = await inTime(auth.getUser(uid)).then(
      ({ disabled, tokensValidAfterTime }) => ({
        active: !disabled,
        validAfter: tokensValidAfterTime ? Date.parse(tokensValidAfterTime) / 1000 : 0,
      }),
      (error: unknown) => {
        if (codeOf(error) !== 'auth/user-not-found') throw away(error);
        return { active: false, validAfter: 0 };
      },
    );
    asked('answered');
    kept.delete(uid); // so that the oldest answers stand first
    kept.set(uid, { ...standing, seenAt, askAgainAt: seenAt + freshFor });
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
    return standing;
  }

  function away(cause: unknown): HttpError {
    asked('away');
    return new HttpError(503, 'Who you are cannot be checked right now. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause,
    });
  }
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
