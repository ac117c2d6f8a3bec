import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callAuthEmulator, type FirebaseTokens } from '@rtr/dev-stack/auth-emulator';
import { type Db, MongoClient } from 'mongodb';
import supertest from 'supertest';
import { afterAll, afterEach, expect, inject, onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createFirebaseIdentity } from '../../src/auth/firebase-identity.ts';
import type { Identity } from '../../src/auth/identity.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { mongoClientOptions } from '../../src/database/client.ts';
import { getCollections } from '../../src/database/collections.ts';
import { migrate } from '../../src/database/migrations.ts';
import { createLogger } from '../../src/http/logging.ts';
import { createMetrics, type Metrics } from '../../src/operations/metrics.ts';
import { noQuotas } from '../../src/quotas.ts';
import { runOperate } from '../../src/run-operate.ts';
import { createStores } from '../../src/stores.ts';
import { bearer } from './bearer.ts';
import { type CheckedApi, checkedApi } from './checked-api.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mongodbUri: string;
    authEmulatorHost: string;
  }
}

export interface TestCustomer {
  uid: string;
  email: string;
  password: string;
  idToken: string;
  /** The Firebase refresh token of the login that returned `idToken`. */
  refreshToken: string;
  jwt: string;
}

export interface TestApp {
  /** Sends requests to the API. Checks every response against the contract. */
  api: CheckedApi;
  /** The origin of the API. Tests need it for requests that supertest cannot send. */
  origin: string;
  /** The database, through a separate client without timeouts. */
  db: Db;
  /** The stores, with the database of `db` and without quotas. Tests use them to add rows fast and to run sweeps. */
  stores: ReturnType<typeof createStores>;
  /** The database client of the API. Tests use it to observe the commands of the API. */
  apiClient: MongoClient;
  config: Config;
  identity: Identity;
  /** Runs an operator command. Adds the options --by and --reason, which every action of an operator needs. */
  operate(...args: string[]): Promise<string[]>;
  /** Creates a customer in the Auth emulator and signs them in. */
  signUp(profile?: { name?: string; picture?: string; email?: string }): Promise<TestCustomer>;
  /** Signs the customer in again. Returns an ID token with the new login time. */
  signIn(customer: Pick<TestCustomer, 'email' | 'password'>): Promise<string>;
  /** Calls the Auth emulator as a browser does. `call` is a method of accounts, such as signInWithIdp. */
  callFirebase(call: string, body: object): Promise<FirebaseTokens>;
  /** Returns a new ID token for the same login. */
  refreshIdToken(refreshToken: string): Promise<string>;
  /** Updates or deletes an account, with the rights of an administrator of the Firebase project. */
  callFirebaseAsAdmin(call: 'update' | 'delete', body: { localId: string } & Record<string, unknown>): Promise<void>;
  metrics: Metrics;
  readMetrics(): Promise<string>;
  /** The log lines with level info or lower. */
  log: readonly string[];
  /**
   * Returns the warnings and errors in the log, and removes them from the log. If any remain at the end of a test, the test
   * fails.
   */
  takeWarnings(): string[];
}

interface TestAppOptions {
  env?: Record<string, string>;
  mongodbUri?: string;
  authEmulatorHost?: string;
  identity?: (config: Config) => Identity;
  now?: () => number;
  /** The clock for the age of cached account statuses. By default, it is `now`. */
  monotonicNow?: () => number;
  /**
   * Whether `api` may receive cached responses. The default is false, because most tests change the database without the
   * API.
   */
  isCached?: boolean;
}

/** The database of the test file that runs now, and the path of this test file. */
let shared: { database: string; testPath: string | undefined } | undefined;

/**
 * Starts the API. Its database is the one that `env` names, otherwise the one that an earlier call outside a test has created
 * for this test file, otherwise a new one. After each test, expects that the log contains no warnings. Stops the API after the
 * test in which it was started. If it was started outside a test, stops it after the last test of the file.
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { testPath } = expect.getState();
  const newDatabase = shared?.testPath === testPath ? undefined : `t_${randomBytes(8).toString('hex')}_demo`;
  if (newDatabase && !isInTest()) shared = { database: newDatabase, testPath };
  const config = loadConfig({
    MONGODB_URI: options.mongodbUri ?? inject('mongodbUri'),
    MONGODB_DATABASE: newDatabase ?? shared?.database,
    FIREBASE_AUTH_EMULATOR_HOST: options.authEmulatorHost ?? inject('authEmulatorHost'),
    RATE_LIMITS: 'off',
    ...options.env,
  });
  const log: string[] = [];
  const warnings: string[] = [];
  const logger = createLogger('info', {
    write(line) {
      const { level } = JSON.parse(line) as { level: number };
      (level >= 40 ? warnings : log).push(line);
    },
  });
  const apiClient = new MongoClient(config.mongodbUri, { ...mongoClientOptions, monitorCommands: true });
  const metrics = createMetrics(apiClient);
  const clock = options.now && { now: options.now };
  const monotonicNow = options.monotonicNow ?? options.now;
  const monotonicClock = monotonicNow && { monotonicNow };
  const identity =
    options.identity?.(config) ??
    createFirebaseIdentity(config.auth, { onFirebaseCall: metrics.countFirebaseCall, ...clock, ...monotonicClock });
  const client = new MongoClient(inject('mongodbUri'));
  const db = client.db(config.mongodbDatabase);
  await migrate(db);
  const server = createServer(
    createApp({ config, db: apiClient.db(config.mongodbDatabase), identity, logger, metrics, ...clock }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const expectNoWarnings = () => expect(warnings.splice(0), 'unexpected log lines').toEqual([]);
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    if (newDatabase === config.mongodbDatabase) await db.dropDatabase();
    await Promise.all([client.close(), apiClient.close(), identity.close()]);
  };
  if (isInTest()) {
    onTestFinished(stop);
    onTestFinished(expectNoWarnings);
  } else {
    afterEach(expectNoWarnings);
    afterAll(stop);
  }

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = checkedApi(supertest(origin), options.isCached ? {} : { 'Cache-Control': 'no-cache' });
  const emulator = `http://${inject('authEmulatorHost')}`;

  return {
    api,
    origin,
    db,
    stores: createStores(getCollections(db), config.webOrigins, noQuotas),
    apiClient,
    config,
    identity,
    metrics,
    operate: (...args) => runOperate(config, [...args, '--by', 'ana', '--reason', 'reported']),
    async signUp({ name, picture, email = `${randomUUID()}@kitchen.example` } = {}) {
      const password = randomUUID();
      const created = await callAccounts('signUp', { email, password, returnSecureToken: true });
      const profile = { idToken: created.idToken, displayName: name, photoUrl: picture };
      if (name !== undefined || picture !== undefined) await callAccounts('update', profile);
      const login = { email, password, returnSecureToken: true };
      const { idToken, refreshToken } = await callAccounts('signInWithPassword', login);
      const response = await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(200);
      return { uid: created.localId, email, password, idToken, refreshToken, jwt: response.body.token };
    },
    async signIn({ email, password }) {
      return (await callAccounts('signInWithPassword', { email, password, returnSecureToken: true })).idToken;
    },
    callFirebase: callAccounts,
    async refreshIdToken(refreshToken) {
      const response = await fetch(`${emulator}/securetoken.googleapis.com/v1/token?key=any`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      });
      return ((await response.json()) as { id_token: string }).id_token;
    },
    async callFirebaseAsAdmin(call, body) {
      await callAccounts(call, body, { Authorization: 'Bearer owner' });
    },
    log,
    readMetrics: () => metrics.text(),
    takeWarnings: () => warnings.splice(0),
  };

  function callAccounts(call: string, body: object, adminHeaders?: { Authorization: string }) {
    const path = adminHeaders ? `projects/${config.auth.projectId}/accounts` : 'accounts';
    return callAuthEmulator(emulator, `${path}:${call}`, body, adminHeaders);
  }
}

function isInTest(): boolean {
  try {
    onTestFinished(() => {});
    return true;
  } catch {
    return false; // `onTestFinished` throws an error outside a test.
  }
}
