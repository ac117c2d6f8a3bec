import { setTimeout as wait } from 'node:timers/promises';
import type { Filter, ObjectId } from 'mongodb';
import type { Collections, ReviewDocument, ServiceDocument } from '../database.ts';
import { readDeadline } from '../database.ts';

/** How many summaries behind are counted at most. */
const mostCounted = 1000;
/** How long after a writer's first sign of life its service is looked at once more, in milliseconds. */
const recheckAfter = 60_000;

/** Named, since the database would try other indexes over thousands of rows before it sees that this one is the best. */
const fromSummaryKeys = { ...readDeadline, hint: 'summary' };

/** Asked of each key: as part of the filter, null would have every review fetched to see that it is no missing field. */
const isLive = { $eq: ['$deletedAt', null] };
const isRated = { $gt: ['$rating', 0] };

const unfinished = { $expr: { $ne: ['$summarisedVersion', '$summaryVersion'] } };

export type Summaries = ReturnType<typeof summaries>;

/**
 * Counts and stars of a service, always recomputed from its reviews, never incremented.
 *
 * A review write is preceded and followed by a move of the service's `summaryVersion`, and a result is only kept while
 * the version is the one that was read before computing it: an older result never wins. A version that differs from
 * `summarisedVersion` is unfinished work, which the sweep mends. One writer still escapes that: it moved the version,
 * a recount for somebody else then caught up with it, it saved its review and died before its second move. So the
 * first move also sets `recheckAt`, and the sweep recounts once more when that time has come.
 */
export function summaries(
  { services, reviews }: Pick<Collections, 'services' | 'reviews'>,
  {
    /** About how many reviews one command of a recount reads: as many take a fraction of a read's deadline. */
    recountedAtOnce = 20_000,
    /** How long a writer waits to read its own count, in milliseconds: recounting very many reviews takes seconds. */
    patience = 1000,
  } = {},
) {
  /** By service: the recount under way, and the one that begins when it ends and serves everyone who asked meanwhile. */
  const underWay = new Map<string, { now: Promise<void>; next?: Promise<void> }>();

  async function move(serviceId: ObjectId): Promise<void> {
    const recheckAt = new Date(Date.now() + recheckAfter);
    await services.updateOne({ _id: serviceId }, { $inc: { summaryVersion: 1 }, $set: { recheckAt } });
  }

  async function recount(serviceId: ObjectId): Promise<void> {
    // When the version moved meanwhile its mover recounts too; a few tries let most writers read their own result.
    for (let tries = 0; tries < 5; tries += 1) {
      const service = await services.findOne(
        { _id: serviceId },
        { ...readDeadline, projection: { summaryVersion: 1 } },
      );
      if (!service) return;
      const { summaryVersion } = service;
      const summary = await summarise(serviceId);
      const { matchedCount } = await services.updateOne(
        { _id: serviceId, summaryVersion },
        { $set: { ...summary, summarisedVersion: summaryVersion } },
      );
      if (matchedCount === 1) return;
    }
  }

  /**
   * Each customer's newest rated review counts once; every live review counts as a review. Read from the index `summary`
   * alone, some customers at a time; when somebody writes meanwhile the version has moved, and this is not stored.
   */
  async function summarise(serviceId: ObjectId) {
    const distribution: ServiceDocument['distribution'] = [0, 0, 0, 0, 0];
    let reviewCount = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rest: Filter<ReviewDocument> = { serviceId, uid: { $gt: after } };
      const last: Pick<ReviewDocument, 'uid'> | null = await reviews.findOne(rest, {
        ...fromSummaryKeys,
        projection: { _id: 0, uid: 1 },
        sort: { uid: 1 },
        skip: recountedAtOnce,
      });
      const some = last ? { ...rest, uid: { $gt: after, $lte: last.uid } } : rest;
      for (const { stars, reviews, customers } of await countByStars(some)) {
        reviewCount += reviews;
        if (stars > 0) distribution[stars - 1] = (distribution[stars - 1] ?? 0) + customers;
      }
      after = last?.uid;
    }
    const ratingCount = distribution.reduce((sum, count) => sum + count, 0);
    const total = distribution.reduce((sum, count, index) => sum + count * (index + 1), 0);
    const averageRating = ratingCount === 0 ? 0 : Math.round((total / ratingCount) * 100) / 100;
    return { reviewCount, ratingCount, averageRating, distribution };
  }

  /** Customers and their reviews, by the stars of each customer's newest rated one; 0 for who rated nothing. */
  function countByStars(some: Filter<ReviewDocument>) {
    return reviews
      .aggregate<{ stars: number; reviews: number; customers: number }>(
        [
          { $match: some },
          {
            $group: {
              _id: '$uid',
              reviews: { $sum: { $cond: [isLive, 1, 0] } },
              // Compared field by field: the newest wins, and null stands below every object.
              newest: {
                $max: {
                  $cond: [{ $and: [isLive, isRated] }, { at: '$createdAt', id: '$_id', rating: '$rating' }, null],
                },
              },
            },
          },
          {
            $group: {
              _id: { $ifNull: ['$newest.rating', 0] },
              reviews: { $sum: '$reviews' },
              customers: { $sum: 1 },
            },
          },
          { $project: { _id: 0, stars: '$_id', reviews: 1, customers: 1 } },
        ],
        fromSummaryKeys,
      )
      .toArray();
  }

  /** Recounts a service from a moment after this call on. Calls while one is under way share the next. */
  function refresh(serviceId: ObjectId): Promise<void> {
    const id = serviceId.toHexString();
    const current = underWay.get(id);
    if (!current) return begin(id, serviceId);
    current.next ??= current.now.catch(() => undefined).then(() => begin(id, serviceId));
    return current.next;
  }

  function begin(id: string, serviceId: ObjectId): Promise<void> {
    const now = recount(serviceId).finally(() => {
      if (underWay.get(id)?.next === undefined) underWay.delete(id);
    });
    underWay.set(id, { now });
    return now;
  }

  return {
    refresh,

    /** As last recounted; undefined when there is no such service, or an operator hides it with all its reviews. */
    async reviewCount(serviceId: ObjectId): Promise<number | undefined> {
      const projection = { _id: 0, reviewCount: 1 };
      return (await services.findOne({ _id: serviceId, hiddenAt: null }, { ...readDeadline, projection }))?.reviewCount;
    },

    /** Services with unfinished work, 1000 at most. Only those that were lately written to are looked at. */
    behind: () =>
      services.countDocuments(
        { recheckAt: { $gt: new Date(0) }, ...unfinished },
        { ...readDeadline, limit: mostCounted },
      ),

    /** Runs one write of a service's reviews, and brings the service's summary up to date. */
    async around<T>(serviceId: ObjectId, write: () => Promise<T>): Promise<T> {
      await move(serviceId);
      const result = await write();
      // The review is saved, and its answer must say so whatever happens to the summary: the sweep will find it.
      await move(serviceId)
        .then(() => Promise.race([refresh(serviceId), wait(patience, undefined, { ref: false })]))
        .catch(() => undefined);
      return result;
    },

    /** Recounts every service with unfinished work. For the start, and each minute; any number of instances may. */
    async sweep(now = new Date()): Promise<void> {
      const due = services.find(
        {
          recheckAt: { $gt: new Date(0) },
          $or: [{ recheckAt: { $lte: now } }, unfinished],
        },
        { ...readDeadline, projection: { _id: 1 } },
      );
      const failures: unknown[] = [];
      for (const { _id } of await due.toArray()) {
        await refresh(_id)
          .then(() => services.updateOne({ _id, recheckAt: { $lte: now } }, { $set: { recheckAt: null } }))
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} summaries could not be mended`);
    },
  };
}
