import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, waitUntil } from './support/client.ts';
import { createRandom, isLong, ms, printFigures } from './support/figures.ts';
import { type Installation, type SignedUp, startInstallation } from './support/installation.ts';
import { compareReviews, createServices, findWrongSummaries, startWriters, type Writers } from './support/writers.ts';

const rounds = isLong ? 20 : 6;
const serviceCount = 25;
/** The maximum time after a crash until a sweep has recomputed the counts. See docs/decisions/0004. */
const sweepTimeoutMs = 120_000;
const maxReadyMs = 5000;

const random = createRandom('crashes');
let installation: Installation;
let lister: SignedUp;

beforeAll(async () => {
  installation = await startInstallation({ apiCount: 2 });
  lister = await installation.signUp('lister');
});
afterAll(() => installation.stop());

test('after a kill -9 of the database, no acknowledged write is lost or stored twice, and the API is ready soon after the restart', async () => {
  const { apis, mongodb } = installation;
  const serviceIds = await createServices(installation, lister, serviceCount);
  const writers = await startWriters(installation, serviceIds, random);
  const [startsMs, readyMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await writers.eachHasWritten();
    await sleep(random.integer(0, 1000));
    await mongodb.kill();
    await sleep(random.integer(0, 500));
    const startedAt = performance.now();
    await mongodb.start();
    startsMs.push(performance.now() - startedAt);
    const isReady = async ({ origin }: { origin: string }) => (await call(origin, '/readyz')).status === 200;
    const durations = await Promise.all(apis.map((api) => waitUntil(() => isReady(api))));
    readyMs.push(...durations);
  }
  await writers.eachHasWritten();
  await expectNothingLost('kill -9 of the database', writers, serviceIds);
  printFigures(
    `kill -9 of the database: ready again ${ms(Math.max(...readyMs))} after the restart at the latest; the restart itself took up to ${ms(Math.max(...startsMs))}`,
  );
  // On a busy machine, the limit is twice the longest time that the database needed to start.
  expect(Math.max(...readyMs)).toBeLessThan(Math.max(maxReadyMs, 2 * Math.max(...startsMs)));
});

test('after a kill -9 of one of two API instances, no write that is repeated with its Idempotency-Key is lost or stored twice', async () => {
  const serviceIds = await createServices(installation, lister, serviceCount);
  const writers = await startWriters(installation, serviceIds, random);
  for (let round = 0; round < rounds; round += 1) {
    await writers.eachHasWritten();
    await sleep(random.integer(0, 1000));
    const api = random.pick(installation.apis);
    await api.kill();
    await writers.eachHasWritten();
    await api.start();
  }
  await expectNothingLost('kill -9 of an API', writers, serviceIds);
});

async function expectNothingLost(title: string, writers: Writers, serviceIds: readonly string[]): Promise<void> {
  await writers.stop();
  const differences = await compareReviews(installation, writers, serviceIds);
  let wrong: string[] = [];
  const summariesMs = await waitUntil(async () => {
    wrong = await findWrongSummaries(installation, writers, serviceIds);
    return wrong.length === 0;
  }, sweepTimeoutMs).catch(() => sweepTimeoutMs);
  const { acknowledged, failedAttempts } = writers.counts;
  printFigures(
    `${title}: ${rounds} rounds, ${acknowledged} acknowledged writes, ${failedAttempts} failed attempts, ${differences.lost} lost, ${differences.doubled} doubled, ${differences.changed} different; counts and stars right after ${ms(summariesMs)}`,
  );
  expect({ ...differences, wrong }).toEqual({ lost: 0, doubled: 0, changed: 0, wrong: [] });
  // If no attempt had failed, the crashes would not have hit any write.
  expect(failedAttempts).toBeGreaterThan(0);
}
