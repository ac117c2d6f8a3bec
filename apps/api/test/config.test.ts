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

test('loadConfig without variables uses local defaults, the Auth emulator and a random secret', () => {
  const [one, other] = [loadConfig({}), loadConfig({})];
  expect(one).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    mongodbDatabase: 'rtr_cloud_kitchen_demo',
    auth: { mode: 'emulator', projectId: 'demo-rtr-cloud-kitchen', emulatorHost: '127.0.0.1:9099' },
    webOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
    trustedProxies: ['loopback', 'linklocal', 'uniquelocal'],
    rateLimits: true,
  });
  expect(one.jwtSecrets[0].key.equals(other.jwtSecrets[0].key)).toBe(false);
});

test('loadConfig enables metrics only if METRICS_PORT is set, and then uses localhost by default', () => {
  expect(loadConfig({}).metrics).toBeUndefined();
  expect(loadConfig(demonstration).metrics).toBeUndefined();
  expect(loadConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(loadConfig({ METRICS_PORT: '0', METRICS_HOST: '::' }).metrics).toEqual({ host: '::', port: 0 });
});

test('loadConfig returns the mail server if SMTP_URL and MAIL_FROM are set, and otherwise none', () => {
  expect(loadConfig({}).mail).toBeUndefined();
  const from = 'news@kitchen.example';
  for (const smtpUrl of [
    'smtp://127.0.0.1:2525',
    'smtps://news%40kitchen.example:p%2Fss@mail.example/',
    'smtp://[::1]',
  ])
    expect(loadConfig({ SMTP_URL: smtpUrl, MAIL_FROM: from }).mail).toEqual({ smtpUrl, from });
});

test('loadConfig accepts both values of AUTH_MODE in production, with a different default database for each', () => {
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

test('loadConfig reports all invalid variables at once, without their values', () => {
  const problems = problemsOf({
    ...production,
    AUTH_MODE: 'other-mode',
    MONGODB_URI: 'postgres://user:hunter2@db',
    PORT: '99999',
    JWT_SECRETS: 'a:hunter2',
    WEB_ORIGINS: '*',
    TRUSTED_PROXIES: 'true',
    RATE_LIMITS: 'off',
    METRICS_PORT: '99999',
    LOG_LEVEL: 'loud',
    SHUTDOWN_DELAY_SECONDS: '-1',
  });
  const names = ['AUTH_MODE', 'MONGODB_URI', 'PORT', 'JWT_SECRETS', 'WEB_ORIGINS', 'TRUSTED_PROXIES', 'RATE_LIMITS'];
  for (const name of [...names, 'METRICS_PORT', 'LOG_LEVEL', 'SHUTDOWN_DELAY_SECONDS'])
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
  expect(problems.join()).not.toContain('hunter2');
});

test('loadConfig reports conflicts between variables in the same error as other problems', () => {
  const problems = problemsOf({ ...demonstration, MONGODB_URI: '', PORT: '9464', METRICS_PORT: '9464' });
  expect(problems).toEqual([
    expect.stringMatching(/^MONGODB_URI is not set/),
    expect.stringMatching(/^METRICS_PORT must differ/),
  ]);
});

describe('loadConfig', () => {
  test.for<[string, Record<string, string>, string]>([
    ['in production without AUTH_MODE', production, 'AUTH_MODE'],
    ['in production without JWT_SECRETS', { ...demonstration, JWT_SECRETS: '' }, 'JWT_SECRETS'],
    ['in production without WEB_ORIGINS', { ...demonstration, WEB_ORIGINS: '' }, 'WEB_ORIGINS'],
    ['in production without MONGODB_URI', { ...demonstration, MONGODB_URI: '' }, 'MONGODB_URI'],
    ['in production without rate limits', { ...demonstration, RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
    [
      'in production with the emulator and a real database',
      { ...demonstration, MONGODB_DATABASE: 'kitchen' },
      'MONGODB_DATABASE',
    ],
    ['outside production with the emulator and a real database', { MONGODB_DATABASE: 'kitchen' }, 'MONGODB_DATABASE'],
    [
      'in a test environment with the emulator and a real database',
      { NODE_ENV: 'test', MONGODB_DATABASE: 'kitchen' },
      'MONGODB_DATABASE',
    ],
    [
      'in production with the emulator and a real project',
      { ...demonstration, FIREBASE_PROJECT_ID: 'kitchen' },
      'FIREBASE_PROJECT_ID',
    ],
    [
      'in production with the emulator and without its address',
      { ...production, AUTH_MODE: 'emulator' },
      'FIREBASE_AUTH_EMULATOR_HOST',
    ],
    ['with Firebase and a demo database', { ...firebase, MONGODB_DATABASE: 'kitchen_demo' }, 'MONGODB_DATABASE'],
    [
      'with Firebase and the address of an emulator',
      { ...firebase, FIREBASE_AUTH_EMULATOR_HOST: 'a:1' },
      'FIREBASE_AUTH_EMULATOR_HOST',
    ],
    [
      'with Firebase and without a service account',
      { ...firebase, FIREBASE_SERVICE_ACCOUNT: '' },
      'FIREBASE_SERVICE_ACCOUNT',
    ],
    [
      'with a service account that is not JSON',
      { ...firebase, FIREBASE_SERVICE_ACCOUNT: '{' },
      'FIREBASE_SERVICE_ACCOUNT',
    ],
    [
      'with a service account whose key is invalid',
      { ...firebase, FIREBASE_SERVICE_ACCOUNT: JSON.stringify({ ...serviceAccount, private_key: 'none' }) },
      'FIREBASE_SERVICE_ACCOUNT',
    ],
    [
      'with another project than that of the service account',
      { ...firebase, FIREBASE_PROJECT_ID: 'bar' },
      'FIREBASE_PROJECT_ID',
    ],
    ['with the same port for the metrics and the API', { PORT: '9464', METRICS_PORT: '9464' }, 'METRICS_PORT'],
    [
      'with a collector address that is not a URL',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ],
    ...['https://mail.example', 'mail.example:25', 'smtp:', 'smtp://a/b', 'smtp://a?pool=true', 'smtp://u:100%@a'].map(
      (url): [string, Record<string, string>, string] => [
        `with the mail server ${url}`,
        { SMTP_URL: url, MAIL_FROM: 'a@b.example' },
        'SMTP_URL must be',
      ],
    ),
    ...['kitchen.example', 'News <a@b.example>', 'a@b.example, c@d.example'].map(
      (from): [string, Record<string, string>, string] => [
        `with the sender ${from}`,
        { SMTP_URL: 'smtp://a', MAIL_FROM: from },
        'MAIL_FROM',
      ],
    ),
    ['with a mail server and without a sender', { SMTP_URL: 'smtp://a' }, 'SMTP_URL and MAIL_FROM'],
    ['with a sender and without a mail server', { MAIL_FROM: 'a@b.example' }, 'SMTP_URL and MAIL_FROM'],
    ['with a secret of 31 bytes', { JWT_SECRETS: `a:${randomBytes(31).toString('base64')}` }, 'JWT_SECRETS'],
    ['with a secret without kid', { JWT_SECRETS: randomBytes(32).toString('base64') }, 'JWT_SECRETS'],
    ['with the same kid for two secrets', { JWT_SECRETS: `${secret},${secret}` }, 'JWT_SECRETS'],
    ['with an empty list of origins', { WEB_ORIGINS: ',' }, 'WEB_ORIGINS'],
    ['with an origin that has a path', { WEB_ORIGINS: 'https://kitchen.example/' }, 'WEB_ORIGINS'],
  ])('rejects a configuration %s, and names the variable to correct', ([, env, name]) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${name}`))]);
  });

  test('rejects a configuration in production with the example secret of .env.example', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const shown = parse(example.replaceAll(/^# (?=[A-Z_]+=)/gm, '')).JWT_SECRETS ?? '';
    expect(problemsOf({ JWT_SECRETS: shown })).toEqual([]);
    expect(problemsOf({ ...demonstration, JWT_SECRETS: shown })).toEqual([expect.stringContaining('is the sample')]);
  });
});

describe('a variable such as JWT_SECRETS_FILE, which contains the path of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtr-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string, content: string) => {
    writeFileSync(join(folder, name), `${content}\n`);
    return join(folder, name);
  };

  test('has the same effect as the variable JWT_SECRETS with the content of the file', () => {
    const given = { ...firebase, SMTP_URL: 'smtp://user:password@mail.example', MAIL_FROM: 'a@b.example' };
    const { JWT_SECRETS, MONGODB_URI, FIREBASE_SERVICE_ACCOUNT, SMTP_URL, ...others } = given;
    const inFiles = {
      ...others,
      JWT_SECRETS_FILE: fileOf('jwt', JWT_SECRETS),
      MONGODB_URI_FILE: fileOf('mongodb', MONGODB_URI),
      FIREBASE_SERVICE_ACCOUNT_FILE: fileOf('account', FIREBASE_SERVICE_ACCOUNT),
      SMTP_URL_FILE: fileOf('smtp', SMTP_URL),
    };
    const { jwtSecrets, ...rest } = loadConfig(inFiles);
    const { jwtSecrets: expected, ...expectedRest } = loadConfig(given);
    expect(rest).toEqual(expectedRest);
    expect(jwtSecrets[0].kid).toBe(expected[0].kid);
    expect(jwtSecrets[0].key.equals(expected[0].key)).toBe(true);
  });

  test('is a configuration error when JWT_SECRETS is set too, or when the file cannot be read', () => {
    const file = fileOf('jwt', secret);
    expect(problemsOf({ ...firebase, JWT_SECRETS_FILE: file })).toEqual([expect.stringMatching(/both set/)]);
    const { JWT_SECRETS: _, ...others } = firebase;
    expect(problemsOf({ ...others, JWT_SECRETS_FILE: `${file}-not` })).toEqual([
      expect.stringMatching(/^JWT_SECRETS_FILE names a file that cannot be read/),
      expect.stringMatching(/^JWT_SECRETS is not set/),
    ]);
  });

  test('is validated by the same rules as the variable without _FILE', () => {
    expect(problemsOf({ JWT_SECRETS_FILE: fileOf('short', 'a:c2hvcnQ=') })).toEqual([
      expect.stringMatching(/^JWT_SECRETS, entry 1, has 5 bytes/),
    ]);
  });
});

test('.env.example contains every variable that loadConfig reads', () => {
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
