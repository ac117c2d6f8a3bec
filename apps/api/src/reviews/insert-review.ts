import type { InsertResult, ReviewInput, ReviewPhoto } from '@rtr/shared';
import { type Document, ObjectId } from 'mongodb';
import type { Customer } from '../auth/access-token.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ReviewDocument } from '../database/documents/reviews.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import {
  createRowIdentity,
  insertIdempotently,
  type RowIdentity,
  toFirstResult,
} from '../database/idempotent-insert.ts';
import { NotFoundError, notFound } from '../errors.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas.ts';
import { liveReviewsOf, starFields, textFields } from './review-documents.ts';
import type { SummaryStore } from './summaries.store.ts';

type ReviewContent = Pick<ReviewInput, 'review' | 'rating' | 'photos'>;
/** The fields of a service that a review needs. */
type ReviewedService = Pick<ServiceDocument, '_id' | 'title' | 'price' | 'img' | 'createdBy' | 'summaryVersion'>;

interface NewReview {
  author: Customer;
  /** The fields that the review copies from its service. */
  service: { _id: string; title: string; price: string; img: string };
  isByLister?: boolean;
  input: ReviewContent & Pick<ReviewInput, 'time' | 'date'>;
  createdAt?: Date;
}

const serviceFields = { title: 1, price: 1, img: 1, createdBy: 1, summaryVersion: 1 };

const pathOf = (id: string) => `/review/${id}`;

/** Creates the functions that insert reviews. docs/decisions/0004 lists the database commands of an insertion. */
export function createReviewInserts(
  { reviews, services }: Pick<Collections, 'reviews' | 'services'>,
  summaries: Pick<SummaryStore, 'writeAndUpdate'>,
  pictures: PictureUse,
  quotas: Quotas,
) {
  /**
   * With one command, reads the data for an insertion: the review that an earlier request inserted with the same
   * idempotency key, the number of the customer's reviews of the service, and the service. The service is read only if it
   * is listed.
   */
  async function readBeforeInsert(_id: ObjectId, uid: string, serviceId: ObjectId) {
    const pipeline: Document[] = [
      { $match: { $or: [{ _id, serviceId }, liveReviewsOf(uid, serviceId)] } },
      { $project: { requestHash: 1 } },
      {
        $unionWith: {
          coll: services.collectionName,
          pipeline: [{ $match: { _id: serviceId, hiddenAt: null } }, { $project: serviceFields }],
        },
      },
    ];
    const found = await reviews.aggregate<ReviewDocument | ReviewedService>(pipeline, readTimeout).toArray();
    const isService = (row: ReviewDocument | ReviewedService): row is ReviewedService => 'title' in row;
    const ownReviews = found.filter((row): row is ReviewDocument => !isService(row));
    return {
      first: ownReviews.find((row) => row._id.equals(_id)),
      reviewCount: ownReviews.length,
      service: found.find(isService),
    };
  }

  /**
   * Inserts a review. The author comes from the token, and the title, price and picture come from the stored service. The
   * request body must not set these values.
   */
  async function insert(
    identity: RowIdentity,
    { author, service, isByLister = false, input, createdAt = new Date() }: NewReview,
    summaryVersion?: number,
  ): Promise<InsertResult> {
    const serviceId = new ObjectId(service._id);
    const { review, rating, photos = [], time, date } = input;
    const row: ReviewDocument = {
      ...identity,
      serviceId,
      serviceName: service.title,
      price: service.price,
      img: pictures.toStored(service.img),
      customer: author.name,
      costomerImg: pictures.toStored(author.picture),
      email: author.email,
      uid: author.uid,
      ...textFields(review),
      ...starFields(rating, isByLister),
      ...(isByLister && { byLister: true }),
      awaitsReply: !isByLister,
      ...(photos.length > 0 && { photos: await markPhotos(pictures, author.uid, photos) }),
      usefulCount: 0,
      time,
      date,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
    };
    return summaries.writeAndUpdate(
      serviceId,
      (recheck) => insertIdempotently(reviews, { ...row, ...recheck }, pathOf),
      summaryVersion,
    );
  }

  return {
    /** Adds a review of the demonstration, which has no limits. */
    insert: (review: NewReview, idempotencyKey: string) =>
      insert(identityOf(review.author.uid, review.service._id, review.input, idempotencyKey), review),

    /**
     * Adds a review of a customer, within the quotas. A repeated request returns the first result, even if the service or a
     * photo does not exist any more.
     */
    async add(author: Customer, input: ReviewInput, idempotencyKey: string | undefined): Promise<InsertResult> {
      const identity = identityOf(author.uid, input.serviceId, input, idempotencyKey);
      const serviceId = new ObjectId(input.serviceId);
      const { first, reviewCount, service } = await readBeforeInsert(identity._id, author.uid, serviceId);
      if (first) return toFirstResult(identity, first, pathOf);
      if (!service) throw new NotFoundError(notFound.service);
      const { title, price, img, createdBy, summaryVersion } = service;
      quotas.checkReviewsOfService(reviewCount, 'add another');
      const review = {
        author,
        service: { _id: input.serviceId, title, price, img },
        isByLister: createdBy === author.uid,
        input,
      };
      return quotas.countDaily('reviews', author.uid, () => insert(identity, review, summaryVersion));
    },
  };
}

/**
 * Marks the photos of a review as used. Returns the photos with the URLs that the database stores. `current` are the
 * photos that the review already has.
 */
export async function markPhotos(
  pictures: Pick<PictureUse, 'useOwn'>,
  uid: string,
  photos: readonly ReviewPhoto[],
  current: readonly ReviewPhoto[] = [],
): Promise<ReviewPhoto[]> {
  const urls = photos.map(({ url }) => url);
  const currentUrls = current.map(({ url }) => url);
  const stored = await pictures.useOwn(uid, urls, (index) => `body.photos.${index}.url`, currentUrls);
  return photos.map(({ alt }, index) => ({ url: stored[index] ?? '', alt }));
}

function identityOf(
  uid: string,
  serviceId: string,
  { review, rating, photos = [] }: ReviewContent,
  idempotencyKey: string | undefined,
) {
  // The hash of `content` shows whether a request is repeated. `content` does not contain `time` and `date`, because
  // they differ if the request is repeated a minute later.
  const content = [serviceId, review, rating ?? null, photos];
  return createRowIdentity(uid, idempotencyKey, serviceId, content);
}
