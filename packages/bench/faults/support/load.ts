import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNode } from '@rtr/dev-stack/processes';
import { onTestFinished } from 'vitest';
import { percentile } from './figures.ts';
import type { FloodOptions, FloodOutcome } from './flood.ts';
import type { Measurements, ReaderOptions } from './reader.ts';
import type { Replies, SlowClientsOptions } from './slow-clients.ts';

// The functions in this file start clients as processes of their own, so that the clients and the test do not delay each
// other. The clients end with the test.

async function startProgram(file: string, options: object) {
  const program = startNode({
    name: file,
    entry: join(import.meta.dirname, file),
    args: [JSON.stringify(options)],
  });
  onTestFinished(() => program.kill());
  await program.ready;
  return program;
}

/** Starts a healthy client. It sends read requests all the time, reads the responses at once, and measures their times. */
export async function startReader(options: ReaderOptions) {
  const program = await startProgram('reader.ts', options);
  const take = async () => {
    const { durationsMs, failures } = (await program.sendRequest('take')) as Measurements;
    return { count: durationsMs.length, p99Ms: percentile(durationsMs, 0.99), failures };
  };
  return {
    /** Returns the measurements since the last call. */
    take,
    /** Returns the measurements of the next `durationMs`. */
    async measure(durationMs: number) {
      await take();
      await sleep(durationMs);
      return take();
    },
  };
}

export type SlowClients = Awaited<ReturnType<typeof startSlowClients>>;

/** Connects slow clients. Resolves when all of them are connected. */
export async function startSlowClients(options: SlowClientsOptions) {
  const program = await startProgram('slow-clients.ts', options);
  return {
    /**
     * Waits until the connections of the senders or of the readers are closed. The readers read again meanwhile,
     * because they would otherwise not notice that their connections are closed.
     */
    waitForEnd: async <Name extends keyof Replies>(name: Name) => (await program.sendRequest(name)) as Replies[Name],
    kill: program.kill,
  };
}

/** Starts a client that sends requests at a constant rate while it runs. */
export async function startFlood(options: FloodOptions) {
  const program = await startProgram('flood.ts', options);
  return { run: async (durationMs: number) => (await program.sendRequest(`run ${durationMs}`)) as FloodOutcome };
}
