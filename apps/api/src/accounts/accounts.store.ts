import type { Identity } from '../auth/identity.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/documents.ts';
import { UnavailableError } from '../errors.ts';
import type { ReviewStore } from '../reviews/reviews.store.ts';
import type { ServiceStore } from '../services/services.store.ts';

/**
 * The longest time that a write can take. After it, no write is pending that was authenticated before the tombstone existed.
 */
const maxWriteDelayMs = 2 * 60_000;
const retryAfterSeconds = 120;

/** How many tombstones one bulk write inserts: few enough to stay far below the database timeout. */
const tombstonesPerWrite = 500;

interface AccountStoreDependencies {
  reviews: Pick<ReviewStore, 'eraseAllByAuthor'>;
  services: Pick<ServiceStore, 'removeOwner'>;
  identity: Pick<Identity, 'deleteUser'>;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** The record of a deleted account. Operators store it next to the backups. */
export interface Tombstone {
  uid: string;
  deletedAt: Date;
}

/**
 * Creates the store that deletes accounts. A deletion has steps in three systems, without a transaction across them. The
 * tombstone is written first and blocks the account. Each following step is idempotent, so any instance can finish an
 * interrupted deletion.
 */
export function createAccountStore(
  { accounts }: Pick<Collections, 'accounts'>,
  { reviews, services, identity }: AccountStoreDependencies,
) {
  async function finishDeletion(uid: string, deletedAt: Date, now: Date): Promise<void> {
    await reviews.eraseAllByAuthor(uid);
    await services.removeOwner(uid);
    await identity.deleteUser(uid);
    // Until this time has passed, a pending write could still store rows. So the deletion stays unfinished, and a later
    // sweep erases those rows too.
    if (now.getTime() - deletedAt.getTime() >= maxWriteDelayMs)
      await accounts.updateOne({ _id: uid }, { $set: { finishedAt: now } });
  }

  /** Finishes interrupted deletions. Any number of instances may run it at the same time. */
  async function sweep(now = new Date()): Promise<void> {
    const failures: unknown[] = [];
    for (const { _id, deletedAt } of await accounts.find({ finishedAt: null }, readTimeout).toArray())
      await finishDeletion(_id, deletedAt, now).catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} account deletions are still unfinished`);
  }

  return {
    async isClosed(uid: string): Promise<boolean> {
      return (await accounts.findOne({ _id: uid }, readTimeout)) !== null;
    },

    async close(uid: string, now = new Date()): Promise<void> {
      await accounts.updateOne({ _id: uid }, { $setOnInsert: { deletedAt: now, finishedAt: null } }, { upsert: true });
      await finishDeletion(uid, now, now).catch((cause: unknown) => {
        throw new UnavailableError(
          'Your account is closed, and you are signed out everywhere. Your reviews will be erased automatically within a few minutes.',
          retryAfterSeconds,
          cause,
        );
      });
    },

    /** Returns all tombstones, sorted by uid. */
    async listTombstones(): Promise<Tombstone[]> {
      const documents = await accounts.find().sort({ _id: 1 }).toArray();
      return documents.map(({ _id: uid, deletedAt }) => ({ uid, deletedAt }));
    },

    /**
     * Inserts the tombstones that a restored database lacks, finishes all unfinished deletions, and returns the number of
     * missing tombstones. It is idempotent. Run it before the restored database serves requests.
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
