import { limits, type ModerationAction, type ReportedPart, type ReportReason } from '@rtr/shared';
import type { Binary, Collection, Db, Document, ObjectId } from 'mongodb';

/** Why an operator or a moderator has hidden content, and when. */
export interface Hidden {
  at: Date;
  reason: string;
}

export interface HiddenPicture extends Hidden {
  /** The address of the picture, in the form in which rows store it. */
  url: string;
}

export interface ServiceDocument {
  _id: ObjectId;
  title: string;
  ratting: string;
  img: string;
  price: string;
  description: string;
  /** The contact fields and `listerName` are absent in services of earlier versions. */
  phone?: string;
  website?: string;
  area?: string;
  listerName?: string;
  createdAt: Date;
  /** The time of the last edit. Absent if the service was never edited. */
  updatedAt?: Date;
  /**
   * The uid of the customer who listed the service. Null if this customer has deleted their account. The API never sends the
   * uid to clients.
   */
  createdBy: string | null;
  /** A SHA-256 hash of the content of the request that added the service. Null if the request had no Idempotency-Key. */
  requestHash: string | null;
  /** The normalized words of the title and the description, for searches. Empty while the service is hidden. */
  words: string[];
  /**
   * The normalized words of the title. Empty while the service is hidden. Absent in services of earlier versions of the API,
   * until a sweep adds them to the search index.
   */
  titleWords?: string[];
  /**
   * The first number in the text of the price. Infinity if the text has no number, so that the service is last in the order
   * by price.
   */
  priceNumber: number;
  reviewCount: number;
  ratingCount: number;
  /**
   * The average of the stars that count: the newest stars of each customer except the lister. 0 if no stars count, so that
   * the service is last in the order by rating.
   */
  averageRating: number;
  /** The numbers of customers whose newest stars are 1, 2, 3, 4 and 5. The lister's own stars do not count. */
  distribution: [number, number, number, number, number];
  /**
   * Increases whenever the summary is stored, and when it becomes stale. The summary is stale while this number differs from
   * `summarisedVersion`.
   */
  summaryVersion: number;
  summarisedVersion: number;
  /**
   * The sweep recomputes the summary once more at this time, even if it is not stale then. Null if no such recomputation is
   * planned.
   */
  recheckAt: Date | null;
  /** The time when an operator hid the service, or its lister withdrew it. Null or absent while the service is listed. */
  hiddenAt?: Date | null;
  /** The time when the lister withdrew the service. It equals `hiddenAt`, unless an operator has hidden the service too. */
  withdrawnAt?: Date | null;
  /** Why an operator or a moderator has hidden the service. Absent if an earlier version of the API has hidden it. */
  hiddenReason?: string;
  /** The pictures that are hidden from everyone except the lister. The service may have another picture now. */
  hiddenPictures?: HiddenPicture[];
}

export interface ReplyDocument {
  /** The uid of the lister. The API never sends it to clients. */
  uid: string;
  text: string;
  /** The name of the lister at the time of the reply. */
  name: string;
  createdAt: Date;
  /** The time of the last edit. It equals `createdAt` if there was none. */
  updatedAt: Date;
  /** Present while the reply is hidden from everyone except the lister. */
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
  /**
   * The stars, from 1 to 5. 0 for a review without stars and for the lister's own review, so that both are last in the order
   * "highest first".
   */
  rating: number;
  /** The same as `rating`, but 6 instead of 0, so that the same reviews are last in the order "lowest first". */
  lowestRating: number;
  /**
   * True if the author also listed the service. The stars are then in `listerRating`, and do not affect counts, averages and
   * orders.
   */
  byLister?: boolean;
  /** The stars that a lister gave to their own service, 1 to 5. 0 without stars. */
  listerRating?: number;
  /** The uids of the customers who marked the review as useful. The API never sends them to clients. Absent without votes. */
  usefulBy?: string[];
  /** The number of uids in `usefulBy`. Absent in reviews of earlier versions until `migrate` adds it. */
  usefulCount?: number;
  /** Absent if the review never had photos. */
  photos?: { url: string; alt: string }[];
  reply?: ReplyDocument;
  /**
   * The times of a deleted reply, and a hash of its text. If the lister soon sends the same text again, the deletion is
   * undone. The sweep erases this field when it is too late for that.
   */
  deletedReply?: { hash: string; deletedAt: Date; createdAt: Date; updatedAt: Date };
  /**
   * True until the lister has replied. False for the lister's own review. Absent in reviews of earlier versions until
   * `migrate` has run.
   */
  awaitsReply?: boolean;
  time: string;
  date: string;
  createdAt: Date;
  updatedAt: Date;
  /**
   * The time when the author deleted the review. Null if the review is not deleted. A TTL index erases the document one day
   * later.
   */
  deletedAt: Date | null;
  /**
   * The time from which the sweep recomputes the summary of the service once more. Each write that can change the summary
   * sets this time, and the sweep removes it. So the summary becomes right even if the writer crashes before it has
   * recomputed the summary.
   */
  recheckAt?: Date;
  requestHash: string | null;
  /**
   * Present while an operator or a moderator hides the review. During this time, the field `deletedAt` contains one of two
   * late dates (see `hiddenDeletedAt`), and `hidden.deletedAt` keeps its earlier value. So every filter and index that
   * excludes deleted reviews also excludes hidden reviews. The reason is absent if an earlier version of the API has hidden
   * the review.
   */
  hidden?: Pick<Hidden, 'at'> & Partial<Hidden> & { deletedAt: Date | null };
  /** The photos that are hidden from everyone except the author. The review may have other photos now. */
  hiddenPictures?: HiddenPicture[];
}

/**
 * The values of `deletedAt` while a review is hidden: one for a review that its author has not deleted, and one for a review
 * that its author has deleted. The dates are so late that the TTL index does not erase the review. A review with one of
 * these dates cannot be restored by its author.
 */
export const hiddenDeletedAt = new Date('9999-12-31');
export const deletedAndHiddenAt = new Date('9999-12-30');

/**
 * The tombstone of a deleted account. The API instance that writes it rejects the customer's tokens at once. Other instances
 * reject them within 60 s.
 */
export interface AccountDocument {
  /** The uid of the customer whose account was deleted. */
  _id: string;
  deletedAt: Date;
  /** The time when all steps of the deletion were done. Null while the deletion is unfinished. */
  finishedAt: Date | null;
}

/** An entry of the audit log, about one operator command or one action of a moderator. */
export interface AuditDocument {
  _id: ObjectId;
  at: Date;
  action: string;
  /** The id of the service or review that was changed, or the uid of the customer. */
  target: string;
  /** The name of the operator, or the uid of the moderator. */
  by: string;
  reason: string;
  /** The result. Null until the command or the action has finished. */
  outcome: 'done' | 'already' | 'missing' | 'outdated' | null;
}

/** The report of a review or service by a customer. */
export interface ReportDocument {
  /** The id of the case and the uid of the customer. */
  _id: string;
  caseId: string;
  kind: 'review' | 'service';
  /** The uid of the customer who sent the report. */
  uid: string;
  serviceId: ObjectId;
  /** The title of the reported service, or of the service of the reported review. */
  title: string;
  about: ReportedPart;
  reason: ReportReason;
  text: string;
  createdAt: Date;
  /** The version of the case after this report. Null until the case is open. */
  version: number | null;
}

/** All reports of one review or service, and the actions of moderators. */
export interface CaseDocument {
  /** The kind and the id of the review or service, such as 'review-665f…'. */
  _id: string;
  status: 'open' | 'closed';
  statusSince: Date;
  /** The number of reports and actions so far. */
  version: number;
  history: {
    action: ModerationAction;
    part: ReportedPart;
    reason: string;
    at: Date;
    /** The uid of the moderator who acted. */
    by: string;
    version: number;
    /** The stored addresses of the pictures that are hidden or restored. Absent if the part is not `picture`. */
    pictures?: string[];
  }[];
  /** The parts whose newest action is recorded but not applied yet. Absent if there was no action. */
  pending?: ReportedPart[];
}

/** The record of a planned write: the `_id` of the row, and when it was reserved. */
export interface Reservation {
  id: ObjectId;
  at: Date;
}

/** The recent writes of one customer that count towards one quota (see quotas.store.ts). */
export interface QuotaDocument {
  /** The name of the quota and the uid of the customer. */
  _id: string;
  /** The reservations of the customer. The field has this name because earlier versions of the API use it. */
  claims: Reservation[];
  /**
   * The reservations of the last seconds, for the limit of reviews of each service. Present only in the quota of reviews.
   */
  recent?: (Reservation & { serviceId: ObjectId })[];
  /** The time when the last reservation expires. After that, a TTL index erases the document. */
  expire: Date;
}

/** A picture that a customer uploaded, as WebP files in three widths. */
export interface PictureDocument {
  /** A hash of the uid and the uploaded file. */
  _id: string;
  uid: string;
  /** The time of the last upload, or of the sweep that found that nothing uses the picture any more. */
  createdAt: Date;
  /**
   * The last time when a customer used the picture, or when a sweep found that it is in use. Null if the picture is unused.
   * If it is unused for a day after `createdAt`, a sweep deletes it.
   */
  usedAt: Date | null;
  width: number;
  height: number;
  /** The total size of the WebP files. */
  bytes: number;
  file320: Binary;
  file640: Binary;
  file1280: Binary;
  /**
   * The ids of the cases in which the picture is hidden. Empty if the picture is visible again, and absent if it was never
   * hidden.
   */
  hiddenBy?: string[];
}

/** A word in the title or the description of services. */
export interface VocabularyDocument {
  _id: string;
  /** The word, and its variants with one letter removed. Empty if the word is never suggested as a correction. */
  deletions: string[];
  /** The last time when a service had the word. Absent if an earlier version of the API added the word. */
  usedAt?: Date;
}

export interface Collections {
  pictures: Collection<PictureDocument>;
  services: Collection<ServiceDocument>;
  reviews: Collection<ReviewDocument>;
  accounts: Collection<AccountDocument>;
  audit: Collection<AuditDocument>;
  quotas: Collection<QuotaDocument>;
  vocabulary: Collection<VocabularyDocument>;
  reports: Collection<ReportDocument>;
  cases: Collection<CaseDocument>;
}

export function getCollections(db: Db): Collections {
  return {
    pictures: db.collection('pictures'),
    services: db.collection('services'),
    reviews: db.collection('reviews'),
    accounts: db.collection('accounts'),
    audit: db.collection('audit'),
    quotas: db.collection('quotas'),
    vocabulary: db.collection('vocabulary'),
    reports: db.collection('reports'),
    cases: db.collection('cases'),
  };
}

const text = (maxLength: number) => ({ bsonType: 'string', maxLength });
const texts = { bsonType: 'array', items: { bsonType: 'string' } };
const date = { bsonType: 'date' };
const count = { bsonType: 'number', minimum: 0 };
const starsOrZero = { bsonType: 'number', minimum: 0, maximum: 5 };
const hidden = { bsonType: 'object', required: ['at', 'reason'] };
const hiddenPictures = { bsonType: 'array', items: { ...hidden, required: ['at', 'reason', 'url'] } };
const nullable = (bsonType: string) => ({ bsonType: [bsonType, 'null'] });

/**
 * Creates the JSON schema of the documents of a collection. The fields in `optional` may be missing in documents of earlier
 * versions of the API.
 */
interface DocumentSchema {
  required: Record<string, Document>;
  optional?: Record<string, Document>;
}

/**
 * MongoDB validates every write with these schemas. The collection `limits` has none, because only the rate limiter writes
 * to it.
 */
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
      words: texts,
      priceNumber: count,
      reviewCount: count,
      ratingCount: count,
      averageRating: starsOrZero,
      distribution: { bsonType: 'array', minItems: 5, maxItems: 5, items: count },
      summaryVersion: count,
      summarisedVersion: count,
      recheckAt: nullable('date'),
    },
    optional: {
      phone: text(limits.phoneLength),
      website: text(limits.urlLength),
      area: text(limits.areaLength),
      listerName: text(limits.nameLength),
      titleWords: texts,
      updatedAt: date,
      hiddenAt: nullable('date'),
      withdrawnAt: nullable('date'),
      hiddenReason: text(limits.operatorReasonLength),
      hiddenPictures,
    },
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
      hiddenPictures,
      byLister: { bsonType: 'bool' },
      listerRating: starsOrZero,
      usefulBy: { ...texts, maxItems: limits.usefulVotesPerReview },
      usefulCount: count,
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
          uid: { ...text(limits.uidLength), minLength: 1 },
          text: { ...text(limits.replyLength), minLength: 1 },
          name: text(limits.nameLength),
          createdAt: date,
          updatedAt: date,
          hidden,
        },
      },
      deletedReply: { bsonType: 'object', required: ['hash', 'deletedAt', 'createdAt', 'updatedAt'] },
      awaitsReply: { bsonType: 'bool' },
      recheckAt: date,
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
      by: text(limits.uidLength),
      reason: text(limits.operatorReasonLength),
      outcome: nullable('string'),
    },
  },
  quotas: {
    required: { _id: { bsonType: 'string' }, claims: { bsonType: 'array' }, expire: date },
    optional: { recent: { bsonType: 'array' } },
  },
  pictures: {
    required: {
      _id: { bsonType: 'string' },
      uid: { ...text(limits.uidLength), minLength: 1 },
      createdAt: date,
      usedAt: nullable('date'),
      width: count,
      height: count,
      bytes: count,
      file320: { bsonType: 'binData' },
      file640: { bsonType: 'binData' },
      file1280: { bsonType: 'binData' },
    },
    optional: { hiddenBy: texts },
  },
  reports: {
    required: {
      _id: { bsonType: 'string' },
      caseId: { bsonType: 'string' },
      kind: { enum: ['review', 'service'] },
      uid: { ...text(limits.uidLength), minLength: 1 },
      serviceId: { bsonType: 'objectId' },
      title: text(limits.titleLength),
      about: { bsonType: 'string' },
      reason: { bsonType: 'string' },
      text: text(limits.reportTextLength),
      createdAt: date,
      version: nullable('number'),
    },
  },
  cases: {
    required: {
      _id: { bsonType: 'string' },
      status: { enum: ['open', 'closed'] },
      statusSince: date,
      version: count,
      history: { bsonType: 'array', items: { bsonType: 'object' } },
    },
    optional: { pending: texts },
  },
  vocabulary: {
    required: { _id: { bsonType: 'string' }, deletions: texts },
    optional: { usedAt: date },
  },
  limits: {
    required: { key: { bsonType: 'string' }, points: { bsonType: 'number' }, expire: nullable('date') },
  },
};
