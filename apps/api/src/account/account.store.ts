import type { Identity } from '../auth/identity.ts';
import type { Collections } from '../database.ts';
import { readDeadline } from '../database.ts';
import { HttpError } from '../http/problem.ts';
import type { ReviewStore } from '../reviews/reviews.store.ts';
import type { ServiceStore } from '../services/services.store.ts';

/** A write that was admitted before the tombstone stood has landed by then, in milliseconds. */
const lateWritesLandWithin = 2 * 60_000;

interface Parts {
  reviews: Pick<ReviewStore, 'deleteAllOf'>;
  services: Pick<ServiceStore, 'disown'>;
  identity: Pick<Identity, 'deleteUser'>;
}

/** How many tombstones one command writes: as many take a fraction of the database's deadline. */
const writtenAtOnce = 500;

export type AccountStore = ReturnType<typeof accountStore>;

/** That a customer closed their account, as it is kept beside the backups. */
export interface Tombstone {
  uid: string;
  deletedAt: Date;
}

/**
 * Accounts that were closed. Closing one has steps in three places and no transaction over them: a tombstone stands
 * first and shuts every door, then each step may be repeated, by whoever finds the tombstone unfinished.
 */
export function accountStore({ accounts }: Pick<Collections, 'accounts'>, { reviews, services, identity }: Parts) {
  async function finish(uid: string, deletedAt: Date, now: Date): Promise<void> {
    await reviews.deleteAllOf(uid);
    await services.disown(uid);
    await identity.deleteUser(uid);
    // Until then it stays unfinished, so that the sweep also finds what landed late.
    if (now.getTime() - deletedAt.getTime() >= lateWritesLandWithin)
      await accounts.updateOne({ _id: uid }, { $set: { finishedAt: now } });
  }

  return {
    async isClosed(uid: string): Promise<boolean> {
      return (await accounts.findOne({ _id: uid }, readDeadline)) !== null;
    },

    async close(uid: string, now = new Date()): Promise<void> {
      await accounts.updateOne({ _id: uid }, { $setOnInsert: { deletedAt: now, finishedAt: null } }, { upsert: true });
      await finish(uid, now, now).catch((cause: unknown) => {
        throw new HttpError(
          503,
          'Your account is closed, and you are signed out everywhere. Erasing your reviews takes a few minutes longer, and ends by itself.',
          { headers: { 'Retry-After': '120' }, cause },
        );
      });
    },

    /** Every tombstone, in the order of their uids. */
    async tombstones(): Promise<Tombstone[]> {
      const kept = await accounts.find().sort({ _id: 1 }).toArray();
      return kept.map(({ _id: uid, deletedAt }) => ({ uid, deletedAt }));
    },

    /**
     * Puts back the tombstones that a restored database lacks, then finishes every deletion that is unfinished. Answers
     * how many were missing. May be repeated; for the time before requests are served again.
     */
    async apply(tombstones: readonly Tombstone[]): Promise<number> {
      let missing = 0;
      for (let from = 0; from < tombstones.length; from += writtenAtOnce) {
        const writes = tombstones.slice(from, from + writtenAtOnce).map(({ uid, deletedAt }) => ({
          updateOne: {
            filter: { _id: uid },
            update: { $setOnInsert: { deletedAt, finishedAt: null } },
            upsert: true,
          },
        }));
        missing += (await accounts.bulkWrite(writes)).upsertedCount;
      }
      await this.sweep();
      return missing;
    },

    /** Finishes what was interrupted, or has to be looked at again. Any number of instances may. */
    async sweep(now = new Date()): Promise<void> {
      const failures: unknown[] = [];
      for (const { _id, deletedAt } of await accounts.find({ finishedAt: null }, readDeadline).toArray())
        await finish(_id, deletedAt, now).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts are still unfinished`);
    },
  };
}
