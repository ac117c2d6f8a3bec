import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { call, waitUntil } from './support/client.ts';
import { expectNothingLost } from './support/comparison.ts';
import { createRandom, isLong, ms, printFigures } from './support/figures.ts';
import { createInstallation, freeze } from './support/installation.ts';
import { createServices, startWriters } from './support/writers.ts';

const rounds = isLong ? 20 : 6;
const hangCount = isLong ? 10 : 3;
/** So long that database commands of the API time out. The writers then get 503 and repeat their writes. */
const hangMs = 3000;
const serviceCount = 25;
/** The goal for the time until the API is ready. Without FAULTS=long, more is allowed, because the machine may be busy. */
const readyGoalMs = 5000;
const maxReadyMs = isLong ? readyGoalMs : 4 * readyGoalMs;

const random = createRandom('crashes');
const installation = await createInstallation({ apiCount: 2 });
const lister = await installation.signUp('lister');

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
  await expectNothingLost(`kill -9 of the database, ${rounds} rounds`, installation, writers, serviceIds);
  // If no attempt has failed, no crash has interrupted a write, and the test has tested nothing.
  expect(writers.counts.failedAttempts).toBeGreaterThan(0);
  printFigures(
    `kill -9 of the database: ready again ${ms(Math.max(...readyMs))} after the restart at the latest, the goal is ${ms(readyGoalMs)}; the restart itself took up to ${ms(Math.max(...startsMs))}`,
  );
  // On a busy machine, the limit is twice the longest time that the database needed to start.
  expect(Math.max(...readyMs)).toBeLessThan(Math.max(maxReadyMs, 2 * Math.max(...startsMs)));
});

test('after the database has hung, no write that is repeated with its Idempotency-Key is lost or stored twice', async () => {
  const serviceIds = await createServices(installation, lister, serviceCount);
  const writers = await startWriters(installation, serviceIds, random);
  for (let count = 0; count < hangCount; count += 1) {
    await writers.eachHasWritten();
    await sleep(random.integer(0, 500));
    const hanging = freeze(installation.mongodb);
    // After the hang, the database also executes the writes for which the API has already responded with 503.
    await sleep(hangMs).finally(hanging.resume);
  }
  await writers.eachHasWritten();
  const title = `database hung ${hangCount} times for ${ms(hangMs)}`;
  await expectNothingLost(title, installation, writers, serviceIds, { checksSummaries: false });
  expect(writers.counts.failedAttempts).toBeGreaterThan(0);
});

test('after a kill -9 of one of two API instances, no write that is repeated with its Idempotency-Key is lost or stored twice, and counts and stars become right', async () => {
  const serviceIds = [...(await createServices(installation, lister, serviceCount))];
  const allServiceIds = [...serviceIds];
  const writers = await startWriters(installation, serviceIds, random);
  for (let round = 0; round < rounds; round += 1) {
    const api = random.pick(installation.apis);
    const nextLister = await installation.signUp(`lister-${round}`);
    const nextServiceIds = await createServices(installation, nextLister, serviceCount);
    allServiceIds.push(...nextServiceIds);
    await writers.eachHasWritten();
    await sleep(random.integer(0, 1000));
    await api.kill();
    // From here, the writers use other services. A new review of an earlier service would repair its wrong counts, and the
    // test could not find them.
    serviceIds.splice(0, serviceCount, ...nextServiceIds);
    await writers.eachHasWritten();
    await api.start();
  }
  await expectNothingLost(`kill -9 of an API, ${rounds} rounds`, installation, writers, allServiceIds);
  // If no attempt has failed, no crash has interrupted a write, and the test has tested nothing.
  expect(writers.counts.failedAttempts).toBeGreaterThan(0);
});
