// This benchmark measures the memory of the API: idle after a warm-up, and then under full load for 60 s. A quarter of the
// requests bypasses the cache. The idle heap is measured after the load. The benchmark prints the resident memory and the
// heap after a garbage collection, with the ratio of the value under load to the idle value. --seconds=600 measures longer.
// The exit code is 1 if a ratio is above the target.
import { setTimeout as wait } from 'node:timers/promises';
import { startStack } from '@rtr/dev-stack/stack';
import { readArguments, toInteger } from './arguments.ts';
import { cpuMicrosecondsOf, fillDatabase, send, startApi, stopAll } from './measured-api.ts';
import { say } from './say.ts';

const database = 'memory_demo';
const maxRatio = 1.3;
const warmUpSeconds = 30;
const idleMs = 5000;
const sampleIntervalMs = 1000;
const concurrentRequests = 8;
const { values } = readArguments({ seconds: { type: 'string', default: '60' } });
// The first sample is taken after a second, so a shorter measurement has none.
const seconds = toInteger('seconds', values.seconds, 2);

const stack = await startStack({ say, env: { LOG_LEVEL: 'warn', MONGODB_DATABASE: database } });
try {
  const serviceId = await fillDatabase(stack, database);
  const api = await startApi(stack, database, ['--expose-gc']);
  const lists = [
    '/services?sort=newest',
    '/services?sort=title',
    '/services?sort=price',
    `/allreview?serviceId=${serviceId}`,
  ];
  const pages = lists.flatMap((list) => Array.from({ length: 60 }, (_, index) => `${list}&limit=${index + 1}`));
  const paths = [...pages, `/services/${serviceId}`];

  const sendRequests = async (durationSeconds: number): Promise<number> => {
    const endsAt = performance.now() + durationSeconds * 1000;
    let count = 0;
    const sendUntilEnd = async () => {
      while (performance.now() < endsAt) {
        const path = paths[count % paths.length] ?? '';
        count += 1;
        const { status } = await send(api, path, Math.random() < 0.25 ? { 'Cache-Control': 'no-cache' } : {});
        if (status !== 200) throw new Error(`${path} responded with ${status}.`);
      }
    };
    await Promise.all(Array.from({ length: concurrentRequests }, sendUntilEnd));
    return count;
  };
  const readMemory = async (message: 'memory' | 'heap') => (await api.child.sendRequest(message)) as NodeJS.MemoryUsage;
  const report = (name: string, idleBytes: number, loadBytes: number) => {
    const ratio = loadBytes / idleBytes;
    say(`${name}: idle ${megabytes(idleBytes)}, under load at most ${megabytes(loadBytes)}, ratio ${ratio.toFixed(2)}`);
    if (ratio > maxRatio) process.exitCode = 1;
  };

  say(`\nresident memory after the start: ${megabytes((await readMemory('memory')).rss)}`);
  await sendRequests(warmUpSeconds);
  await wait(idleMs);
  const { rss: idleRss } = await readMemory('memory');
  const cpuBefore = await cpuMicrosecondsOf(api.child);
  const measureLoad = async () => {
    let maxRss = 0;
    for (let passedMs = sampleIntervalMs; passedMs < seconds * 1000; passedMs += sampleIntervalMs) {
      await wait(sampleIntervalMs);
      maxRss = Math.max(maxRss, (await readMemory('memory')).rss);
    }
    // Read the heap last, because this runs a garbage collection, which would make the resident memory smaller.
    return { maxRss, loadHeap: (await readMemory('heap')).heapUsed };
  };
  const [count, { maxRss, loadHeap }] = await Promise.all([sendRequests(seconds), measureLoad()]);
  const cpuShare = ((await cpuMicrosecondsOf(api.child)) - cpuBefore) / (seconds * 1e6);
  await wait(idleMs);
  const { heapUsed: idleHeap } = await readMemory('heap');
  say(`${count} requests in ${seconds} s, with ${Math.round(100 * cpuShare)} % of a processor core`);
  report('resident memory', idleRss, maxRss);
  report('heap', idleHeap, loadHeap);
} finally {
  await stopAll();
  await stack.stop();
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
