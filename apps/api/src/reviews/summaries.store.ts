import { setTimeout as wait } from 'node:timers/promises';
import type { Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections, ReviewDocument, ServiceDocument } from '../database/documents.ts';

const maxStaleCount = 1000;
/** The delay after the last write of a review until the sweep recomputes the summary once more. */
const recheckDelayMs = 60_000;
/**
 * How often a recomputation is tried, because other writes can change the version meanwhile. After a few attempts, most
 * writers read their own result.
 */
const maxAttempts = 5;

/** How many services one bulk write updates: few enough to stay far below the database timeout. */
const servicesPerWrite = 100;
/** With this option, an update that fails does not prevent the following ones. */
const unordered = { ordered: false } as const;

/** The options for counting. With the hint, MongoDB does not try other indexes over thousands of documents first. */
const readWithSummaryIndex = { ...readTimeout, hint: 'summary' };

type Distribution = ServiceDocument['distribution'];
interface Counts {
  reviewCount: number;
  /** For each number of stars, how many customers gave them in their newest review with stars. */
  distribution: Distribution;
}
const zeroCounts: Counts = { reviewCount: 0, distribution: [0, 0, 0, 0, 0] };

/**
 * Matches reviews that are not deleted. It is an expression because a filter by null would fetch every review to distinguish
 * null from a missing field.
 */
const isNotDeleted = { $eq: ['$deletedAt', null] };
const isRated = { $gt: ['$rating', 0] };

const isStale = { $expr: { $ne: ['$summarisedVersion', '$summaryVersion'] } };

export type SummaryStore = ReturnType<typeof createSummaryStore>;

/**
 * Creates the store of summaries: the review count and the stars of each service. A summary is always recomputed from the
 * reviews, never incremented.
 *
 * Each write of a review increments the `summaryVersion` of the service before and after it. A result is stored only if the
 * version has not changed since it was read before the computation, so an older result never replaces a newer one. A summary
 * is stale while `summarisedVersion` differs from `summaryVersion`, and the sweep recomputes stale summaries.
 *
 * One case remains. A writer increments the version. The recomputation of another writer stores that version. Then the first
 * writer saves its review and crashes before its second increment. So the first increment also sets `recheckAt`, and the
 * sweep recomputes the summary again at that time.
 */
export function createSummaryStore(
  { services, reviews }: Pick<Collections, 'services' | 'reviews'>,
  {
    /** How many reviews one command reads, approximately: few enough to stay far below its timeout. */
    reviewsPerRead = 20_000,
    /** How long a writer waits for the new summary. Recomputing very many reviews takes seconds. */
    summaryWaitMs = 1000,
  } = {},
) {
  /** For each service, the recomputation that is running, and the next one, which serves all calls made meanwhile. */
  const recomputations = new Map<string, { current: Promise<void>; next?: Promise<void> }>();

  async function incrementVersions(serviceIds: readonly ObjectId[]): Promise<void> {
    const update = { $inc: { summaryVersion: 1 }, $set: { recheckAt: new Date(Date.now() + recheckDelayMs) } };
    // This is not `updateMany`, because the driver does not retry that when the primary of the replica set steps down.
    await services.bulkWrite(
      serviceIds.map((_id) => ({ updateOne: { filter: { _id }, update } })),
      unordered,
    );
  }

  async function recomputeBatch(serviceIds: readonly ObjectId[]): Promise<void> {
    let filter: Filter<ServiceDocument> = { _id: { $in: serviceIds } };
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const found = await services.find(filter, { ...readTimeout, projection: { summaryVersion: 1 } }).toArray();
      if (found.length === 0) return;
      const countsByService = await countReviews(found.map(({ _id }) => _id));
      const writes = found.map(({ _id, summaryVersion }) => ({
        updateOne: {
          filter: { _id, summaryVersion },
          update: {
            $set: { ...createSummary(countsByService.get(_id.toHexString())), summarisedVersion: summaryVersion },
          },
        },
      }));
      const { matchedCount } = await services.bulkWrite(writes, unordered);
      if (matchedCount === found.length) return;
      filter = { _id: { $in: serviceIds }, ...isStale };
    }
  }

  /**
   * Counts all reviews that are not deleted, and the newest review with stars of each customer. Reads only keys of the index
   * `summary`, in several commands. If a review is written between two commands, the version has changed and the result is
   * not stored.
   */
  async function countReviews(serviceIds: readonly ObjectId[]): Promise<Map<string, Counts>> {
    const countsByService = new Map<string, Counts>();
    const add = async (filter: Filter<ReviewDocument>) => {
      for (const { service, stars, reviewCount, customerCount } of await countByStars(filter)) {
        const counts = countsByService.get(service.toHexString()) ?? zeroCounts;
        countsByService.set(service.toHexString(), {
          reviewCount: counts.reviewCount + reviewCount,
          distribution: counts.distribution.map((count, index) =>
            index === stars - 1 ? count + customerCount : count,
          ) as Distribution,
        });
      }
    };
    // Each command reads as many complete services as its limit allows. If a single service exceeds the limit, each command
    // reads a range of its customers.
    let remaining = serviceIds.toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
    for (let afterUid = ''; remaining[0]; ) {
      const [first] = remaining;
      const filter = afterUid === '' ? { serviceId: { $in: remaining } } : { serviceId: first, uid: { $gt: afterUid } };
      const lastThatFits: Pick<ReviewDocument, 'serviceId' | 'uid'> | null = await reviews.findOne(filter, {
        ...readWithSummaryIndex,
        projection: { _id: 0, serviceId: 1, uid: 1 },
        sort: { serviceId: 1, uid: 1 },
        skip: reviewsPerRead,
      });
      if (lastThatFits && first.equals(lastThatFits.serviceId)) {
        await add({ serviceId: first, uid: { $gt: afterUid, $lte: lastThatFits.uid } });
        afterUid = lastThatFits.uid;
      } else if (lastThatFits) {
        const end = remaining.findIndex((id) => id.equals(lastThatFits.serviceId));
        await add({ serviceId: { $in: remaining.slice(0, end) } });
        remaining = remaining.slice(end);
      } else {
        await add(filter);
        [remaining, afterUid] = [afterUid === '' ? [] : remaining.slice(1), ''];
      }
    }
    return countsByService;
  }

  /** For each service, groups the customers by the stars of their newest review with stars. The group 0 has no stars. */
  function countByStars(filter: Filter<ReviewDocument>) {
    return reviews
      .aggregate<{ service: ObjectId; stars: number; reviewCount: number; customerCount: number }>(
        [
          { $match: filter },
          {
            $group: {
              _id: { service: '$serviceId', uid: '$uid' },
              reviewCount: { $sum: { $cond: [isNotDeleted, 1, 0] } },
              // MongoDB compares objects field by field, and null sorts before all objects. So the newest review is the
              // maximum.
              newest: {
                $max: {
                  $cond: [{ $and: [isNotDeleted, isRated] }, { at: '$createdAt', id: '$_id', rating: '$rating' }, null],
                },
              },
            },
          },
          {
            $group: {
              _id: { service: '$_id.service', stars: { $ifNull: ['$newest.rating', 0] } },
              reviewCount: { $sum: '$reviewCount' },
              customerCount: { $sum: 1 },
            },
          },
          { $project: { _id: 0, service: '$_id.service', stars: '$_id.stars', reviewCount: 1, customerCount: 1 } },
        ],
        readWithSummaryIndex,
      )
      .toArray();
  }

  /**
   * Recomputes the summary from the reviews at the time of this call or later. Calls made during a recomputation share the
   * next one.
   */
  function refresh(serviceId: ObjectId): Promise<void> {
    const id = serviceId.toHexString();
    const running = recomputations.get(id);
    if (!running) return startRecomputation(id, serviceId);
    running.next ??= running.current.catch(() => undefined).then(() => startRecomputation(id, serviceId));
    return running.next;
  }

  function startRecomputation(id: string, serviceId: ObjectId): Promise<void> {
    const current = recomputeBatch([serviceId]).finally(() => {
      if (recomputations.get(id)?.next === undefined) recomputations.delete(id);
    });
    recomputations.set(id, { current });
    return current;
  }

  return {
    refresh,

    /** Returns the number of reviews in the summary, or undefined if the service does not exist or is hidden. */
    async findReviewCount(serviceId: ObjectId): Promise<number | undefined> {
      const projection = { _id: 0, reviewCount: 1 };
      return (await services.findOne({ _id: serviceId, hiddenAt: null }, { ...readTimeout, projection }))?.reviewCount;
    },

    /** Counts stale summaries, up to 1000. Reads only services with recent writes of reviews. */
    countStale: () =>
      services.countDocuments(
        { recheckAt: { $gt: new Date(0) }, ...isStale },
        { ...readTimeout, limit: maxStaleCount },
      ),

    /** Runs a write of a review, and updates the summary of its service. */
    async writeAndUpdate<T>(serviceId: ObjectId, write: () => Promise<T>): Promise<T> {
      await incrementVersions([serviceId]);
      const result = await write();
      // The review is already saved, so a failure here does not fail the request. The sweep recomputes the summary.
      await incrementVersions([serviceId])
        .then(() => Promise.race([refresh(serviceId), wait(summaryWaitMs, undefined, { ref: false })]))
        .catch(() => undefined);
      return result;
    },

    /**
     * Runs a write of reviews of up to 100 services. The summaries of these services stay stale until `recompute` is called.
     */
    async writeAndInvalidate(serviceIds: readonly ObjectId[], write: () => Promise<unknown>): Promise<void> {
      await incrementVersions(serviceIds);
      await write();
      await incrementVersions(serviceIds);
    },

    /** Recomputes the summaries of any number of services. */
    async recompute(serviceIds: readonly ObjectId[]): Promise<void> {
      for (const batch of splitIntoBatches(serviceIds)) await recomputeBatch(batch);
    },

    /** Recomputes the summaries that are stale or due for a recheck. Any number of instances may run it at the same time. */
    async sweep(now = new Date()): Promise<void> {
      const due = await services
        .find(
          { recheckAt: { $gt: new Date(0) }, $or: [{ recheckAt: { $lte: now } }, isStale] },
          { ...readTimeout, projection: { _id: 1 } },
        )
        .toArray();
      const failures: unknown[] = [];
      for (const batch of splitIntoBatches(due.map(({ _id }) => _id)))
        await recomputeBatch(batch)
          .then(() =>
            services.updateMany({ _id: { $in: batch }, recheckAt: { $lte: now } }, { $set: { recheckAt: null } }),
          )
          .catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, 'Some summaries could not be recomputed');
    },
  };
}

function createSummary({ reviewCount, distribution }: Counts = zeroCounts) {
  const ratingCount = distribution.reduce((sum, count) => sum + count, 0);
  const starSum = distribution.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const averageRating = ratingCount === 0 ? 0 : Math.round((starSum / ratingCount) * 100) / 100;
  return { reviewCount, ratingCount, averageRating, distribution };
}

function* splitIntoBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += servicesPerWrite)
    yield items.slice(start, start + servicesPerWrite);
}
