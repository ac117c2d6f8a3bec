import { createPrivateKey, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { hostAndPort, isOrigin, trustedProxies, wholeNumber } from '@rtr/http-server/environment';
import { parseJson } from '@rtr/shared';
import { MongoClient } from 'mongodb';
import * as z from 'zod/mini';
import { mailVariables } from './mail-variables.ts';

export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
}

export interface JwtSecret {
  kid: string;
  key: KeyObject;
}

export type Environment = z.infer<ReturnType<typeof createEnvironmentSchema>>;

/**
 * The variables whose values are secret. A secret can also be in a file. The variable NAME_FILE then contains the path of
 * the file.
 */
export const secretVariables = ['MONGODB_URI', 'FIREBASE_SERVICE_ACCOUNT', 'JWT_SECRETS', 'SMTP_URL'] as const;

/** The example secret of .env.example. Production rejects it, because it is public. */
const sampleSecret = 'this is a sample: make your own secret';
const minSecretBytes = 32;
const originsFormat = 'the exact origins of the web app, such as https://kitchen.example, separated by commas';
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

type TextSchema = z.ZodMiniType<string, string | undefined>;
type AddProblem = (message: string) => void;

interface SchemaOptions {
  isProduction: boolean;
  /** The value of AUTH_MODE, on which the rules for some other variables depend. */
  authMode: string | undefined;
}

/**
 * Creates the schema of the environment variables. Each error message starts with the name of the variable and says how to
 * correct the value.
 */
export function createEnvironmentSchema({ isProduction, authMode }: SchemaOptions) {
  const mode = authMode ?? (isProduction ? undefined : 'emulator');

  /** Creates the schema of a variable that is required in production and has a default elsewhere. */
  const required = (name: string, expected: string, defaultValue: string): TextSchema =>
    isProduction
      ? z.pipe(z.optional(z.string()), z.string(`${name} is not set. Set it to ${expected}.`))
      : z._default(z.string(), defaultValue);

  const variables = z.object({
    HOST: z._default(z.string(), '127.0.0.1'),
    PORT: z._default(wholeNumber('PORT', 65_535), 4000),
    METRICS_HOST: z._default(z.string(), '127.0.0.1'),
    METRICS_PORT: z.optional(wholeNumber('METRICS_PORT', 65_535)),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(collectorUrl('OTEL_EXPORTER_OTLP_ENDPOINT')),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.optional(collectorUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')),
    OTEL_SDK_DISABLED: z.optional(z.string()),
    MONGODB_URI: required('MONGODB_URI', 'the address of MongoDB, mongodb://…', 'mongodb://127.0.0.1:27017').check(
      z.refine(isConnectionString, 'MONGODB_URI must be a connection string, mongodb://… or mongodb+srv://….'),
    ),
    MONGODB_DATABASE: databaseName(mode),
    AUTH_MODE: required('AUTH_MODE', 'firebase, or to emulator for a demonstration', 'emulator').check(
      oneOf('AUTH_MODE', ['firebase', 'emulator']),
    ),
    FIREBASE_PROJECT_ID: projectId(mode, isProduction),
    FIREBASE_SERVICE_ACCOUNT: converted((value, addProblem) => {
      if (mode === 'firebase') return parseServiceAccount(value, addProblem);
      if (mode === 'emulator' && value !== undefined)
        addProblem('FIREBASE_SERVICE_ACCOUNT must not be set with AUTH_MODE=emulator. Remove it.');
      return undefined;
    }),
    FIREBASE_AUTH_EMULATOR_HOST:
      mode === 'emulator'
        ? required('FIREBASE_AUTH_EMULATOR_HOST', 'host:port of the Auth emulator', '127.0.0.1:9099').check(
            hostAndPort('FIREBASE_AUTH_EMULATOR_HOST'),
          )
        : noEmulatorHost(mode),
    JWT_SECRETS: converted((value, addProblem) => parseJwtSecrets(value, isProduction, addProblem)),
    WEB_ORIGINS: webOrigins(required('WEB_ORIGINS', originsFormat, 'http://localhost:3000,http://127.0.0.1:3000')),
    ...mailVariables,
    TRUSTED_PROXIES: trustedProxies(),
    RATE_LIMITS: z._default(z.string(), 'on').check(
      oneOf('RATE_LIMITS', ['on', 'off']),
      z.refine((value) => !isProduction || value !== 'off', 'RATE_LIMITS cannot be off in production. Remove it.'),
    ),
    LOG_LEVEL: z._default(z.string(), 'info').check(oneOf('LOG_LEVEL', logLevels)),
    SHUTDOWN_DELAY_SECONDS: z._default(wholeNumber('SHUTDOWN_DELAY_SECONDS', 300), isProduction ? 5 : 0),
  });

  const evenAfterOtherProblems = () => true;
  return variables.check(
    z.refine(({ PORT, METRICS_PORT }) => PORT === 0 || METRICS_PORT !== PORT || typeof PORT !== 'number', {
      error: 'METRICS_PORT must differ from PORT, because the metrics are for operators only.',
      when: evenAfterOtherProblems,
    }),
    z.refine(({ SMTP_URL, MAIL_FROM }) => (SMTP_URL === undefined) === (MAIL_FROM === undefined), {
      error: 'SMTP_URL and MAIL_FROM must be set together. Set both to send emails, or remove both.',
      when: evenAfterOtherProblems,
    }),
    z.refine(
      ({ FIREBASE_PROJECT_ID: id, FIREBASE_SERVICE_ACCOUNT: account }) => !id || !account || account.projectId === id,
      {
        error: 'FIREBASE_PROJECT_ID is not the project of FIREBASE_SERVICE_ACCOUNT. Set both to one project.',
        when: evenAfterOtherProblems,
      },
    ),
  );
}

/** Creates a schema that converts the text of a variable. The text is undefined if the variable is not set. */
function converted<T>(convert: (value: string | undefined, addProblem: AddProblem) => T) {
  return z.pipe(
    z.optional(z.string()),
    z.transform((value: string | undefined, { issues }) =>
      convert(value, (message) => issues.push({ code: 'custom', message, input: undefined })),
    ),
  );
}

function oneOf(name: string, values: readonly string[]) {
  return z.refine<string>((value) => values.includes(value), `${name} must be one of ${values.join(', ')}.`);
}

function collectorUrl(name: string) {
  return z
    .string()
    .check(z.regex(/^https?:\/\//, `${name} must be the address of a collector, http://… or https://….`));
}

/** True if the text is a valid connection string. `new MongoClient` validates the text, but does not connect. */
function isConnectionString(uri: string): boolean {
  try {
    return new MongoClient(uri) instanceof MongoClient;
  } catch {
    return false;
  }
}

/**
 * Creates the schema of the database name. With the Auth emulator, the name must end in `_demo`: anyone can forge the tokens
 * of the emulator, so it must never be used with real data. With Firebase, the name must not end in `_demo`, because real
 * customers must never write to the database of a demonstration.
 */
function databaseName(mode: string | undefined) {
  const isDemo = (name: string) => name.endsWith('_demo');
  return z._default(z.string(), mode === 'emulator' ? 'rtr_cloud_kitchen_demo' : 'rtr_cloud_kitchen').check(
    z.regex(/^[\w-]{1,63}$/, 'MONGODB_DATABASE must be 1 to 63 letters, digits, _ or -.'),
    z.refine(
      (name) => mode !== 'firebase' || !isDemo(name),
      'MONGODB_DATABASE must not end in _demo with AUTH_MODE=firebase. Only AUTH_MODE=emulator uses such a database.',
    ),
    z.refine(
      (name) => mode !== 'emulator' || isDemo(name),
      'MONGODB_DATABASE must end in _demo with AUTH_MODE=emulator.',
    ),
  );
}

function projectId(mode: string | undefined, isProduction: boolean): z.ZodMiniType<string | undefined> {
  if (mode !== 'emulator') return z.optional(z.string());
  return z
    ._default(z.string(), 'demo-rtr-cloud-kitchen')
    .check(
      z.refine(
        (id) => !isProduction || id.startsWith('demo-'),
        'FIREBASE_PROJECT_ID must begin with demo- when production runs with AUTH_MODE=emulator.',
      ),
    );
}

/**
 * FIREBASE_AUTH_EMULATOR_HOST is forbidden with AUTH_MODE=firebase, because it makes firebase-admin accept unsigned
 * tokens.
 */
function noEmulatorHost(mode: string | undefined) {
  const message = 'FIREBASE_AUTH_EMULATOR_HOST must not be set with AUTH_MODE=firebase. Remove it.';
  return z.optional(z.string()).check(z.refine((host) => mode !== 'firebase' || host === undefined, message));
}

function parseServiceAccount(text: string | undefined, addProblem: AddProblem): ServiceAccount | undefined {
  const schema = z.object({ project_id: z.string(), client_email: z.string(), private_key: z.string() });
  const { data } = z.safeParse(schema, parseJson(text ?? ''));
  if (data && isPrivateKey(data.private_key))
    return { projectId: data.project_id, clientEmail: data.client_email, privateKey: data.private_key };
  addProblem(
    'FIREBASE_SERVICE_ACCOUNT must be the JSON of a service account, with project_id, client_email and private_key. Create a key in the Firebase console, under Project settings, Service accounts.',
  );
  return undefined;
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}

function parseJwtSecrets(
  text: string | undefined,
  isProduction: boolean,
  addProblem: AddProblem,
): readonly [JwtSecret, ...JwtSecret[]] {
  const format = 'Write kid:base64 with at least 32 random bytes, such as today:$(openssl rand -base64 32)';
  // Outside production, a process without JWT_SECRETS creates its own secret. After a restart, all access tokens are invalid,
  // and the web app automatically requests new ones.
  const processSecret: JwtSecret = { kid: 'process', key: createSecretKey(randomBytes(minSecretBytes)) };
  if (text === undefined && isProduction) addProblem(`JWT_SECRETS is not set. ${format}.`);
  const secrets = (text?.split(',') ?? []).map((entry, index): JwtSecret => {
    const [kid = '', base64 = ''] = entry.trim().split(':');
    const bytes = Buffer.from(base64, 'base64');
    const place = `JWT_SECRETS, entry ${index + 1},`;
    if (!/^[\w.-]{1,64}$/.test(kid) || !/^[\w+/-]+=*$/.test(base64))
      addProblem(`${place} is not kid:base64. ${format}; separate several by commas.`);
    else if (bytes.length < minSecretBytes) addProblem(`${place} has ${bytes.length} bytes. ${format}.`);
    else if (isProduction && bytes.toString() === sampleSecret) addProblem(`${place} is the sample. ${format}.`);
    return { kid, key: createSecretKey(bytes) };
  });
  const kids = secrets.map(({ kid }) => kid);
  if (new Set(kids).size < kids.length)
    addProblem('JWT_SECRETS contains the same kid twice. Give each secret its own kid.');
  const [first = processSecret, ...others] = secrets;
  return [first, ...others];
}

function webOrigins(list: TextSchema) {
  const split = z.transform((text: string) => text.split(',').flatMap((origin) => origin.trim() || []));
  return z.pipe(list, split).check(
    z.minLength(1, `WEB_ORIGINS contains no origin. Set it to ${originsFormat}.`),
    z.refine(
      (origins) => origins.every(isOrigin),
      `WEB_ORIGINS must contain ${originsFormat}: scheme, host and port, without a path and without *.`,
    ),
  );
}
