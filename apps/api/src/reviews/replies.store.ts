import { createHash } from 'node:crypto';
import {
  type DeleteResult,
  limits,
  type OwnRepliesQuery,
  type OwnReply,
  type OwnService,
  type Reply,
} from '@rtr/shared';
import { ObjectId } from 'mongodb';
import type { Customer } from '../auth/access-token.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ReviewDocument } from '../database/documents/reviews.ts';
import { cursorValue, findPage, type Page, type SortOrder } from '../database/pagination.ts';
import { ForbiddenError, NotFoundError, notFound } from '../errors.ts';
import type { ServiceStore } from '../services/services.store.ts';
import { toHidden } from '../to-hidden.ts';
import { changeInBatches } from './change-in-batches.ts';
import { notDeleted, readableByAuthor, toReply } from './review-documents.ts';

const restoreWindowMs = limits.restoreMinutes * 60_000;

const hiddenReply =
  'A moderator has hidden your reply, so you can neither change it nor write another one. You can read the reason on the page of your reply.';
const replyNotFound = 'This review has no reply of yours.';

/** Replies are sorted by the dates of their reviews, not by their own dates. */
const newestReviewFirst: SortOrder = {
  fields: [
    ['createdAt', -1, cursorValue.date],
    ['_id', -1, cursorValue.id],
  ],
};

/** The number of reviews from which the share of reviews with a reply is computed. */
const reviewsPerShare = 200;

export type ReplyStore = ReturnType<typeof createReplyStore>;

/** Creates the store of the replies of listers. A reply is stored in its review. */
export function createReplyStore({ reviews }: Pick<Collections, 'reviews'>, services: Pick<ServiceStore, 'isLister'>) {
  /**
   * Finds a review of a service that the customer has listed. Throws a NotFoundError if the review cannot be read. Throws a
   * ForbiddenError if another customer has listed the service, or if the customer wrote the review.
   */
  async function findAsLister(id: string, uid: string) {
    const _id = new ObjectId(id);
    const projection = { serviceId: 1, uid: 1, 'reply.hidden': 1 };
    const review = await reviews.findOne({ _id, ...notDeleted }, { ...readTimeout, projection });
    const isLister = review ? await services.isLister(review.serviceId, uid) : undefined;
    if (!review || isLister === undefined) throw new NotFoundError(notFound.deletedReview);
    if (!isLister) throw new ForbiddenError('Only the lister of the service can reply to its reviews.');
    if (review.uid === uid) throw new ForbiddenError('This is your own review. Edit it instead of replying to it.');
    return {
      filter: { _id, serviceId: review.serviceId, ...notDeleted },
      isReplyHidden: Boolean(review.reply?.hidden),
    };
  }

  return {
    /**
     * Adds or edits the reply to a review. If the text stays the same, `updatedAt` also stays the same, so a client can
     * repeat the request. If the lister has recently deleted a reply with the same text, this reply is restored with
     * its old `createdAt` and `updatedAt`.
     */
    async put(id: string, lister: Pick<Customer, 'uid' | 'name'>, text: string, now = new Date()): Promise<Reply> {
      const { filter, isReplyHidden } = await findAsLister(id, lister.uid);
      if (isReplyHidden) throw new ForbiddenError(hiddenReply);
      const hasDeleted = {
        $and: [
          { $eq: ['$deletedReply.hash', hashOf(lister.uid, text)] },
          { $gt: ['$deletedReply.deletedAt', new Date(now.getTime() - restoreWindowMs)] },
        ],
      };
      const timeOf = (field: string) => ({ $cond: [hasDeleted, `$deletedReply.${field}`, now] });
      const reply = {
        uid: { $literal: lister.uid },
        text: { $literal: text },
        name: { $literal: lister.name },
        createdAt: { $ifNull: ['$reply.createdAt', timeOf('createdAt')] },
        updatedAt: { $cond: [{ $eq: ['$reply.text', { $literal: text }] }, '$reply.updatedAt', timeOf('updatedAt')] },
      };
      const updated = await reviews.findOneAndUpdate(
        { ...filter, 'reply.hidden': { $exists: false } },
        [{ $set: { reply: { $mergeObjects: ['$reply', reply] }, awaitsReply: false } }, { $unset: 'deletedReply' }],
        { returnDocument: 'after', projection: { reply: 1 } },
      );
      // If no document matched, the review was deleted, or the reply was hidden, after it was read above. So try again, to
      // throw the error.
      if (!updated?.reply) return this.put(id, lister, text, now);
      return toReply(updated.reply);
    },

    /**
     * Deletes the reply that this customer has written as the lister of the service. Works even if the review or the
     * service cannot be read any more. A hidden reply cannot be deleted, because the customer could then write it
     * again.
     */
    async delete(id: string, uid: string, now = new Date()): Promise<DeleteResult> {
      const ownReply = { _id: new ObjectId(id), 'reply.uid': uid };
      const projection = { serviceId: 1, reply: 1 };
      const review = await reviews.findOne(ownReply, { ...readTimeout, projection });
      if (!review?.reply) {
        await findAsLister(id, uid);
        throw new NotFoundError(replyNotFound);
      }
      if (review.reply.hidden) throw new ForbiddenError(hiddenReply);
      const deletedReply = {
        hash: hashOf(uid, review.reply.text),
        deletedAt: now,
        createdAt: '$reply.createdAt',
        updatedAt: '$reply.updatedAt',
      };
      const { acknowledged, matchedCount } = await reviews.updateOne(
        { ...ownReply, serviceId: review.serviceId, 'reply.hidden': { $exists: false } },
        [{ $set: { deletedReply, awaitsReply: true } }, { $unset: 'reply' }],
      );
      // If no document matched, the reply was deleted or hidden after it was read above. So try again, to throw the error.
      if (matchedCount === 0) return this.delete(id, uid, now);
      return { acknowledged, deletedCount: matchedCount };
    },

    /** Erases the hashes and times of deleted replies whose deletion can no longer be undone. */
    async sweep(now = new Date()): Promise<void> {
      const isExpired = { 'deletedReply.deletedAt': { $lte: new Date(now.getTime() - restoreWindowMs) } };
      await changeInBatches(reviews, isExpired, (batch) => reviews.updateMany(batch, { $unset: { deletedReply: 1 } }));
    },

    /** Counts those reviews of a service that wait for a reply, up to `limits.maxUnansweredCount`. */
    async countUnanswered({ _id, reviewCount, hidden }: Pick<OwnService, '_id' | 'reviewCount' | 'hidden'>) {
      // Nobody can reply to the reviews of a hidden service, so none of them waits for a reply.
      if (reviewCount === 0 || hidden) return 0;
      const filter = { serviceId: new ObjectId(_id), ...notDeleted, awaitsReply: true };
      return reviews.countDocuments(filter, { ...readTimeout, limit: limits.maxUnansweredCount });
    },

    /**
     * Returns how many of the newest reviews of the services have a reply, as a share from 0 to 1. Reviews by the lister do
     * not count, and neither do hidden replies. Returns null if there are no reviews.
     */
    async findShare(serviceIds: readonly ObjectId[]): Promise<number | null> {
      const newest = await reviews
        .find(
          { serviceId: { $in: serviceIds }, ...notDeleted, byLister: { $ne: true } },
          { ...readTimeout, hint: 'newest', projection: { 'reply.createdAt': 1, 'reply.hidden': 1 } },
        )
        .sort({ createdAt: -1, _id: -1 })
        .limit(reviewsPerShare)
        .toArray();
      if (newest.length === 0) return null;
      return newest.filter(({ reply }) => reply && !reply.hidden).length / newest.length;
    },

    /** Returns the replies of a lister, including those to hidden reviews, and to reviews of services that are no longer listed. */
    async findPageByLister(uid: string, { reviewId, hidden, limit, after }: OwnRepliesQuery): Promise<Page<OwnReply>> {
      const { rows, ...page } = await findPage(reviews, {
        listKey: ['own replies', uid, reviewId, hidden],
        filter: {
          'reply.uid': uid,
          ...readableByAuthor,
          ...(reviewId !== undefined && { _id: new ObjectId(reviewId) }),
          ...(hidden && { 'reply.hidden': { $exists: true } }),
        },
        order: newestReviewFirst,
        projection: { serviceId: 1, serviceName: 1, reply: 1, createdAt: 1 },
        limit,
        after,
      });
      return { ...page, rows: rows.flatMap(toOwnReply) };
    },

    /** Erases the replies of a deleted account. Replies to deleted and hidden reviews are included. Idempotent. */
    async eraseAllByLister(uid: string): Promise<void> {
      await changeInBatches(reviews, { 'reply.uid': uid }, (batch) =>
        reviews.updateMany(batch, { $unset: { reply: 1 }, $set: { awaitsReply: true } }),
      );
    },
  };
}

function toOwnReply({ _id, serviceId, serviceName, reply }: ReviewDocument): OwnReply[] {
  if (!reply) return [];
  return [
    {
      ...toReply(reply),
      ...(reply.hidden && { hidden: toHidden(reply.hidden) }),
      reviewId: _id.toHexString(),
      serviceId: serviceId.toHexString(),
      serviceName,
    },
  ];
}

/**
 * Returns a hash of the text of a reply and the uid of its lister. After a reply was deleted, its hash is stored instead of
 * its text, so that the API recognizes the same reply if the lister sends it again.
 */
function hashOf(uid: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([uid, text]))
    .digest('hex');
}
