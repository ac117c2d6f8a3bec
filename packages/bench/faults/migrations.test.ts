import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, type Filter, ObjectId } from 'mongodb';
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
 * Indexes that the database of an earlier version may not have. The test drops them before it runs `migrate`. Its requests
 * do not need them, and the sweep, a job that each API runs every minute, does not need them either.
 */
const newIndexes = {
  services: ['searchTitle', 'title'],
  reviews: ['votes', 'useful', 'usefulByStars', 'unanswered', 'highest', 'lowest', 'outdated'],
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

/** Turns the database into one of an earlier version, which lacks indexes and fields. */
async function createOldDatabase(): Promise<void> {
  const [services, reviews] = [db.collection('services'), db.collection('reviews')];
  for (const name of newIndexes.services) await services.dropIndex(name);
  for (const name of newIndexes.reviews) await reviews.dropIndex(name);
  await removeNewFields();
}

async function removeNewFields(filter: Filter<Document> = {}): Promise<void> {
  await db.collection('reviews').updateMany(filter, { $unset: { usefulCount: 1, awaitsReply: 1 } });
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

test('while migrate builds indexes and updates all reviews, no request fails', async () => {
  if (!lister || !regular || !newcomer) throw new Error('Nobody has signed up.');
  await seedDatabase(db, size, { regular, newcomer }, () => undefined);
  const serviceIds = await createServices(installation, lister, 25);
  await createOldDatabase();
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
  // Without the new fields, these reviews are like reviews of an earlier version. Customers edit and delete such
  // reviews while `migrate` updates them.
  await removeNewFields({ serviceId: { $in: serviceIds.map((id) => new ObjectId(id)) } });
  const durationsMs: number[] = [];
  // The second run has nothing to do, as in most upgrades.
  for (let run = 0; run < 2; run += 1) {
    const startedAt = performance.now();
    await installation.migrate();
    durationsMs.push(performance.now() - startedAt);
    await writers.eachHasWritten();
  }
  await readers.stop();

  const failed = readers.answers.filter(({ status }) => status !== 200);
  const answersMs = readers.answers.map(({ durationMs }) => durationMs);
  printFigures(
    `migrate with ${size.reviews} reviews took ${durationsMs.map(ms).join(', then ')}; ${readers.answers.length} reads, ${failed.length} failed, half within ${ms(percentile(answersMs, 0.5))}, 99% within ${ms(percentile(answersMs, 0.99))}, the slowest after ${ms(Math.max(...answersMs))}, the goal is ${ms(answerGoalMs)}; warnings of the APIs: ${JSON.stringify(findProblems('warnings'))}`,
  );
  await expectNothingLost('migrate', installation, writers, serviceIds);
  expect(findProblems('errors')).toEqual([]);
  expect(isLong ? findProblems('warnings') : []).toEqual([]);
  expect(failed.map(({ path, status, text }) => `${path} ${status} ${text}`)).toEqual([]);
  expect(writers.counts.failedAttempts).toBe(0);
  expect(Math.max(...answersMs)).toBeLessThan(maxAnswerMs);
  for (const [name, names] of Object.entries(newIndexes))
    expect((await db.collection(name).indexes()).map((index) => index.name)).toEqual(expect.arrayContaining(names));
  expect(await db.collection('reviews').countDocuments({ usefulCount: { $exists: false } })).toBe(0);
});
