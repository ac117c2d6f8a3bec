import { limits } from '@rtr/shared';
import type { Collection, Db, Document, ObjectId } from 'mongodb';

export interface ServiceDocument {
  _id: ObjectId;
  title: string;
  ratting: string;
  img: string;
  price: string;
  description: string;
  createdAt: Date;
  /** The uid of the customer who listed the service. Null after the account was deleted. It is never sent to clients. */
  createdBy: string | null;
  /** The SHA-256 of the content that was sent with an Idempotency-Key. Null if there was no key. */
  requestHash: string | null;
  /** The normalized words of title and description, for searches. Empty while the service is hidden. */
  words: string[];
  /** The first number in the price text. Infinity if there is none, so that the service sorts last. */
  priceNumber: number;
  reviewCount: number;
  ratingCount: number;
  /** The average of the ratings that count. 0 if there are none, so that the service sorts last. */
  averageRating: number;
  /** How many of the ratings that count have 1, 2, 3, 4 and 5 stars. */
  distribution: [number, number, number, number, number];
  /**
   * This version is incremented before and after each write of a review. While the summary is stale, it differs from
   * `summarisedVersion`.
   */
  summaryVersion: number;
  summarisedVersion: number;
  /** The time when the sweep recomputes the summary once more. Null if no review of the service was written recently. */
  recheckAt: Date | null;
  /** The time when an operator hid the service. Null or absent while the service is visible. */
  hiddenAt?: Date | null;
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
  /** The stars that count, 1 to 5. It is 0 without stars, so that the review sorts last in the order "highest first". */
  rating: number;
  /** The same as `rating`, but 6 without stars, so that the review sorts last in the order "lowest first". */
  lowestRating: number;
  /** True if the author also listed the service. The stars are then in `listerRating`, which is never counted or sorted by. */
  byLister?: boolean;
  /** The stars of a lister's review of their own service, 1 to 5. It is 0 without stars. */
  listerRating?: number;
  time: string;
  date: string;
  createdAt: Date;
  updatedAt: Date;
  /** The time when the author deleted the review. Null if it is not deleted. A TTL index erases the document one day later. */
  deletedAt: Date | null;
  requestHash: string | null;
  /**
   * Present while an operator hides the review. It keeps the original `deletedAt`. The review's own `deletedAt` is then
   * `hiddenDeletedAt`, so that every filter and index that excludes deleted reviews also excludes hidden ones.
   */
  hidden?: { at: Date; deletedAt: Date | null };
}

/** The `deletedAt` of hidden reviews. It is so late that neither a restore nor the TTL index affects them. */
export const hiddenDeletedAt = new Date('9999-12-31');

/** The tombstone of a deleted account. As soon as it exists, the customer's tokens are rejected. */
export interface AccountDocument {
  /** The uid of the customer. */
  _id: string;
  deletedAt: Date;
  /** The time when all steps of the deletion were completed. Null while the deletion is unfinished. */
  finishedAt: Date | null;
}

/** An entry of the audit log, which records one command of an operator. */
export interface AuditDocument {
  _id: ObjectId;
  at: Date;
  action: string;
  /** The id of a service or a review, or the uid of a customer. */
  target: string;
  by: string;
  reason: string;
  /** The result of the command. Null until the command has finished. */
  outcome: 'done' | 'already' | 'missing' | null;
}

/** The recent writes of a customer that count towards a quota, which quotas.store.ts describes. */
export interface QuotaDocument {
  /** The name of the quota and the uid. */
  _id: string;
  claims: { id: ObjectId; at: Date }[];
  /** The time when the last claim expires. A TTL index then erases the document. */
  expire: Date;
}

export interface Collections {
  services: Collection<ServiceDocument>;
  reviews: Collection<ReviewDocument>;
  accounts: Collection<AccountDocument>;
  audit: Collection<AuditDocument>;
  quotas: Collection<QuotaDocument>;
}

export function getCollections(db: Db): Collections {
  return {
    services: db.collection('services'),
    reviews: db.collection('reviews'),
    accounts: db.collection('accounts'),
    audit: db.collection('audit'),
    quotas: db.collection('quotas'),
  };
}

const text = (maxLength: number) => ({ bsonType: 'string', maxLength });
const date = { bsonType: 'date' };
const count = { bsonType: 'number', minimum: 0 };
const starsOrZero = { bsonType: 'number', minimum: 0, maximum: 5 };
const nullable = (bsonType: string) => ({ bsonType: [bsonType, 'null'] });

/** A JSON schema for the documents of a collection. `optional` has the fields that documents of earlier versions lack. */
interface DocumentSchema {
  required: Record<string, Document>;
  optional?: Record<string, Document>;
}

/** The schemas with which MongoDB validates every write. Only the rate limiter writes to the collection `limits`. */
export const documentSchemas: Record<keyof Collections | 'limits', DocumentSchema> = {
  services: {
    required: {
      title: text(limits.titleLength),
      ratting: text(limits.listerRatingLength),
      img: text(limits.urlLength),
      price: text(limits.priceLength),
      description: text(limits.descriptionLength),
      createdAt: date,
      createdBy: nullable('string'),
      requestHash: nullable('string'),
      words: { bsonType: 'array', items: { bsonType: 'string' } },
      priceNumber: count,
      reviewCount: count,
      ratingCount: count,
      averageRating: starsOrZero,
      distribution: { bsonType: 'array', minItems: 5, maxItems: 5, items: count },
      summaryVersion: count,
      summarisedVersion: count,
      recheckAt: nullable('date'),
    },
    optional: { hiddenAt: nullable('date') },
  },
  reviews: {
    required: {
      serviceId: { bsonType: 'objectId' },
      serviceName: text(limits.titleLength),
      price: text(limits.priceLength),
      img: text(limits.urlLength),
      customer: text(limits.nameLength),
      costomerImg: text(limits.urlLength),
      email: text(limits.emailLength),
      uid: { ...text(limits.uidLength), minLength: 1 },
      review: text(limits.reviewLength),
      rating: starsOrZero,
      lowestRating: { bsonType: 'number', minimum: 1, maximum: 6 },
      time: text(limits.dateTextLength),
      date: text(limits.dateTextLength),
      createdAt: date,
      updatedAt: date,
      deletedAt: nullable('date'),
      requestHash: nullable('string'),
    },
    optional: {
      hidden: { bsonType: 'object', required: ['at', 'deletedAt'] },
      byLister: { bsonType: 'bool' },
      listerRating: starsOrZero,
    },
  },
  accounts: {
    required: { _id: { bsonType: 'string' }, deletedAt: date, finishedAt: nullable('date') },
  },
  audit: {
    required: {
      at: date,
      action: text(limits.auditActionLength),
      target: text(limits.uidLength),
      by: text(limits.operatorNameLength),
      reason: text(limits.operatorReasonLength),
      outcome: nullable('string'),
    },
  },
  quotas: {
    required: { _id: { bsonType: 'string' }, claims: { bsonType: 'array' }, expire: date },
  },
  limits: {
    required: { key: { bsonType: 'string' }, points: { bsonType: 'number' }, expire: nullable('date') },
  },
};
