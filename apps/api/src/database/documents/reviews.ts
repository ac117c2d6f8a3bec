import { limits } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import { type Hidden, hidden } from './hidden.ts';
import { count, type DocumentSchema, date, nullable, starsOrZero, text, texts, uid } from './schema.ts';

export interface ReplyDocument {
  /** The uid of the lister. The API never sends it to clients. */
  uid: string;
  text: string;
  /** The name of the lister when they last saved the reply. */
  name: string;
  createdAt: Date;
  /** The time of the last edit. It equals `createdAt` if there was none. */
  updatedAt: Date;
  /** Present while the reply is hidden. */
  hidden?: Hidden;
}

export interface ReviewDocument {
  _id: ObjectId;
  serviceId: ObjectId;
  serviceName: string;
  price: string;
  img: string;
  customer: string;
  costomerImg: string;
  email: string;
  uid: string;
  review: string;
  /** The normalized words of `review` for searches, each after a space: ' they cleaned the hood'. */
  searchText: string;
  /**
   * From 1 to 5. A review without stars and a review by the lister have 0, so they are last in the order "highest
   * first".
   */
  rating: number;
  /**
   * The same as `rating`, except that 6 replaces 0. So the reviews whose `rating` is 0 are also last in the order
   * "lowest first".
   */
  lowestRating: number;
  /**
   * True if the author also listed the service. The stars are then in `listerRating`, and do not affect counts, averages and
   * orders.
   */
  byLister?: boolean;
  /** The stars that a lister gave to their own service, 1 to 5. 0 without stars. */
  listerRating?: number;
  /**
   * The uids of the customers who marked the review as useful. The API never sends them to clients. Absent before the first
   * vote.
   */
  usefulBy?: string[];
  /** The number of uids in `usefulBy`. */
  usefulCount: number;
  /**
   * The highest milestone that `usefulCount` has ever reached (1, 5, or a multiple of 10), and when it was first reached. The
   * news of the author shows it. Absent before the first vote.
   */
  usefulMilestone?: { count: number; at: Date };
  /** Absent if the review never had photos. */
  photos?: { url: string; alt: string }[];
  reply?: ReplyDocument;
  /**
   * The times of a deleted reply, and a hash of its text. If the lister sends the same text again within 10 minutes,
   * the reply is restored. Later, a sweep removes this field.
   */
  deletedReply?: { hash: string; deletedAt: Date; createdAt: Date; updatedAt: Date };
  /** True while the review has no reply. False for a review by the lister. */
  awaitsReply: boolean;
  time: string;
  date: string;
  createdAt: Date;
  updatedAt: Date;
  /**
   * The time when the author deleted the review. Null if the review is not deleted. A TTL index erases the document one day
   * later. While the review is hidden, the value is one of the dates below.
   */
  deletedAt: Date | null;
  /**
   * The time from which the sweep recomputes the summary of the service once more. Each write that can change the summary
   * sets this time, and the sweep removes it. So the summary becomes correct even if the API crashes after the write,
   * before it has recomputed the summary.
   */
  recheckAt?: Date;
  requestHash: string | null;
  /**
   * Present while the review is hidden by an operator or a moderator. `deletedAt` of the review is then a date in the
   * far future (see `hiddenDeletedAt`). So every filter and index that excludes deleted reviews also excludes hidden
   * reviews. `hidden.deletedAt` keeps the previous value of `deletedAt`.
   */
  hidden?: Hidden & { deletedAt: Date | null };
  /** Present if a moderator has removed photos, until the author adds other ones. */
  removedPhotos?: Hidden;
}

/**
 * The values of `deletedAt` while a review is hidden: one for a review that its author has not deleted, and one for a review
 * that its author has deleted. The dates are so late that the TTL index does not erase the review. A review with one of
 * these dates cannot be restored by its author.
 */
export const hiddenDeletedAt = new Date('9999-12-31');
export const deletedAndHiddenAt = new Date('9999-12-30');

export const reviewSchema: DocumentSchema = {
  required: {
    serviceId: { bsonType: 'objectId' },
    serviceName: text(limits.titleLength),
    price: text(limits.priceLength),
    img: text(limits.urlLength),
    customer: text(limits.nameLength),
    costomerImg: text(limits.urlLength),
    email: text(limits.emailLength),
    uid,
    review: text(limits.reviewLength),
    searchText: { bsonType: 'string' },
    rating: starsOrZero,
    lowestRating: { bsonType: 'number', minimum: 1, maximum: 6 },
    time: text(limits.dateTextLength),
    date: text(limits.dateTextLength),
    createdAt: date,
    updatedAt: date,
    deletedAt: nullable('date'),
    usefulCount: count,
    awaitsReply: { bsonType: 'bool' },
    requestHash: nullable('string'),
  },
  optional: {
    hidden: { ...hidden, required: [...hidden.required, 'deletedAt'] },
    removedPhotos: hidden,
    byLister: { bsonType: 'bool' },
    listerRating: starsOrZero,
    usefulBy: { ...texts, maxItems: limits.usefulVotesPerReview },
    usefulMilestone: { bsonType: 'object', required: ['count', 'at'], properties: { count, at: date } },
    photos: {
      bsonType: 'array',
      maxItems: limits.photosPerReview,
      items: {
        bsonType: 'object',
        required: ['url', 'alt'],
        properties: { url: text(limits.urlLength), alt: text(limits.photoAltLength) },
      },
    },
    reply: {
      bsonType: 'object',
      required: ['uid', 'text', 'name', 'createdAt', 'updatedAt'],
      properties: {
        uid,
        text: { ...text(limits.replyLength), minLength: 1 },
        name: text(limits.nameLength),
        createdAt: date,
        updatedAt: date,
        hidden,
      },
    },
    deletedReply: { bsonType: 'object', required: ['hash', 'deletedAt', 'createdAt', 'updatedAt'] },
    recheckAt: date,
  },
};
