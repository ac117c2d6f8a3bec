import { limits, type OwnVote, type OwnVotesQuery, type Review, type UsefulVote } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { findPage, type Page } from '../database/pagination.ts';
import { ForbiddenError, LimitReachedError, NotFoundError, notFound } from '../errors.ts';
import { changeInBatches } from './change-in-batches.ts';
import { newestFirst, notDeleted, readableByAuthor } from './review-documents.ts';
import { isServiceListed } from './service-visibility.ts';

const reviewsPerBatch = 100;
/**
 * The Retry-After header for a review with the maximum number of votes. The value is arbitrary, because this limit does
 * not reset with time: a customer must remove their vote first.
 */
const retryAfterSeconds = 60 * 60;

export type VoteStore = ReturnType<typeof createVoteStore>;

/**
 * Creates the store of votes for useful reviews. A review contains its votes, and each vote is one atomic update of the
 * review. So a customer is counted only once, even with concurrent requests. A vote does not change `updatedAt`, because
 * otherwise an edit that the author has begun would fail.
 */
export function createVoteStore({ reviews, services }: Pick<Collections, 'reviews' | 'services'>) {
  async function addTo<T extends Review>(uid: string | undefined, rows: readonly T[]): Promise<T[]> {
    if (uid === undefined || rows.length === 0) return [...rows];
    const found = await reviews
      .find(
        {
          _id: { $in: rows.map(({ _id }) => new ObjectId(_id)) },
          serviceId: { $in: [...new Set(rows.map(({ serviceId }) => serviceId))].map((id) => new ObjectId(id)) },
          usefulBy: uid,
        },
        { ...readTimeout, projection: { _id: 1 }, hint: { _id: 1 } },
      )
      .toArray();
    const usefulIds = new Set(found.map(({ _id }) => _id.toHexString()));
    return rows.map((row) => ({ ...row, isUsefulToMe: usefulIds.has(row._id) }));
  }

  /** Removes the vote of a customer. Returns null if there was none. */
  async function removeVote(_id: ObjectId, uid: string) {
    const vote = { _id, usefulBy: uid };
    const review = await reviews.findOne(vote, { ...readTimeout, projection: { serviceId: 1 } });
    if (!review) return null;
    const { serviceId } = review;
    return reviews.findOneAndUpdate({ ...vote, serviceId }, setVote(uid, false), {
      returnDocument: 'after',
      projection: { usefulCount: 1 },
    });
  }

  return {
    /**
     * Adds `isUsefulToMe` to each review: true if this customer has marked the review as useful. Does not change the reviews
     * for visitors, who have no uid.
     */
    addTo,

    async *addToStream<T extends Review>(uid: string | undefined, rows: AsyncIterable<T>): AsyncGenerator<T> {
      if (uid === undefined) {
        yield* rows;
        return;
      }
      let batch: T[] = [];
      for await (const row of rows) {
        batch.push(row);
        if (batch.length < reviewsPerBatch) continue;
        yield* await addTo(uid, batch);
        batch = [];
      }
      yield* await addTo(uid, batch);
    },

    /**
     * Adds or removes the vote of a customer. Idempotent. A vote can be removed even if the review or its service cannot be
     * read any more.
     */
    async setUseful(id: string, uid: string, isUsefulToMe: boolean): Promise<UsefulVote> {
      const removed = isUsefulToMe ? undefined : await removeVote(new ObjectId(id), uid);
      if (removed) return { usefulCount: removed.usefulCount, isUsefulToMe };
      const filter = { _id: new ObjectId(id), ...notDeleted };
      const projection = { serviceId: 1, uid: 1 };
      const review = await reviews.findOne(filter, { ...readTimeout, projection });
      if (!review || !(await isServiceListed(services, review.serviceId))) throw new NotFoundError(notFound.review);
      if (review.uid === uid)
        throw new ForbiddenError(
          'This is your own review. You can mark only the reviews of other customers as useful.',
        );
      const hasPlace = { $or: [{ usefulBy: uid }, { usefulCount: { $lt: limits.usefulVotesPerReview } }] };
      const updated = await reviews.findOneAndUpdate(
        { ...filter, serviceId: review.serviceId, ...(isUsefulToMe && hasPlace) },
        setVote(uid, isUsefulToMe),
        { returnDocument: 'after', projection: { usefulCount: 1 } },
      );
      if (updated) return { usefulCount: updated.usefulCount, isUsefulToMe };
      if (!(await reviews.findOne(filter, { ...readTimeout, projection }))) throw new NotFoundError(notFound.review);
      throw new LimitReachedError(
        `${limits.usefulVotesPerReview.toLocaleString('en')} customers have marked this review as useful. This is the limit for one review.`,
        'votes-per-review',
        retryAfterSeconds,
      );
    },

    /**
     * Returns the reviews that a customer marked as useful, even if they are hidden or their services are no longer listed.
     */
    async findPageByVoter(uid: string, { limit, after }: OwnVotesQuery): Promise<Page<OwnVote>> {
      const { rows, ...page } = await findPage(reviews, {
        listKey: ['own votes', uid],
        filter: { usefulBy: uid, ...readableByAuthor },
        order: { fields: newestFirst },
        projection: { serviceId: 1, serviceName: 1, createdAt: 1 },
        limit,
        after,
      });
      return {
        ...page,
        rows: rows.map(({ _id, serviceId, serviceName }) => ({
          reviewId: _id.toHexString(),
          serviceId: serviceId.toHexString(),
          serviceName,
        })),
      };
    },

    /** Removes all votes of a deleted account. Idempotent. */
    async removeAllBy(uid: string): Promise<void> {
      await changeInBatches(reviews, { usefulBy: uid }, (batch) => reviews.updateMany(batch, setVote(uid, false)));
    },
  };
}

/**
 * The milestone that this number of votes has reached: 1, 5, or a multiple of 10. Before the first vote, it is 0.
 */
const milestone = {
  $cond: [
    { $gte: ['$usefulCount', 10] },
    { $subtract: ['$usefulCount', { $mod: ['$usefulCount', 10] }] },
    { $cond: [{ $gte: ['$usefulCount', 5] }, 5, { $min: ['$usefulCount', 1] }] },
  ],
};

/**
 * Creates the stages of an update that adds or removes a vote and then counts all votes of the review. The time of a
 * milestone is that of the first vote that reached it, so a repeated vote is not news again.
 */
function setVote(uid: string, isUseful: boolean) {
  const voters = { $ifNull: ['$usefulBy', []] };
  const voter = [{ $literal: uid }];
  return [
    { $set: { usefulBy: isUseful ? { $setUnion: [voters, voter] } : { $setDifference: [voters, voter] } } },
    { $set: { usefulCount: { $size: '$usefulBy' } } },
    {
      $set: {
        usefulMilestone: {
          $cond: [
            { $gt: [milestone, { $ifNull: ['$usefulMilestone.count', 0] }] },
            { count: milestone, at: new Date() },
            '$usefulMilestone',
          ],
        },
      },
    },
  ];
}
