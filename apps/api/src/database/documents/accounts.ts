import type { ObjectId } from 'mongodb';
import { type DocumentSchema, date, nullable } from './schema.ts';

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

/** A place in a quota, which is taken before the row with this `_id` is written. `at` is the time when it was taken. */
export interface Reservation {
  id: ObjectId;
  at: Date;
}

/** The recent writes of one customer that count towards one quota (see quotas.store.ts). */
export interface QuotaDocument {
  /** The name of the quota and the uid of the customer. */
  _id: string;
  /**
   * The reservations of the customer for this quota. The field is named `claims`, because earlier versions of the API
   * use this name.
   */
  claims: Reservation[];
  /**
   * The reservations of the last 60 s, each with its service. They limit the number of reviews that the customer can
   * write about one service. Older reservations are not needed, because the reviews for which they were made are stored
   * by then, and the stored reviews are counted. Present only in the quota of reviews.
   */
  recent?: (Reservation & { serviceId: ObjectId })[];
  /**
   * The time when a TTL index erases this document. It is one day after the customer's last request that was checked
   * against this quota. By then, all reservations in the document have expired.
   */
  expire: Date;
}

export const accountSchema: DocumentSchema = {
  required: { _id: { bsonType: 'string' }, deletedAt: date, finishedAt: nullable('date') },
};

export const quotaSchema: DocumentSchema = {
  required: { _id: { bsonType: 'string' }, claims: { bsonType: 'array' }, expire: date },
  optional: { recent: { bsonType: 'array' } },
};
