import { limits, type ServiceInput } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import { type Hidden, hidden } from './hidden.ts';
import { count, type DocumentSchema, date, nullable, starsOrZero, text, texts } from './schema.ts';

export interface ServiceDocument extends ServiceInput {
  _id: ObjectId;
  listerName: string;
  createdAt: Date;
  /** The time of the last edit. It equals `createdAt` if there was none. */
  updatedAt: Date;
  /**
   * The uid of the customer who listed the service. Null if this customer has deleted their account. The API never sends the
   * uid to clients.
   */
  createdBy: string | null;
  /** The public id of this customer: `listerId` of their document in `listers`. Null if `createdBy` is null. */
  listerId: ObjectId | null;
  /** A SHA-256 hash of the content of the request that added the service. Null if the request had no Idempotency-Key. */
  requestHash: string | null;
  /** The normalized words of the title, the area and the description. Empty while the service is not listed. */
  words: string[];
  /**
   * The words of the title and the area, and their beginnings (see `titleWordsOf`), and the words of the area with a mark
   * (see `areaKeysOf`). Empty while the service is not listed.
   */
  titleWords: string[];
  /**
   * The first number in the text of the price. Infinity if the text has no number, so that the service is last in the order
   * by price.
   */
  priceNumber: number;
  reviewCount: number;
  ratingCount: number;
  /**
   * The average of the stars that count. For each customer except the lister, only the newest review with stars counts.
   * 0 if no stars count, so that the service is last in the order by rating.
   */
  averageRating: number;
  /** `averageRating` without its decimals, for the filter by stars. */
  fullStars: number;
  /** How many customers gave 1, 2, 3, 4 and 5 stars. As for `averageRating`, only the stars that count are included. */
  distribution: [number, number, number, number, number];
  /**
   * The summary (the review count and the stars) is stale while this number differs from `summarisedVersion`. To mark the
   * summary as stale, the API increments only this number. A recomputation increments this number, and copies the new
   * number to `summarisedVersion`.
   */
  summaryVersion: number;
  summarisedVersion: number;
  /**
   * The sweep recomputes the summary once more at this time, even if it is not stale then. Null if no such recomputation is
   * planned.
   */
  recheckAt: Date | null;
  /**
   * The time when the service was hidden, or when it was withdrawn if it is not hidden. Null while the service is listed.
   */
  hiddenAt: Date | null;
  /** The time when the lister withdrew the service. Null if the service is not withdrawn. */
  withdrawnAt: Date | null;
  /** Why an operator or a moderator has hidden the service. Absent if the service is not hidden. */
  hiddenReason?: string;
  /** True if the lister has asked for another look at the decision that has hidden the service. */
  isHidingAppealed?: true;
  /** Present if a moderator has removed the picture, until the lister adds another one. */
  removedPicture?: Hidden;
}

/** A word of services. */
export interface VocabularyDocument {
  _id: string;
  /** Variants of the word with letters removed (see `deletionsOf`). Empty if the word is never used as a correction. */
  deletions: string[];
}

export const serviceSchema: DocumentSchema = {
  required: {
    title: text(limits.titleLength),
    ratting: text(limits.listerRatingLength),
    img: text(limits.urlLength),
    price: text(limits.priceLength),
    description: text(limits.descriptionLength),
    phone: text(limits.phoneLength),
    website: text(limits.urlLength),
    area: text(limits.areaLength),
    hours: text(limits.hoursLength),
    licence: text(limits.licenceLength),
    insured: { enum: ['', 'yes', 'no'] },
    listerName: text(limits.nameLength),
    createdAt: date,
    updatedAt: date,
    createdBy: nullable('string'),
    listerId: nullable('objectId'),
    requestHash: nullable('string'),
    words: texts,
    titleWords: texts,
    priceNumber: count,
    reviewCount: count,
    ratingCount: count,
    averageRating: starsOrZero,
    fullStars: starsOrZero,
    distribution: { bsonType: 'array', minItems: 5, maxItems: 5, items: count },
    summaryVersion: count,
    summarisedVersion: count,
    recheckAt: nullable('date'),
    hiddenAt: nullable('date'),
    withdrawnAt: nullable('date'),
  },
  optional: {
    hiddenReason: text(limits.operatorReasonLength),
    isHidingAppealed: { bsonType: 'bool' },
    removedPicture: hidden,
  },
};

export const vocabularySchema: DocumentSchema = {
  required: { _id: { bsonType: 'string' }, deletions: texts },
};
