// This program is a healthy client, which reads all the time. It is a process of its own, so that the load of the test does
// not delay its measurements. The argument contains its options as JSON. To the message `take`, it replies with its
// measurements since the last such message.
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './client.ts';

export interface ReaderOptions {
  origin: string;
  requests: readonly { path: string; token?: string }[];
}

export interface Measurements {
  durationsMs: number[];
  /** The requests that got another status than 200, or no response. */
  failures: string[];
}

const concurrency = 4;
const pauseMs = 10;

const { origin, requests } = JSON.parse(process.argv[2] ?? '') as ReaderOptions;
let measurements: Measurements = { durationsMs: [], failures: [] };

process.on('message', () => {
  process.send?.(measurements);
  measurements = { durationsMs: [], failures: [] };
});
process.send?.('ready');
await Promise.all(Array.from({ length: concurrency }, read));

async function read(): Promise<never> {
  for (;;)
    for (const { path, token } of requests) {
      const result = await call(origin, path, { token }).catch((error: unknown) => String(error));
      if (typeof result === 'string') measurements.failures.push(`${path}: ${result}`);
      else if (result.status !== 200) measurements.failures.push(`${path}: ${result.status} ${result.text}`);
      else measurements.durationsMs.push(result.durationMs);
      await sleep(pauseMs);
    }
}
