import { setTimeout as wait } from 'node:timers/promises';
import type { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { runEach } from '../run-each.ts';
import { countReviews, createSummary } from './review-counts.ts';

const maxStaleCount = 1000;
/**
 * The minimum time between a write of a review and the sweep that recomputes the summary once more. Normally, the request
 * that wrote the review has already recomputed the summary before this time.
 */
const recheckDelayMs = 10_000;
/**
 * The maximum duration of a batch of writes. After this time, the sweep recomputes the summaries of the changed services
 * once more.
 */
const maxBatchDurationMs = 60_000;
/**
 * The maximum number of attempts to recompute a summary. An attempt fails if `summaryVersion` changes meanwhile. If all
 * attempts fail, the summary is stale until the next sweep.
 */
const maxAttempts = 5;

/** The maximum number of services in one bulk write. It is small, so that the write ends before the database timeout. */
const servicesPerWrite = 100;
/** With this option, one failed update does not stop the other updates of a bulk write. */
const unordered = { ordered: false } as const;

const isStale = { $expr: { $ne: ['$summarisedVersion', '$summaryVersion'] } };

export type SummaryStore = ReturnType<typeof createSummaryStore>;

/**
 * Creates the store of summaries. A summary contains the review count and the stars of a service. Each request that
 * can change the summary recomputes it from all reviews of the service.
 *
 * Concurrent recomputations: a recomputation reads the `summaryVersion` of the service and then counts the reviews. It
 * stores its result and increments `summaryVersion`, but only if `summaryVersion` has not changed meanwhile. Otherwise,
 * it counts again. So an older result never replaces a newer result.
 *
 * Crashes: the write of a review also sets a time in the review, `recheckAt`. After that time, the sweep recomputes the
 * summary, in case the API crashed before it had done so.
 *
 * Erased reviews have no document with a `recheckAt`. So `summaryVersion` is incremented before and after reviews are
 * erased. The summary is stale while `summaryVersion` differs from `summarisedVersion`, the version of the stored
 * summary. The sweep recomputes stale summaries. The second increment makes a summary stale that was recomputed meanwhile.
 */
export function createSummaryStore(
  { services, reviews }: Pick<Collections, 'services' | 'reviews'>,
  {
    /** The approximate number of reviews that one command reads. */
    reviewsPerRead = 20_000,
    /** How long a write waits for the new summary. With very many reviews, recomputing the summary takes seconds. */
    summaryWaitMs = 1000,
  } = {},
) {
  /**
   * The recomputations of summaries, by the id of the service. `current` is running. `next` starts when `current` ends.
   * All calls that are made while `current` is running share `next`.
   */
  const recomputations = new Map<string, { current: Promise<void>; next?: Promise<void> }>();

  async function incrementVersions(serviceIds: readonly ObjectId[]): Promise<void> {
    const update = { $inc: { summaryVersion: 1 }, $set: { recheckAt: new Date(Date.now() + maxBatchDurationMs) } };
    // `updateMany` is not used here, because the driver does not retry it when the replica set elects another primary.
    await services.bulkWrite(
      serviceIds.map((_id) => ({ updateOne: { filter: { _id }, update } })),
      unordered,
    );
  }

  /**
   * Tries once to recompute the summaries of these services. Returns false if the `summaryVersion` of a service has changed
   * meanwhile, so that its new summary was not stored. `knownVersion` is the `summaryVersion` of a single service, if the
   * caller has already read it.
   */
  async function tryRecompute(serviceIds: readonly ObjectId[], knownVersion?: number): Promise<boolean> {
    const [onlyId] = serviceIds;
    const found =
      knownVersion !== undefined && onlyId
        ? [{ _id: onlyId, summaryVersion: knownVersion }]
        : await services
            .find({ _id: { $in: serviceIds } }, { ...readTimeout, projection: { summaryVersion: 1 } })
            .toArray();
    if (found.length === 0) return true;
    const foundIds = found.map(({ _id }) => _id);
    const countsByService = await countReviews(reviews, foundIds, reviewsPerRead);
    const writes = found.map(({ _id, summaryVersion }) => {
      const summary = createSummary(countsByService.get(_id.toHexString()));
      const nextVersion = summaryVersion + 1;
      const update = { $set: { ...summary, summaryVersion: nextVersion, summarisedVersion: nextVersion } };
      return { updateOne: { filter: { _id, summaryVersion }, update } };
    });
    return (await services.bulkWrite(writes, unordered)).matchedCount === found.length;
  }

  async function recomputeOne(serviceId: ObjectId, knownVersion?: number): Promise<void> {
    if (knownVersion !== undefined && (await tryRecompute([serviceId], knownVersion))) return;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) if (await tryRecompute([serviceId])) return;
    await incrementVersions([serviceId]);
  }

  async function recomputeBatch(serviceIds: readonly ObjectId[]): Promise<void> {
    if (await tryRecompute(serviceIds)) return;
    for (const serviceId of serviceIds) await recomputeOne(serviceId);
  }

  /**
   * Recomputes the summary of a service. The result includes all reviews that were written before this call. Calls during a
   * recomputation share the next recomputation.
   */
  function refresh(serviceId: ObjectId, knownVersion?: number): Promise<void> {
    const id = serviceId.toHexString();
    const running = recomputations.get(id);
    if (!running) return startRecomputation(id, serviceId, knownVersion);
    running.next ??= running.current.catch(() => undefined).then(() => startRecomputation(id, serviceId));
    return running.next;
  }

  function startRecomputation(id: string, serviceId: ObjectId, knownVersion?: number): Promise<void> {
    const current = recomputeOne(serviceId, knownVersion).finally(() => {
      if (recomputations.get(id)?.next === undefined) recomputations.delete(id);
    });
    recomputations.set(id, { current });
    return current;
  }

  return {
    refresh,

    /**
     * Creates an aggregation stage that appends a document with the review count of the service (`countOfListed`) to the
     * result. It appends nothing if the service does not exist or is not listed.
     */
    createListedServiceStage: (serviceId: ObjectId) => ({
      $unionWith: {
        coll: services.collectionName,
        pipeline: [
          { $match: { _id: serviceId, hiddenAt: null } },
          { $project: { _id: 0, countOfListed: '$reviewCount' } },
        ],
      },
    }),

    /**
     * Counts the stale summaries, up to 1000. Reads only services with a date in `recheckAt`, because every service with a
     * stale summary has this date.
     */
    countStale: () =>
      services.countDocuments(
        { recheckAt: { $gt: new Date(0) }, ...isStale },
        { ...readTimeout, limit: maxStaleCount },
      ),

    /**
     * Runs `write`, which writes a review, and then recomputes the review count and the stars of the service. `write` must
     * store the given `recheckAt` in the review, so that the sweep recomputes them later even if this attempt fails.
     * `knownVersion` is the `summaryVersion` of the service, if the caller has read it before the write.
     */
    async writeAndUpdate<T>(
      serviceId: ObjectId,
      write: (recheck: { recheckAt: Date }) => Promise<T>,
      knownVersion?: number,
    ): Promise<T> {
      const result = await write({ recheckAt: new Date(Date.now() + recheckDelayMs) });
      // The review is already saved, so the request succeeds even if this recomputation fails.
      const refreshed = refresh(serviceId, knownVersion)
        .catch(() => incrementVersions([serviceId]))
        .catch(() => undefined);
      await Promise.race([refreshed, wait(summaryWaitMs, undefined, { ref: false })]);
      return result;
    },

    /**
     * Runs a function that deletes or changes reviews of up to 100 services. The summaries of these services stay stale
     * until `recompute` or the sweep recomputes them.
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
      const [due, rechecks] = await Promise.all([
        services
          .find(
            { recheckAt: { $gt: new Date(0) }, $or: [{ recheckAt: { $lte: now } }, isStale] },
            { ...readTimeout, projection: { _id: 1 } },
          )
          .toArray(),
        reviews
          .aggregate<Pick<ServiceDocument, '_id'>>(
            [{ $match: { recheckAt: { $lte: now } } }, { $group: { _id: '$serviceId' } }],
            readTimeout,
          )
          .toArray(),
      ]);
      const serviceIds = new Map([...due, ...rechecks].map(({ _id }) => [_id.toHexString(), _id]));
      const recheck = async (batch: ObjectId[]) => {
        await recomputeBatch(batch);
        const isDue = { recheckAt: { $lte: now } };
        await Promise.all([
          services.updateMany({ _id: { $in: batch }, ...isDue }, { $set: { recheckAt: null } }),
          reviews.updateMany(
            { serviceId: { $in: batch }, ...isDue },
            { $unset: { recheckAt: 1 } },
            { hint: 'recheck' },
          ),
        ]);
      };
      await runEach(splitIntoBatches([...serviceIds.values()]), recheck, 'Some summaries could not be recomputed');
    },
  };
}

function* splitIntoBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += servicesPerWrite)
    yield items.slice(start, start + servicesPerWrite);
}
