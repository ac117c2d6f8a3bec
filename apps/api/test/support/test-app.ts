import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Db, MongoClient } from 'mongodb';
import supertest from 'supertest';
import { afterAll, afterEach, expect, inject } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createFirebaseIdentity } from '../../src/auth/firebase-identity.ts';
import type { Identity } from '../../src/auth/identity.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { mongoClientOptions } from '../../src/database/client.ts';
import { migrate } from '../../src/database/migrations.ts';
import { createLogger } from '../../src/http/logging.ts';
import { createMetrics } from '../../src/operations/metrics.ts';
import { type CheckedApi, checkedApi } from './checked-api.ts';

declare module 'vitest' {
  // What the run's global setup provides.
  interface ProvidedContext {
    mongodbUri: string;
    authEmulatorHost: string;
  }
}

export interface TestCustomer {
  uid: string;
  email: string;
  password: string;
  /** A fresh Firebase ID token. */
  idToken: string;
  /** Firebase's, of the same login. */
  refreshToken: string;
  /** An access token of the API. */
  jwt: string;
}

export interface FirebaseTokens {
  localId: string;
  idToken: string;
  refreshToken: string;
}

export interface TestApp {
  /** Every answer is checked against the contract. */
  api: CheckedApi;
  /** Where it listens, for what supertest has no word for. */
  origin: string;
  db: Db;
  config: Config;
  identity: Identity;
  /** A new customer of the Auth emulator, signed in. */
  signUp(profile?: { name?: string; picture?: string; email?: string }): Promise<TestCustomer>;
  /** Signs the customer in again: a fresh ID token with a new time of login. */
  signIn(customer: Pick<TestCustomer, 'email' | 'password'>): Promise<string>;
  /** Calls the Auth emulator as a browser does: accounts:signInWithIdp and the like. */
  askFirebase(call: string, body: object): Promise<FirebaseTokens>;
  /** Another ID token of the same login. */
  refresh(refreshToken: string): Promise<string>;
  /** Changes an account as the operator of the Firebase project: accounts:update, accounts:delete. */
  asOperator(call: 'update' | 'delete', body: { localId: string } & Record<string, unknown>): Promise<void>;
  /** What Prometheus would read of this app. */
  scrape(): Promise<string>;
  /** The log lines below warnings. */
  log: readonly string[];
  /** The log lines from warnings up, which a test expects; any that is not taken fails its test. */
  takeLogged(): string[];
}

interface TestAppOptions {
  /** Variables of the API's environment. */
  env?: Record<string, string>;
  mongodbUri?: string;
  authEmulatorHost?: string;
  identity?: (config: Config) => Identity;
  /** The API's clock, in milliseconds since 1970. */
  now?: () => number;
}

/** The API over an empty database and customers of its own. Call it at the top of a test file: it cleans up after it. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const config = loadConfig({
    MONGODB_URI: options.mongodbUri ?? inject('mongodbUri'),
    MONGODB_DATABASE: `t_${randomBytes(8).toString('hex')}_demo`,
    FIREBASE_AUTH_EMULATOR_HOST: options.authEmulatorHost ?? inject('authEmulatorHost'),
    RATE_LIMITS: 'off',
    ...options.env,
  });
  const log: string[] = [];
  const alarms: string[] = [];
  const logger = createLogger('info', {
    write(line) {
      const { level } = JSON.parse(line) as { level: number };
      (level >= 40 ? alarms : log).push(line);
    },
  });
  const client = new MongoClient(config.mongodbUri, { ...mongoClientOptions, monitorCommands: true });
  const db = client.db(config.mongodbDatabase);
  const metrics = createMetrics(client);
  const clock = options.now && { now: options.now };
  const identity =
    options.identity?.(config) ??
    createFirebaseIdentity(config.auth, { onFirebaseCall: metrics.countFirebaseCall, ...clock });
  const admin = new MongoClient(inject('mongodbUri')); // without the deadlines of requests
  await migrate(admin.db(config.mongodbDatabase));
  const server = createServer(createApp({ config, db, identity, logger, metrics, ...clock })).listen(0, '127.0.0.1');
  await once(server, 'listening');

  afterEach(() => {
    expect(alarms.splice(0), 'unexpected log lines').toEqual([]);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await admin.db(config.mongodbDatabase).dropDatabase();
    await Promise.all([client.close(), admin.close(), identity.close()]);
  });

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = checkedApi(supertest(origin));
  const emulator = `http://${inject('authEmulatorHost')}`;

  return {
    api,
    origin,
    db,
    config,
    identity,
    async signUp({ name, picture, email = `${randomUUID()}@kitchen.example` } = {}) {
      const password = randomUUID();
      const created = await accounts('signUp', { email, password, returnSecureToken: true });
      const profile = { idToken: created.idToken, displayName: name, photoUrl: picture };
      if (name !== undefined || picture !== undefined) await accounts('update', profile);
      const login = { email, password, returnSecureToken: true };
      const { idToken, refreshToken } = await accounts('signInWithPassword', login);
      const answer = await api.post('/jwt').set('Authorization', `Bearer ${idToken}`).send({ email }).expect(200);
      return { uid: created.localId, email, password, idToken, refreshToken, jwt: answer.body.token };
    },
    async signIn({ email, password }) {
      return (await accounts('signInWithPassword', { email, password, returnSecureToken: true })).idToken;
    },
    askFirebase: accounts,
    async refresh(refreshToken) {
      const response = await fetch(`${emulator}/securetoken.googleapis.com/v1/token?key=any`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      });
      return ((await response.json()) as { id_token: string }).id_token;
    },
    async asOperator(call, body) {
      await accounts(call, body, { Authorization: 'Bearer owner' });
    },
    log,
    scrape: () => metrics.text(),
    takeLogged: () => alarms.splice(0),
  };

  async function accounts(call: string, body: object, operator?: { Authorization: string }) {
    const place = operator ? `projects/${config.auth.projectId}/accounts` : 'accounts';
    const response = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/${place}:${call}?key=any`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...operator },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`accounts:${call} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as FirebaseTokens;
  }
}
