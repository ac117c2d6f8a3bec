import type { Collection, Db, ObjectId } from 'mongodb';

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
  /** Folded words of title and description, for `q`. */
  words: string[];
  /** First number in the price text; null without one. */
  priceNumber: number | null;
  reviewCount: number;
  ratingCount: number;
  averageRating: number | null;
  /** Counted ratings of 1 to 5 stars, in this order. */
  distribution: [number, number, number, number, number];
  /** Moves before and after each review write; differs from `summarisedVersion` while work is unfinished. */
  summaryVersion: number;
  summarisedVersion: number;
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
  rating: number | null;
  time: string;
  date: string;
  createdAt: Date;
  updatedAt: Date;
  /** When its author deleted it; null while it is live. A TTL index erases it a day later. */
  deletedAt: Date | null;
  requestHash: string | null;
}

/** A tombstone: from the moment it exists its customer is signed out everywhere. */
export interface AccountDocument {
  /** uid. */
  _id: string;
  deletedAt: Date;
  /** When every step of the deletion was last seen done; null while it is unfinished. */
  finishedAt: Date | null;
}

export interface Collections {
  services: Collection<ServiceDocument>;
  reviews: Collection<ReviewDocument>;
  accounts: Collection<AccountDocument>;
}

export function collectionsOf(db: Db): Collections {
  return {
    services: db.collection('services'),
    reviews: db.collection('reviews'),
    accounts: db.collection('accounts'),
  };
}
