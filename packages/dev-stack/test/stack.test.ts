import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort, listProcesses } from '../src/processes.ts';
import { claimFolder } from '../src/running.ts';
import { type Stack, startStack } from '../src/stack.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtr-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
/** The emulator takes its time, and has a test of its own. */
const withoutEmulator = { AUTH_MODE: 'firebase' };
/** Processes that have this test's folder in their command line. */
const ours = async () => (await listProcesses()).filter(({ command }) => command.includes(folder));

test('each port that is taken is named with its variable, and nothing is started', async () => {
  const servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')];
  const [web = 0, authEmulator = 0] = await Promise.all(
    servers.map(async (server) => {
      await once(server, 'listening');
      const address = server.address();
      return address !== null && typeof address === 'object' ? address.port : 0;
    }),
  );
  const started = startStack({ dataFolder: folder, ports: { web, api: await freePort(), authEmulator } });
  await expect(started).rejects.toThrow(
    [
      `Port ${web} is taken. Stop what uses it, or name another port: WEB_PORT=${web + 1}.`,
      `Port ${authEmulator} is taken. Stop what uses it, or name another port: AUTH_EMULATOR_PORT=${authEmulator + 1}.`,
    ].join('\n'),
  );
  for (const server of servers) server.close();
  expect(await ours()).toEqual([]);
});

test('one folder serves one stack at a time', async () => {
  const claim = await claimFolder(folder);
  await expect(claimFolder(folder)).rejects.toThrow(`It runs already, as process ${process.pid}`);
  claim.release();
  (await claimFolder(folder)).release();
});

test('processes that a killed run left behind are ended before the folder is taken again', async () => {
  const orphan = spawn(process.execPath, [fixture('family')], { detached: true, stdio: 'ignore' });
  const group = orphan.pid ?? Number.NaN;
  const left = { pid: 2 ** 22, script: 'start.ts', groups: [group] };
  await writeFile(join(folder, 'running.json'), JSON.stringify(left));
  (await claimFolder(folder)).release();
  expect((await listProcesses()).filter((one) => one.group === group)).toEqual([]);
});

test('a start that is stopped halfway ends what it had started', async () => {
  const stopping = new AbortController();
  const started = startStack({
    dataFolder: folder,
    serve: false,
    signal: stopping.signal,
    say: (line) => line.includes('MongoDB after') && stopping.abort(),
  });
  await expect(started).rejects.toThrow('It was stopped before it had started.');
  expect(await ours()).toEqual([]);
});

test('a start right after a kill -9 of the one before finds its data and its secret', async () => {
  const parent = spawn(process.execPath, [fixture('stack'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const killed = JSON.parse(line.toString()) as Pick<Stack, 'mongodbUri'>;
  const secret = await readFile(join(folder, 'jwt-secret'), 'utf8');
  await inRows(killed.mongodbUri, (rows) => rows.insertOne({ kept: true }));
  parent.kill('SIGKILL');
  const again = await startStack({ dataFolder: folder, serve: false, env: withoutEmulator });
  expect(await inRows(again.mongodbUri, (rows) => rows.countDocuments({ kept: true }))).toBe(1);
  await again.stop();
  expect(await readFile(join(folder, 'jwt-secret'), 'utf8')).toBe(secret);
  expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600);
  expect(await ours()).toEqual([]);
});

async function inRows<T>(uri: string, act: (rows: ReturnType<typeof rowsOf>) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri);
  try {
    return await act(rowsOf(client));
  } finally {
    await client.close();
  }
}

function rowsOf(client: MongoClient) {
  return client.db('kitchen').collection('rows');
}
