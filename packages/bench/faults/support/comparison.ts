import type { ObjectId } from 'mongodb';
import { expect } from 'vitest';
import { call, waitUntil } from './client.ts';
import { isLong, ms, printFigures } from './figures.ts';
import type { Installation } from './installation.ts';
import type { Writers } from './writers.ts';

/**
 * How long counts and stars may be wrong after a crash. Once a minute, the API recomputes them (docs/decisions/0004).
 * Without FAULTS=long, there is time for one more recomputation, because one may fail on a busy machine.
 */
const summaryTimeoutMs = isLong ? 120_000 : 200_000;

/**
 * Stops the writers. Expects that each of their reviews is stored exactly once and completely, and that the review
 * counts and stars of the services become correct within `summaryTimeoutMs`. Prints how many writes were acknowledged,
 * and how many reviews are lost, doubled or different.
 */
export async function expectNothingLost(
  title: string,
  installation: Installation,
  writers: Writers,
  serviceIds: readonly string[],
  { checksSummaries = true } = {},
): Promise<void> {
  await writers.stop();
  const differences = await compareReviews(installation, writers, serviceIds);
  let wrong: string[] = [];
  const areSummariesRight = async () => {
    wrong = await findWrongSummaries(installation, writers, serviceIds);
    return wrong.length === 0;
  };
  const summariesMs = checksSummaries
    ? await waitUntil(areSummariesRight, summaryTimeoutMs).catch(() => summaryTimeoutMs)
    : undefined;
  const { acknowledged, failedAttempts } = writers.counts;
  printFigures(
    `${title}: ${acknowledged} acknowledged writes, ${failedAttempts} failed attempts, ${differences.lost} lost, ${differences.doubled} doubled, ${differences.changed} different${summariesMs === undefined ? '' : `; counts and stars right after ${ms(summariesMs)}`}`,
  );
  expect({ ...differences, wrong }).toEqual({ lost: 0, doubled: 0, changed: 0, wrong: [] });
}

interface Differences {
  lost: number;
  doubled: number;
  changed: number;
}

/** Compares the reviews in the database with the acknowledged writes. */
async function compareReviews(
  { db }: Installation,
  { reviews }: Writers,
  serviceIds: readonly string[],
): Promise<Differences> {
  const all = await db
    .collection<{ _id: ObjectId; serviceId: ObjectId; review: string; deletedAt: Date | null }>('reviews')
    .find()
    .toArray();
  const stored = all.filter(({ serviceId }) => serviceIds.includes(serviceId.toHexString()));
  const byId = new Map(stored.map((review) => [review._id.toHexString(), review]));
  const differences = { lost: 0, doubled: 0, changed: 0 };
  for (const { id, text, isDeleted } of reviews.values()) {
    const found = byId.get(id);
    if (!found) differences.lost += isDeleted ? 0 : 1;
    else if ((found.deletedAt !== null) !== isDeleted || (!isDeleted && found.review !== text))
      differences.changed += 1;
  }
  differences.doubled = stored.filter(({ _id }) => !reviews.has(_id.toHexString())).length;
  return differences;
}

/**
 * Returns a message for each service for which the API returns other counts or stars than expected. The expected values are
 * computed from the acknowledged writes.
 */
async function findWrongSummaries(
  { apis: [api] }: Installation,
  { reviews }: Writers,
  serviceIds: readonly string[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const serviceId of serviceIds) {
    const live = [...reviews.values()].filter((review) => review.serviceId === serviceId && !review.isDeleted);
    const starsByCustomer = new Map(live.map(({ uid, stars }) => [uid, stars]));
    const sum = [...starsByCustomer.values()].reduce((total, stars) => total + stars, 0);
    const average = starsByCustomer.size === 0 ? null : Math.round((sum / starsByCustomer.size) * 100) / 100;
    const expected = JSON.stringify([live.length, starsByCustomer.size, average]);
    const answer = await call(api?.origin ?? '', `/services/${serviceId}`, {
      headers: { 'Cache-Control': 'no-cache' },
    });
    const { reviewCount, ratingCount, averageRating } = JSON.parse(answer.text) as Record<string, unknown>;
    const found = JSON.stringify([reviewCount, ratingCount, averageRating]);
    if (found !== expected) wrong.push(`${serviceId} has ${found} instead of ${expected}`);
  }
  return wrong;
}
