import { setTimeout as wait } from 'node:timers/promises';
import type { Filter, ObjectId } from 'mongodb';
import type { Collections, ReviewDocument, ServiceDocument } from '../database.ts';
import { readDeadline } from '../database.ts';

/** How many summaries behind are counted at most. */
const mostCounted = 1000;
/** How long after a writer's first sign of life its service is looked at once more, in milliseconds. */
const recheckAfter = 60_000;

/** How many services one command moves or stores: as many take a fraction of the database's deadline. */
const writtenAtOnce = 100;
/** One that is refused keeps no other from being written. */
const unordered = { ordered: false } as const;

/** Named, since the database would try other indexes over thousands of rows before it sees that this one is the best. */
const fromSummaryKeys = { ...readDeadline, hint: 'summary' };

type Stars = ServiceDocument['distribution'];
interface Counts {
  reviewCount: number;
  /** Customers by the stars that they gave last. */
  distribution: Stars;
}
const none: Counts = { reviewCount: 0, distribution: [0, 0, 0, 0, 0] };

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

  async function move(serviceIds: readonly ObjectId[]): Promise<void> {
    const update = { $inc: { summaryVersion: 1 }, $set: { recheckAt: new Date(Date.now() + recheckAfter) } };
    // Not updateMany, which a driver does not repeat when the primary steps down.
    await services.bulkWrite(
      serviceIds.map((_id) => ({ updateOne: { filter: { _id }, update } })),
      unordered,
    );
  }

  async function recount(serviceIds: readonly ObjectId[]): Promise<void> {
    let which: Filter<ServiceDocument> = { _id: { $in: serviceIds } };
    // When a version moved meanwhile its mover recounts too; a few tries let most writers read their own result.
    for (let tries = 0; tries < 5; tries += 1) {
      const found = await services.find(which, { ...readDeadline, projection: { summaryVersion: 1 } }).toArray();
      if (found.length === 0) return;
      const counts = await count(found.map(({ _id }) => _id));
      const writes = found.map(({ _id, summaryVersion }) => ({
        updateOne: {
          filter: { _id, summaryVersion },
          update: { $set: { ...summaryOf(counts.get(_id.toHexString())), summarisedVersion: summaryVersion } },
        },
      }));
      const { matchedCount } = await services.bulkWrite(writes, unordered);
      if (matchedCount === found.length) return;
      which = { _id: { $in: serviceIds }, ...unfinished };
    }
  }

  /**
   * By service: every live review counts as a review, each customer's newest rated one once. Read from the index `summary`
   * alone, some keys at a time; when somebody writes meanwhile the version has moved, and this is not stored.
   */
  async function count(serviceIds: readonly ObjectId[]): Promise<Map<string, Counts>> {
    const counts = new Map<string, Counts>();
    const add = async (some: Filter<ReviewDocument>) => {
      for (const { service, stars, reviews, customers } of await countByStars(some)) {
        const { reviewCount, distribution } = counts.get(service.toHexString()) ?? none;
        counts.set(service.toHexString(), {
          reviewCount: reviewCount + reviews,
          distribution: distribution.map((count, at) => (at === stars - 1 ? count + customers : count)) as Stars,
        });
      }
    };
    // As many whole services as one command may read; of one that has more, some customers at a time.
    let rest = serviceIds.toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
    for (let after = ''; rest[0]; ) {
      const [first] = rest;
      const keys = after === '' ? { serviceId: { $in: rest } } : { serviceId: first, uid: { $gt: after } };
      const last: Pick<ReviewDocument, 'serviceId' | 'uid'> | null = await reviews.findOne(keys, {
        ...fromSummaryKeys,
        projection: { _id: 0, serviceId: 1, uid: 1 },
        sort: { serviceId: 1, uid: 1 },
        skip: recountedAtOnce,
      });
      if (last && first.equals(last.serviceId)) {
        await add({ serviceId: first, uid: { $gt: after, $lte: last.uid } });
        after = last.uid;
      } else if (last) {
        const cut = rest.findIndex((id) => id.equals(last.serviceId));
        await add({ serviceId: { $in: rest.slice(0, cut) } });
        rest = rest.slice(cut);
      } else {
        await add(keys);
        [rest, after] = [after === '' ? [] : rest.slice(1), ''];
      }
    }
    return counts;
  }

  /** Customers and their reviews, by the stars of each customer's newest rated one; 0 for who rated nothing. */
  function countByStars(some: Filter<ReviewDocument>) {
    return reviews
      .aggregate<{ service: ObjectId; stars: number; reviews: number; customers: number }>(
        [
          { $match: some },
          {
            $group: {
              _id: { service: '$serviceId', uid: '$uid' },
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
              _id: { service: '$_id.service', stars: { $ifNull: ['$newest.rating', 0] } },
              reviews: { $sum: '$reviews' },
              customers: { $sum: 1 },
            },
          },
          { $project: { _id: 0, service: '$_id.service', stars: '$_id.stars', reviews: 1, customers: 1 } },
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
    const now = recount([serviceId]).finally(() => {
      if (underWay.get(id)?.next === undefined) underWay.delete(id);
    });
    underWay.set(id, { now });
    return now;
  }

  async function catchUp(serviceIds: readonly ObjectId[]): Promise<void> {
    for (const some of batchesOf(serviceIds)) await recount(some);
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
      await move([serviceId]);
      const result = await write();
      // The review is saved, and its answer must say so whatever happens to the summary: the sweep will find it.
      await move([serviceId])
        .then(() => Promise.race([refresh(serviceId), wait(patience, undefined, { ref: false })]))
        .catch(() => undefined);
      return result;
    },

    /** Runs one write of the reviews of up to a hundred services. Their summaries stay behind until `catchUp`. */
    async aroundSome(serviceIds: readonly ObjectId[], write: () => Promise<unknown>): Promise<void> {
      await move(serviceIds);
      await write();
      await move(serviceIds);
    },

    /** Brings the summaries of any number of services up to date. */
    catchUp,

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
      for (const some of batchesOf((await due.toArray()).map(({ _id }) => _id)))
        await recount(some)
          .then(() =>
            services.updateMany({ _id: { $in: some }, recheckAt: { $lte: now } }, { $set: { recheckAt: null } }),
          )
          .catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, 'Some summaries could not be mended');
    },
  };
}

function summaryOf({ reviewCount, distribution }: Counts = none) {
  const ratingCount = distribution.reduce((sum, count) => sum + count, 0);
  const total = distribution.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const averageRating = ratingCount === 0 ? 0 : Math.round((total / ratingCount) * 100) / 100;
  return { reviewCount, ratingCount, averageRating, distribution };
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += writtenAtOnce) yield all.slice(from, from + writtenAtOnce);
}
