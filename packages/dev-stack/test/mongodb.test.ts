import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newerCLibrary } from '../src/c-library.ts';
import { chooseMongodb, type Found, machineProbes, type Probes, startMongodb } from '../src/mongodb.ts';
import { listProcesses } from '../src/processes.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtr-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Stand-ins for a machine: each kind is there or is not, whatever this machine has. */
function injectedProbes(there: Partial<Record<keyof Probes, Found>>): Probes {
  const probe = (kind: keyof Probes) => async () => there[kind] ?? { missing: `${kind} is not here` };
  return {
    uri: probe('uri'),
    mongod: probe('mongod'),
    'memory-server': probe('memory-server'),
    embedded: probe('embedded'),
  };
}

describe('which MongoDB is taken (injected probes)', () => {
  const everything = {
    uri: { found: 'a given one', uri: 'mongodb://given' },
    mongod: { found: 'a mongod', mongod: '/bin/mongod' },
    'memory-server': { found: 'a cached mongod', mongod: '/cache/mongod' },
    embedded: { found: 'the embedded engine', embedded: { launcher: [] } },
  };

  test('each comes before the next, and the report says why the ones before it were not taken', async () => {
    const order = [];
    const left: Partial<Record<keyof Probes, Found>> = { ...everything };
    while (Object.keys(left).length > 0) {
      const { kind, report } = await chooseMongodb(injectedProbes(left), undefined);
      order.push(report);
      delete left[kind];
    }
    expect(order).toEqual([
      'MongoDB: a given one (it comes first)',
      'MongoDB: a mongod (uri: uri is not here)',
      'MongoDB: a cached mongod (uri: uri is not here; mongod: mongod is not here)',
      'MongoDB: the embedded engine (uri: uri is not here; mongod: mongod is not here; memory-server: memory-server is not here)',
    ]);
  });

  test('nothing is looked for once one is found', async () => {
    const probes = injectedProbes(everything);
    probes['memory-server'] = () => Promise.reject(new Error('it was looked for'));
    await expect(chooseMongodb(probes, undefined)).resolves.toMatchObject({ kind: 'uri' });
  });

  test('LOCAL_MONGODB forces one over those before it', async () => {
    const chosen = await chooseMongodb(injectedProbes(everything), 'embedded');
    expect(chosen.report).toBe('MongoDB: the embedded engine (LOCAL_MONGODB asks for it)');
  });

  test('a forced one that is not there is not replaced by another', async () => {
    const { mongod: _, ...others } = everything;
    await expect(chooseMongodb(injectedProbes(others), 'mongod')).rejects.toThrow(
      /LOCAL_MONGODB=mongod.*\n.*mongod is not here/,
    );
  });

  test('a LOCAL_MONGODB that names none is told which there are', async () => {
    await expect(chooseMongodb(injectedProbes(everything), 'postgres')).rejects.toThrow(
      "LOCAL_MONGODB is 'postgres'; it can be one of uri, mongod, memory-server, embedded.",
    );
  });

  test('when none can be had, one message says why not and what to do', async () => {
    const failure = await chooseMongodb(injectedProbes({}), undefined).catch((error: unknown) => String(error));
    for (const kind of Object.keys(everything)) expect(failure).toContain(`${kind} is not here`);
    for (const way of ['MONGODB_URI', 'MONGOMS_SYSTEM_BINARY', 'mongodb-memory-server', 'embedded engine'])
      expect(failure).toContain(way);
  });
});

describe('what this machine has', () => {
  const given = { variable: 'TEST_MONGODB_URI', uri: undefined } as const;

  test('a mongod on PATH is found with its version', async () => {
    await executable('mongod', '#!/bin/sh\necho "db version v8.0.4"\n');
    const probes = machineProbes(
      { given, report: () => undefined },
      { PATH: `/nowhere:${folder}:${process.env.PATH}` },
    );
    await expect(probes.mongod()).resolves.toEqual({
      found: `mongod 8.0.4 at ${folder}/mongod`,
      mongod: `${folder}/mongod`,
    });
  });

  test('a mongod that takes 6 s to tell its version, as on a busy machine, is found', async () => {
    await executable('mongod', '#!/bin/sh\nsleep 6\necho "db version v8.0.4"\n');
    const probes = machineProbes({ given, report: () => undefined }, { PATH: `${folder}:${process.env.PATH}` });
    await expect(probes.mongod()).resolves.toMatchObject({ mongod: `${folder}/mongod` });
  });

  test('a MONGOMS_SYSTEM_BINARY that does not run is said to be so', async () => {
    const probes = machineProbes(
      { given, report: () => undefined },
      { MONGOMS_SYSTEM_BINARY: '/nowhere/mongod', PATH: folder },
    );
    await expect(probes.mongod()).resolves.toMatchObject({
      missing: expect.stringMatching(/^MONGOMS_SYSTEM_BINARY does not run/),
    });
  });

  test('a download host whose name does not resolve is not asked for a mongod', async () => {
    const probes = machineProbes(
      { given, report: () => undefined },
      { MONGOMS_DOWNLOAD_MIRROR: 'https://mongod.invalid' },
    );
    const result = await probes['memory-server']();
    expect('missing' in result ? result.missing : result.found).toMatch(
      /from its cache|mongod.invalid cannot be reached/,
    );
  });
});

describe('the engine of this machine', () => {
  test('after a kill -9 it has every acknowledged write, at the same address', async () => {
    const mongodb = await engine();
    const client = new MongoClient(mongodb.uri, { serverSelectionTimeoutMS: 2_000 });
    const rows = client.db('kitchen').collection<{ _id: string }>('rows');
    const acknowledged: string[] = [];
    const write = async (writer: number) => {
      for (let row = 0; ; row += 1) {
        const { insertedId } = await rows.insertOne({ _id: `${writer} ${row}` });
        acknowledged.push(insertedId);
      }
    };
    const broken = Promise.all([write(1), write(2), write(3)]).catch((error: unknown) => error);
    await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(200);
    await mongodb.engine?.kill();
    expect(await broken).toBeInstanceOf(Error);
    await client.close();

    await mongodb.engine?.start();
    const again = new MongoClient(mongodb.uri);
    const kept = new Set(await again.db('kitchen').collection<{ _id: string }>('rows').distinct('_id'));
    await again.close();
    await mongodb.stop();
    expect(acknowledged.filter((row) => !kept.has(row))).toEqual([]);
  });

  test('the embedded one plans without cost estimates: it cannot run some plans that those choose', async () => {
    const mongodb = await engine();
    const client = new MongoClient(mongodb.uri);
    const parameter = { getParameter: 1, featureFlagCostBasedRanker: 1 };
    // A mongod may not know the parameter at all.
    const known = await client
      .db('admin')
      .command(parameter)
      .catch(() => undefined);
    await client.close();
    await mongodb.stop();
    const off = { featureFlagCostBasedRanker: { value: false } };
    expect(mongodb.kind === 'embedded' ? known : off).toMatchObject(off);
  });
});

describe('a mongod (a stand-in that serves the embedded engine on a port)', () => {
  test('it is held as the embedded engine is, and ends with its holder', async () => {
    const library = await newerCLibrary('2.38');
    const launcher = 'launcher' in library ? library.launcher : [];
    const standIn = fileURLToPath(new URL('./fixtures/mongod.ts', import.meta.url));
    const mongod = await executable(
      'mongod',
      `#!/bin/sh\n[ "$1" = --version ] && exec echo "db version v8.0.4"\nexec ${[...launcher, process.execPath, standIn].join(' ')} "$@"\n`,
    );
    vi.stubEnv('MONGOMS_SYSTEM_BINARY', mongod);
    const mongodb = await engine();
    expect(mongodb.kind).toBe('mongod');
    const client = new MongoClient(mongodb.uri);
    await client.db('kitchen').collection('rows').insertOne({ kept: true });
    await mongodb.engine?.halt();
    await mongodb.engine?.start();
    expect(await client.db('kitchen').collection('rows').countDocuments({ kept: true })).toBe(1);
    await client.close();
    await mongodb.stop();
    expect((await listProcesses()).filter(({ command }) => command.includes(folder))).toEqual([]);
  });
});

/** This machine's own engine, over `folder`. */
function engine() {
  return startMongodb({
    given: { variable: 'TEST_MONGODB_URI', uri: undefined },
    dataFolder: folder,
    report: () => undefined,
  });
}

async function executable(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text, { mode: 0o755 });
  return file;
}
