import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import {
  createEnvironmentSchema,
  type Environment,
  type JwtSecret,
  type ServiceAccount,
  secretVariables,
} from './environment.ts';
import type { MailServerSettings } from './news/mail-server.ts';

/** The settings of the identity provider: either a Firebase project, or the Auth emulator, whose tokens anyone can forge. */
export type AuthConfig =
  | { mode: 'firebase'; projectId: string; serviceAccount: ServiceAccount }
  | { mode: 'emulator'; projectId: string; emulatorHost: string };

export interface Config {
  host: string;
  port: number;
  /** The address of the metrics server. Undefined if metrics are off. */
  metrics: { host: string; port: number } | undefined;
  /**
   * True if traces are exported. The OpenTelemetry SDK reads the address of the collector from its own environment
   * variables.
   */
  tracing: boolean;
  mongodbUri: string;
  mongodbDatabase: string;
  auth: AuthConfig;
  /** The secrets of access tokens. The first secret signs new tokens, and all secrets verify tokens. */
  jwtSecrets: readonly [JwtSecret, ...JwtSecret[]];
  /** The origins whose web pages may read responses of the API (CORS). The first is the public origin of the web app. */
  webOrigins: readonly [string, ...string[]];
  /** The addresses and networks of the proxies whose header X-Forwarded-For is trusted. */
  trustedProxies: string[];
  /** The mail server and the sender of emails about news. Undefined if no emails are sent. */
  mail: MailServerSettings | undefined;
  rateLimits: boolean;
  logLevel: string;
  /** How many seconds the API still serves requests at shutdown, after it has reported that it is not ready. */
  shutdownDelaySeconds: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Thrown when the configuration is invalid. The message lists all problems, and how to solve them. It does not contain
 * values of variables, because some values are secret.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the environment variables of the API. Throws a ConfigError that lists all invalid variables. */
export function loadConfig(variables: Variables): Config {
  const isProduction = variables.NODE_ENV === 'production';
  const schema = createEnvironmentSchema({ isProduction, authMode: readVariable(variables, 'AUTH_MODE') });
  const names = Object.keys(schema.def.shape);
  const values = Object.fromEntries(names.map((name) => [name, readVariable(variables, name)]));
  const problems = secretVariables.flatMap((name) => {
    const { value, problem } = readSecret(variables, name);
    values[name] = value;
    return problem ?? [];
  });
  const { data, error } = z.safeParse(schema, values);
  problems.push(...(error?.issues ?? []).map(({ message }) => message));
  if (!data || problems.length > 0) throw new ConfigError(problems);
  return toConfig(data);
}

/** Reads an environment variable. If it is empty, it counts as not set. */
function readVariable(variables: Variables, name: string): string | undefined {
  return variables[name]?.trim() || undefined;
}

/**
 * Reads a secret from the environment variable NAME, or from the file whose path is in NAME_FILE. A file protects a secret
 * better, because of its permissions.
 */
function readSecret(variables: Variables, name: string): { value: string | undefined; problem?: string } {
  const value = readVariable(variables, name);
  const file = readVariable(variables, `${name}_FILE`);
  if (file === undefined) return { value };
  if (value !== undefined) return { value, problem: `${name} and ${name}_FILE are both set. Remove one.` };
  try {
    return { value: readFileSync(file, 'utf8').trim() || undefined };
  } catch {
    const problem = `${name}_FILE names a file that cannot be read. Set it to a file that this process may read.`;
    return { value, problem };
  }
}

function toConfig(env: Environment): Config {
  const collector = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  return {
    host: env.HOST,
    port: env.PORT,
    metrics: env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    tracing: collector !== undefined && env.OTEL_SDK_DISABLED !== 'true',
    mongodbUri: env.MONGODB_URI,
    mongodbDatabase: env.MONGODB_DATABASE,
    auth: toAuthConfig(env),
    jwtSecrets: env.JWT_SECRETS,
    // This cast is safe, because the schema requires at least one origin.
    webOrigins: env.WEB_ORIGINS as [string, ...string[]],
    trustedProxies: env.TRUSTED_PROXIES,
    mail:
      env.SMTP_URL !== undefined && env.MAIL_FROM !== undefined
        ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM }
        : undefined,
    rateLimits: env.RATE_LIMITS === 'on',
    logLevel: env.LOG_LEVEL,
    shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
  };
}

function toAuthConfig(env: Environment): AuthConfig {
  const { FIREBASE_SERVICE_ACCOUNT: serviceAccount, FIREBASE_AUTH_EMULATOR_HOST: emulatorHost = '' } = env;
  return serviceAccount
    ? { mode: 'firebase', projectId: env.FIREBASE_PROJECT_ID ?? serviceAccount.projectId, serviceAccount }
    : { mode: 'emulator', projectId: env.FIREBASE_PROJECT_ID ?? '', emulatorHost };
}
