import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { demoProject } from '@rtr/dev-stack/auth-emulator';
import {
  type ChildProcess,
  childProcess,
  freePort,
  type RunningProcess,
  root,
  waitUntilReady,
} from '@rtr/dev-stack/processes';
import { startStack } from '@rtr/dev-stack/stack';
import { type Db, MongoClient } from 'mongodb';
import { afterAll } from 'vitest';
import { accessTokenOf, signUpOrLogIn } from '../../src/customers.ts';

const database = 'faults_demo';

export interface Instance extends ChildProcess {
  name: string;
  origin: string;
  metricsUrl: string;
  /** The lines that the process has written. Lines from before a restart are included. */
  lines: string[];
}

export interface Installation {
  apis: readonly Instance[];
  webs: readonly Instance[];
  mongodb: ChildProcess;
  authEmulator: ChildProcess;
  emulatorOrigin: string;
  /** A direct connection to the database, without the API. It reconnects after a crash of MongoDB. */
  db: Db;
  signUp(name: string): Promise<SignedUp>;
  migrate(): Promise<void>;
  stop(): Promise<void>;
}

export interface SignedUp {
  name: string;
  uid: string;
  email: string;
  /** The Firebase ID token of the sign-up. */
  idToken: string;
  /** An access token of the API. */
  token: string;
}

interface InstallationOptions {
  apiCount?: number;
  webCount?: number;
  shutdownDelaySeconds?: number;
  /** The folder for the data of MongoDB and the Auth emulator. By default, it is a temporary folder. */
  dataFolder?: string;
}

/**
 * Starts an installation for all tests of a file, and stops it after the last test. Call this function outside the
 * tests, because it calls `afterAll`.
 */
export async function createInstallation(options?: InstallationOptions): Promise<Installation> {
  const installation = await startInstallation(options);
  afterAll(() => installation.stop());
  return installation;
}

/**
 * Starts the production builds of the API and the web server as processes, with MongoDB and the Auth emulator.
 * `apiCount` and `webCount` set the number of instances. All instances of the web server forward to the first instance
 * of the API.
 */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { apiCount = 1, webCount = 0, shutdownDelaySeconds = 1, dataFolder } = options;
  const stack = await startStack({
    serve: false,
    env: { MONGODB_DATABASE: database },
    ...(dataFolder !== undefined && { dataFolder }),
  });
  const { mongodb, authEmulator } = stack.processes;
  const emulatorOrigin = stack.addresses.authEmulator;
  if (!mongodb || !authEmulator || emulatorOrigin === undefined)
    throw new Error('The fault tests need a MongoDB that they can kill. Remove MONGODB_URI.');
  await stack.run('migrate');
  const webPorts: number[] = [];
  for (let count = 0; count < Math.max(1, webCount); count += 1) webPorts.push(await freePort());
  const common = {
    NODE_ENV: 'production',
    AUTH_MODE: 'emulator',
    FIREBASE_PROJECT_ID: demoProject,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(emulatorOrigin).host,
    WEB_ORIGINS: `http://localhost:${webPorts[0]}`,
    SHUTDOWN_DELAY_SECONDS: String(shutdownDelaySeconds),
  };
  const apiEnv = {
    ...common,
    MONGODB_URI: stack.mongodbUri,
    MONGODB_DATABASE: database,
    JWT_SECRETS: `faults:${randomBytes(32).toString('base64')}`,
    // Each simulated client has its own address, which the tests send in `X-Forwarded-For`.
  };

  const apis: Instance[] = [];
  for (let count = 0; count < apiCount; count += 1)
    apis.push(
      await createInstance({
        name: `API ${count + 1}`,
        entry: join(root, 'apps/api/dist/server.js'),
        port: await freePort(),
        path: '/readyz',
        env: (port, metricsPort) => ({ ...apiEnv, PORT: String(port), METRICS_PORT: String(metricsPort) }),
      }),
    );
  const webs = await Promise.all(
    webPorts.slice(0, webCount).map((webPort, index) =>
      createInstance({
        name: `Web ${index + 1}`,
        entry: join(root, 'apps/web/dist/server/main.js'),
        port: webPort,
        path: '/healthz',
        env: (port, metricsPort) => ({
          ...common,
          API_ORIGIN: apis[0]?.origin ?? '',
          FIREBASE_API_KEY: 'demo',
          WEB_PORT: String(port),
          WEB_METRICS_PORT: String(metricsPort),
        }),
      }),
    ),
  );
  const client = new MongoClient(stack.mongodbUri);
  await Promise.all([...apis, ...webs].map((instance) => instance.start()));
  return {
    apis,
    webs,
    mongodb,
    authEmulator,
    emulatorOrigin,
    db: client.db(database),
    async signUp(name) {
      const addresses = { api: apis[0]?.origin ?? '', authEmulator: emulatorOrigin };
      const customer = await signUpOrLogIn(addresses, name);
      return { name, ...customer, token: await accessTokenOf(addresses, customer) };
    },
    async migrate() {
      await stack.run('migrate');
    },
    async stop() {
      await client.close();
      await Promise.all([...apis, ...webs].map((instance) => instance.kill()));
      await stack.stop();
    },
  };
}

interface InstanceOptions {
  name: string;
  entry: string;
  port: number;
  /** A path that responds with success when the process is ready. */
  path: string;
  env: (port: number, metricsPort: number) => Record<string, string>;
}

async function createInstance({ name, entry, port, path, env }: InstanceOptions): Promise<Instance> {
  const lines: string[] = [];
  const metricsPort = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const process = childProcess(
    {
      name,
      entry,
      nodeArgs: ['clock.ts', 'garbage.ts'].map((file) => `--import=${join(import.meta.dirname, file)}`),
      cwd: join(entry, '../..'),
      env: env(port, metricsPort),
      onLine: (line) => lines.push(line),
    },
    { isReady: (exit) => waitUntilReady(origin + path, exit) },
  );
  return { ...process, name, origin, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, lines };
}

export function runningOf({ running }: ChildProcess): RunningProcess {
  const process = running();
  if (!process) throw new Error('The process does not run.');
  return process;
}

/** Pauses all threads of a process without ending it, as if the machine hangs. */
export function freeze(child: ChildProcess): { resume: () => void } {
  const { pid } = runningOf(child);
  process.kill(-pid, 'SIGSTOP');
  return { resume: () => process.kill(-pid, 'SIGCONT') };
}
