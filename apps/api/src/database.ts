import type {
  CollationOptions,
  Collection,
  CreateIndexesOptions,
  Db,
  Document,
  IndexDescription,
  MongoClient,
  MongoClientOptions,
  ObjectId,
} from 'mongodb';
import { MongoServerError } from 'mongodb';

export interface ServiceDocument {
  _id: ObjectId;
  title: string;
  ratting: string;
  img: string;
  price: string;
  description: string;
  createdAt: Date;
  /** uid of who listed it; null once their account is gone. Never sent. */
  createdBy: string | null;
  /** SHA-256 of what was said with an Idempotency-Key; null without one. */
  requestHash: string | null;
  /** Folded words of title and description, for `q`; none while it is hidden. */
  words: string[];
  /** First number in the price text; Infinity without one, so that it sorts last. */
  priceNumber: number;
  reviewCount: number;
  ratingCount: number;
  /** 0 while no rating counts, so that it sorts last. */
  averageRating: number;
  /** Counted ratings of 1 to 5 stars, in this order. */
  distribution: [number, number, number, number, number];
  /** Moves before and after each review write; differs from `summarisedVersion` while work is unfinished. */
  summaryVersion: number;
  summarisedVersion: number;
  /** When the summary is looked at once more, in case a writer died unseen; null when nothing was written lately. */
  recheckAt: Date | null;
  /** When an operator took it from every read; null or absent while it is shown. */
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
  /** 1 to 5 stars that count; 0 without, so that it sorts last from the highest. */
  rating: number;
  /** `rating`, but 6 without stars, so that it sorts last from the lowest. */
  lowestRating: number;
  /** Whether its author listed the service. Its stars are in `listerRating` then, where nothing counts or sorts them. */
  byLister?: boolean;
  /** 1 to 5 stars, 0 without. */
  listerRating?: number;
  time: string;
  date: string;
  createdAt: Date;
  updatedAt: Date;
  /** When its author deleted it; null while it is live. A TTL index erases it a day later. */
  deletedAt: Date | null;
  requestHash: string | null;
  /**
   * Set while an operator hides it, with the `deletedAt` it had: meanwhile that one stands at `hiddenUntil`, so that the
   * filter and the indexes of live reviews leave it out with nothing to learn.
   */
  hidden?: { at: Date; deletedAt: Date | null };
}

/** A tombstone: from the moment it exists its customer is signed out everywhere. */
export interface AccountDocument {
  /** uid. */
  _id: string;
  deletedAt: Date;
  /** When every step of the deletion was last seen done; null while it is unfinished. */
  finishedAt: Date | null;
}

/** What an operator did, by command. */
export interface AuditDocument {
  _id: ObjectId;
  at: Date;
  action: string;
  /** An id, or a uid. */
  target: string;
  by: string;
  reason: string;
  /** null from before the deed until it is known. */
  outcome: 'done' | 'already' | 'missing' | null;
}

/** What a customer is about to write, or wrote lately: see quotas.ts. */
export interface QuotaDocument {
  /** The limit, and the uid that it holds for. */
  _id: string;
  claims: { id: ObjectId; at: Date }[];
  /** When no claim counts any more: a TTL index erases it then. */
  expire: Date;
}

export interface Collections {
  services: Collection<ServiceDocument>;
  reviews: Collection<ReviewDocument>;
  accounts: Collection<AccountDocument>;
  audit: Collection<AuditDocument>;
  quotas: Collection<QuotaDocument>;
}

export function collectionsOf(db: Db): Collections {
  return {
    services: db.collection('services'),
    reviews: db.collection('reviews'),
    accounts: db.collection('accounts'),
    audit: db.collection('audit'),
    quotas: db.collection('quotas'),
  };
}

/**
 * Deadlines of every request. `timeoutMS` is not among them: it would switch these off. A command that outlives `socketTimeoutMS` may still have been carried out.
 */
export const clientOptions = {
  connectTimeoutMS: 1000,
  heartbeatFrequencyMS: 1000,
  serverSelectionTimeoutMS: 1500,
  socketTimeoutMS: 2000,
  waitQueueTimeoutMS: 1000,
} satisfies MongoClientOptions;

/**
 * A write is acknowledged by a majority, unless the address says otherwise: a single server acknowledges 'majority'
 * before the write is on its disk, and is told `w=1&journal=true` instead.
 */
export function databaseOf(client: MongoClient, name: string): Db {
  return client.db(name, { writeConcern: client.options.writeConcern ?? { w: 'majority' } });
}

/** Ends a read on the server shortly before `socketTimeoutMS` would drop its connection. Not for streams. */
export const readDeadline = { maxTimeMS: 1500 } as const;

/** Titles in alphabetical order, whatever their case. */
export const titleCollation: CollationOptions = { locale: 'en', strength: 2 };

/** The `deletedAt` of hidden reviews: no undo reaches it, and no TTL index in our time. */
export const hiddenUntil = new Date('9999-12-31');

/** How long a deleted review is kept: longer than any undo. */
const erasedAfterSeconds = 24 * 60 * 60;

interface Plan {
  indexes: (IndexDescription & CreateIndexesOptions & { name: string })[];
  properties: Record<string, Document>;
  /** What rows may lack, such as those of an earlier version. */
  optional?: Record<string, Document>;
}

const text = (maxLength: number) => ({ bsonType: 'string', maxLength });
const count = { bsonType: 'number', minimum: 0 };
const nullable = (bsonType: string) => ({ bsonType: [bsonType, 'null'] });

/**
 * What each collection promises. Every page is read off an index in its order, with `_id` as the last tie-break.
 * docs/scaling.md says what each index is for and weighs, and by which keys the collections are sharded.
 */
const plans: Record<keyof Collections | 'limits', Plan> = {
  services: {
    indexes: [
      { name: 'newest', key: { createdAt: -1, _id: -1 } },
      { name: 'shown', key: { hiddenAt: 1 } },
      { name: 'title', key: { title: 1, _id: 1 }, collation: titleCollation },
      { name: 'price', key: { priceNumber: 1, _id: 1 } },
      { name: 'rating', key: { averageRating: -1, _id: -1 } },
      { name: 'words', key: { words: 1 } },
      { name: 'lister', key: { createdBy: 1 } },
      { name: 'recheck', key: { recheckAt: 1 } },
    ],
    properties: {
      title: text(120),
      ratting: text(40),
      img: text(2048),
      price: text(40),
      description: text(5000),
      createdAt: { bsonType: 'date' },
      createdBy: nullable('string'),
      requestHash: nullable('string'),
      words: { bsonType: 'array', items: { bsonType: 'string' } },
      priceNumber: count,
      reviewCount: count,
      ratingCount: count,
      averageRating: { bsonType: 'number', minimum: 0, maximum: 5 },
      distribution: { bsonType: 'array', minItems: 5, maxItems: 5, items: count },
      summaryVersion: count,
      summarisedVersion: count,
      recheckAt: nullable('date'),
    },
    optional: { hiddenAt: nullable('date') },
  },
  reviews: {
    indexes: [
      { name: 'newest', key: { serviceId: 1, deletedAt: 1, createdAt: -1, _id: -1 } },
      { name: 'highest', key: { serviceId: 1, deletedAt: 1, rating: -1, createdAt: -1, _id: -1 } },
      { name: 'lowest', key: { serviceId: 1, deletedAt: 1, lowestRating: 1, createdAt: -1, _id: -1 } },
      { name: 'own', key: { uid: 1, deletedAt: 1, createdAt: -1, _id: -1 } },
      // A customer's of a service, and all that a summary is made of, so that it reads no review.
      { name: 'summary', key: { serviceId: 1, uid: 1, deletedAt: 1, createdAt: -1, _id: -1, rating: 1 } },
      {
        name: 'eraseDeleted',
        key: { deletedAt: 1 },
        expireAfterSeconds: erasedAfterSeconds,
        partialFilterExpression: { deletedAt: { $type: 'date' } },
      },
    ],
    properties: {
      serviceId: { bsonType: 'objectId' },
      serviceName: text(120),
      price: text(40),
      img: text(2048),
      customer: text(80),
      costomerImg: text(2048),
      email: text(320),
      uid: { bsonType: 'string', minLength: 1, maxLength: 128 },
      review: text(5000),
      rating: { bsonType: 'number', minimum: 0, maximum: 5 },
      lowestRating: { bsonType: 'number', minimum: 1, maximum: 6 },
      time: text(40),
      date: text(40),
      createdAt: { bsonType: 'date' },
      updatedAt: { bsonType: 'date' },
      deletedAt: nullable('date'),
      requestHash: nullable('string'),
    },
    optional: {
      hidden: { bsonType: 'object', required: ['at', 'deletedAt'] },
      byLister: { bsonType: 'bool' },
      listerRating: { bsonType: 'number', minimum: 0, maximum: 5 },
    },
  },
  accounts: {
    indexes: [{ name: 'unfinished', key: { finishedAt: 1 } }],
    properties: {
      _id: { bsonType: 'string' },
      deletedAt: { bsonType: 'date' },
      finishedAt: nullable('date'),
    },
  },
  audit: {
    indexes: [{ name: 'newest', key: { at: -1, _id: -1 } }],
    properties: {
      at: { bsonType: 'date' },
      action: text(40),
      target: text(128),
      by: text(80),
      reason: text(500),
      outcome: nullable('string'),
    },
  },
  quotas: {
    indexes: [{ name: 'expire', key: { expire: 1 }, expireAfterSeconds: 0 }],
    properties: { _id: { bsonType: 'string' }, claims: { bsonType: 'array' }, expire: { bsonType: 'date' } },
  },
  // Written by the rate limiter alone.
  limits: {
    indexes: [
      { name: 'key', key: { key: 1 }, unique: true },
      { name: 'expire', key: { expire: 1 }, expireAfterSeconds: 0 },
    ],
    properties: { key: { bsonType: 'string' }, points: { bsonType: 'number' }, expire: nullable('date') },
  },
};

/**
 * Makes the collections, validators and indexes that are not there yet; may run any number of times, also at once.
 * Building an index takes longer than a request may: give it a client without `socketTimeoutMS`.
 */
export async function migrate(db: Db): Promise<void> {
  for (const [name, { indexes, properties, optional }] of Object.entries(plans)) {
    const required = Object.keys(properties);
    const validator = { $jsonSchema: { bsonType: 'object', required, properties: { ...properties, ...optional } } };
    await db.createCollection(name, { validator }).catch(async (error: unknown) => {
      if (!isRefusal(error, 48)) throw error; // NamespaceExists
      // An engine without collMod (CommandNotFound) keeps the validator that the collection was made with.
      await db.command({ collMod: name, validator }).catch((error: unknown) => {
        if (!isRefusal(error, 59)) throw error;
      });
    });
    await db.collection(name).createIndexes(indexes);
  }
}

/** What `migrate` has still to make, in words; empty when the database is as this version needs it. */
export async function migrationsMissing(db: Db): Promise<string[]> {
  const missing = await Promise.all(
    Object.entries(plans).map(async ([name, { indexes }]) => {
      const there = await db
        .collection(name)
        .listIndexes(readDeadline)
        .toArray()
        .catch((error: unknown) => {
          if (isRefusal(error, 26)) return []; // NamespaceNotFound
          throw error;
        });
      const names = new Set(there.map((index) => String(index.name)));
      return indexes.filter((index) => !names.has(index.name)).map((index) => `index ${name}.${index.name}`);
    }),
  );
  return missing.flat();
}

function isRefusal(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}
