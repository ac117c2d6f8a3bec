import type { ListerPageQuery, OwnReview, OwnReviewsQuery, Review, ServiceReviewsQuery } from '@rtr/shared';
import { type Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { createListCounter } from '../database/count.ts';
import type { ReviewDocument } from '../database/documents/reviews.ts';
import { cursorValue, findPage, type Page, preparePage, type SortOrder } from '../database/pagination.ts';
import { NotFoundError, notFound } from '../errors.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas.ts';
import type { ListerStore } from '../services/listers.store.ts';
import { normalizeWords } from '../words.ts';
import { changeInBatches } from './change-in-batches.ts';
import { createReviewEdits } from './edit-review.ts';
import { createReviewInserts } from './insert-review.ts';
import {
  deletedRecently,
  isReadableByAuthor,
  newestFirst,
  notDeleted,
  type PublicReviewDocument,
  readableByAuthor,
  toOwnReview,
  toReview,
  withoutLongFields,
  withoutPrivateFields,
} from './review-documents.ts';
import { findListedServices, isServiceListed } from './service-visibility.ts';
import type { SummaryStore } from './summaries.store.ts';

/** The number of reviews whose services are looked up with one command. */
const reviewsPerBatch = 100;

const sortOrders = {
  newest: { fields: newestFirst },
  useful: { fields: [['usefulCount', -1, cursorValue.count], ...newestFirst] },
  highest: { fields: [['rating', -1, cursorValue.number], ...newestFirst] },
  lowest: { fields: [['lowestRating', 1, cursorValue.number], ...newestFirst] },
  unanswered: { fields: [['awaitsReply', -1, cursorValue.boolean], ...newestFirst] },
} satisfies Record<string, SortOrder>;

/**
 * The last document in the result of the query for a page of reviews. It contains the stored review count of the service.
 * The document is missing if the service is not listed.
 */
interface ListedService {
  countOfListed: number;
}

export type ReviewStore = ReturnType<typeof createReviewStore>;

export function createReviewStore(
  { reviews, services }: Pick<Collections, 'reviews' | 'services'>,
  summaries: Pick<SummaryStore, 'writeAndUpdate' | 'writeAndInvalidate' | 'recompute' | 'createListedServiceStage'>,
  pictures: PictureUse,
  quotas: Quotas,
) {
  const { toAddress } = pictures;
  const countList = createListCounter(reviews);

  /** Converts the reviews of one author, and marks the reviews whose service is no longer listed. */
  async function toOwnReviews(documents: readonly ReviewDocument[]): Promise<OwnReview[]> {
    const listed = await findListedServices(
      services,
      documents.map(({ serviceId }) => serviceId),
    );
    return documents.map((document) => toOwnReview(document, toAddress, !listed.has(document.serviceId.toHexString())));
  }

  async function* streamDocuments(filter: Filter<ReviewDocument>): AsyncGenerator<ReviewDocument> {
    yield* reviews.find(filter, { batchSize: 100, projection: withoutLongFields }).sort({ createdAt: -1, _id: -1 });
  }

  return {
    ...createReviewInserts({ reviews, services }, summaries, pictures, quotas),
    ...createReviewEdits({ reviews, services }, summaries, pictures, quotas),

    async findPageByService({
      serviceId,
      rating,
      q = '',
      photos,
      sort = 'newest',
      limit,
      after,
    }: ServiceReviewsQuery): Promise<Page<Review>> {
      const serviceObjectId = new ObjectId(serviceId);
      const typed = normalizeWords(q);
      const selected = {
        ...(rating !== undefined && { rating }),
        ...(photos && { 'photos.0': { $exists: true } }),
        // The words contain only letters, digits and marks, so they need no escaping.
        ...(typed.length > 0 && { $and: typed.map((word) => ({ searchText: { $regex: ` ${word}` } })) }),
      };
      const isSelection = Object.keys(selected).length > 0;
      // In a list that is filtered by stars, all reviews have the same stars. So the orders `highest` and `lowest` are the
      // same as `newest`. The order `unanswered` is also replaced with `newest`.
      const order = rating === undefined || sort === 'useful' ? sort : 'newest';
      // No index contains the texts and the photos. Without a hint, MongoDB would read the reviews with several indexes to
      // compare these. Each order has an index of the same name.
      const hint = typed.length > 0 || photos ? { hint: order } : {};
      const filter = { serviceId: serviceObjectId, ...notDeleted, ...selected };
      const page = preparePage({
        listKey: ['reviews of', serviceId, sort, rating, typed.join(' '), photos],
        filter,
        order: sortOrders[order],
        limit,
        after,
      });
      // With this pipeline, a single command reads the reviews, and then the review count of the service.
      const pipeline = [
        { $match: page.filter },
        { $sort: page.sort },
        { $limit: page.limit },
        { $project: withoutPrivateFields },
        summaries.createListedServiceStage(serviceObjectId),
      ];
      const found = await reviews
        .aggregate<PublicReviewDocument | ListedService>(pipeline, { ...readTimeout, ...hint })
        .toArray();
      const last = found.pop();
      if (!last || !('countOfListed' in last)) return { rows: [], totalCount: 0 };
      // If the first page has all rows, they are not counted again, because a search for a rare word reads all reviews of the
      // service.
      const isWhole = after === undefined && found.length < page.limit;
      const count =
        isSelection && !isWhole
          ? await countList(JSON.stringify([serviceId, rating, typed, photos]), filter, hint.hint)
          : last.countOfListed;
      const { rows, ...rest } = page.toPage(found as PublicReviewDocument[], count);
      return { ...rest, rows: rows.map((row) => toReview(row, toAddress)) };
    },

    /** Returns a page of the reviews of the listed services of a lister. */
    async findPageByServices(
      { lister, serviceIds }: Awaited<ReturnType<ListerStore['find']>>,
      { limit, after }: ListerPageQuery,
    ): Promise<Page<Review>> {
      const { rows, ...page } = await findPage(reviews, {
        listKey: ['reviews of lister', lister._id],
        filter: { serviceId: { $in: serviceIds }, ...notDeleted },
        order: sortOrders.newest,
        count: async () => lister.reviewCount,
        projection: withoutPrivateFields,
        hint: 'newest',
        limit,
        after,
      });
      return { ...page, rows: rows.map((row) => toReview(row, toAddress)) };
    },

    async *streamByService(serviceId: string): AsyncGenerator<Review> {
      const serviceObjectId = new ObjectId(serviceId);
      if (!(await isServiceListed(services, serviceObjectId))) return;
      for await (const document of streamDocuments({ serviceId: serviceObjectId, ...notDeleted }))
        yield toReview(document, toAddress);
    },

    async findPageByAuthor(
      uid: string,
      { serviceId, deleted, limit, after }: OwnReviewsQuery,
    ): Promise<Page<OwnReview>> {
      const { rows, ...page } = await findPage(reviews, {
        listKey: ['own reviews', uid, serviceId, deleted],
        filter: {
          uid,
          ...(deleted ? deletedRecently() : readableByAuthor),
          ...(serviceId !== undefined && { serviceId: new ObjectId(serviceId) }),
        },
        order: sortOrders.newest,
        projection: withoutLongFields,
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
     * Finds a review. If `uid` is the author of the review, the result contains the author's email address. If the review is
     * hidden, or its service is not listed, only the author can find the review.
     */
    async find(id: string, uid: string | undefined): Promise<Review | OwnReview> {
      const document = await reviews.findOne(
        { _id: new ObjectId(id) },
        { ...readTimeout, projection: withoutLongFields },
      );
      if (!document || !isReadableByAuthor(document)) throw new NotFoundError(notFound.review);
      const isListed = await isServiceListed(services, document.serviceId);
      if (document.uid === uid) return toOwnReview(document, toAddress, !isListed);
      if (!document.hidden && isListed) return toReview(document, toAddress);
      throw new NotFoundError(notFound.review);
    },

    /** Erases all reviews of a deleted account. Deleted and hidden reviews are included. Idempotent. */
    async eraseAllByAuthor(uid: string): Promise<void> {
      const affected = new Map<string, ObjectId>();
      await changeInBatches(reviews, { uid }, async (batch, serviceIds) => {
        await summaries.writeAndInvalidate(serviceIds, () => reviews.deleteMany(batch));
        for (const serviceId of serviceIds) affected.set(serviceId.toHexString(), serviceId);
      });
      // If this recomputation fails, the request still succeeds, because the next sweep recomputes the review counts and
      // stars of these services.
      await summaries.recompute([...affected.values()]).catch(() => undefined);
    },
  };
}
