import {
  type DeleteResult,
  limits,
  type OwnReview,
  type OwnReviewsQuery,
  type Review,
  type ReviewEdit,
  type ServiceReviewsQuery,
  type UpdateResult,
} from '@rtr/shared';
import { type Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { deletedAndHiddenAt, type ReviewDocument } from '../database/documents/reviews.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { countUpTo, cursorValue, findPage, type Page, preparePage, type SortOrder } from '../database/pagination.ts';
import { ForbiddenError, NotFoundError, OutdatedVersionError } from '../errors.ts';
import { noUploads, type PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas/quotas.store.ts';
import { createReviewInserts, markPhotos } from './insert-review.ts';
import {
  isReadableByAuthor,
  newestFirst,
  notDeleted,
  readableByAuthor,
  starFields,
  toOwnReview,
  toReview,
  withoutVoters,
} from './review-documents.ts';
import { findHiddenServices, findVisibility } from './service-visibility.ts';
import type { SummaryStore } from './summaries.store.ts';

const restoreWindowMs = limits.restoreMinutes * 60_000;

/** The number of reviews that one delete command erases. It is small, so that the command ends before its timeout. */
const reviewsPerErasure = 100;

/** The number of reviews whose services are looked up with one command. */
const reviewsPerBatch = 100;

const sortOrders = {
  newest: { fields: newestFirst },
  useful: { fields: [['usefulCount', -1, cursorValue.count], ...newestFirst] },
  highest: { fields: [['rating', -1, cursorValue.number], ...newestFirst] },
  lowest: { fields: [['lowestRating', 1, cursorValue.number], ...newestFirst] },
  unanswered: { fields: [['awaitsReply', -1, cursorValue.boolean], ...newestFirst] },
} satisfies Record<string, SortOrder>;

const reviewNotFound = 'No review has this id.';
const reviewGone = 'No review has this id. It may have been deleted.';
const restoreTooLate = `No such review can be restored. A review can be restored for ${limits.restoreMinutes} minutes after its deletion.`;

/** The document that the last stage of a page of reviews adds. */
type ListedService = Pick<ServiceDocument, 'hiddenPictures'> & { countOfListed: number };

export type ReviewStore = ReturnType<typeof createReviewStore>;

export function createReviewStore(
  { reviews, services }: Pick<Collections, 'reviews' | 'services'>,
  summaries: Pick<SummaryStore, 'writeAndUpdate' | 'writeAndInvalidate' | 'recompute' | 'createListedServiceStage'>,
  /** The quotas of customers. Without quotas, the number of writes is not limited. */
  quotas?: Pick<Quotas, 'addReview' | 'createReviewFilters' | 'restoreReview'>,
  pictures: PictureUse = noUploads,
) {
  const { toAddress } = pictures;

  /** Converts the reviews of one author, and marks the reviews whose service is no longer listed. */
  async function toOwnReviews(documents: readonly ReviewDocument[]): Promise<OwnReview[]> {
    const hiddenServices = await findHiddenServices(
      services,
      documents.map(({ serviceId }) => serviceId),
    );
    return documents.map((document) => {
      const { hiddenAt = null, hiddenPictures } = hiddenServices.get(document.serviceId.toHexString()) ?? {};
      return toOwnReview(document, toAddress, hiddenPictures, hiddenAt !== null);
    });
  }

  async function createOutdatedVersionError(current: ReviewDocument): Promise<OutdatedVersionError> {
    const { isListed, hiddenPictures } = await findVisibility(services, current.serviceId);
    return new OutdatedVersionError(
      'This review was edited in the meantime. Compare your edit with the current version, and send it again.',
      toOwnReview(current, toAddress, hiddenPictures, !isListed),
    );
  }

  async function* streamDocuments(filter: Filter<ReviewDocument>): AsyncGenerator<ReviewDocument> {
    yield* reviews.find(filter, { batchSize: 100, projection: withoutVoters }).sort({ createdAt: -1, _id: -1 });
  }

  /**
   * Finds a review that the customer may change. Its `serviceId` is the shard key, which the caller needs to write to only
   * one shard. Throws a ForbiddenError if the review belongs to another customer, and a NotFoundError if the review does not
   * exist.
   */
  async function findOwn(ownFilter: Filter<ReviewDocument>, notFoundMessage: string): Promise<ReviewDocument> {
    const options = { ...readTimeout, projection: withoutVoters };
    const own = await reviews.findOne(ownFilter, options);
    if (own) return own;
    const { uid: _, ...filterForAnyAuthor } = ownFilter;
    const other = await reviews.findOne(filterForAnyAuthor, options);
    if (other && (await findVisibility(services, other.serviceId)).isListed)
      throw new ForbiddenError('This review belongs to someone else. Only its author can change it.');
    throw new NotFoundError(notFoundMessage);
  }

  return {
    ...createReviewInserts({ reviews, services }, summaries, pictures, quotas),

    async findPageByService({
      serviceId,
      rating,
      sort = 'newest',
      limit,
      after,
    }: ServiceReviewsQuery): Promise<Page<Review>> {
      const serviceObjectId = new ObjectId(serviceId);
      const filter = { serviceId: serviceObjectId, ...notDeleted, ...(rating !== undefined && { rating }) };
      const page = preparePage({
        listKey: ['reviews of', serviceId, sort, rating],
        filter,
        // In a list that is filtered by stars, all reviews have the same stars. So the orders `highest` and `lowest` are the
        // same as `newest`.
        order: rating === undefined || sort === 'useful' ? sortOrders[sort] : sortOrders.newest,
        limit,
        after,
      });
      // A single command reads the reviews, the review count of the service and its hidden pictures.
      const pipeline = [
        { $match: page.filter },
        { $sort: page.sort },
        { $limit: page.limit },
        { $project: withoutVoters },
        summaries.createListedServiceStage(serviceObjectId),
      ];
      const [found, countWithStars] = await Promise.all([
        reviews.aggregate<ReviewDocument | ListedService>(pipeline, readTimeout).toArray(),
        rating === undefined ? undefined : countUpTo(reviews, filter),
      ]);
      const last = found.pop();
      if (!last || !('countOfListed' in last)) return { rows: [], totalCount: 0 };
      const { rows, ...rest } = page.toPage(
        found as ReviewDocument[],
        rating === undefined ? last.countOfListed : countWithStars,
      );
      return { ...rest, rows: rows.map((row) => toReview(row, toAddress, last.hiddenPictures)) };
    },

    async *streamByService(serviceId: string): AsyncGenerator<Review> {
      const serviceObjectId = new ObjectId(serviceId);
      const { isListed, hiddenPictures } = await findVisibility(services, serviceObjectId);
      if (!isListed) return;
      for await (const document of streamDocuments({ serviceId: serviceObjectId, ...notDeleted }))
        yield toReview(document, toAddress, hiddenPictures);
    },

    async findPageByAuthor(uid: string, { serviceId, limit, after }: OwnReviewsQuery): Promise<Page<OwnReview>> {
      const { rows, ...page } = await findPage(reviews, {
        listKey: ['own reviews', uid, serviceId],
        filter: { uid, ...readableByAuthor, ...(serviceId !== undefined && { serviceId: new ObjectId(serviceId) }) },
        order: sortOrders.newest,
        projection: withoutVoters,
        limit,
        after,
      });
      return { ...page, rows: await toOwnReviews(rows) };
    },

    async *streamByAuthor(uid: string): AsyncGenerator<OwnReview> {
      let batch: ReviewDocument[] = [];
      for await (const document of streamDocuments({ uid, ...readableByAuthor })) {
        batch.push(document);
        if (batch.length < reviewsPerBatch) continue;
        yield* await toOwnReviews(batch);
        batch = [];
      }
      yield* await toOwnReviews(batch);
    },

    /**
     * Finds a review. The result contains the email address if `uid` is the author of the review. A hidden review, and a
     * review of a hidden service, is found only for its author.
     */
    async find(id: string, uid: string | undefined): Promise<Review | OwnReview> {
      const document = await reviews.findOne({ _id: new ObjectId(id) }, { ...readTimeout, projection: withoutVoters });
      if (!document || !isReadableByAuthor(document)) throw new NotFoundError(reviewNotFound);
      const { isListed, hiddenPictures } = await findVisibility(services, document.serviceId);
      if (document.uid === uid) return toOwnReview(document, toAddress, hiddenPictures, !isListed);
      if (!document.hidden && isListed) return toReview(document, toAddress, hiddenPictures);
      throw new NotFoundError(reviewNotFound);
    },

    /**
     * Edits a review. If `versions` is given and does not contain the time of the last edit (in milliseconds since 1970),
     * throws an OutdatedVersionError.
     */
    async edit(
      id: string,
      uid: string,
      { review, rating, photos }: ReviewEdit,
      { versions, editedAt = new Date() }: { versions?: readonly number[] | undefined; editedAt?: Date } = {},
    ): Promise<UpdateResult> {
      const ownFilter = { _id: new ObjectId(id), uid, ...notDeleted };
      const current = await findOwn(ownFilter, reviewGone);
      const { serviceId, byLister } = current;
      const lastEdit = current.updatedAt.getTime();
      if (versions && !versions.includes(lastEdit)) throw await createOutdatedVersionError(current);
      const changes = {
        ...(review !== undefined && { review }),
        ...(rating !== undefined && starFields(rating, byLister)),
        ...(photos !== undefined && { photos: await markPhotos(pictures, uid, photos) }),
        updatedAt: new Date(Math.max(editedAt.getTime(), lastEdit + 1)),
      };
      const versionFilter = versions && { updatedAt: current.updatedAt };
      const write = (recheck = {}) =>
        reviews.updateOne({ ...ownFilter, serviceId, ...versionFilter }, { $set: { ...changes, ...recheck } });
      // If the stars do not change, the summary does not change.
      const result = await (rating === undefined ? write() : summaries.writeAndUpdate(serviceId, write));
      if (result.matchedCount === 0 && versions)
        throw await createOutdatedVersionError(await findOwn(ownFilter, reviewGone));
      return toUpdateResult(result, reviewGone);
    },

    async delete(id: string, uid: string): Promise<DeleteResult> {
      const ownFilter = { _id: new ObjectId(id), uid, ...notDeleted };
      const { serviceId } = await findOwn(ownFilter, reviewGone);
      const { acknowledged, modifiedCount } = await summaries.writeAndUpdate(serviceId, (recheck) =>
        reviews.updateOne({ ...ownFilter, serviceId }, { $set: { deletedAt: new Date(), ...recheck } }),
      );
      return { acknowledged, deletedCount: modifiedCount };
    },

    /** Restores a deleted review. Idempotent, so a client can repeat the request if the response was lost. */
    async restore(id: string, uid: string): Promise<UpdateResult> {
      const deletedRecently = { $gt: new Date(Date.now() - restoreWindowMs), $lt: deletedAndHiddenAt };
      const ownFilter = { _id: new ObjectId(id), uid, $or: [notDeleted, { deletedAt: deletedRecently }] };
      const { serviceId, deletedAt } = await findOwn(ownFilter, restoreTooLate);
      if (deletedAt === null) return { acknowledged: true, matchedCount: 1, modifiedCount: 0 };
      await quotas?.restoreReview(uid, serviceId, ownFilter._id);
      const result = await summaries.writeAndUpdate(serviceId, (recheck) =>
        reviews.updateOne({ ...ownFilter, serviceId }, { $set: { ...notDeleted, ...recheck } }),
      );
      return toUpdateResult(result, restoreTooLate);
    },

    /** Erases all reviews of a deleted account. Deleted and hidden reviews are included. Idempotent. */
    async eraseAllByAuthor(uid: string): Promise<void> {
      const affected = new Map<string, ObjectId>();
      const options = { ...readTimeout, projection: { serviceId: 1 }, limit: reviewsPerErasure };
      for (;;) {
        const batch = await reviews.find({ uid }, options).toArray();
        if (batch.length === 0) break;
        const services = new Map(batch.map(({ serviceId }) => [serviceId.toHexString(), serviceId]));
        const serviceIds = [...services.values()];
        const filter = { _id: { $in: batch.map(({ _id }) => _id) }, uid, serviceId: { $in: serviceIds } };
        await summaries.writeAndInvalidate(serviceIds, () => reviews.deleteMany(filter));
        for (const [id, serviceId] of services) affected.set(id, serviceId);
      }
      // If this step fails, the request still succeeds, because the sweep recomputes stale summaries.
      await summaries.recompute([...affected.values()]).catch(() => undefined);
    },
  };
}

/**
 * Converts the result of an update. Throws a NotFoundError if no document matched, because another request has then changed
 * or deleted the review in the meantime.
 */
function toUpdateResult(
  { acknowledged, matchedCount, modifiedCount }: UpdateResult,
  notFoundMessage: string,
): UpdateResult {
  if (matchedCount === 0) throw new NotFoundError(notFoundMessage);
  return { acknowledged, matchedCount, modifiedCount };
}
