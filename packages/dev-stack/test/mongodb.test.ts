import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listProcesses } from '../src/folder-lock.ts';
import { chooseMongodb, type Found, machineProbes, type Probes, startMongodb } from '../src/mongodb.ts';
import { newerCLibrary } from '../src/offline/c-library.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtr-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const all: Record<keyof Probes, Found> = {
  uri: { found: 'the server in TEST_MONGODB_URI', uri: 'mongodb://given' },
  mongod: { found: 'a mongod', mongod: '/bin/mongod' },
  'memory-server': { found: 'a cached mongod', mongod: '/cache/mongod' },
  embedded: { found: 'the embedded engine', launcher: [] },
};

/** Creates fake probes that find only the kinds of MongoDB in `available`. */
function probesFor(available: Partial<typeof all>): Probes {
  const probe = (kind: keyof Probes) => async () => available[kind] ?? { missing: `no ${kind}` };
  return {
    uri: probe('uri'),
    mongod: probe('mongod'),
    'memory-server': probe('memory-server'),
    embedded: probe('embedded'),
  };
}

test.each([
  [['uri', 'mongod', 'memory-server', 'embedded'], 'MongoDB: the server in TEST_MONGODB_URI (the first choice)'],
  [['mongod', 'memory-server', 'embedded'], 'MongoDB: a mongod (uri: no uri)'],
  [['memory-server', 'embedded'], 'MongoDB: a cached mongod (uri: no uri; mongod: no mongod)'],
  [['embedded'], 'MongoDB: the embedded engine (uri: no uri; mongod: no mongod; memory-server: no memory-server)'],
] as const)('when the kinds %j of MongoDB are available, the choice is reported as “%s”', async (kinds, report) => {
  const available = Object.fromEntries(kinds.map((kind) => [kind, all[kind]]));
  expect(await chooseMongodb(probesFor(available), undefined)).toMatchObject({ report });
});

test('LOCAL_MONGODB selects one kind of MongoDB, even if other kinds are available', async () => {
  expect(await chooseMongodb(probesFor(all), 'embedded')).toMatchObject({ kind: 'embedded' });
});

test('when the MongoDB that LOCAL_MONGODB selects is missing, no other kind is used', async () => {
  const { mongod: _, ...others } = all;
  await expect(chooseMongodb(probesFor(others), 'mongod')).rejects.toThrow(/LOCAL_MONGODB=mongod:\n.*no mongod/);
});

test('an unknown value of LOCAL_MONGODB is rejected with an error that lists the known values', async () => {
  await expect(chooseMongodb(probesFor(all), 'postgres')).rejects.toThrow(
    "LOCAL_MONGODB must be one of uri, mongod, memory-server, embedded, not 'postgres'.",
  );
});

test('when no MongoDB is available, the error gives the reason for each kind of MongoDB, and says what to do', async () => {
  const error = await chooseMongodb(probesFor({}), undefined).catch(String);
  for (const kind of Object.keys(all)) expect(error).toContain(`no ${kind}`);
  expect(error).toContain('set MONGODB_URI');
});

const given = { variable: 'TEST_MONGODB_URI', uri: undefined } as const;
const probesWith = (env: NodeJS.ProcessEnv) => machineProbes({ given, report: () => undefined }, env);

test('a mongod on PATH is found, and its version is reported', async () => {
  await executable('mongod', '#!/bin/sh\necho "db version v8.0.4"\n');
  const { mongod } = probesWith({ PATH: `/nowhere:${folder}:${process.env.PATH}` });
  expect(await mongod()).toMatchObject({ found: 'mongod 8.0.4 on PATH' });
});

test('a mongod that is not on PATH is reported as missing', async () => {
  expect(await probesWith({ PATH: folder }).mongod()).toEqual({ missing: 'no mongod on PATH' });
});

test('a program in MONGOMS_SYSTEM_BINARY that does not run is reported as missing', async () => {
  const { mongod } = probesWith({ MONGOMS_SYSTEM_BINARY: '/nowhere/mongod', PATH: folder });
  expect(await mongod()).toMatchObject({ missing: expect.stringMatching(/^MONGOMS_SYSTEM_BINARY does not run/) });
});

test('mongod is not downloaded when the name of the download host does not resolve', async () => {
  const result = await probesWith({ MONGOMS_DOWNLOAD_MIRROR: 'https://mongod.invalid' })['memory-server']();
  expect(Object.values(result).join()).toMatch(/from its cache|mongod.invalid cannot be reached/);
});

test('mongod keeps its data after a restart, and stop() ends its processes', async () => {
  const library = await newerCLibrary('2.38');
  const launcher = 'launcher' in library ? library.launcher : [];
  const fakeMongod = fileURLToPath(new URL('./fixtures/mongod.ts', import.meta.url));
  const mongod = await executable(
    'mongod',
    `#!/bin/sh\n[ "$1" = --version ] && exec echo "db version v8.0.4"\nexec ${[...launcher, process.execPath, fakeMongod].join(' ')} "$@"\n`,
  );
  vi.stubEnv('MONGOMS_SYSTEM_BINARY', mongod);
  const mongodb = await startEngine();
  expect(mongodb.kind).toBe('mongod');
  const client = new MongoClient(mongodb.uri);
  await client.db('kitchen').collection('rows').insertOne({ isSaved: true });
  await mongodb.engine?.stop();
  await mongodb.engine?.start();
  expect(await client.db('kitchen').collection('rows').countDocuments({ isSaved: true })).toBe(1);
  await client.close();
  await mongodb.stop();
  expect((await listProcesses()).filter(({ command }) => command.includes(folder))).toEqual([]);
});

function startEngine() {
  return startMongodb({ given, dataFolder: folder, report: () => undefined });
}

async function executable(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text, { mode: 0o755 });
  return file;
}
