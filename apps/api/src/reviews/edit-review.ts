import { type DeleteResult, limits, type ReviewEdit, type UpdateResult } from '@rtr/shared';
import { type Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { hiddenDeletedAt, type ReviewDocument } from '../database/documents/reviews.ts';
import { ForbiddenError, NotFoundError, notFound, OutdatedVersionError } from '../errors.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas.ts';
import { markPhotos } from './insert-review.ts';
import {
  deletedRecently,
  liveReviewsOf,
  notDeleted,
  starFields,
  textFields,
  toOwnReview,
  withoutLongFields,
} from './review-documents.ts';
import { isServiceListed } from './service-visibility.ts';
import type { SummaryStore } from './summaries.store.ts';

const hiddenReview =
  'A moderator has hidden your review, so you can neither edit nor delete it. You can read the reason on the page My Review.';
const restoreTooLate = `No such review can be restored. A review can be restored for ${limits.restoreMinutes} minutes after its deletion.`;

type OwnFilter = Filter<ReviewDocument> & Pick<ReviewDocument, '_id' | 'uid'>;

/**
 * Creates the functions with which authors edit, delete and restore their reviews. Each function reads the review before it
 * writes. If the write then matches no document, the review was edited, deleted or hidden meanwhile. The function then tries
 * again, so that the result is the same as if the request had arrived later.
 */
export function createReviewEdits(
  { reviews, services }: Pick<Collections, 'reviews' | 'services'>,
  summaries: Pick<SummaryStore, 'writeAndUpdate'>,
  pictures: PictureUse,
  quotas: Pick<Quotas, 'checkReviewsOfService'>,
) {
  /**
   * Finds a review that the customer may change. The caller uses the `serviceId` of the result, which is the shard key, to
   * write to only one shard.
   *
   * If the customer may not change the review, throws an error. The error is a ForbiddenError if the customer's own review
   * is hidden but not deleted, or if the rest of `ownFilter` matches a review of another customer and its service is listed.
   * In all other cases, the error is a NotFoundError.
   */
  async function findOwn(ownFilter: OwnFilter, notFoundMessage: string): Promise<ReviewDocument> {
    const options = { ...readTimeout, projection: withoutLongFields };
    const own = await reviews.findOne(ownFilter, options);
    if (own) return own;
    const { _id, uid, ...filterForAnyAuthor } = ownFilter;
    if (await reviews.findOne({ _id, uid, deletedAt: hiddenDeletedAt }, options))
      throw new ForbiddenError(hiddenReview);
    const other = await reviews.findOne({ ...filterForAnyAuthor, _id, uid: { $ne: uid } }, options);
    if (other && (await isServiceListed(services, other.serviceId)))
      throw new ForbiddenError('This review belongs to someone else. Only its author can change it.');
    throw new NotFoundError(notFoundMessage);
  }

  async function createOutdatedVersionError(current: ReviewDocument): Promise<OutdatedVersionError> {
    const isListed = await isServiceListed(services, current.serviceId);
    return new OutdatedVersionError(
      'This review was edited in the meantime. Compare your edit with the current version, and send it again.',
      toOwnReview(current, pictures.toAddress, !isListed),
    );
  }

  return {
    /**
     * Edits a review. If `versions` is given and does not contain the time of the last edit (in milliseconds since 1970),
     * throws an OutdatedVersionError.
     */
    async edit(
      id: string,
      uid: string,
      { review, rating, photos }: ReviewEdit,
      options: { versions?: readonly number[] | undefined; editedAt?: Date } = {},
    ): Promise<UpdateResult> {
      const { versions, editedAt = new Date() } = options;
      const ownFilter = { _id: new ObjectId(id), uid, ...notDeleted };
      const current = await findOwn(ownFilter, notFound.deletedReview);
      const { serviceId, byLister } = current;
      const lastEdit = current.updatedAt.getTime();
      if (versions && !versions.includes(lastEdit)) throw await createOutdatedVersionError(current);
      const changes = {
        ...(review !== undefined && textFields(review)),
        ...(rating !== undefined && starFields(rating, byLister)),
        ...(photos !== undefined && { photos: await markPhotos(pictures, uid, photos, current.photos) }),
        updatedAt: new Date(Math.max(editedAt.getTime(), lastEdit + 1)),
      };
      const versionFilter = versions && { updatedAt: current.updatedAt };
      const write = (recheck = {}) =>
        reviews.updateOne(
          { ...ownFilter, serviceId, ...versionFilter },
          { $set: { ...changes, ...recheck }, ...(photos?.length && { $unset: { removedPhotos: 1 } }) },
        );
      // An edit without stars does not change the review count and the stars of the service.
      const result = await (rating === undefined ? write() : summaries.writeAndUpdate(serviceId, write));
      if (result.matchedCount === 0) return this.edit(id, uid, { review, rating, photos }, options);
      return toResult(result);
    },

    async delete(id: string, uid: string): Promise<DeleteResult> {
      const ownFilter = { _id: new ObjectId(id), uid, ...notDeleted };
      const { serviceId } = await findOwn(ownFilter, notFound.deletedReview);
      const { acknowledged, modifiedCount } = await summaries.writeAndUpdate(serviceId, (recheck) =>
        reviews.updateOne({ ...ownFilter, serviceId }, { $set: { deletedAt: new Date(), ...recheck } }),
      );
      if (modifiedCount === 0) return this.delete(id, uid);
      return { acknowledged, deletedCount: modifiedCount };
    },

    /** Restores a deleted review. Idempotent, so a client can repeat the request if the response was lost. */
    async restore(id: string, uid: string): Promise<UpdateResult> {
      const ownFilter = { _id: new ObjectId(id), uid, $or: [notDeleted, deletedRecently()] };
      const { serviceId, deletedAt } = await findOwn(ownFilter, restoreTooLate);
      if (deletedAt === null) return { acknowledged: true, matchedCount: 1, modifiedCount: 0 };
      quotas.checkReviewsOfService(
        await reviews.countDocuments(liveReviewsOf(uid, serviceId), readTimeout),
        'restore this one',
      );
      const result = await summaries.writeAndUpdate(serviceId, (recheck) =>
        reviews.updateOne({ ...ownFilter, serviceId }, { $set: { ...notDeleted, ...recheck } }),
      );
      if (result.matchedCount === 0) return this.restore(id, uid);
      return toResult(result);
    },
  };
}

function toResult({ acknowledged, matchedCount, modifiedCount }: UpdateResult): UpdateResult {
  return { acknowledged, matchedCount, modifiedCount };
}
