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
  /** uid of the customer who listed it. Null after their account was deleted. Never sent. */
  createdBy: string | null;
  /** SHA-256 of the content that was sent with an Idempotency-Key. Null without a key. */
  requestHash: string | null;
  /** Normalized words of title and description, for searches. Empty while the service is hidden. */
  words: string[];
  /** The first number in the price text. Infinity without a number, so that it sorts last. */
  priceNumber: number;
  reviewCount: number;
  ratingCount: number;
  /** 0 without ratings, so that it sorts last. */
  averageRating: number;
  /** Number of counted ratings with 1, 2, 3, 4 and 5 stars. */
  distribution: [number, number, number, number, number];
  /** Incremented before and after each review write. It differs from `summarisedVersion` while the summary is stale. */
  summaryVersion: number;
  summarisedVersion: number;
  /** When the sweep recomputes the summary once more. Null if the service had no recent review write. */
  recheckAt: Date | null;
  /** When an operator hid the service. Null or absent while it is visible. */
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
  /** The stars that count, 1 to 5. 0 without stars, so that it sorts last in the order "highest first". */
  rating: number;
  /** Equals `rating`, but 6 without stars, so that it sorts last in the order "lowest first". */
  lowestRating: number;
  /** True if the author listed the service. The stars are then in `listerRating`, which is never counted or sorted by. */
  byLister?: boolean;
  /** 1 to 5, or 0 without stars. */
  listerRating?: number;
  time: string;
  date: string;
  createdAt: Date;
  updatedAt: Date;
  /** When the author deleted the review. Null if it is not deleted. A TTL index erases it one day later. */
  deletedAt: Date | null;
  requestHash: string | null;
  /**
   * Present while an operator hides the review, with its original `deletedAt`. Meanwhile `deletedAt` is `hiddenDeletedAt`,
   * so that every filter and index for reviews that are not deleted excludes hidden ones too.
   */
  hidden?: { at: Date; deletedAt: Date | null };
}

/** The `deletedAt` of hidden reviews: so late that neither a restore nor the TTL index affects them. */
export const hiddenDeletedAt = new Date('9999-12-31');

/** The tombstone of a deleted account. As soon as it exists, the customer's tokens are rejected. */
export interface AccountDocument {
  /** uid. */
  _id: string;
  deletedAt: Date;
  /** When all steps of the deletion were last completed. Null while the deletion is unfinished. */
  finishedAt: Date | null;
}

/** An entry of the audit log: one command of an operator. */
export interface AuditDocument {
  _id: ObjectId;
  at: Date;
  action: string;
  /** An id, or a uid. */
  target: string;
  by: string;
  reason: string;
  /** Null until the command has finished. */
  outcome: 'done' | 'already' | 'missing' | null;
}

/** The recent writes of a customer that count towards a quota. See quotas.store.ts. */
export interface QuotaDocument {
  /** The quota and the uid. */
  _id: string;
  claims: { id: ObjectId; at: Date }[];
  /** When the last claim expires. A TTL index erases the document then. */
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

/** A JSON schema for the documents of a collection. `optional` holds fields that documents of earlier versions lack. */
interface DocumentSchema {
  required: Record<string, Document>;
  optional?: Record<string, Document>;
}

/** The schemas that the database validates every write against. `limits` is written by the rate limiter only. */
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
