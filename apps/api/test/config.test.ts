import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../src/config.ts';

const secret = `a:${randomBytes(32).toString('base64')}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const serviceAccount = {
  project_id: 'kitchen',
  client_email: 'api@kitchen.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const production = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://db.example/',
  JWT_SECRETS: secret,
  WEB_ORIGINS: 'https://kitchen.example',
};
const firebase = { ...production, AUTH_MODE: 'firebase', FIREBASE_SERVICE_ACCOUNT: JSON.stringify(serviceAccount) };
const demonstration = { ...production, AUTH_MODE: 'emulator', FIREBASE_AUTH_EMULATOR_HOST: 'auth.example:9099' };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('with nothing set it runs on this machine, with the Auth emulator and a secret of its own', () => {
  const [one, other] = [loadConfig({}), loadConfig({})];
  expect(one).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 4000,
    mongodbDatabase: 'rtr_cloud_kitchen_demo',
    auth: { mode: 'emulator', projectId: 'demo-rtr-cloud-kitchen', emulatorHost: '127.0.0.1:9099' },
    webOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
    trustProxyHops: 0,
    rateLimits: true,
  });
  expect(one.jwtSecrets[0].key.equals(other.jwtSecrets[0].key)).toBe(false);
});

test('the metrics have a port of their own, on this machine unless told, and none by default', () => {
  expect(loadConfig({}).metrics).toBeUndefined();
  expect(loadConfig(demonstration).metrics).toBeUndefined();
  expect(loadConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(loadConfig({ METRICS_PORT: '0', METRICS_HOST: '::' }).metrics).toEqual({ host: '::', port: 0 });
});

test('in production both modes hold, each with its own database', () => {
  expect(loadConfig(firebase)).toMatchObject({
    mongodbDatabase: 'rtr_cloud_kitchen',
    auth: { mode: 'firebase', projectId: 'kitchen' },
    shutdownDelaySeconds: 5,
  });
  expect(loadConfig(demonstration)).toMatchObject({
    mongodbDatabase: 'rtr_cloud_kitchen_demo',
    auth: { mode: 'emulator', emulatorHost: 'auth.example:9099' },
  });
});

test('every bad variable is named at once, and no value is told', () => {
  const problems = problemsOf({
    ...production,
    AUTH_MODE: 'other-mode',
    MONGODB_URI: 'postgres://user:hunter2@db',
    PORT: '99999',
    JWT_SECRETS: 'a:hunter2',
    WEB_ORIGINS: '*',
    TRUST_PROXY_HOPS: 'true',
    RATE_LIMITS: 'off',
    METRICS_PORT: '99999',
    LOG_LEVEL: 'loud',
    SHUTDOWN_DELAY_SECONDS: '-1',
  });
  const names = ['AUTH_MODE', 'MONGODB_URI', 'PORT', 'JWT_SECRETS', 'WEB_ORIGINS', 'TRUST_PROXY_HOPS', 'RATE_LIMITS'];
  for (const name of [...names, 'METRICS_PORT', 'LOG_LEVEL', 'SHUTDOWN_DELAY_SECONDS'])
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
  expect(problems.join()).not.toContain('hunter2');
});

describe('it does not start', () => {
  test.for<[string, Record<string, string>, string]>([
    ['in production without a named mode', production, 'AUTH_MODE'],
    ['in production without a secret', { ...demonstration, JWT_SECRETS: '' }, 'JWT_SECRETS'],
    ['in production without origins', { ...demonstration, WEB_ORIGINS: '' }, 'WEB_ORIGINS'],
    ['in production without a database', { ...demonstration, MONGODB_URI: '' }, 'MONGODB_URI'],
    ['in production without rate limits', { ...demonstration, RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
    ['as a demonstration over real data', { ...demonstration, MONGODB_DATABASE: 'kitchen' }, 'MONGODB_DATABASE'],
    ['with the emulator over real data, outside production too', { MONGODB_DATABASE: 'kitchen' }, 'MONGODB_DATABASE'],
    [
      'with the emulator over real data in a test environment',
      { NODE_ENV: 'test', MONGODB_DATABASE: 'kitchen' },
      'MONGODB_DATABASE',
    ],
    [
      'as a demonstration of a real project',
      { ...demonstration, FIREBASE_PROJECT_ID: 'kitchen' },
      'FIREBASE_PROJECT_ID',
    ],
    [
      'as a demonstration without its emulator',
      { ...production, AUTH_MODE: 'emulator' },
      'FIREBASE_AUTH_EMULATOR_HOST',
    ],
    ['for real over demonstration data', { ...firebase, MONGODB_DATABASE: 'kitchen_demo' }, 'MONGODB_DATABASE'],
    ['for real with the emulator', { ...firebase, FIREBASE_AUTH_EMULATOR_HOST: 'a:1' }, 'FIREBASE_AUTH_EMULATOR_HOST'],
    ['for real without a service account', { ...firebase, FIREBASE_SERVICE_ACCOUNT: '' }, 'FIREBASE_SERVICE_ACCOUNT'],
    [
      'with a service account that is no JSON',
      { ...firebase, FIREBASE_SERVICE_ACCOUNT: '{' },
      'FIREBASE_SERVICE_ACCOUNT',
    ],
    [
      'with a service account whose key is none',
      { ...firebase, FIREBASE_SERVICE_ACCOUNT: JSON.stringify({ ...serviceAccount, private_key: 'none' }) },
      'FIREBASE_SERVICE_ACCOUNT',
    ],
    [
      'for a project that is not the service account’s',
      { ...firebase, FIREBASE_PROJECT_ID: 'bar' },
      'FIREBASE_PROJECT_ID',
    ],
    ['with the metrics on the API’s own port', { PORT: '9464', METRICS_PORT: '9464' }, 'METRICS_PORT'],
    [
      'with a collector that has no address',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ],
    ['with a secret of 31 bytes', { JWT_SECRETS: `a:${randomBytes(31).toString('base64')}` }, 'JWT_SECRETS'],
    ['with a secret without kid', { JWT_SECRETS: randomBytes(32).toString('base64') }, 'JWT_SECRETS'],
    ['with one kid for two secrets', { JWT_SECRETS: `${secret},${secret}` }, 'JWT_SECRETS'],
    ['with no origin at all', { WEB_ORIGINS: ',' }, 'WEB_ORIGINS'],
    ['with an origin that has a path', { WEB_ORIGINS: 'https://kitchen.example/' }, 'WEB_ORIGINS'],
  ])('%s', ([, env, name]) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${name}`))]);
  });

  test('in production with the secret that .env.example shows', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const shown = parse(example.replaceAll(/^# (?=[A-Z_]+=)/gm, '')).JWT_SECRETS ?? '';
    expect(problemsOf({ JWT_SECRETS: shown })).toEqual([]);
    expect(problemsOf({ ...demonstration, JWT_SECRETS: shown })).toEqual([expect.stringContaining('is the sample')]);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtr-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string, content: string) => {
    writeFileSync(join(folder, name), `${content}\n`);
    return join(folder, name);
  };

  test('is read as if it stood in the variable', () => {
    const { JWT_SECRETS, MONGODB_URI, FIREBASE_SERVICE_ACCOUNT, ...others } = { ...firebase };
    const inFiles = {
      ...others,
      JWT_SECRETS_FILE: fileOf('jwt', JWT_SECRETS),
      MONGODB_URI_FILE: fileOf('mongodb', MONGODB_URI),
      FIREBASE_SERVICE_ACCOUNT_FILE: fileOf('account', FIREBASE_SERVICE_ACCOUNT),
    };
    const { jwtSecrets, ...rest } = loadConfig(inFiles);
    const { jwtSecrets: expected, ...expectedRest } = loadConfig(firebase);
    expect(rest).toEqual(expectedRest);
    expect(jwtSecrets[0].kid).toBe(expected[0].kid);
    expect(jwtSecrets[0].key.equals(expected[0].key)).toBe(true);
  });

  test('is not there twice, and can be read', () => {
    const file = fileOf('jwt', secret);
    expect(problemsOf({ ...firebase, JWT_SECRETS_FILE: file })).toEqual([expect.stringMatching(/both set/)]);
    const { JWT_SECRETS: _, ...others } = firebase;
    expect(problemsOf({ ...others, JWT_SECRETS_FILE: `${file}-not` })).toEqual([
      expect.stringMatching(/^JWT_SECRETS_FILE names a file that cannot be read/),
      expect.stringMatching(/^JWT_SECRETS is not set/),
    ]);
  });

  test('is checked like any other', () => {
    expect(problemsOf({ JWT_SECRETS_FILE: fileOf('short', 'a:c2hvcnQ=') })).toEqual([
      expect.stringMatching(/^JWT_SECRETS, entry 1, holds 5 bytes/),
    ]);
  });
});

test('.env.example names every variable that is read', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const read = new Set<string>();
  for (const mode of ['firebase', 'emulator']) {
    const env = { ...production, AUTH_MODE: mode, METRICS_PORT: '9464' } as Record<string, string>;
    problemsOf(
      new Proxy(env, {
        get: (target, name: string) => {
          read.add(name);
          return target[name];
        },
      }),
    );
  }
  expect(read.size).toBeGreaterThan(10);
  for (const name of read) expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'));
});
