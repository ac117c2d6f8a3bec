import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listProcesses, lockFolder } from '../src/folder-lock.ts';
import { freePort } from '../src/processes.ts';
import { type Stack, startStack } from '../src/stack.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rtr-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
/** Options for a stack without the Auth emulator. The emulator starts slowly and has its own tests. */
const withoutEmulator = { AUTH_MODE: 'firebase' };
/** Returns the processes whose command line contains the folder of this test. */
const ownProcesses = async () => (await listProcesses()).filter(({ command }) => command.includes(folder));

test('startStack() rejects when ports are in use, names the variable of each port, and starts no process', async () => {
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
      `Port ${web} is in use. Stop the program that uses it, or set WEB_PORT to another port.`,
      `Port ${authEmulator} is in use. Stop the program that uses it, or set AUTH_EMULATOR_PORT to another port.`,
    ].join('\n'),
  );
  for (const server of servers) server.close();
  expect(await ownProcesses()).toEqual([]);
});

test('lockFolder() rejects while the folder is locked, and succeeds after the lock is released', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`Process ${process.pid} already uses the data in ${folder}`);
  lock.release();
  (await lockFolder(folder)).release();
});

test('lockFolder() ends the processes that a killed stack left running', async () => {
  const orphan = spawn(process.execPath, [fixture('with-descendant')], { detached: true, stdio: 'ignore' });
  const group = orphan.pid ?? Number.NaN;
  const content = { pid: 2 ** 22, script: 'start.ts', groups: [group] };
  await writeFile(join(folder, 'running.json'), JSON.stringify(content));
  (await lockFolder(folder)).release();
  expect((await listProcesses()).filter((running) => running.group === group)).toEqual([]);
});

test('startStack() ends all its processes when it is aborted during the start', async () => {
  const stopping = new AbortController();
  const started = startStack({
    dataFolder: folder,
    serve: false,
    signal: stopping.signal,
    say: (line) => line.includes('MongoDB after') && stopping.abort(),
  });
  await expect(started).rejects.toThrow('The start was cancelled.');
  expect(await ownProcesses()).toEqual([]);
});

test('a stack that starts right after a kill -9 keeps the data and the secret of the killed stack', async () => {
  const parent = spawn(process.execPath, [fixture('stack'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const killed = JSON.parse(line.toString()) as Pick<Stack, 'mongodbUri'>;
  const secret = await readFile(join(folder, 'jwt-secret'), 'utf8');
  await inRows(killed.mongodbUri, (rows) => rows.insertOne({ isSaved: true }));
  const exit = once(parent, 'exit');
  parent.kill('SIGKILL');
  // Until the killed process has exited, it still locks the folder.
  await exit;
  const second = await startStack({ dataFolder: folder, serve: false, env: withoutEmulator });
  expect(await inRows(second.mongodbUri, (rows) => rows.countDocuments({ isSaved: true }))).toBe(1);
  await second.stop();
  expect(await readFile(join(folder, 'jwt-secret'), 'utf8')).toBe(secret);
  expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600);
  expect(await ownProcesses()).toEqual([]);
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
