import { type LimitName, limits } from '@rtr/shared';
import { type Document, type Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { QuotaDocument, Reservation } from '../database/documents/accounts.ts';
import { deletedAndHiddenAt, hiddenDeletedAt, type ReviewDocument } from '../database/documents/reviews.ts';
import { LimitReachedError } from '../errors.ts';

const dayMs = 24 * 60 * 60_000;
/**
 * How long the reservation of a review counts towards the quota of its service. After this time, only the stored review
 * counts.
 *
 * A request stores its review at most 30 s after its reservation. Another request may have read the reviews just before,
 * and makes its own reservation at most 30 s after it has read them. The first reservation must still count then, so it
 * counts for 30 s + 30 s. The database timeouts of these commands and their retries are shorter than 30 s in total.
 */
const serviceWindowMs = 60_000;
/**
 * The Retry-After header if a customer has too many reviews of a service. The value is arbitrary, because this quota
 * does not reset with time: the customer must delete one of the reviews first.
 */
const retryAfterDeletionSeconds = 60 * 60;

/**
 * A review of the service by the customer. Recently deleted reviews are needed too: their reservations may still be
 * stored, but do not count any more.
 */
type OwnReview = Pick<ReviewDocument, '_id' | 'deletedAt'>;

export type Quotas = ReturnType<typeof createQuotaStore>;

/**
 * Creates the store of quotas, which limit how much each customer writes. A method that counts a write throws a
 * LimitReachedError when a quota is reached. Before a row is written, its `_id` is recorded as a reservation, which takes a
 * place in the quota. One document contains all reservations of a customer for a quota, and one atomic update adds a
 * reservation. So concurrent requests to several API instances cannot exceed a quota.
 *
 * If a request is repeated with the same idempotency key, its row has the same `_id`, so it needs no second reservation. If
 * a row is deleted, its reservation in the daily quota stays, so that a deletion does not allow another write on the same
 * day.
 */
export function createQuotaStore({ quotas, reviews }: Pick<Collections, 'quotas' | 'reviews'>) {
  /**
   * Reserves a place in a quota for a row. Returns undefined if the quota allows the row, or if the row already has a
   * reservation. Otherwise, adds no reservation, and returns the time from which the quota allows another row.
   */
  async function reserve(key: string, id: ObjectId, maxCount: number): Promise<Date | undefined> {
    const now = new Date();
    const isAdmitted = { $and: [{ $not: [{ $in: [id, '$claims.id'] }] }, { $lt: [{ $size: '$claims' }, maxCount] }] };
    const updated = await quotas.findOneAndUpdate(
      { _id: key },
      [
        { $set: { claims: activeReservations('claims', now, dayMs) } },
        {
          $set: {
            claims: { $cond: [isAdmitted, { $concatArrays: ['$claims', [{ id, at: now }]] }, '$claims'] },
            expire: new Date(now.getTime() + dayMs),
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    return findNextTime(updated?.claims ?? [], id, maxCount, now);
  }

  async function reserveForDay(key: string, id: ObjectId, maxCount: number, limit: LimitName, noun: string) {
    const nextAt = await reserve(key, id, maxCount);
    if (nextAt) throw createDayLimitError(nextAt, maxCount, limit, noun);
  }

  /**
   * Reserves a place for a review in the quota of its service. For a new review, the same command also reserves a place
   * in the daily quota. A restored review does not count towards the daily quota. If one of the quotas is reached, no
   * place is reserved.
   */
  async function reserveReview(
    uid: string,
    serviceId: ObjectId,
    id: ObjectId,
    ownReviews: readonly OwnReview[],
    { isNew }: { isNew: boolean },
  ): Promise<void> {
    const now = new Date();
    const { existing, deleted } = splitByDeletion(ownReviews);
    const [maxForService, maxForDay] = [limits.liveReviewsPerService, limits.reviewsPerDay];
    const isOfService = { $eq: ['$$reservation.serviceId', serviceId] };
    const recentOfService = { $filter: { input: '$recent', as: 'reservation', cond: isOfService } };
    const recentIds = { $map: { input: recentOfService, as: 'reservation', in: '$$reservation.id' } };
    const fitsService = {
      $or: [{ $in: [id, '$recent.id'] }, { $lt: [{ $size: { $setUnion: [recentIds, existing] } }, maxForService] }],
    };
    const fitsDay = { $or: [{ $in: [id, '$claims.id'] }, { $lt: [{ $size: '$claims' }, maxForDay] }] };
    const isAdmitted = isNew ? { $and: [fitsService, fitsDay] } : fitsService;
    const appended = <F extends 'claims' | 'recent'>(field: F, reservation: Required<QuotaDocument>[F][number]) => ({
      $cond: [
        { $and: [isAdmitted, { $not: [{ $in: [id, `$${field}.id`] }] }] },
        { $concatArrays: [`$${field}`, [reservation]] },
        `$${field}`,
      ],
    });
    const updated = await quotas.findOneAndUpdate(
      { _id: `reviews:${uid}` },
      [
        {
          $set: {
            claims: activeReservations('claims', now, dayMs),
            recent: activeReservations('recent', now, serviceWindowMs, deleted),
          },
        },
        // One stage sets both fields, so that both new values are computed from the old values.
        {
          $set: {
            ...(isNew && { claims: appended('claims', { id, at: now }) }),
            recent: appended('recent', { id, at: now, serviceId }),
            expire: new Date(now.getTime() + dayMs),
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const { claims = [], recent = [] } = updated ?? {};
    if (!recent.some((reservation) => reservation.id.equals(id))) {
      const counted = [...existing, ...recent.filter((row) => row.serviceId.equals(serviceId)).map((row) => row.id)];
      if (new Set(counted.map(String)).size >= maxForService) throw createServiceLimitError(isNew);
    }
    const nextAt = isNew ? findNextTime(claims, id, maxForDay, now) : undefined;
    if (nextAt) throw createDayLimitError(nextAt, maxForDay, 'reviews-per-day', 'reviews');
  }

  return {
    /** Counts a new service. `id` is the `_id` of the row to insert. A second call with the same `id` does not count. */
    addService: (uid: string, id: ObjectId) =>
      reserveForDay(`services:${uid}`, id, limits.servicesPerDay, 'services-per-day', 'services'),

    /** Counts an edit of the title or the description of a service. */
    editService: (uid: string) =>
      reserveForDay(`edits:${uid}`, new ObjectId(), limits.serviceEditsPerDay, 'edits-per-day', 'edits of services'),

    /** Counts a report. A report that replaces an earlier one counts too, because moderators may read both. */
    addReport: (uid: string) =>
      reserveForDay(`reports:${uid}`, new ObjectId(), limits.reportsPerDay, 'reports-per-day', 'reports'),

    /**
     * Returns two filters for the reviews of a service by a customer: one for existing reviews, and one for recently
     * deleted reviews. The caller finds these reviews, and passes them to `addReview` as `ownReviews`.
     */
    createReviewFilters,

    /** Counts a new review towards the quota of its service and the daily quota. */
    addReview: (uid: string, serviceId: ObjectId, id: ObjectId, ownReviews: readonly OwnReview[]) =>
      reserveReview(uid, serviceId, id, ownReviews, { isNew: true }),

    /**
     * Counts a restored review towards the quota of its service. The daily quota counted it when it was added.
     */
    async restoreReview(uid: string, serviceId: ObjectId, id: ObjectId): Promise<void> {
      const filter = { $or: createReviewFilters(uid, serviceId) };
      const found = await reviews.find(filter, { ...readTimeout, projection: { deletedAt: 1 } }).toArray();
      await reserveReview(uid, serviceId, id, found, { isNew: false });
    },
  };
}

function createReviewFilters(uid: string, serviceId: ObjectId): Filter<ReviewDocument>[] {
  const windowStart = new Date(Date.now() - serviceWindowMs);
  return [
    { serviceId, uid, deletedAt: { $in: [null, hiddenDeletedAt] } },
    { serviceId, uid, deletedAt: { $gt: windowStart, $lt: deletedAndHiddenAt } },
  ];
}

/** Hidden reviews count as existing, because they can be restored. */
function splitByDeletion(rows: readonly OwnReview[]) {
  const existing: ObjectId[] = [];
  const deleted: Reservation[] = [];
  for (const { _id, deletedAt } of rows)
    if (deletedAt === null || deletedAt.getTime() === hiddenDeletedAt.getTime()) existing.push(_id);
    else deleted.push({ id: _id, at: deletedAt });
  return { existing, deleted };
}

/**
 * Returns an aggregation expression for the reservations that still count towards a quota. A reservation counts for
 * `windowMs`, or until its review is deleted. `deleted` contains the ids of deleted reviews and the times of their
 * deletion. For daily quotas, `deleted` is empty, so a reservation counts for the whole day even if its review is deleted.
 */
function activeReservations(
  field: 'claims' | 'recent',
  now: Date,
  windowMs: number,
  deleted: readonly Reservation[] = [],
): Document {
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
  return { $filter: { input: { $ifNull: [`$${field}`, []] }, as: 'reservation', cond: isActive } };
}

/**
 * Returns undefined if the row `id` has one of the `reservations` in the daily quota. Otherwise, returns the time from
 * which the quota allows another row.
 */
function findNextTime(
  reservations: readonly Reservation[],
  id: ObjectId,
  maxCount: number,
  now: Date,
): Date | undefined {
  if (reservations.some((reservation) => reservation.id.equals(id))) return undefined;
  const [oldest = { at: now }] = reservations.slice(-maxCount);
  return new Date(oldest.at.getTime() + dayMs);
}

function createDayLimitError(nextAt: Date, maxCount: number, limit: LimitName, noun: string): LimitReachedError {
  const seconds = Math.max(1, Math.ceil((nextAt.getTime() - Date.now()) / 1000));
  return new LimitReachedError(
    `You have added ${maxCount} ${noun} in the last 24 hours. This is the limit for one account. You can add the next one in ${formatDuration(seconds)}.`,
    limit,
    seconds,
  );
}

function createServiceLimitError(isNew: boolean): LimitReachedError {
  const purpose = isNew ? 'add another' : 'restore this one';
  return new LimitReachedError(
    `You have ${limits.liveReviewsPerService} reviews of this service. This is the limit for one account. Delete one of them to ${purpose}.`,
    'reviews-per-service',
    retryAfterDeletionSeconds,
  );
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
