import type { ReportedPart } from '@rtr/shared';
import { type Filter, ObjectId, type UpdateFilter } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { Hidden } from '../database/documents/hidden.ts';
import { deletedAndHiddenAt, hiddenDeletedAt, type ReviewDocument } from '../database/documents/reviews.ts';
import { deletedReviewTtlSeconds } from '../database/migrations.ts';
import { NotFoundError, notFound } from '../errors.ts';
import type { ModeratedContent } from '../moderation/find-contents.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import type { OwnedRow } from '../services/moderation.store.ts';
import { toHidden } from '../to-hidden.ts';
import { changeInBatches } from './change-in-batches.ts';
import {
  isReadableByAuthor,
  notDeleted,
  readableByAuthor,
  toFullReview,
  withoutLongFields,
} from './review-documents.ts';
import { isServiceListed } from './service-visibility.ts';
import type { SummaryStore } from './summaries.store.ts';

export type ReviewModerationStore = ReturnType<typeof createReviewModerationStore>;

export function createReviewModerationStore(
  { reviews, services }: Pick<Collections, 'reviews' | 'services'>,
  summaries: Pick<SummaryStore, 'writeAndUpdate'>,
  { toAddress }: Pick<PictureUse, 'toAddress'>,
) {
  async function listForOperators(filter: Filter<ReviewDocument>, limit = 0): Promise<OwnedRow[]> {
    const projection = { serviceName: 1, createdAt: 1, deletedAt: 1, hidden: 1 };
    const documents = await reviews
      .find(filter, { ...readTimeout, projection })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .toArray();
    return documents.map(({ _id, serviceName, createdAt, deletedAt, hidden }) => ({
      id: _id.toHexString(),
      title: serviceName,
      createdAt,
      isHidden: hidden !== undefined,
      isDeleted: hidden === undefined && deletedAt !== null,
    }));
  }

  /**
   * Finds a review. With the part 'reply', finds the review only if it has a reply. Also finds hidden and deleted
   * reviews, and reviews with a hidden reply.
   */
  function findWithPart(id: string, part: 'review' | 'reply') {
    const filter = { _id: new ObjectId(id), ...(part === 'reply' && { reply: { $exists: true } }) };
    return reviews.findOne(filter, { ...readTimeout, projection: { serviceId: 1 } });
  }

  return {
    /**
     * Finds the part of a review that a customer reports. Throws a NotFoundError unless everyone can read this part. `owner`
     * is the uid of the author of the review or of the reply.
     */
    async findForReport(id: string, part: ReportedPart) {
      const document = await reviews.findOne(
        { _id: new ObjectId(id), ...notDeleted },
        { ...readTimeout, projection: withoutLongFields },
      );
      if (!document || !(await isServiceListed(services, document.serviceId))) throw new NotFoundError(notFound.review);
      const { uid, serviceId, serviceName, reply, photos = [] } = document;
      if (part === 'picture' && photos.length === 0) throw new NotFoundError('This review has no photos.');
      if (part === 'reply' && (!reply || reply.hidden)) throw new NotFoundError('This review has no reply.');
      return { owner: part === 'reply' ? (reply?.uid ?? null) : uid, serviceId, title: serviceName };
    },

    /**
     * Finds the decision that has hidden or removed this part of a review. Throws a NotFoundError unless the customer is the
     * author of the part.
     */
    async findForAppeal(uid: string, id: string, part: ReportedPart) {
      const field = part === 'reply' ? 'reply.uid' : 'uid';
      const document = await reviews.findOne(
        { _id: new ObjectId(id), [field]: uid, ...readableByAuthor },
        { ...readTimeout, projection: withoutLongFields },
      );
      const { hidden, removedPhotos, reply } = document ?? {};
      const decision = part === 'picture' ? removedPhotos : part === 'reply' ? reply?.hidden : hidden;
      if (!document || !decision) throw new NotFoundError(notFound.decision);
      return { at: decision.at, serviceId: document.serviceId, title: document.serviceName };
    },

    /** Records that the author has asked for another look at this decision. */
    async setAppealed(id: string, part: ReportedPart, { at, serviceId }: { at: Date; serviceId: ObjectId }) {
      const field = fieldOf(part);
      await reviews.updateOne(
        { _id: new ObjectId(id), serviceId, [`${field}.at`]: at },
        { $set: { [`${field}.isAppealed`]: true } },
      );
    },

    /** Finds reviews by their ids, with their hidden parts. Deleted reviews are returned without their content. */
    async findForModeration(ids: readonly string[]): Promise<Map<string, ModeratedContent>> {
      const documents = await reviews
        .find({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, { ...readTimeout, projection: withoutLongFields })
        .toArray();
      const serviceIds = documents.map(({ serviceId }) => serviceId);
      const foundServices = await services
        .find({ _id: { $in: serviceIds } }, { ...readTimeout, projection: { createdBy: 1, hiddenAt: 1 } })
        .toArray();
      return new Map(
        documents.map((document) => {
          const service = foundServices.find((found) => found._id.equals(document.serviceId));
          const { _id, uid, hidden, reply, photos = [], updatedAt } = document;
          return [
            _id.toHexString(),
            {
              ...(isReadableByAuthor(document) && { review: toFullReview(document, toAddress) }),
              hidden: {
                ...(hidden && { review: toHidden(hidden) }),
                ...(reply?.hidden && { reply: toHidden(reply.hidden) }),
              },
              contentVersion: `${updatedAt.toISOString()} ${reply?.updatedAt.toISOString() ?? ''}`,
              hasReply: reply !== undefined,
              pictures: photos.map(({ url }) => url),
              isReadable: document.deletedAt === null && service?.hiddenAt === null,
              lister: service?.createdBy ?? null,
              author: uid,
              replier: reply?.uid,
            },
          ];
        }),
      );
    },

    /**
     * Hides a part of a review, or restores it. A hidden review does not count in the summary of its service. If the author
     * has deleted the review, it stays deleted even after a moderator restores it.
     */
    async setHidden(
      id: string,
      hidden: Hidden | null,
      part: 'review' | 'reply' = 'review',
    ): Promise<'done' | 'already' | 'missing'> {
      const review = await findWithPart(id, part);
      if (!review) return 'missing';
      const filter = {
        _id: review._id,
        serviceId: review.serviceId,
        [fieldOf(part)]: { $exists: hidden === null },
        // The lister may delete the reply before this write.
        ...(part === 'reply' && { 'reply.uid': { $exists: true } }),
      };
      const { matchedCount } = await (part === 'review'
        ? summaries.writeAndUpdate(review.serviceId, (recheck) =>
            reviews.updateOne(filter, [...updateOfReview(hidden), { $set: recheck }]),
          )
        : reviews.updateOne(filter, updateOf(fieldOf(part), hidden)));
      return matchedCount === 1 ? 'done' : 'already';
    },

    /**
     * Erases reviews that are both hidden and deleted, a day after their deletion. The TTL index does not erase them,
     * because `hidden.deletedAt` contains the time of the deletion, and `deletedAt` is a date in the far future.
     */
    async sweep(now = new Date()): Promise<void> {
      const deletedAt = { $lt: new Date(now.getTime() - deletedReviewTtlSeconds * 1000) };
      // MongoDB uses the partial index `eraseDeleted` only if the query contains the condition of the index, `$type`.
      const expired = { deletedAt: { $eq: deletedAndHiddenAt, $type: 'date' as const }, 'hidden.deletedAt': deletedAt };
      await changeInBatches(reviews, expired, (batch) => reviews.deleteMany(batch));
    },

    /** Returns all reviews of a customer, newest first. Hidden and deleted reviews are included. */
    listByAuthor: (uid: string) => listForOperators({ uid }),

    /**
     * Returns the newest 100 reviews that contain this picture, newest first. The picture can be a photo of the review, the
     * picture of the service, or the profile picture of the author.
     */
    listByPicture: (stored: string) =>
      listForOperators({ $or: [{ 'photos.url': stored }, { img: stored }, { costomerImg: stored }] }, 100),
  };
}

/** Returns the name of the field that is present while this part of a review is hidden or removed. */
function fieldOf(part: ReportedPart) {
  if (part === 'picture') return 'removedPhotos';
  return part === 'reply' ? 'reply.hidden' : 'hidden';
}

function updateOf(field: string, hidden: Hidden | null): UpdateFilter<ReviewDocument> {
  return hidden ? { $set: { [field]: hidden } } : { $unset: { [field]: 1 } };
}

function updateOfReview(hidden: Hidden | null) {
  if (!hidden) return [{ $set: { deletedAt: '$hidden.deletedAt' } }, { $unset: 'hidden' }];
  // `$literal` is necessary, because MongoDB would read a reason that begins with `$` as the name of a field.
  const reason = { $literal: hidden.reason };
  const deletedAt = { $cond: [{ $eq: ['$deletedAt', null] }, hiddenDeletedAt, deletedAndHiddenAt] };
  return [{ $set: { hidden: { at: hidden.at, reason, deletedAt: '$deletedAt' }, deletedAt } }];
}
