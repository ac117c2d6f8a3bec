import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Instance, runningOf } from '../installation.ts';

/** The resources that a process of the API or the web server uses. */
export interface Resources {
  name: string;
  /** The memory that JavaScript objects and buffers use after a garbage collection. */
  heapMb: number;
  residentMb: number;
  /** The open file descriptors, without the connections to the database, which the driver keeps in its pool. */
  fileCount: number;
  /** The number of requests in progress, plus the number of complete lists that the API is streaming. */
  requestCount: number;
}

const bytesPerMb = 2 ** 20;
/** A process may open a few more files than at its start, such as its connection to the Auth emulator. */
const spareFileCount = 5;
/** The maximum time of `waitUntilIdle`. The web server keeps its idle connections to the API for 40 s. */
const closeTimeoutMs = 60_000;
const pauseMs = 200;

/**
 * Runs the garbage collector in the processes. Then reads from their metrics how much memory they use, and how many
 * files and requests are open.
 */
export function readResources(instances: readonly Instance[]): Promise<Resources[]> {
  return Promise.all(
    instances.map(async (instance) => {
      await runningOf(instance).sendRequest('collect garbage');
      const valueOf = await readMetrics(instance);
      return {
        name: instance.name,
        heapMb: (valueOf('nodejs_heap_size_used_bytes') + valueOf('nodejs_external_memory_bytes')) / bytesPerMb,
        residentMb: valueOf('process_resident_memory_bytes') / bytesPerMb,
        fileCount: valueOf('process_open_fds') - valueOf('mongodb_pool_connections'),
        requestCount: valueOf('http_requests_in_flight') + valueOf('json_streams_open'),
      };
    }),
  );
}

/** Resolves with a function that returns the current value of a metric. */
export async function readMetrics({ metricsUrl }: Instance): Promise<(metric: string) => number> {
  const response = await fetch(metricsUrl, { headers: { Connection: 'close' } });
  const lines = (await response.text()).split('\n').map((line) => line.split(' '));
  const values = new Map(lines.map(([metric, value]) => [metric, Number(value)]));
  return (metric) => values.get(metric) ?? 0;
}

/**
 * Waits until `findLeftovers` returns no processes, for at most `closeTimeoutMs`. Resolves with the last measured
 * resources.
 */
export async function waitUntilIdle(instances: readonly Instance[], before: readonly Resources[]) {
  const startedAt = performance.now();
  for (;;) {
    const resources = await readResources(instances);
    const isIdle = findLeftovers(resources, before).length === 0;
    if (isIdle || performance.now() - startedAt > closeTimeoutMs) return resources;
    await sleep(pauseMs);
  }
}

/** Returns the processes that have requests in progress, or more than `spareFileCount` additional open files. */
export function findLeftovers(after: readonly Resources[], before: readonly Resources[]): Resources[] {
  const countBefore = new Map(before.map(({ name, fileCount }) => [name, fileCount]));
  return after.filter(
    ({ name, fileCount, requestCount }) =>
      requestCount > 0 || fileCount > spareFileCount + (countBefore.get(name) ?? 0),
  );
}

/** Returns the number of open cursors of the database. */
export async function countCursors(db: Db): Promise<number> {
  const { metrics } = (await db.admin().serverStatus()) as { metrics: { cursor: { open: { total: unknown } } } };
  return Number(metrics.cursor.open.total);
}
