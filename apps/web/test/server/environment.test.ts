import { expect, test } from 'vitest';
import { readEnvironment } from '../../server/environment.ts';

function messageOf(variables: Record<string, string>): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    return String(error);
  }
  throw new Error('The variables are valid.');
}

const emulator = { AUTH_MODE: 'emulator' };

test('invalid environment variables of the web server cause a single error that names all of them', () => {
  const message = messageOf({
    ...emulator,
    WEB_PORT: '65536',
    WEB_METRICS_PORT: 'on',
    TRUSTED_PROXIES: '10.0.0.1.1',
    SHUTDOWN_DELAY_SECONDS: '5s',
    API_ORIGIN: 'api:4000',
    WEB_ORIGINS: 'kitchen.example',
    FIREBASE_AUTH_EMULATOR_HOST: 'http://127.0.0.1:9099',
  });
  expect(message.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g)?.toSorted()).toEqual([
    'API_ORIGIN',
    'FIREBASE_AUTH_EMULATOR_HOST',
    'SHUTDOWN_DELAY_SECONDS',
    'TRUSTED_PROXIES',
    'WEB_METRICS_PORT',
    'WEB_ORIGINS',
    'WEB_PORT',
  ]);
});

test.each(['api:4000', 'http://api:4000/', 'http://api:4000/v1', 'ftp://api', 'api'])(
  'the web server rejects “%s” as the value of API_ORIGIN',
  (origin) => {
    expect(messageOf({ ...emulator, API_ORIGIN: origin })).toContain('API_ORIGIN');
  },
);

test('the web server requires AUTH_MODE, and in the mode “firebase” also FIREBASE_API_KEY and FIREBASE_PROJECT_ID', () => {
  expect(messageOf({})).toContain('AUTH_MODE must be firebase or emulator.');
  const message = messageOf({ AUTH_MODE: 'firebase' });
  expect(message).toContain('FIREBASE_API_KEY');
  expect(message).toContain('FIREBASE_PROJECT_ID');
});

test('the web server requires WEB_ORIGINS in production', () => {
  expect(messageOf({ ...emulator, NODE_ENV: 'production' })).toContain('WEB_ORIGINS');
});

test('the web server uses the default value of an environment variable that is empty', () => {
  const names = [
    'WEB_HOST',
    'WEB_PORT',
    'API_ORIGIN',
    'WEB_METRICS_PORT',
    'SHUTDOWN_DELAY_SECONDS',
    'FIREBASE_API_KEY',
  ];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  expect(readEnvironment({ ...emulator, ...empty })).toEqual({
    host: '127.0.0.1',
    port: 3000,
    metricsAt: undefined,
    api: 'http://127.0.0.1:4000',
    origin: 'http://localhost:3000',
    auth: {
      apiKey: 'demo',
      projectId: 'demo-rtr-cloud-kitchen',
      authDomain: 'demo-rtr-cloud-kitchen.firebaseapp.com',
    },
    authEmulator: 'http://127.0.0.1:9099',
    trustedProxies: ['loopback', 'linklocal', 'uniquelocal'],
    shutdownDelayMs: 0,
  });
});
