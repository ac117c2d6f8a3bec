import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort, listProcesses, pieceOf, portIsFree, startNode } from '../src/processes.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
const familyOf = async (leader: number) => (await listProcesses()).filter(({ group }) => group === leader);

test('a stopped child leaves no process behind, its own children included', async () => {
  const child = startNode({ name: 'family', entry: fixture('family') });
  await child.ready;
  expect(await familyOf(child.pid)).toHaveLength(2);
  await child.stop();
  expect(await familyOf(child.pid)).toEqual([]);
});

test('a child ends when its parent is killed', async () => {
  const parent = spawn(process.execPath, [fixture('parent'), fixture('family')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(line.toString());
  expect(await familyOf(child)).not.toEqual([]);
  parent.kill('SIGKILL');
  // Sooner than the leash would insist.
  await expect.poll(() => familyOf(child)).toEqual([]);
});

test('a piece tells its end when nobody halted it, with its last words', async () => {
  const ends: string[] = [];
  const piece = pieceOf({ name: 'family', entry: fixture('family') }, { onEnd: (how) => ends.push(how) });
  await piece.start();
  process.kill(-(piece.child()?.pid ?? Number.NaN), 'SIGKILL');
  await expect.poll(() => ends).toEqual(['family was ended by SIGKILL.']);
});

test('a piece that is halted tells nothing, and can be started again', async () => {
  const ends: string[] = [];
  const piece = pieceOf({ name: 'family', entry: fixture('family') }, { onEnd: (how) => ends.push(how) });
  await piece.start();
  const first = piece.child()?.pid;
  await piece.halt();
  await piece.start();
  expect(piece.child()?.pid).not.toBe(first);
  await piece.halt();
  expect(ends).toEqual([]);
});

test('a program that ends before it serves fails its start with what it said', async () => {
  const piece = pieceOf({ name: 'nothing', entry: fixture('nowhere') });
  await expect(piece.start()).rejects.toThrow(/^nothing ended with code 1\.\n[\s\S]*Cannot find module/);
});

test('a port is taken when somebody listens on IPv6 alone', async () => {
  const port = await freePort();
  expect(await portIsFree(port)).toBe(true);
  const server = createServer().listen({ port, host: '::1', ipv6Only: true });
  await once(server, 'listening');
  expect(await portIsFree(port)).toBe(false);
  server.close();
});
