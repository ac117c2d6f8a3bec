import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authEmulator, demoProject } from './auth-emulator.ts';
import { lockFolder } from './folder-lock.ts';
import { type MailServer, type ReceivedEmail, startMailServer } from './mail-server.ts';
import { type Mongodb, startMongodb } from './mongodb.ts';
import { createProcessGroup } from './process-group.ts';
import { type ChildProcess, freePort, isPortFree, type NodeCommand, root, waitUntilReady } from './processes.ts';

export interface Ports {
  web: number;
  api: number;
  authEmulator: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface StackOptions {
  /** The ports of the servers. By default, free ports are chosen. */
  ports?: Ports;
  /**
   * The folder for data, accounts and secrets. Only one stack at a time can use the folder. By default, it is a temporary
   * folder.
   */
  dataFolder?: string;
  /** The URI of a MongoDB that is already running. By default, the stack starts one. */
  mongodbUri?: string | undefined;
  /**
   * Development mode. In this mode, the web app runs from source, the API restarts when a file changes, and the output of
   * all processes is printed.
   */
  watch?: boolean;
  /** Whether to start the API and the web server, and to add the demo data. The default is true. */
  serve?: boolean;
  /**
   * Environment variables of the API and the web server. With AUTH_MODE=firebase, the stack does not start the Auth
   * emulator.
   */
  env?: Env;
  /** Called with each line about the progress of the start. */
  say?: (line: string) => void;
  /** Called with each line of the Auth emulator's output, such as the link for a password reset. */
  onEmulatorLine?: (line: string) => void;
  /**
   * Called with each email that the API sends. With this function, the stack runs a mail server, unless `env` has the variable
   * SMTP_URL.
   */
  onEmail?: (email: ReceivedEmail) => void;
  /** Called with the reason when a process exits unexpectedly. */
  onExit?: (reason: string) => void;
  /** Cancels a start that has not finished. */
  signal?: AbortSignal;
}

export interface Stack {
  /** The origins of the servers, such as 'http://localhost:3000'. */
  addresses: { web: string; api: string; authEmulator: string | undefined };
  mongodbUri: string;
  logFolder: string;
  /** The output of the seed command: the logins of the demo customers. */
  seedOutput: readonly string[];
  /** The server processes. Each can be stopped and started again. `mongodb` and `authEmulator` can be undefined. */
  processes: Readonly<Record<'mongodb' | 'authEmulator' | 'api' | 'web', ChildProcess | undefined>>;
  /** Runs a command-line program of the API. Resolves with the lines of its output. */
  run(program: ApiProgram, args?: readonly string[]): Promise<string[]>;
  /** Stops all processes. Resolves when they have exited. */
  stop(): Promise<void>;
}

export type ApiProgram = 'migrate' | 'seed' | 'operate';

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { watch = false, serve = true, env: givenEnv = {}, say = () => undefined, signal } = options;
  const hasEmulator = givenEnv.AUTH_MODE !== 'firebase';
  const ports = options.ports ?? { web: await freePort(), api: await freePort(), authEmulator: await freePort() };
  const folder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'rtr-stack-')));
  const logFolder = join(folder, 'logs');
  const lock = await lockFolder(folder);
  const group = createProcessGroup({ logFolder, lock, print: watch ? say : undefined, onExit: options.onExit });
  let mongodb: Promise<Mongodb> | undefined;
  let mailServer: MailServer | undefined;

  try {
    await requireFreePorts(ports, { serve, hasEmulator });
    rmSync(logFolder, { recursive: true, force: true });
    mkdirSync(logFolder, { recursive: true });
    return await Promise.race([start(), rejectOnAbort(signal)]);
  } catch (error) {
    await stop();
    throw error;
  }

  async function start(): Promise<Stack> {
    const startedAt = performance.now();
    const report = (step: string) => say(`  ${step} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

    mongodb = startMongodb({
      given: { variable: 'MONGODB_URI', uri: options.mongodbUri },
      dataFolder: folder,
      report: say,
      createProcess: group.add,
    });
    const emulator = hasEmulator ? addEmulator() : undefined;
    const emulatorStart = emulator?.start().then(() => report('Auth emulator'));
    const webBuild = serve && !watch ? group.run(webBuildCommand).then(() => report('Web build')) : undefined;
    // Prevents unhandled rejections. Both promises are awaited below, where their errors are handled.
    for (const promise of [emulatorStart, webBuild]) promise?.catch(() => undefined);

    const { uri, engine } = await mongodb;
    report('MongoDB');
    if (options.onEmail && !givenEnv.SMTP_URL) mailServer = await startMailServer({ onEmail: options.onEmail });
    const env = { ...defaultEnv({ ports, folder, hasEmulator }), MONGODB_URI: uri, ...mailServer?.env, ...givenEnv };
    lock.setEnv(env);
    const run: Stack['run'] = (program, args = []) => group.run({ ...apiCommand(program), args, env });

    const api = group.add(
      {
        ...apiCommand('server'),
        name: 'API',
        nodeArgs: watch ? ['--watch', '--watch-preserve-output'] : [],
        env,
      },
      { isReady: (exit) => waitUntilReady(`http://127.0.0.1:${ports.api}/readyz`, exit) },
    );
    const webFolder = join(root, 'apps/web');
    const web = group.add(
      { name: 'Web', entry: join(webFolder, watch ? 'server/dev.ts' : 'dist/server/main.js'), cwd: webFolder, env },
      { isReady: (exit) => waitUntilReady(`http://127.0.0.1:${ports.web}/healthz`, exit) },
    );
    let seedOutput: readonly string[] = [];
    const startApi = async () => {
      await run('migrate');
      await api.start();
      report('API');
      if (!hasEmulator) return;
      await emulatorStart;
      seedOutput = await run('seed');
      // Save the demo accounts now, so that a crash soon after the start does not lose them.
      await emulator?.running()?.sendRequest('save');
      report('Catalogue and demo customers');
    };
    const startWeb = async () => {
      await webBuild;
      await web.start();
      report('Web');
    };
    await Promise.all([emulatorStart, ...(serve ? [startApi(), startWeb()] : [])]);
    return {
      addresses: {
        web: `http://localhost:${ports.web}`,
        api: `http://localhost:${ports.api}`,
        authEmulator: hasEmulator ? `http://127.0.0.1:${ports.authEmulator}` : undefined,
      },
      mongodbUri: uri,
      logFolder,
      seedOutput,
      processes: { mongodb: engine, authEmulator: emulator, api, web },
      run,
      stop,
    };
  }

  function addEmulator(): ChildProcess {
    return group.add(
      authEmulator({
        project: givenEnv.FIREBASE_PROJECT_ID || demoProject,
        port: ports.authEmulator,
        accountsFile: join(folder, 'auth-emulator/accounts.json'),
        ...(options.onEmulatorLine && { onLine: options.onEmulatorLine }),
      }),
    );
  }

  async function stop(): Promise<void> {
    await group.stop();
    await mailServer?.stop();
    await mongodb?.then(
      (started) => started.stop(),
      () => undefined,
    );
    lock.release();
    if (!options.dataFolder) await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the web app. Turborepo skips the build if no file has changed. */
const webBuildCommand: NodeCommand = {
  name: 'web build',
  entry: join(root, 'node_modules/turbo/bin/turbo'),
  args: ['run', 'build', '--filter=@rtr/web', '--no-update-notifier'],
  env: { TURBO_TELEMETRY_DISABLED: '1' },
};

/** Returns the command that runs a program of the API from source. */
export function apiCommand(name: ApiProgram | 'server'): NodeCommand {
  const cwd = join(root, 'apps/api');
  return { name, entry: join(cwd, `src/${name}.ts`), cwd };
}

/** The environment variables of the API and the web server, except for the URI of MongoDB. */
function defaultEnv({ ports, folder, hasEmulator }: { ports: Ports; folder: string; hasEmulator: boolean }): Env {
  return {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(ports.api),
    SHUTDOWN_DELAY_SECONDS: '0',
    WEB_ORIGINS: `http://localhost:${ports.web},http://127.0.0.1:${ports.web}`,
    JWT_SECRETS: storedSecret(join(folder, 'jwt-secret')),
    WEB_PORT: String(ports.web),
    API_ORIGIN: `http://127.0.0.1:${ports.api}`,
    AUTH_MODE: hasEmulator ? 'emulator' : 'firebase',
    ...(hasEmulator && {
      FIREBASE_PROJECT_ID: demoProject,
      FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.authEmulator}`,
      FIREBASE_SERVICE_ACCOUNT: undefined,
    }),
  };
}

/**
 * Reads the secret for signing tokens from a file. If there is no such file, creates it with a new secret. The secret
 * stays the same after a restart, so customers stay signed in.
 */
function storedSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, `local:${randomBytes(32).toString('base64')}`, { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function requireFreePorts(ports: Ports, { serve, hasEmulator }: { serve: boolean; hasEmulator: boolean }) {
  const needed = {
    ...(serve && { WEB_PORT: ports.web, API_PORT: ports.api }),
    ...(hasEmulator && { AUTH_EMULATOR_PORT: ports.authEmulator }),
  };
  const problems: string[] = [];
  for (const [variable, port] of Object.entries(needed))
    if (!(await isPortFree(port)))
      problems.push(`Port ${port} is in use. Stop the program that uses it, or set ${variable} to another port.`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('The start was cancelled.'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });
}
