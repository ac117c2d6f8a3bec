import { customerLimits, type LimitName } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import type { Collections } from './database.ts';
import { readDeadline } from './database.ts';
import { HttpError } from './http/problem.ts';

const dayMs = 24 * 60 * 60_000;
/** After this time an admitted write has been stored or has failed: it is longer than the database's deadlines together. */
const inFlightMs = 10_000;
/** What Retry-After says where only a deletion helps. */
const retryAfterDeletionSeconds = 60 * 60;

/** Limits how much each customer writes. Each method throws a 429 that names the limit. */
export interface Quotas {
  /** `id` is the `_id` of the row to be inserted. Asked again with the same `id`, it counts nothing. */
  addService(uid: string, id: ObjectId): Promise<void>;
  addReview(uid: string, serviceId: ObjectId, id: ObjectId): Promise<void>;
  /** A restored review counts as live again, but not as a new one. */
  restoreReview(uid: string, serviceId: ObjectId, id: ObjectId): Promise<void>;
}

/** For seeds, tests and RATE_LIMITS=off. */
export const unlimited: Quotas = {
  addService: async () => {},
  addReview: async () => {},
  restoreReview: async () => {},
};

interface Count {
  most: number;
  /** How long a claim counts, in milliseconds. */
  windowMs: number;
  /** Rows that count beside the claims. */
  live?: ObjectId[];
  /** Rows that were deleted within the window: claims from before their deletion do not count. */
  deleted?: { id: ObjectId; at: Date }[];
}

/**
 * A row is claimed before it is written, by one atomic update of one document that holds the claims of a customer. So
 * requests at once, on any number of instances, never exceed a limit together. A claim holds the row's `_id`, which an
 * Idempotency-Key keeps the same: a repeat finds its own claim. Claims outlive their rows, so deleting does not make room
 * in a day's limit.
 */
export function customerQuotas(
  { quotas, reviews }: Pick<Collections, 'quotas' | 'reviews'>,
  refused: (limit: LimitName) => void,
): Quotas {
  /** Undefined when the row is admitted, else when there is room again. */
  async function claim(
    key: string,
    id: ObjectId,
    { most, windowMs, live = [], deleted = [] }: Count,
  ): Promise<Date | undefined> {
    const now = new Date();
    const deletedSince = {
      $map: {
        input: deleted,
        as: 'row',
        in: { $and: [{ $eq: ['$$row.id', '$$claim.id'] }, { $gt: ['$$row.at', '$$claim.at'] }] },
      },
    };
    const counts = {
      $and: [
        { $gt: ['$$claim.at', new Date(now.getTime() - windowMs)] },
        { $not: [{ $anyElementTrue: [deletedSince] }] },
      ],
    };
    const isAdmitted = {
      $and: [{ $not: [{ $in: [id, '$claims.id'] }] }, { $lt: [{ $size: { $setUnion: ['$claims.id', live] } }, most] }],
    };
    const kept = await quotas.findOneAndUpdate(
      { _id: key },
      [
        { $set: { claims: { $filter: { input: { $ifNull: ['$claims', []] }, as: 'claim', cond: counts } } } },
        {
          $set: {
            claims: { $cond: [isAdmitted, { $concatArrays: ['$claims', [{ id, at: now }]] }, '$claims'] },
            expire: new Date(now.getTime() + windowMs),
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const claims = kept?.claims ?? [];
    if (claims.some((claim) => claim.id.equals(id))) return undefined;
    const [oldest = { at: now }] = claims.slice(-most);
    return new Date(oldest.at.getTime() + windowMs);
  }

  async function claimOfDay(key: string, id: ObjectId, most: number, limit: LimitName, what: string): Promise<void> {
    const until = await claim(key, id, { most, windowMs: dayMs });
    if (!until) return;
    refused(limit);
    const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
    throw new HttpError(
      429,
      `You have ${what} in the last 24 hours, and one account can add no more than that. You can add the next one in ${inWords(seconds)}.`,
      { limit, headers: { 'Retry-After': String(seconds) } },
    );
  }

  async function claimLive(uid: string, serviceId: ObjectId, id: ObjectId, purpose: string): Promise<void> {
    const most = customerLimits.liveReviewsPerService;
    const own = { serviceId, uid };
    const since = new Date(Date.now() - inFlightMs);
    const [live, deleted] = await Promise.all([
      reviews
        .find({ ...own, deletedAt: null }, { ...readDeadline, projection: { _id: 1 } })
        .limit(most)
        .toArray(),
      reviews.find({ ...own, deletedAt: { $gt: since } }, { ...readDeadline, projection: { deletedAt: 1 } }).toArray(),
    ]);
    const refusedUntil = await claim(`reviews-of:${serviceId.toHexString()}:${uid}`, id, {
      most,
      windowMs: inFlightMs,
      live: live.map(({ _id }) => _id),
      deleted: deleted.map(({ _id, deletedAt }) => ({ id: _id, at: deletedAt ?? since })),
    });
    if (!refusedUntil) return;
    refused('reviews-per-service');
    throw new HttpError(
      429,
      `You have ${most} reviews of this service, and one account can have no more than that. Delete one of them to ${purpose}.`,
      { limit: 'reviews-per-service', headers: { 'Retry-After': String(retryAfterDeletionSeconds) } },
    );
  }

  return {
    addService: (uid, id) => {
      const most = customerLimits.servicesPerDay;
      return claimOfDay(`services:${uid}`, id, most, 'services-per-day', `added ${most} services`);
    },

    async addReview(uid, serviceId, id) {
      // The limit of the day comes last: what another limit refuses does not count in it.
      await claimLive(uid, serviceId, id, 'write another');
      const most = customerLimits.reviewsPerDay;
      await claimOfDay(`reviews:${uid}`, id, most, 'reviews-per-day', `written ${most} reviews`);
    },

    restoreReview: (uid, serviceId, id) => claimLive(uid, serviceId, id, 'bring this one back'),
  };
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
