import type { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { hiddenDeletedAt, type ReviewDocument } from '../database/documents/reviews.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import type { ReportAnswer, ReportStore } from '../moderation/reports.store.ts';
import { createSourceOfDocuments, createSourceOfRows, type Row, type Source } from './news-sources.ts';

/**
 * The maximum number of services whose reviews one query reads. For more than 200 services, MongoDB would sort the reviews in
 * memory, instead of merging an index range of each service.
 */
const servicesPerQuery = 100;

/** Creates the function that returns the sources of the news of a customer. */
export function createSourceFinder(
  {
    services,
    reviews,
    conversations,
    messages,
  }: Pick<Collections, 'services' | 'reviews' | 'conversations' | 'messages'>,
  reports: Pick<ReportStore, 'findAnswers'>,
) {
  /** Returns the sources of reviews by others of the services that the customer has listed. */
  async function findReviewSources(uid: string): Promise<Source[]> {
    const reviewed = await services
      .find({ createdBy: uid, hiddenAt: null, reviewCount: { $gt: 0 } }, { ...readTimeout, projection: { _id: 1 } })
      .toArray();
    const chunks: ObjectId[][] = [];
    for (let start = 0; start < reviewed.length; start += servicesPerQuery)
      chunks.push(reviewed.slice(start, start + servicesPerQuery).map(({ _id }) => _id));
    return chunks.map((ids) =>
      createSourceOfDocuments({
        name: 'review',
        collection: reviews,
        filter: { serviceId: { $in: ids }, deletedAt: null, uid: { $ne: uid } },
        at: 'createdAt',
        index: 'newest',
        projection: { ...ofReview, customer: 1, rating: 1 },
        toEntry: (review) => ({
          kind: 'review',
          ...toReviewPlace(review),
          name: review.customer,
          ...(review.rating > 0 && { rating: review.rating }),
        }),
      }),
    );
  }

  /** Returns the sources of the decisions of moderators that have hidden or removed content of the customer. */
  function createDecisionSources(uid: string): Source[] {
    const decided = { kind: 'decision', outcome: 'hidden' } as const;
    const toServicePlace = ({ _id, title }: ServiceDocument) => ({ serviceId: _id.toHexString(), title });
    return [
      createSourceOfDocuments({
        name: 'hidden review',
        collection: reviews,
        filter: { uid, deletedAt: hiddenDeletedAt },
        at: 'hidden.at',
        index: 'hiddenOwn',
        projection: ofReview,
        toEntry: (review) => ({ ...decided, part: 'review', ...toReviewPlace(review) }),
      }),
      createSourceOfDocuments({
        name: 'removed photos',
        collection: reviews,
        filter: { uid, deletedAt: null },
        at: 'removedPhotos.at',
        index: 'removedPhotos',
        projection: ofReview,
        toEntry: (review) => ({ ...decided, part: 'picture', ...toReviewPlace(review) }),
      }),
      createSourceOfDocuments({
        name: 'hidden reply',
        collection: reviews,
        filter: { 'reply.uid': uid, deletedAt: null },
        at: 'reply.hidden.at',
        index: 'hiddenReplies',
        projection: ofReview,
        toEntry: (review) => ({ ...decided, part: 'reply', ...toReviewPlace(review) }),
      }),
      createSourceOfDocuments({
        name: 'hidden service',
        collection: services,
        filter: { createdBy: uid, hiddenReason: { $exists: true } },
        at: 'hiddenAt',
        index: 'hiddenOwn',
        projection: { title: 1 },
        toEntry: (service) => ({ ...decided, part: 'service', ...toServicePlace(service) }),
      }),
      createSourceOfDocuments({
        name: 'removed picture',
        collection: services,
        filter: { createdBy: uid },
        at: 'removedPicture.at',
        index: 'removedPictures',
        projection: { title: 1 },
        toEntry: (service) => ({ ...decided, part: 'picture', ...toServicePlace(service) }),
      }),
      createSourceOfDocuments({
        name: 'hidden message',
        collection: messages,
        filter: { 'senderNews.uid': uid },
        at: 'hidden.at',
        index: 'hiddenOwn',
        projection: { conversationId: 1, senderNews: 1 },
        toEntry: ({ conversationId, senderNews }) => ({
          ...decided,
          part: 'message',
          serviceId: senderNews?.serviceId.toHexString() ?? '',
          title: senderNews?.serviceTitle ?? '',
          requestId: conversationId.toHexString(),
        }),
      }),
    ];
  }

  /** `since` is the time from which on reports are considered. */
  return async (uid: string, since: Date): Promise<Source[]> => {
    const [reviewSources, answers] = await Promise.all([
      findReviewSources(uid),
      reports.findAnswers(uid, since).then((found) => found.map(toRow)),
    ]);
    return [
      ...reviewSources,
      createSourceOfDocuments({
        name: 'reply',
        collection: reviews,
        filter: { uid, deletedAt: null, 'reply.hidden': { $exists: false } },
        at: 'reply.createdAt',
        index: 'repliesToOwn',
        projection: { ...ofReview, 'reply.name': 1 },
        toEntry: (review) => ({ kind: 'reply', ...toReviewPlace(review), name: review.reply?.name ?? '' }),
      }),
      createSourceOfDocuments({
        name: 'useful',
        collection: reviews,
        filter: { uid, deletedAt: null, $expr: { $gte: ['$usefulCount', '$usefulMilestone.count'] } },
        at: 'usefulMilestone.at',
        index: 'usefulOwn',
        projection: { ...ofReview, 'usefulMilestone.count': 1 },
        toEntry: (review) => ({
          kind: 'useful',
          ...toReviewPlace(review),
          count: review.usefulMilestone?.count ?? 0,
        }),
      }),
      ...createDecisionSources(uid),
      createSourceOfRows(answers),
      createSourceOfDocuments({
        name: 'message',
        collection: conversations,
        filter: { unreadBy: uid },
        at: 'lastActivityAt',
        index: 'unread',
        projection: { serviceId: 1, serviceTitle: 1, 'customer.uid': 1, 'customer.name': 1, 'lister.name': 1 },
        toEntry: ({ _id, serviceId, serviceTitle, customer, lister }) => ({
          kind: 'message',
          serviceId: serviceId.toHexString(),
          title: serviceTitle,
          requestId: _id.toHexString(),
          name: (customer.uid === uid ? lister : customer).name,
        }),
      }),
    ];
  };
}

/** A projection with the fields that every entry about a review needs. */
const ofReview = { serviceId: 1, serviceName: 1 };

function toReviewPlace({ _id, serviceId, serviceName }: Pick<ReviewDocument, '_id' | 'serviceId' | 'serviceName'>) {
  return { serviceId: serviceId.toHexString(), title: serviceName, reviewId: _id.toHexString() };
}

/** Converts the answer to a report, or to a request for another look. */
function toRow({ at, kind, id, about, isAppeal, part, outcome, serviceId, title }: ReportAnswer): Row {
  return {
    at,
    source: 'report',
    key: [id, about, isAppeal].join(' '),
    entry: {
      kind: isAppeal ? 'decision' : 'report',
      part,
      outcome,
      serviceId,
      title,
      ...(kind === 'review' && { reviewId: id }),
    },
  };
}
