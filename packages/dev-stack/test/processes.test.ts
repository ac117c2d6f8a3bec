import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listProcesses } from '../src/folder-lock.ts';
import { childProcess, freePort, isPortFree, startNode } from '../src/processes.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
const inGroup = async (leader: number) => (await listProcesses()).filter(({ group }) => group === leader);

test('stop() ends a process and its descendants', async () => {
  const parent = startNode({ name: 'parent', entry: fixture('with-descendant') });
  await parent.ready;
  expect(await inGroup(parent.pid)).toHaveLength(2);
  await parent.stop();
  await expect.poll(() => inGroup(parent.pid)).toEqual([]);
});

test('a process and its descendants end when the parent process is killed', async () => {
  const parent = spawn(process.execPath, [fixture('parent'), fixture('with-descendant')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(await inGroup(pid)).toHaveLength(2);
  parent.kill('SIGKILL');
  await expect.poll(() => inGroup(pid)).toEqual([]);
});

test('a stopped child process can be started again, and only an unexpected exit calls onExit', async () => {
  const exits: string[] = [];
  const child = childProcess(
    { name: 'child', entry: fixture('with-descendant') },
    { onExit: (how) => exits.push(how) },
  );
  await child.start();
  const pid = child.running()?.pid;
  await child.stop();
  await child.start();
  expect(child.running()?.pid).not.toBe(pid);
  expect(exits).toEqual([]);
  await child.running()?.kill();
  await expect.poll(() => exits).toEqual(['child was ended by SIGKILL.']);
  await child.stop();
});

test('start() rejects with the output of a program that exits before it is ready', async () => {
  const child = childProcess({ name: 'nothing', entry: fixture('missing') });
  await expect(child.start()).rejects.toThrow(/^nothing exited with code 1\.\n[\s\S]*Cannot find module/);
});

test('isPortFree() is false for a port on which a server listens on IPv6 only', async () => {
  const port = await freePort();
  const server = createServer().listen({ port, host: '::1', ipv6Only: true });
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
});
