import type { WebConfig } from '@rtr/shared';

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
  /** The Firebase settings in `/config.json`. */
  auth: Omit<WebConfig, 'authEmulator'>;
  /** The origin of the Auth emulator. Undefined with a real Firebase project. */
  authEmulator: string | undefined;
  /** The number of trusted reverse proxies in front of this server. */
  trustProxyHops: number;
  shutdownDelayMs: number;
}

/** Reads the configuration from environment variables. Throws an error that names a missing or invalid variable. */
export function readEnvironment(env: Env): Environment {
  return {
    host: env.WEB_HOST || '127.0.0.1',
    port: Number(env.WEB_PORT || 3000),
    metricsAt: env.WEB_METRICS_PORT
      ? { host: env.WEB_METRICS_HOST || '127.0.0.1', port: Number(env.WEB_METRICS_PORT) }
      : undefined,
    api: env.API_ORIGIN || 'http://127.0.0.1:4000',
    origin: originFrom(env),
    trustProxyHops: Number(env.WEB_TRUST_PROXY_HOPS || 0),
    shutdownDelayMs: Number(env.SHUTDOWN_DELAY_SECONDS || (env.NODE_ENV === 'production' ? 5 : 0)) * 1000,
    ...identityFrom(env),
  };
}

/** Returns the public origin: the first of WEB_ORIGINS, as in the API. */
function originFrom({ WEB_ORIGINS: origins, NODE_ENV: mode }: Env): string {
  const given = origins || (mode === 'production' ? '' : 'http://localhost:3000');
  const origin = given.split(',')[0]?.trim() ?? '';
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    throw new Error('WEB_ORIGINS must begin with the public address of the site, such as https://kitchen.example.');
  return origin;
}

function identityFrom(env: Env): Pick<Environment, 'auth' | 'authEmulator'> {
  const { FIREBASE_API_KEY: apiKey, FIREBASE_PROJECT_ID: givenProject, FIREBASE_AUTH_DOMAIN: givenDomain } = env;
  const domainOf = (project: string) => givenDomain || `${project}.firebaseapp.com`;
  if (env.AUTH_MODE === 'emulator') {
    const projectId = givenProject || 'demo-rtr-cloud-kitchen';
    return {
      auth: { apiKey: apiKey || 'demo', projectId, authDomain: domainOf(projectId) },
      authEmulator: `http://${env.FIREBASE_AUTH_EMULATOR_HOST || '127.0.0.1:9099'}`,
    };
  }
  if (env.AUTH_MODE !== 'firebase') throw new Error('AUTH_MODE must be firebase or emulator.');
  if (!apiKey || !givenProject) throw new Error('AUTH_MODE=firebase needs FIREBASE_API_KEY and FIREBASE_PROJECT_ID.');
  return { auth: { apiKey, projectId: givenProject, authDomain: domainOf(givenProject) }, authEmulator: undefined };
}
