import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seedDatabase } from '../src/seed-database.ts';
import { type Answer, type Call, call } from './support/client.ts';
import { expectNothingLost } from './support/comparison.ts';
import { createRandom, isLong, ms, percentile, printFigures } from './support/figures.ts';
import { createInstallation } from './support/installation.ts';
import { createServices, startWriters } from './support/writers.ts';

const size = isLong
  ? { services: 5000, reviews: 200_000, ofHotService: 5000, byRegular: 500 }
  : { services: 500, reviews: 20_000, ofHotService: 500, byRegular: 50 };
/**
 * The test drops these indexes, as if a new release had added them, and then runs `migrate`. Its requests do not need them,
 * and the sweep, a job that each API runs every minute, does not need them either.
 */
const newIndexes = {
  services: ['searchTitle', 'fullStars', 'title'],
  reviews: ['votes', 'useful', 'usefulByStars', 'unanswered', 'highest', 'lowest'],
};
/** The goal for the slowest read. Without FAULTS=long, more is allowed, because the machine may be busy. */
const answerGoalMs = 2000;
const maxAnswerMs = isLong ? answerGoalMs : 2 * answerGoalMs;

const random = createRandom('migrations');
const installation = await createInstallation({ apiCount: 2 });
const { apis, db } = installation;
const [lister, regular, newcomer] = await Promise.all(
  ['lister', 'regular', 'newcomer'].map((name) => installation.signUp(name)),
);

/** Sends the requests again and again, at any of the API instances. */
function startReaders(requests: readonly [path: string, options?: Call][]) {
  const answers: (Answer & { path: string })[] = [];
  const stopping = new AbortController();
  const readers = Promise.all(
    requests.map(async ([path, options]) => {
      while (!stopping.signal.aborted) {
        answers.push({ path, ...(await call(random.pick(apis).origin, path, options)) });
        await sleep(random.integer(0, 40));
      }
    }),
  );
  readers.catch(() => undefined);
  return {
    answers,
    async stop() {
      stopping.abort();
      await readers;
    },
  };
}

/** Returns the warnings and errors that the API instances have logged. */
function findProblems(level: 'warnings' | 'errors'): string[] {
  const lines = apis.flatMap((api) =>
    api.lines.filter((line) => line.includes(`"level":${level === 'warnings' ? 4 : 5}0`)),
  );
  return lines.map((line) => {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
    return `${msg}: ${err?.message}`;
  });
}

test('while migrate builds indexes, no request fails', async () => {
  if (!lister || !regular || !newcomer) throw new Error('Nobody has signed up.');
  await seedDatabase(db, size, { regular, newcomer }, () => undefined);
  const serviceIds = await createServices(installation, lister, 25);
  for (const [name, names] of Object.entries(newIndexes))
    for (const index of names) await db.collection(name).dropIndex(index);
  const hot = await db.collection('services').find().sort({ reviewCount: -1 }).limit(1).next();
  const path = `/services/${String(hot?._id)}`;
  const writers = await startWriters(installation, serviceIds, random);
  const readers = startReaders([
    ['/services?limit=20'],
    ['/services?limit=20&sort=rating'],
    [path, { headers: { 'Cache-Control': 'no-cache' } }],
    [`/allreview?serviceId=${String(hot?._id)}&limit=20`, { headers: { 'Cache-Control': 'no-cache' } }],
    [`/review?email=${regular.email}&limit=20`, { token: regular.token }],
    ['/readyz'],
  ]);
  await writers.eachHasWritten();
  const startedAt = performance.now();
  await installation.migrate();
  const durationMs = performance.now() - startedAt;
  await writers.eachHasWritten();
  await readers.stop();

  const failed = readers.answers.filter(({ status }) => status !== 200);
  const answersMs = readers.answers.map(({ durationMs }) => durationMs);
  printFigures(
    `migrate with ${size.reviews} reviews took ${ms(durationMs)}; ${readers.answers.length} reads, ${failed.length} failed, half within ${ms(percentile(answersMs, 0.5))}, 99% within ${ms(percentile(answersMs, 0.99))}, the slowest after ${ms(Math.max(...answersMs))}, the goal is ${ms(answerGoalMs)}; warnings of the APIs: ${JSON.stringify(findProblems('warnings'))}`,
  );
  await expectNothingLost('migrate', installation, writers, serviceIds);
  expect(findProblems('errors')).toEqual([]);
  expect(isLong ? findProblems('warnings') : []).toEqual([]);
  expect(failed.map(({ path, status, text }) => `${path} ${status} ${text}`)).toEqual([]);
  expect(writers.counts.failedAttempts).toBe(0);
  expect(Math.max(...answersMs)).toBeLessThan(maxAnswerMs);
  for (const [name, names] of Object.entries(newIndexes))
    expect((await db.collection(name).indexes()).map((index) => index.name)).toEqual(expect.arrayContaining(names));
});
