import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authEmulator, demoProject } from './auth-emulator.ts';
import { createCrew } from './crew.ts';
import { type Mongodb, startMongodb } from './mongodb.ts';
import { answers, freePort, type Piece, portIsFree, root } from './processes.ts';
import { claimFolder } from './running.ts';
import { buildWeb, webServer } from './web-build.ts';

export interface Ports {
  web: number;
  api: number;
  authEmulator: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface StackOptions {
  /** Free ones when absent. */
  ports?: Ports;
  /** Keeps data, accounts and secrets, for one stack at a time. A temporary one, removed at the end, when absent. */
  dataFolder?: string;
  /** Gets a file per process. `logs` in the data folder when absent. */
  logFolder?: string;
  /** A MongoDB that is already there. */
  mongodbUri?: string | undefined;
  /** Watches the sources, serves the web unbuilt, and says all that the processes print. */
  watch?: boolean;
  /** Puts the catalogue and the demo customers in. On when absent. */
  seed?: boolean;
  /** false: MongoDB and the emulator alone, for a command that needs them. */
  serve?: boolean;
  /** Goes over what the stack tells the API and the web. With AUTH_MODE=firebase there is no emulator. */
  env?: Env;
  /** Takes the lines that report progress. */
  say?: (line: string) => void;
  /** Takes what the emulator prints, such as links that reset a password. */
  onEmulatorLine?: (line: string) => void;
  /** Told how a process ended that nobody asked to. */
  onEnd?: (how: string) => void;
  /** Ends an unfinished start. */
  signal?: AbortSignal;
}

export interface Stack {
  /** 'http://localhost:3000' and the like. */
  addresses: { web: string; api: string; authEmulator: string | undefined };
  mongodbUri: string;
  logFolder: string;
  /** What the seed printed: who the demo customers are. */
  seeded: readonly string[];
  /** Each can be halted and started again. Undefined where none was started. */
  pieces: Readonly<Record<'mongodb' | 'authEmulator' | 'api' | 'web', Piece | undefined>>;
  /** Runs one of the API's entries to its end; answers what it printed. */
  run(entry: ApiEntry, args?: readonly string[]): Promise<string[]>;
  /** Ends every process, and returns when none is left. */
  stop(): Promise<void>;
}

export type ApiEntry = 'migrate' | 'seed' | 'operate';

/** Starts MongoDB, the Auth emulator, the API and the web, as much at once as they allow. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { watch = false, seed = true, serve = true, env: given = {}, say = () => undefined } = options;
  const withEmulator = given.AUTH_MODE !== 'firebase';
  const ports = options.ports ?? { web: await freePort(), api: await freePort(), authEmulator: await freePort() };
  const folder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'rtr-stack-')));
  const logFolder = options.logFolder ?? join(folder, 'logs');
  const claim = await claimFolder(folder);
  const crew = createCrew({ logFolder, claim, say: watch ? say : undefined, onEnd: options.onEnd });
  let mongodb: Promise<Mongodb> | undefined;

  try {
    await requireFreePorts(ports, { serve, withEmulator });
    await rm(logFolder, { recursive: true, force: true });
    await mkdir(logFolder, { recursive: true });
    return await Promise.race([start(), abortion(options.signal)]);
  } catch (error) {
    await stop();
    throw error;
  }

  async function start(): Promise<Stack> {
    const since = performance.now();
    const ready = (what: string) => say(`  ${what} after ${((performance.now() - since) / 1000).toFixed(1)} s`);

    mongodb = startMongodb({
      given: { variable: 'MONGODB_URI', uri: options.mongodbUri },
      dataFolder: folder,
      report: say,
      piece: crew.piece,
    });
    const emulator = withEmulator ? emulatorPiece() : undefined;
    const emulatorUp = emulator?.start().then(() => ready('Auth emulator'));
    const webBuilt = serve && !watch ? buildWeb((command) => crew.job(command)).then(ready) : undefined;
    // Each is awaited further down, where its failure is met.
    for (const promise of [emulatorUp, webBuilt]) promise?.catch(() => undefined);

    const { uri, engine } = await mongodb;
    ready('MongoDB');
    const env = { ...(await environment({ ports, folder, withEmulator })), MONGODB_URI: uri, ...given };
    claim.noteEnv(env);
    const run: Stack['run'] = (entry, args = []) => crew.job({ ...apiEntry(entry), args, env });

    const api = crew.piece(
      { ...apiEntry('server'), name: 'API', nodeArgs: watch ? ['--watch', '--watch-preserve-output'] : [], env },
      { serves: (signal) => answers(`http://127.0.0.1:${ports.api}/readyz`, signal) },
    );
    const web = crew.piece(
      { ...webServer({ built: !watch }), name: 'Web', env },
      { serves: (signal) => answers(`http://127.0.0.1:${ports.web}/healthz`, signal) },
    );
    let seeded: readonly string[] = [];
    const serveApi = async () => {
      await run('migrate');
      await api.start();
      ready('API');
    };
    const serveWeb = async () => {
      await webBuilt;
      await web.start();
      ready('Web');
    };
    const putIn = async () => {
      await emulatorUp;
      seeded = await run('seed');
      // The database knows that it was seeded; the accounts must be as safe.
      await emulator?.child()?.ask('save');
      ready('Catalogue and demo customers');
    };
    await Promise.all([
      emulatorUp,
      ...(serve ? [serveApi().then(seed && withEmulator ? putIn : undefined), serveWeb()] : []),
    ]);
    return {
      addresses: {
        web: `http://localhost:${ports.web}`,
        api: `http://localhost:${ports.api}`,
        authEmulator: withEmulator ? `http://127.0.0.1:${ports.authEmulator}` : undefined,
      },
      mongodbUri: uri,
      logFolder,
      seeded,
      pieces: { mongodb: engine, authEmulator: emulator, api, web },
      run,
      stop,
    };
  }

  function emulatorPiece(): Piece {
    return crew.piece(
      authEmulator({
        project: given.FIREBASE_PROJECT_ID || demoProject,
        port: ports.authEmulator,
        accountsFile: join(folder, 'auth-emulator/accounts.json'),
        ...(options.onEmulatorLine && { onLine: options.onEmulatorLine }),
      }),
    );
  }

  async function stop(): Promise<void> {
    await crew.end();
    await mongodb?.then(
      (started) => started.stop(),
      () => undefined,
    );
    claim.release();
    if (!options.dataFolder) await rm(folder, { recursive: true, force: true });
  }
}

/** One of the API's entries, run from source. */
export function apiEntry(name: ApiEntry | 'server') {
  const cwd = join(root, 'apps/api');
  return { name, entry: join(cwd, `src/${name}.ts`), cwd };
}

/** What the API and the web are told, MongoDB's address aside. */
async function environment({
  ports,
  folder,
  withEmulator,
}: {
  ports: Ports;
  folder: string;
  withEmulator: boolean;
}): Promise<Env> {
  return {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(ports.api),
    // The web server stands before the API.
    TRUST_PROXY_HOPS: '1',
    SHUTDOWN_DELAY_SECONDS: '0',
    WEB_ORIGINS: `http://localhost:${ports.web},http://127.0.0.1:${ports.web}`,
    JWT_SECRETS: await keptSecret(join(folder, 'jwt-secret')),
    WEB_PORT: String(ports.web),
    API_ORIGIN: `http://127.0.0.1:${ports.api}`,
    AUTH_MODE: withEmulator ? 'emulator' : 'firebase',
    ...(withEmulator && {
      FIREBASE_PROJECT_ID: demoProject,
      FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.authEmulator}`,
      FIREBASE_SERVICE_ACCOUNT: undefined,
    }),
  };
}

/** Made once, so that who is signed in stays so over a restart. */
async function keptSecret(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    const secret = `local:${randomBytes(32).toString('base64')}`;
    await writeFile(file, secret, { mode: 0o600 });
    return secret;
  }
}

async function requireFreePorts(ports: Ports, { serve, withEmulator }: { serve: boolean; withEmulator: boolean }) {
  const wanted = [
    ...(serve
      ? [
          { variable: 'WEB_PORT', port: ports.web },
          { variable: 'API_PORT', port: ports.api },
        ]
      : []),
    ...(withEmulator ? [{ variable: 'AUTH_EMULATOR_PORT', port: ports.authEmulator }] : []),
  ];
  const taken: string[] = [];
  for (const { variable, port } of wanted) {
    if (!(await portIsFree(port)))
      taken.push(`Port ${port} is taken. Stop what uses it, or name another port: ${variable}=${port + 1}.`);
  }
  if (taken.length > 0) throw new Error(taken.join('\n'));
}

function abortion(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stopped = () => reject(new Error('It was stopped before it had started.'));
    if (signal?.aborted) stopped();
    signal?.addEventListener('abort', stopped);
  });
}
