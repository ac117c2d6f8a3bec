import { limits, ownPicturePath } from '@rtr/shared';
import type { CreateIndexesOptions, Db, IndexDescription } from 'mongodb';
import { hasErrorCode, readTimeout } from './client.ts';
import { documentSchemas } from './collections.ts';
import { hasDataVersion, writeDataVersion } from './data-version.ts';
import { titleCollation } from './pagination.ts';

/** How long deleted reviews stay in the database. Customers can restore them only for a shorter time. */
export const deletedReviewTtlSeconds = 24 * 60 * 60;

/**
 * A range that contains only the paths of uploaded pictures. Its end has '0' instead of the last '/', because '0' is
 * the character after '/' in the sort order.
 */
const uploaded = { $gte: ownPicturePath, $lt: ownPicturePath.replace(/\/$/, '0') };

/** How long withdrawn services stay in the database. */
const withdrawnServiceTtlSeconds = limits.withdrawnDays * 24 * 60 * 60;

type NamedIndex = IndexDescription & CreateIndexesOptions & { name: string };

/** Creates indexes for the news: of the documents in which something has happened to content of an owner, by owner and time. */
const newsIndexes = (fields: Record<string, readonly [owner: string, at: string]>): NamedIndex[] =>
  Object.entries(fields).map(([name, [owner, at]]) => ({
    name,
    key: { [owner]: 1, [at]: -1, _id: -1 },
    partialFilterExpression: { [at]: { $exists: true } },
  }));

/**
 * The indexes of each collection. Each sort order of a list has an index that ends with `_id`. docs/scaling.md describes
 * the largest indexes and the shard keys.
 */
const indexes: Record<keyof typeof documentSchemas, NamedIndex[]> = {
  services: [
    { name: 'newest', key: { createdAt: -1, _id: -1 } },
    { name: 'shown', key: { hiddenAt: 1 } },
    { name: 'title', key: { title: 1, _id: 1 }, collation: titleCollation },
    { name: 'price', key: { priceNumber: 1, _id: 1 } },
    { name: 'rating', key: { averageRating: -1, _id: -1 } },
    { name: 'fullStars', key: { fullStars: 1, createdAt: -1, _id: -1 } },
    { name: 'search', key: { words: 1, createdAt: -1, _id: -1 } },
    { name: 'searchTitle', key: { titleWords: 1, createdAt: -1, _id: -1 } },
    { name: 'own', key: { createdBy: 1, createdAt: -1, _id: -1 } },
    { name: 'lister', key: { listerId: 1, hiddenAt: 1, createdAt: -1, _id: -1 } },
    { name: 'recheck', key: { recheckAt: 1 } },
    { name: 'picture', key: { img: 1 }, partialFilterExpression: { img: uploaded } },
    {
      name: 'hiddenOwn',
      key: { createdBy: 1, hiddenAt: -1, _id: -1 },
      partialFilterExpression: { hiddenReason: { $exists: true } },
    },
    ...newsIndexes({ removedPictures: ['createdBy', 'removedPicture.at'] }),
    {
      name: 'eraseWithdrawn',
      key: { withdrawnAt: 1 },
      expireAfterSeconds: withdrawnServiceTtlSeconds,
      partialFilterExpression: { withdrawnAt: { $type: 'date' } },
    },
  ],
  reviews: [
    { name: 'newest', key: { serviceId: 1, deletedAt: 1, createdAt: -1, _id: -1 } },
    { name: 'highest', key: { serviceId: 1, deletedAt: 1, rating: -1, createdAt: -1, _id: -1 } },
    { name: 'lowest', key: { serviceId: 1, deletedAt: 1, lowestRating: 1, createdAt: -1, _id: -1 } },
    { name: 'unanswered', key: { serviceId: 1, deletedAt: 1, awaitsReply: -1, createdAt: -1, _id: -1 } },
    { name: 'useful', key: { serviceId: 1, deletedAt: 1, usefulCount: -1, createdAt: -1, _id: -1 } },
    { name: 'usefulByStars', key: { serviceId: 1, deletedAt: 1, rating: 1, usefulCount: -1, createdAt: -1, _id: -1 } },
    {
      name: 'votes',
      key: { usefulBy: 1, deletedAt: 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { usefulBy: { $exists: true } },
    },
    { name: 'own', key: { uid: 1, deletedAt: 1, createdAt: -1, _id: -1 } },
    {
      name: 'replies',
      key: { 'reply.uid': 1, deletedAt: 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { 'reply.uid': { $exists: true } },
    },
    ...newsIndexes({
      repliesToOwn: ['uid', 'reply.createdAt'],
      usefulOwn: ['uid', 'usefulMilestone.at'],
      hiddenOwn: ['uid', 'hidden.at'],
      removedPhotos: ['uid', 'removedPhotos.at'],
      hiddenReplies: ['reply.uid', 'reply.hidden.at'],
    }),
    {
      name: 'deletedReplies',
      key: { 'deletedReply.deletedAt': 1 },
      partialFilterExpression: { 'deletedReply.deletedAt': { $exists: true } },
    },
    {
      name: 'newestByPhoto',
      key: { 'photos.url': 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { 'photos.url': uploaded },
    },
    {
      name: 'newestByServicePicture',
      key: { img: 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { img: uploaded },
    },
    {
      name: 'newestByAuthorPicture',
      key: { costomerImg: 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { costomerImg: uploaded },
    },
    // This index contains all fields that a summary needs, so that MongoDB reads no documents. It is also used to find a
    // customer's reviews of a service.
    { name: 'summary', key: { serviceId: 1, uid: 1, deletedAt: 1, createdAt: -1, _id: -1, rating: 1 } },
    // With this index, the sweep finds the services whose summaries it must recompute once more, without reading documents.
    {
      name: 'recheck',
      key: { recheckAt: 1, serviceId: 1 },
      partialFilterExpression: { recheckAt: { $exists: true } },
    },
    {
      name: 'eraseDeleted',
      key: { deletedAt: 1 },
      expireAfterSeconds: deletedReviewTtlSeconds,
      partialFilterExpression: { deletedAt: { $type: 'date' } },
    },
  ],
  pictures: [
    { name: 'own', key: { uid: 1, bytes: 1 } },
    { name: 'unused', key: { usedAt: 1, createdAt: 1 } },
  ],
  blockedPictures: [
    { name: 'content', key: { contentHash: 1 }, partialFilterExpression: { contentHash: { $exists: true } } },
  ],
  accounts: [{ name: 'unfinished', key: { finishedAt: 1 } }],
  listers: [
    { name: 'public', key: { listerId: 1 }, unique: true },
    { name: 'picture', key: { picture: 1 }, partialFilterExpression: { picture: uploaded } },
  ],
  audit: [{ name: 'newest', key: { at: -1, _id: -1 } }],
  reports: [
    { name: 'own', key: { uid: 1, createdAt: -1, _id: -1 } },
    { name: 'ofCase', key: { caseId: 1, createdAt: -1, _id: -1 } },
    { name: 'interrupted', key: { version: 1, createdAt: 1 } },
  ],
  cases: [
    { name: 'queue', key: { status: 1, statusSince: 1, _id: 1 } },
    { name: 'pending', key: { pending: 1 } },
  ],
  conversations: [
    // A customer can have only one open conversation about a service.
    {
      name: 'openOfCustomer',
      key: { serviceId: 1, 'customer.uid': 1 },
      unique: true,
      partialFilterExpression: { status: 'open' },
    },
    { name: 'own', key: { participants: 1, lastActivityAt: -1, _id: -1 } },
    { name: 'ownOfService', key: { participants: 1, serviceId: 1, lastActivityAt: -1, _id: -1 } },
    { name: 'unread', key: { unreadBy: 1, lastActivityAt: -1, _id: -1 } },
    {
      name: 'customerPicture',
      key: { 'customer.picture': 1 },
      partialFilterExpression: { 'customer.picture': uploaded },
    },
    { name: 'listerPicture', key: { 'lister.picture': 1 }, partialFilterExpression: { 'lister.picture': uploaded } },
  ],
  messages: [
    { name: 'ofConversation', key: { conversationId: 1, createdAt: 1, _id: 1 } },
    { name: 'photo', key: { 'photos.id': 1 }, partialFilterExpression: { 'photos.id': { $exists: true } } },
    { name: 'pending', key: { createdAt: 1 }, partialFilterExpression: { isPending: true } },
    ...newsIndexes({ hiddenOwn: ['senderNews.uid', 'hidden.at'] }),
  ],
  inboxes: [
    {
      name: 'emails',
      key: { 'emails.nextCheckAt': 1 },
      partialFilterExpression: { 'emails.nextCheckAt': { $exists: true } },
    },
    {
      name: 'unsubscribe',
      key: { unsubscribeKey: 1 },
      unique: true,
      partialFilterExpression: { unsubscribeKey: { $exists: true } },
    },
  ],
  vocabulary: [{ name: 'deletions', key: { deletions: 1 } }],
  limits: [
    { name: 'key', key: { key: 1 }, unique: true },
    { name: 'expire', key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
};

/**
 * Creates missing collections and indexes, updates the validators, and then writes the version of the data. Idempotent, and
 * several processes may run it at the same time. Throws a DataVersionError if the data has another version. The database
 * client must not set `socketTimeoutMS`, because building an index can take longer.
 */
export async function migrate(db: Db): Promise<void> {
  const isDone = await hasDataVersion(db);
  for (const [name, { required, optional }] of Object.entries(documentSchemas)) {
    const properties = { ...required, ...optional };
    const validator = { $jsonSchema: { bsonType: 'object', required: Object.keys(required), properties } };
    await db.createCollection(name, { validator }).catch(async (error: unknown) => {
      if (!hasErrorCode(error, 'namespaceExists')) throw error;
      // The embedded database engine has no command `collMod`, so its collections keep their first validator.
      await db.command({ collMod: name, validator }).catch((error: unknown) => {
        if (!hasErrorCode(error, 'commandNotFound')) throw error;
      });
    });
    const expected = indexes[name as keyof typeof indexes];
    if (expected.length > 0) await db.collection(name).createIndexes(expected);
  }
  if (!isDone) await writeDataVersion(db);
}

/**
 * Returns the names of the indexes that `migrate` has not created yet. If there are none, the database is ready for this
 * version.
 */
export async function findMissingIndexes(db: Db): Promise<string[]> {
  const missing = await Promise.all(
    Object.entries(indexes).map(async ([collection, expected]) => {
      const existing = await db
        .collection(collection)
        .listIndexes(readTimeout)
        .toArray()
        .catch((error: unknown) => {
          if (hasErrorCode(error, 'namespaceNotFound')) return [];
          throw error;
        });
      const existingNames = new Set(existing.map(({ name }) => String(name)));
      return expected.filter(({ name }) => !existingNames.has(name)).map(({ name }) => `index ${collection}.${name}`);
    }),
  );
  return missing.flat();
}
