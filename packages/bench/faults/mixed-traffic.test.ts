import { setTimeout as sleep } from 'node:timers/promises';
import { waitMs } from '@rtr/dev-stack/timeouts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from './support/client.ts';
import { createRandom, isLong, ms, printFigures } from './support/figures.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { compareFinalState } from './support/mixed-traffic/final-state.ts';
import {
  countCursors,
  findLeftovers,
  type Resources,
  readResources,
  waitUntilIdle,
} from './support/mixed-traffic/resources.ts';
import { startTraffic } from './support/mixed-traffic/traffic.ts';

const customerCount = 50;
/** Much shorter than the pauses of a real customer, so that the test sends many requests in a short time. */
const maxPauseMs = 1200;
const warmUpMs = isLong ? 60_000 : 4000;
const durationMs = isLong ? 10 * 60_000 : 12_000;
/** The maximum ratio of the heap at the end to the heap after the warm-up. */
const maxHeapGrowth = 1.2;
const maxPrintedDifferences = 10;

const random = createRandom('mixed traffic');
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation({ apiCount: 2, webCount: 1 });
});
afterAll(() => installation.stop());

test('during and after mixed traffic of 50 customers, every response equals the expected data, and no memory, cursor or connection leaks', async () => {
  const { apis, webs, db } = installation;
  const cursorsBefore = await countCursors(db);
  const before = await readResources([...apis, ...webs]);
  const traffic = await startTraffic(installation, random, { customerCount, maxPauseMs });
  await sleep(warmUpMs);
  const warm = await readResources([...apis, ...webs]);
  await sleep(durationMs - warmUpMs);
  await traffic.stop();
  await compareFinalState(installation, traffic);
  traffic.requests.close();
  // A sweep may have an open cursor just now, so wait until its query has ended.
  await waitUntil(async () => (await countCursors(db)) <= cursorsBefore, waitMs).catch(() => undefined);
  const cursorsAfter = await countCursors(db);
  // The web server closes its idle connections to the API after 40 s. The test waits for this only with FAULTS=long.
  const webResources = isLong ? await waitUntilIdle(webs, before) : await readResources(webs);
  await Promise.all(webs.map((web) => web.stop()));
  const apiResources = await waitUntilIdle(apis, before);
  const after = [...apiResources, ...webResources];

  const { counts, differences, closed, services } = traffic.model;
  const reviewCount = [...services.values()].reduce((sum, { reviews }) => sum + reviews.size, 0);
  printFigures(
    `mixed traffic: ${customerCount} customers, ${ms(durationMs)}, ${counts.actions} actions, ${counts.requests} requests, ${counts.repeatedPages} pages repeated after 503, ${services.size} services, ${reviewCount} reviews, ${closed.length} closed accounts; ${counts.checks} comparisons, ${counts.overlapped} of them partial because of a write at the same time; ${differences.length} differences; ${cursorsAfter} open cursors`,
  );
  for (const index of after.keys()) printResources([before, warm, after].map((list) => list[index]));
  expect(differences.slice(0, maxPrintedDifferences).join('\n\n')).toBe('');
  expect(differences.length).toBe(0);
  expect(cursorsAfter).toBeLessThanOrEqual(cursorsBefore);
  expect(findLeftovers(isLong ? after : apiResources, before)).toEqual([]);
  expect(after.filter(({ heapMb }, index) => heapMb > maxHeapGrowth * (warm[index]?.heapMb ?? 0))).toEqual([]);
  const lines = [...apis, ...webs].flatMap((instance) => instance.lines);
  // Node.js writes this warning if listeners are added to an object again and again.
  expect(lines.filter((line) => line.includes('MaxListenersExceededWarning'))).toEqual([]);
});

/** Prints the memory and the number of open files of a process at the start, after the warm-up, and at the end. */
function printResources(list: readonly (Resources | undefined)[]): void {
  const numbers = (name: 'heapMb' | 'residentMb' | 'fileCount') =>
    list.map((resources) => Math.round(resources?.[name] ?? 0)).join(' -> ');
  printFigures(
    `mixed traffic: ${list[0]?.name}: heap ${numbers('heapMb')} MB, resident ${numbers('residentMb')} MB, open files ${numbers('fileCount')}`,
  );
}
