import { setTimeout as wait } from 'node:timers/promises';
import type { Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections, ServiceDocument } from '../database/documents.ts';
import { countReviews, type ReviewCounts, zeroCounts } from './review-counts.ts';

const maxStaleCount = 1000;
/** A sweep recomputes the summary once more when this time has passed since the last write of a review. */
const recheckDelayMs = 60_000;
/**
 * The maximum number of attempts to recompute a summary. An attempt fails if another review is written at the same time.
 * After the last attempt, the summary stays stale until the next sweep.
 */
const maxAttempts = 5;

/** The number of services in one bulk write. It is small, so that a bulk write ends before the database timeout. */
const servicesPerWrite = 100;
/** With this option, one failed update does not stop the other updates of a bulk write. */
const unordered = { ordered: false } as const;

const isStale = { $expr: { $ne: ['$summarisedVersion', '$summaryVersion'] } };

export type SummaryStore = ReturnType<typeof createSummaryStore>;

/**
 * Creates the store of summaries. A summary contains the review count and the stars of a service. It is always recomputed
 * from the reviews, never incremented. Each write of a review increments the `summaryVersion` of the service before and
 * after the write. A recomputation first reads this version, and stores its result only if the version is still the same. So
 * an older result never replaces a newer one. A summary is stale while `summarisedVersion` differs from `summaryVersion`.
 * Sweeps recompute stale summaries.
 *
 * One case needs more. Writer A increments the version. Writer B recomputes the summary and stores that version. Writer A
 * then saves its review, but crashes before its second increment. The summary now lacks the review of writer A, although it
 * is not stale. So the first increment also sets `recheckAt`, the time when a sweep recomputes the summary again.
 */
export function createSummaryStore(
  { services, reviews }: Pick<Collections, 'services' | 'reviews'>,
  {
    /** The approximate number of reviews that one command reads. */
    reviewsPerRead = 20_000,
    /**
     * How long the request of a write waits for the new summary. With very many reviews, recomputing the summary takes
     * seconds.
     */
    summaryWaitMs = 1000,
  } = {},
) {
  /** For each service, the recomputation that is running, and the next one, which all calls in the meantime share. */
  const recomputations = new Map<string, { current: Promise<void>; next?: Promise<void> }>();

  async function incrementVersions(serviceIds: readonly ObjectId[]): Promise<void> {
    const update = { $inc: { summaryVersion: 1 }, $set: { recheckAt: new Date(Date.now() + recheckDelayMs) } };
    // `updateMany` is not used here, because the driver does not retry it when the replica set elects another primary.
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
      const foundIds = found.map(({ _id }) => _id);
      const countsByService = await countReviews(reviews, foundIds, reviewsPerRead);
      const writes = found.map(({ _id, summaryVersion }) => {
        const summary = createSummary(countsByService.get(_id.toHexString()));
        const update = { $set: { ...summary, summarisedVersion: summaryVersion } };
        return { updateOne: { filter: { _id, summaryVersion }, update } };
      });
      const { matchedCount } = await services.bulkWrite(writes, unordered);
      if (matchedCount === found.length) return;
      filter = { _id: { $in: serviceIds }, ...isStale };
    }
  }

  /**
   * Recomputes the summary of a service. The result includes all reviews that were written before this call. Calls during a
   * recomputation share the next recomputation.
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

    /**
     * Creates an aggregation stage that appends a document with the review count of the service (`countOfListed`) to the
     * result. It appends nothing if the service does not exist or is hidden.
     */
    createReviewCountStage: (serviceId: ObjectId) => ({
      $unionWith: {
        coll: services.collectionName,
        pipeline: [
          { $match: { _id: serviceId, hiddenAt: null } },
          { $project: { _id: 0, countOfListed: '$reviewCount' } },
        ],
      },
    }),

    /** Returns those of the given ids whose services are hidden or withdrawn. */
    async findHiddenIds(serviceIds: readonly ObjectId[]): Promise<Set<string>> {
      if (serviceIds.length === 0) return new Set();
      const filter = { _id: { $in: [...serviceIds] }, hiddenAt: { $ne: null } };
      const hidden = await services.find(filter, { ...readTimeout, projection: { _id: 1 } }).toArray();
      return new Set(hidden.map(({ _id }) => _id.toHexString()));
    },

    /** Counts the stale summaries, up to 1000. Reads only the services with recent writes of reviews. */
    countStale: () =>
      services.countDocuments(
        { recheckAt: { $gt: new Date(0) }, ...isStale },
        { ...readTimeout, limit: maxStaleCount },
      ),

    /** Runs a function that writes a review, and then updates the summary of its service. */
    async writeAndUpdate<T>(serviceId: ObjectId, write: () => Promise<T>): Promise<T> {
      await incrementVersions([serviceId]);
      const result = await write();
      // If this step fails, the request still succeeds, because the review is already saved. A sweep then recomputes the
      // summary.
      await incrementVersions([serviceId])
        .then(() => Promise.race([refresh(serviceId), wait(summaryWaitMs, undefined, { ref: false })]))
        .catch(() => undefined);
      return result;
    },

    /**
     * Runs a function that writes reviews of up to 100 services. The summaries of these services are stale until `recompute`
     * is called.
     */
    async writeAndInvalidate(serviceIds: readonly ObjectId[], write: () => Promise<unknown>): Promise<void> {
      await incrementVersions(serviceIds);
      await write();
      await incrementVersions(serviceIds);
    },

    async recompute(serviceIds: readonly ObjectId[]): Promise<void> {
      for (const batch of splitIntoBatches(serviceIds)) await recomputeBatch(batch);
    },

    /**
     * Recomputes the summaries that are stale, or whose time `recheckAt` has come. Several API instances may run this sweep
     * at the same time.
     */
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

function createSummary({ reviewCount, distribution }: ReviewCounts = zeroCounts()) {
  const ratingCount = distribution.reduce((sum, count) => sum + count, 0);
  const starSum = distribution.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const averageRating = ratingCount === 0 ? 0 : Math.round((starSum / ratingCount) * 100) / 100;
  return { reviewCount, ratingCount, averageRating, distribution };
}

function* splitIntoBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += servicesPerWrite)
    yield items.slice(start, start + servicesPerWrite);
}
