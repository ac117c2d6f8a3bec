import { hostAndPort, isOrigin, trustedProxies, wholeNumber } from '@rtr/http-server/environment';
import type { WebConfig } from '@rtr/shared';
import * as z from 'zod/mini';

type Env = Readonly<Record<string, string | undefined>>;

export interface Environment {
  host: string;
  port: number;
  /** The address where the server listens for metrics requests. Undefined if metrics are off. */
  metricsAt: { host: string; port: number } | undefined;
  /** The origin of the API. */
  api: string;
  /** The public origin of the site. */
  origin: string;
  /** The Firebase settings, which the browser fetches from `/config.json`. */
  auth: Omit<WebConfig, 'authEmulator'>;
  /** The origin of the Auth emulator. Undefined if a real Firebase project is used. */
  authEmulator: string | undefined;
  /** The addresses and networks of the proxies whose header X-Forwarded-For is trusted. */
  trustedProxies: string[];
  shutdownDelayMs: number;
}

/**
 * Reads the environment variables of the web server, which .env.example documents. Throws one error that lists all missing
 * and invalid variables.
 */
export function readEnvironment(variables: Env): Environment {
  // An empty variable counts as not set.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const { data: env, error } = z.safeParse(schemaFor(given), given);
  if (error)
    throw new Error(`The environment is invalid:\n${error.issues.map(({ message }) => `  - ${message}`).join('\n')}`);
  const projectId = env.FIREBASE_PROJECT_ID;
  return {
    host: env.WEB_HOST,
    port: env.WEB_PORT,
    metricsAt:
      env.WEB_METRICS_PORT === undefined ? undefined : { host: env.WEB_METRICS_HOST, port: env.WEB_METRICS_PORT },
    api: env.API_ORIGIN,
    origin: env.WEB_ORIGINS,
    auth: {
      apiKey: env.FIREBASE_API_KEY,
      projectId,
      authDomain: env.FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
    },
    authEmulator: env.AUTH_MODE === 'emulator' ? `http://${env.FIREBASE_AUTH_EMULATOR_HOST}` : undefined,
    trustedProxies: env.TRUSTED_PROXIES,
    shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
  };
}

function schemaFor({ NODE_ENV: nodeEnv, AUTH_MODE: mode }: Env) {
  const isProduction = nodeEnv === 'production';
  const firebaseSetting = (name: string, demoValue: string) =>
    mode === 'firebase'
      ? z.string(`${name} is not set. AUTH_MODE=firebase needs it.`)
      : z._default(z.string(), demoValue);
  const publicOrigin = firstOrigin(
    'WEB_ORIGINS must begin with the public address of the site, such as https://kitchen.example.',
  );
  return z.object({
    WEB_HOST: z._default(z.string(), '127.0.0.1'),
    WEB_PORT: z._default(wholeNumber('WEB_PORT', 65_535), 3000),
    WEB_METRICS_HOST: z._default(z.string(), '127.0.0.1'),
    WEB_METRICS_PORT: z.optional(wholeNumber('WEB_METRICS_PORT', 65_535)),
    API_ORIGIN: z._default(
      origin('API_ORIGIN must be an origin without a path, such as http://127.0.0.1:4000.'),
      'http://127.0.0.1:4000',
    ),
    // WEB_ORIGINS is a list of origins. The first one is the public origin of the site. The API reads the list in the same
    // way.
    WEB_ORIGINS: isProduction ? publicOrigin : z._default(publicOrigin, 'http://localhost:3000'),
    TRUSTED_PROXIES: trustedProxies(),
    SHUTDOWN_DELAY_SECONDS: z._default(wholeNumber('SHUTDOWN_DELAY_SECONDS', 300), isProduction ? 5 : 0),
    AUTH_MODE: z.enum(['firebase', 'emulator'], 'AUTH_MODE must be firebase or emulator.'),
    FIREBASE_API_KEY: firebaseSetting('FIREBASE_API_KEY', 'demo'),
    FIREBASE_PROJECT_ID: firebaseSetting('FIREBASE_PROJECT_ID', 'demo-rtr-cloud-kitchen'),
    FIREBASE_AUTH_DOMAIN: z.optional(z.string()),
    FIREBASE_AUTH_EMULATOR_HOST: z._default(
      z.string().check(hostAndPort('FIREBASE_AUTH_EMULATOR_HOST')),
      '127.0.0.1:9099',
    ),
  });
}

function origin(message: string) {
  return z.string(message).check(z.refine(isOrigin, message));
}

/** Parses origins that are separated by commas, and returns the first one. */
function firstOrigin(message: string) {
  const first = z.transform((list: string) => list.split(',', 1)[0]?.trim());
  return z.pipe(z.pipe(z.string(message), first), origin(message));
}
