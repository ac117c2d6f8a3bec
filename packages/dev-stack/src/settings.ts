import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.ts';
import type { Env, Ports } from './stack.ts';

/**
 * The environment variables of the API and the web server that replace the values of the stack if a developer sets them.
 */
const configurable = [
  'AUTH_MODE',
  'FIREBASE_API_KEY',
  'FIREBASE_AUTH_DOMAIN',
  'FIREBASE_PROJECT_ID',
  'FIREBASE_SERVICE_ACCOUNT',
  'JWT_SECRETS',
  'LOG_LEVEL',
  'MAIL_FROM',
  'MONGODB_DATABASE',
  'RATE_LIMITS',
  'SMTP_URL',
];

/** Loads `.env` from the root folder. Variables that are already set do not change. */
export function readDotenv(): void {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

export function configuredEnv(env: Env): Env {
  return Object.fromEntries(configurable.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

export function portsFrom(env: Env): Ports {
  return {
    web: port(env, 'WEB_PORT', 3000),
    api: port(env, 'API_PORT', 4000),
    authEmulator: port(env, 'AUTH_EMULATOR_PORT', 9099),
  };
}

function port(env: Env, variable: string, defaultPort: number): number {
  const text = env[variable];
  if (!text) return defaultPort;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  throw new Error(`${variable} must be a port number from 1 to 65535, not '${text}'.`);
}
