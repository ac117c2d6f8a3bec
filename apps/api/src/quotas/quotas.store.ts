import { type LimitName, limits } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import { type Collections, hiddenDeletedAt } from '../database/documents.ts';
import { LimitReachedError } from '../errors.ts';

const dayMs = 24 * 60 * 60_000;
/**
 * The longest time between a claim (the record of a planned write) and the end of that write. It is longer than the sum of
 * all database timeouts.
 */
const maxWriteDurationMs = 10_000;
/** The Retry-After of quotas that do not reset with time, because the customer must delete a row. */
const retryAfterDeletionSeconds = 60 * 60;

/** Limits how much each customer writes. Each method throws a LimitReachedError when a quota is reached. */
export interface Quotas {
  /**
   * Counts a new service. `id` is the `_id` of the row that will be inserted. A repeated call with the same `id` does not
   * count again.
   */
  addService(uid: string, id: ObjectId): Promise<void>;
  addReview(uid: string, serviceId: ObjectId, id: ObjectId): Promise<void>;
  /** Counts a restored review towards the quota of its service, but not towards the daily quota. */
  restoreReview(uid: string, serviceId: ObjectId, id: ObjectId): Promise<void>;
}

interface ClaimOptions {
  maxCount: number;
  /** How long a claim counts, in milliseconds. */
  windowMs: number;
  /** The ids of existing rows. They count in addition to the claims. */
  existing?: ObjectId[];
  /** Rows that were deleted within the window. If a row was deleted after it was claimed, its claim no longer counts. */
  deleted?: { id: ObjectId; at: Date }[];
}

/**
 * Creates the store of quotas. Before a row is written, its `_id` is recorded as a claim. One document holds all claims of a
 * customer for a quota, and one atomic update adds a claim. So concurrent requests to several API instances cannot exceed a
 * quota together.
 *
 * If a request is repeated with its idempotency key, it has the same `_id` and thus the same claim. A claim remains when its
 * row is deleted. So a deletion does not free a place in the daily quota.
 */
export function createQuotaStore({ quotas, reviews }: Pick<Collections, 'quotas' | 'reviews'>): Quotas {
  /**
   * Adds a claim for a row. Returns undefined if the quota allows the row. Otherwise returns the time when the quota allows
   * the next row.
   */
  async function claim(
    key: string,
    id: ObjectId,
    { maxCount, windowMs, existing = [], deleted = [] }: ClaimOptions,
  ): Promise<Date | undefined> {
    const now = new Date();
    const deletedSinceClaim = {
      $map: {
        input: deleted,
        as: 'row',
        in: { $and: [{ $eq: ['$$row.id', '$$claim.id'] }, { $gt: ['$$row.at', '$$claim.at'] }] },
      },
    };
    const isClaimActive = {
      $and: [
        { $gt: ['$$claim.at', new Date(now.getTime() - windowMs)] },
        { $not: [{ $anyElementTrue: [deletedSinceClaim] }] },
      ],
    };
    const isAdmitted = {
      $and: [
        { $not: [{ $in: [id, '$claims.id'] }] },
        { $lt: [{ $size: { $setUnion: ['$claims.id', existing] } }, maxCount] },
      ],
    };
    const updated = await quotas.findOneAndUpdate(
      { _id: key },
      [
        { $set: { claims: { $filter: { input: { $ifNull: ['$claims', []] }, as: 'claim', cond: isClaimActive } } } },
        {
          $set: {
            claims: { $cond: [isAdmitted, { $concatArrays: ['$claims', [{ id, at: now }]] }, '$claims'] },
            expire: new Date(now.getTime() + windowMs),
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const claims = updated?.claims ?? [];
    if (claims.some((claim) => claim.id.equals(id))) return undefined;
    const [oldest = { at: now }] = claims.slice(-maxCount);
    return new Date(oldest.at.getTime() + windowMs);
  }

  async function claimForDay(key: string, id: ObjectId, maxCount: number, limit: LimitName, done: string) {
    const nextAt = await claim(key, id, { maxCount, windowMs: dayMs });
    if (!nextAt) return;
    const seconds = Math.max(1, Math.ceil((nextAt.getTime() - Date.now()) / 1000));
    throw new LimitReachedError(
      `You have ${done} in the last 24 hours. This is the limit for one account. You can add the next one in ${formatDuration(seconds)}.`,
      limit,
      seconds,
    );
  }

  async function claimForService(uid: string, serviceId: ObjectId, id: ObjectId, purpose: string): Promise<void> {
    const maxCount = limits.liveReviewsPerService;
    const ownReviews = { serviceId, uid };
    const windowStart = new Date(Date.now() - maxWriteDurationMs);
    const [existing, deleted] = await Promise.all([
      reviews
        // Hidden reviews count too, because an operator may show them again.
        .find(
          { ...ownReviews, deletedAt: { $in: [null, hiddenDeletedAt] } },
          { ...readTimeout, projection: { _id: 1 } },
        )
        .limit(maxCount)
        .toArray(),
      reviews
        .find(
          { ...ownReviews, deletedAt: { $gt: windowStart, $lt: hiddenDeletedAt } },
          { ...readTimeout, projection: { deletedAt: 1 } },
        )
        .toArray(),
    ]);
    const nextAt = await claim(`reviews-of:${serviceId.toHexString()}:${uid}`, id, {
      maxCount,
      windowMs: maxWriteDurationMs,
      existing: existing.map(({ _id }) => _id),
      deleted: deleted.map(({ _id, deletedAt }) => ({ id: _id, at: deletedAt ?? windowStart })),
    });
    if (!nextAt) return;
    throw new LimitReachedError(
      `You have ${maxCount} reviews of this service. This is the limit for one account. Delete one of them to ${purpose}.`,
      'reviews-per-service',
      retryAfterDeletionSeconds,
    );
  }

  return {
    addService: (uid, id) => {
      const maxCount = limits.servicesPerDay;
      return claimForDay(`services:${uid}`, id, maxCount, 'services-per-day', `added ${maxCount} services`);
    },

    async addReview(uid, serviceId, id) {
      // The daily quota is claimed last. So a review that another quota rejects does not count towards the daily quota.
      await claimForService(uid, serviceId, id, 'add another');
      const maxCount = limits.reviewsPerDay;
      await claimForDay(`reviews:${uid}`, id, maxCount, 'reviews-per-day', `added ${maxCount} reviews`);
    },

    restoreReview: (uid, serviceId, id) => claimForService(uid, serviceId, id, 'restore this one'),
  };
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
