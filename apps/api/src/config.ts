import { createPrivateKey, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';

/** Where customers prove who they are: a Firebase project, or the Auth emulator, whose tokens anyone can forge. */
export type AuthConfig =
  | { mode: 'firebase'; projectId: string; serviceAccount: ServiceAccount }
  | { mode: 'emulator'; projectId: string; emulatorHost: string };

export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
}

export interface JwtSecret {
  kid: string;
  key: KeyObject;
}

export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** Where Prometheus finds the metrics; undefined when nobody collects them. */
  metrics: { host: string; port: number } | undefined;
  /** Whether traces are sent; where to is the SDK's to read. */
  tracing: boolean;
  mongodbUri: string;
  mongodbDatabase: string;
  auth: AuthConfig;
  /** The first signs, all verify. */
  jwtSecrets: readonly [JwtSecret, ...JwtSecret[]];
  /** Origins whose pages may read the answers. The first is the one that links from elsewhere name. */
  webOrigins: readonly [string, ...string[]];
  /** How many proxies of ours stand before the API; their X-Forwarded-For is believed. */
  trustProxyHops: number;
  rateLimits: boolean;
  logLevel: string;
  /** How long the API answers unready, yet still serves, before it closes. */
  shutdownDelaySeconds: number;
}

/** The secret that .env.example shows. Everybody knows it, so production refuses it. */
const sampleSecret = 'this is a sample: make your own secret';
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Every variable that is wrong, at once, each with what to do. Never holds a value: some are secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration does not hold:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the variables that .env.example documents. Throws a ConfigError that names every bad one. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const production = env.NODE_ENV === 'production';

  const read = (name: string): string | undefined => env[name]?.trim() || undefined;

  /** A secret may stand in a file instead, which NAME_FILE names: an environment is seen by more eyes than a file. */
  const readSecret = (name: string): string | undefined => {
    const value = read(name);
    const file = read(`${name}_FILE`);
    if (file === undefined) return value;
    if (value !== undefined) problems.push(`${name} and ${name}_FILE are both set. Remove one.`);
    try {
      return readFileSync(file, 'utf8').trim() || undefined;
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read. Set it to one that this process may read.`);
      return undefined;
    }
  };

  /** For a variable with a default outside production. */
  const required = (name: string, what: string, fallback: string, given = read(name)): string => {
    const value = given ?? (production ? undefined : fallback);
    if (value === undefined) problems.push(`${name} is not set. Set it to ${what}.`);
    return value ?? '';
  };

  const whole = (name: string, fallback: number, max: number): number => {
    const value = read(name);
    if (value === undefined) return fallback;
    if (/^\d{1,9}$/.test(value) && Number(value) <= max) return Number(value);
    problems.push(`${name} must be a whole number from 0 to ${max}.`);
    return fallback;
  };

  const oneOf = (name: string, values: readonly string[], fallback: string): string => {
    const value = read(name);
    if (value === undefined) return fallback;
    if (values.includes(value)) return value;
    problems.push(`${name} must be one of ${values.join(', ')}.`);
    return fallback;
  };

  const mode = oneOf('AUTH_MODE', ['firebase', 'emulator'], production ? 'unnamed' : 'emulator');
  const auth = authOf(mode);

  const mongodbUri = required(
    'MONGODB_URI',
    'the address of MongoDB, mongodb://…',
    'mongodb://127.0.0.1:27017',
    readSecret('MONGODB_URI'),
  );
  if (mongodbUri && !isConnectionString(mongodbUri))
    problems.push('MONGODB_URI must be a connection string, mongodb://… or mongodb+srv://….');

  const mongodbDatabase =
    read('MONGODB_DATABASE') ?? (mode === 'emulator' ? 'rtr_cloud_kitchen_demo' : 'rtr_cloud_kitchen');
  if (!/^[\w-]{1,63}$/.test(mongodbDatabase))
    problems.push('MONGODB_DATABASE must be 1 to 63 letters, digits, _ or -.');
  // Anyone can forge the emulator's tokens, so they are never accepted over real data, in whatever environment. Nor do
  // real customers write into a demonstration.
  if (mode === 'firebase' && mongodbDatabase.endsWith('_demo'))
    problems.push('MONGODB_DATABASE ends in _demo, which belongs to AUTH_MODE=emulator. Name another database.');
  if (mode === 'emulator' && !mongodbDatabase.endsWith('_demo'))
    problems.push('MONGODB_DATABASE must end in _demo with AUTH_MODE=emulator.');

  const rateLimits = oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on';
  if (production && !rateLimits) problems.push('RATE_LIMITS cannot be off in production. Remove it.');

  const port = whole('PORT', 4000, 65_535);
  const metricsPort = read('METRICS_PORT') === undefined ? undefined : whole('METRICS_PORT', 0, 65_535);
  if (metricsPort === port && port !== 0)
    problems.push('METRICS_PORT must be another than PORT: what the metrics tell is for operators alone.');

  const collector = read('OTEL_EXPORTER_OTLP_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (collector !== undefined && !/^https?:\/\//.test(collector))
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector, http://… or https://….');

  const config: Config = {
    production,
    host: read('HOST') ?? '127.0.0.1',
    port,
    metrics: metricsPort === undefined ? undefined : { host: read('METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    tracing: collector !== undefined && read('OTEL_SDK_DISABLED') !== 'true',
    mongodbUri,
    mongodbDatabase,
    auth,
    jwtSecrets: jwtSecrets(),
    webOrigins: webOrigins(),
    trustProxyHops: whole('TRUST_PROXY_HOPS', 0, 10),
    rateLimits,
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    shutdownDelaySeconds: whole('SHUTDOWN_DELAY_SECONDS', production ? 5 : 0, 300),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;

  function authOf(mode: string): AuthConfig {
    if (mode === 'firebase') return firebaseAuth();
    if (mode === 'emulator') return emulatorAuth();
    if (read('AUTH_MODE') === undefined)
      problems.push('AUTH_MODE is not set. In production name it: firebase, or emulator for a demonstration.');
    return { mode: 'emulator', projectId: '', emulatorHost: '' }; // which the problem keeps from being used
  }

  function firebaseAuth(): AuthConfig {
    // With this variable firebase-admin believes unsigned tokens.
    if (read('FIREBASE_AUTH_EMULATOR_HOST') !== undefined)
      problems.push('FIREBASE_AUTH_EMULATOR_HOST must not be set with AUTH_MODE=firebase. Remove it.');
    const serviceAccount = parseServiceAccount(readSecret('FIREBASE_SERVICE_ACCOUNT'));
    if (!serviceAccount)
      problems.push(
        'FIREBASE_SERVICE_ACCOUNT must be the JSON of a service account, with project_id, client_email and private_key. Create a key in the Firebase console, under Project settings, Service accounts.',
      );
    const projectId = read('FIREBASE_PROJECT_ID') ?? serviceAccount?.projectId ?? '';
    if (serviceAccount && serviceAccount.projectId !== projectId)
      problems.push('FIREBASE_PROJECT_ID is not the project of FIREBASE_SERVICE_ACCOUNT. Set both to one project.');
    return {
      mode: 'firebase',
      projectId,
      serviceAccount: serviceAccount ?? { projectId, clientEmail: '', privateKey: '' },
    };
  }

  function emulatorAuth(): AuthConfig {
    if (readSecret('FIREBASE_SERVICE_ACCOUNT') !== undefined)
      problems.push('FIREBASE_SERVICE_ACCOUNT belongs to AUTH_MODE=firebase. Remove it, or set that mode.');
    const projectId = read('FIREBASE_PROJECT_ID') ?? 'demo-rtr-cloud-kitchen';
    if (production && !projectId.startsWith('demo-'))
      problems.push('FIREBASE_PROJECT_ID must begin with demo- when production runs with AUTH_MODE=emulator.');
    const emulatorHost = required('FIREBASE_AUTH_EMULATOR_HOST', 'host:port of the Auth emulator', '127.0.0.1:9099');
    if (emulatorHost && !/^[^\s/@]+:\d{1,5}$/.test(emulatorHost))
      problems.push('FIREBASE_AUTH_EMULATOR_HOST must be host:port, such as 127.0.0.1:9099, without http://.');
    return { mode: 'emulator', projectId, emulatorHost };
  }

  function jwtSecrets(): Config['jwtSecrets'] {
    const how = 'Write kid:base64 with at least 32 random bytes, such as today:$(openssl rand -base64 32)';
    // A secret of this process alone is safe, and costs nothing but a silent renewal after a restart.
    const unset: JwtSecret = { kid: 'process', key: createSecretKey(randomBytes(32)) };
    const list = readSecret('JWT_SECRETS')?.split(',') ?? [];
    if (list.length === 0 && production) problems.push(`JWT_SECRETS is not set. ${how}.`);
    const secrets = list.map((entry, index): JwtSecret => {
      const [kid = '', base64 = ''] = entry.trim().split(':');
      const bytes = Buffer.from(base64, 'base64');
      const place = `JWT_SECRETS, entry ${index + 1},`;
      if (!/^[\w.-]{1,64}$/.test(kid) || !/^[\w+/-]+=*$/.test(base64))
        problems.push(`${place} is not kid:base64. ${how}; separate several by commas.`);
      else if (bytes.length < 32) problems.push(`${place} holds ${bytes.length} bytes. ${how}.`);
      else if (production && bytes.toString() === sampleSecret) problems.push(`${place} is the sample. ${how}.`);
      return { kid, key: createSecretKey(bytes) };
    });
    const kids = secrets.map(({ kid }) => kid);
    if (new Set(kids).size < kids.length) problems.push('JWT_SECRETS names one kid twice. Give each secret its own.');
    const [first = unset, ...others] = secrets;
    return [first, ...others];
  }

  function webOrigins(): Config['webOrigins'] {
    const what = 'the exact origins of the web app, such as https://kitchen.example, separated by commas';
    const origins = required('WEB_ORIGINS', what, 'http://localhost:3000,http://127.0.0.1:3000')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== '');
    for (const origin of origins) {
      const exact = URL.canParse(origin) && new URL(origin).origin === origin && /^https?:/.test(origin);
      if (!exact) problems.push(`WEB_ORIGINS must hold ${what}: scheme, host and port, with no path and no *.`);
    }
    const [first = '', ...others] = origins;
    if (first === '' && read('WEB_ORIGINS') !== undefined) problems.push(`WEB_ORIGINS names none. Set it to ${what}.`);
    return [first, ...others];
  }
}

/** Asks the driver, which connects to nothing yet. */
function isConnectionString(uri: string): boolean {
  try {
    return new MongoClient(uri) instanceof MongoClient;
  } catch {
    return false;
  }
}

function parseServiceAccount(text: string | undefined): ServiceAccount | undefined {
  try {
    const { project_id, client_email, private_key } = JSON.parse(text ?? '') as Record<string, unknown>;
    if (typeof project_id !== 'string' || typeof client_email !== 'string' || typeof private_key !== 'string')
      return undefined;
    createPrivateKey(private_key);
    return { projectId: project_id, clientEmail: client_email, privateKey: private_key };
  } catch {
    return undefined;
  }
}
