import { type LimitName, limits } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import { type Collections, deletedAndHiddenAt, hiddenDeletedAt } from '../database/documents.ts';
import { LimitReachedError } from '../errors.ts';

const dayMs = 24 * 60 * 60_000;
/**
 * The maximum time between a reservation (the record of a planned write) and the end of that write. It is longer than all
 * database timeouts together.
 */
const maxWriteDurationMs = 10_000;
/** The Retry-After header of quotas that do not reset with time: the customer must delete a review or service first. */
const retryAfterDeletionSeconds = 60 * 60;

interface ReservationOptions {
  maxCount: number;
  /** How long a reservation counts towards the quota, in milliseconds. */
  windowMs: number;
  /** The ids of existing rows, which count together with the reservations. */
  existing?: ObjectId[];
  /** Rows that were deleted recently. If a row was deleted after its reservation, the reservation does not count. */
  deleted?: { id: ObjectId; at: Date }[];
}

export type Quotas = ReturnType<typeof createQuotaStore>;

/**
 * Creates the store of quotas, which limit how much each customer writes. Each method throws a LimitReachedError when a
 * quota is reached. Before a row is written, its `_id` is recorded as a reservation. One document contains all reservations
 * of a customer for a quota, and one atomic update adds a reservation. So concurrent requests to several API instances
 * cannot exceed a quota.
 *
 * A request that is repeated with its idempotency key has the same `_id`, and so the same reservation. A reservation stays
 * when its row is deleted. So a deletion does not allow another write on the same day.
 */
export function createQuotaStore({ quotas, reviews }: Pick<Collections, 'quotas' | 'reviews'>) {
  /**
   * Adds a reservation for a row. Returns undefined if the quota allows the row. Otherwise returns the time from which the
   * next row is allowed.
   */
  async function reserve(
    key: string,
    id: ObjectId,
    { maxCount, windowMs, existing = [], deleted = [] }: ReservationOptions,
  ): Promise<Date | undefined> {
    const now = new Date();
    const deletedSinceReservation = {
      $map: {
        input: deleted,
        as: 'row',
        in: { $and: [{ $eq: ['$$row.id', '$$reservation.id'] }, { $gt: ['$$row.at', '$$reservation.at'] }] },
      },
    };
    const isActive = {
      $and: [
        { $gt: ['$$reservation.at', new Date(now.getTime() - windowMs)] },
        { $not: [{ $anyElementTrue: [deletedSinceReservation] }] },
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
        { $set: { claims: { $filter: { input: { $ifNull: ['$claims', []] }, as: 'reservation', cond: isActive } } } },
        {
          $set: {
            claims: { $cond: [isAdmitted, { $concatArrays: ['$claims', [{ id, at: now }]] }, '$claims'] },
            expire: new Date(now.getTime() + windowMs),
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const reservations = updated?.claims ?? [];
    if (reservations.some((reservation) => reservation.id.equals(id))) return undefined;
    const [oldest = { at: now }] = reservations.slice(-maxCount);
    return new Date(oldest.at.getTime() + windowMs);
  }

  async function reserveForDay(key: string, id: ObjectId, maxCount: number, limit: LimitName, noun: string) {
    const nextAt = await reserve(key, id, { maxCount, windowMs: dayMs });
    if (!nextAt) return;
    const seconds = Math.max(1, Math.ceil((nextAt.getTime() - Date.now()) / 1000));
    throw new LimitReachedError(
      `You have added ${maxCount} ${noun} in the last 24 hours. This is the limit for one account. You can add the next one in ${formatDuration(seconds)}.`,
      limit,
      seconds,
    );
  }

  async function reserveForService(uid: string, serviceId: ObjectId, id: ObjectId, purpose: string): Promise<void> {
    const maxCount = limits.liveReviewsPerService;
    const ownReviews = { serviceId, uid };
    const windowStart = new Date(Date.now() - maxWriteDurationMs);
    const [existing, deleted] = await Promise.all([
      reviews
        // Hidden reviews count too, because they may be shown again.
        .find(
          { ...ownReviews, deletedAt: { $in: [null, hiddenDeletedAt] } },
          { ...readTimeout, projection: { _id: 1 } },
        )
        .limit(maxCount)
        .toArray(),
      reviews
        .find(
          { ...ownReviews, deletedAt: { $gt: windowStart, $lt: deletedAndHiddenAt } },
          { ...readTimeout, projection: { deletedAt: 1 } },
        )
        .toArray(),
    ]);
    const nextAt = await reserve(`reviews-of:${serviceId.toHexString()}:${uid}`, id, {
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
    /** Counts a new service. `id` is the `_id` of the row to insert. A second call with the same `id` does not count. */
    addService: (uid: string, id: ObjectId) =>
      reserveForDay(`services:${uid}`, id, limits.servicesPerDay, 'services-per-day', 'services'),

    /** Counts an edit that changes the words of a service. */
    editService: (uid: string) =>
      reserveForDay(`edits:${uid}`, new ObjectId(), limits.serviceEditsPerDay, 'edits-per-day', 'edits of services'),

    /** Counts a report. A report that replaces an earlier one counts too, because moderators read both. */
    addReport: (uid: string) =>
      reserveForDay(`reports:${uid}`, new ObjectId(), limits.reportsPerDay, 'reports-per-day', 'reports'),

    async addReview(uid: string, serviceId: ObjectId, id: ObjectId): Promise<void> {
      // The daily quota is checked last, so that a review that another quota rejects does not count towards it.
      await reserveForService(uid, serviceId, id, 'add another');
      await reserveForDay(`reviews:${uid}`, id, limits.reviewsPerDay, 'reviews-per-day', 'reviews');
    },

    /** Counts a restored review towards the quota of its service, but not towards the daily quota. */
    restoreReview: (uid: string, serviceId: ObjectId, id: ObjectId) =>
      reserveForService(uid, serviceId, id, 'restore this one'),
  };
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
