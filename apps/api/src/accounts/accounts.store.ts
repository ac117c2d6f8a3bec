import type { Identity } from '../auth/identity.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { UnavailableError } from '../errors.ts';
import type { ReportStore } from '../moderation/reports.store.ts';
import type { NewsStore } from '../news/news.store.ts';
import type { PictureStore } from '../pictures/pictures.store.ts';
import { createReadCache } from '../read-cache.ts';
import type { ConversationStore } from '../requests/requests.store.ts';
import type { ReplyStore } from '../reviews/replies.store.ts';
import type { ReviewStore } from '../reviews/reviews.store.ts';
import type { VoteStore } from '../reviews/votes.store.ts';
import { runEach } from '../run-each.ts';
import type { ServiceStore } from '../services/services.store.ts';

/** The maximum time from the deletion of an account until its last write has ended. It is longer than `closedTtlMs`. */
const maxWriteDelayMs = 2 * 60_000;
const retryAfterSeconds = 120;

/**
 * How long an API instance caches whether an account is closed. During this time, the instance may still accept writes of
 * an account that another instance has closed. A sweep after `maxWriteDelayMs` erases the content of these writes.
 */
const closedTtlMs = 60_000;
const maxCachedAccounts = 20_000;

/** A record that an account was deleted. Operators store these records together with the backups. */
export interface Tombstone {
  uid: string;
  deletedAt: Date;
}

/** The maximum number of tombstones in one bulk write. It is small, so that the write ends before the database timeout. */
const tombstonesPerWrite = 500;

interface AccountStoreDependencies {
  reviews: Pick<ReviewStore, 'eraseAllByAuthor'>;
  replies: Pick<ReplyStore, 'eraseAllByLister'>;
  votes: Pick<VoteStore, 'removeAllBy'>;
  services: Pick<ServiceStore, 'removeOwner'>;
  pictures: Pick<PictureStore, 'eraseAllByOwner'>;
  reports: Pick<ReportStore, 'eraseReportsOf'>;
  conversations: Pick<ConversationStore, 'eraseParticipant'>;
  news: Pick<NewsStore, 'erase'>;
  identity: Pick<Identity, 'deleteUser'>;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/**
 * Creates the store that deletes accounts. A deletion changes reviews, services and the Firebase account, and no transaction
 * covers all of them. First, the tombstone is written, which blocks the account. Each step after that is idempotent, so any
 * API instance can finish an interrupted deletion.
 */
export function createAccountStore(
  { accounts }: Pick<Collections, 'accounts'>,
  { reviews, replies, votes, services, pictures, reports, conversations, news, identity }: AccountStoreDependencies,
) {
  const closedByUid = createReadCache<boolean>({ ttlMs: closedTtlMs, maxSize: maxCachedAccounts, sizeOf: () => 1 });

  async function isClosed(uid: string): Promise<boolean> {
    return (await accounts.findOne({ _id: uid }, readTimeout)) !== null;
  }

  async function eraseContent(uid: string): Promise<void> {
    await reviews.eraseAllByAuthor(uid);
    await replies.eraseAllByLister(uid);
    await votes.removeAllBy(uid);
    await services.removeOwner(uid);
    await conversations.eraseParticipant(uid);
    await pictures.eraseAllByOwner(uid);
    await reports.eraseReportsOf(uid);
    await news.erase(uid);
  }

  /** Deletes the Firebase account. Must be called after `eraseContent`. */
  async function finishDeletion(uid: string, deletedAt: Date, now: Date): Promise<void> {
    await identity.deleteUser(uid);
    // Until `maxWriteDelayMs` has passed, a late write may still store content of this account. The deletion stays
    // unfinished until then, so that a sweep also erases this content.
    if (now.getTime() - deletedAt.getTime() >= maxWriteDelayMs)
      await accounts.updateOne({ _id: uid }, { $set: { finishedAt: now } });
  }

  /**
   * Continues the unfinished deletions. Several API instances may run this sweep at the same time. While Firebase is
   * unavailable, the sweep only erases content, because it would otherwise wait for a timeout for each account.
   */
  async function sweep(now = new Date()): Promise<void> {
    const unfinished = await accounts.find({ finishedAt: null }, readTimeout).toArray();
    let isFirebaseAvailable = true;
    const finish = async ({ _id, deletedAt }: (typeof unfinished)[number]) => {
      await eraseContent(_id);
      if (!isFirebaseAvailable) return;
      await finishDeletion(_id, deletedAt, now).catch((error: unknown) => {
        if (error instanceof UnavailableError) isFirebaseAvailable = false;
        throw error;
      });
    };
    await runEach(unfinished, finish, 'Some account deletions are unfinished');
  }

  return {
    isClosed,

    /**
     * Returns whether the account is closed. May return false for up to `closedTtlMs` after another API instance has closed
     * it.
     */
    isClosedCached: async (uid: string): Promise<boolean> =>
      closedByUid.get(uid) ?? closedByUid.load(uid, () => isClosed(uid)),

    async close(uid: string, now = new Date()): Promise<void> {
      await accounts.updateOne({ _id: uid }, { $setOnInsert: { deletedAt: now, finishedAt: null } }, { upsert: true });
      closedByUid.delete(uid);
      try {
        await eraseContent(uid);
        await finishDeletion(uid, now, now);
      } catch (cause) {
        throw new UnavailableError(
          'Your account is closed, and you are signed out everywhere. Your reviews will be erased automatically within a few minutes.',
          retryAfterSeconds,
          cause,
        );
      }
    },

    async listTombstones(): Promise<Tombstone[]> {
      const documents = await accounts.find().sort({ _id: 1 }).toArray();
      return documents.map(({ _id: uid, deletedAt }) => ({ uid, deletedAt }));
    },

    /**
     * Inserts the tombstones that a restored database does not have, and then runs the sweep. Returns the number of inserted
     * tombstones. Idempotent. Must be called before the API uses the restored database.
     */
    async applyTombstones(tombstones: readonly Tombstone[]): Promise<number> {
      let missingCount = 0;
      for (let start = 0; start < tombstones.length; start += tombstonesPerWrite) {
        const writes = tombstones.slice(start, start + tombstonesPerWrite).map(({ uid, deletedAt }) => ({
          updateOne: {
            filter: { _id: uid },
            update: { $setOnInsert: { deletedAt, finishedAt: null } },
            upsert: true,
          },
        }));
        missingCount += (await accounts.bulkWrite(writes)).upsertedCount;
      }
      await sweep();
      return missingCount;
    },

    sweep,
  };
}
