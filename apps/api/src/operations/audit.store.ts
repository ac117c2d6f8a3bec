import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { AuditDocument } from '../database/documents/moderation.ts';

/**
 * The result of an operator command or of a moderator's action. 'already': nothing had to change. 'missing': the target does
 * not exist. 'outdated': nothing was changed, because the moderation case had changed since the moderator read it.
 */
export type Outcome = 'done' | 'already' | 'missing' | 'outdated';

export type AuditStore = ReturnType<typeof createAuditStore>;

/**
 * Creates the audit log of operator commands and of the actions of moderators. Each entry is written before its command
 * runs, so that a failed command has an entry too.
 */
export function createAuditStore({ audit }: Pick<Collections, 'audit'>) {
  return {
    async record(
      entry: Pick<AuditDocument, 'action' | 'target' | 'by' | 'reason'>,
      run: () => Promise<Outcome>,
    ): Promise<Outcome> {
      const _id = new ObjectId();
      await audit.insertOne({ _id, at: new Date(), ...entry, outcome: null });
      const outcome = await run();
      await audit.updateOne({ _id }, { $set: { outcome } });
      return outcome;
    },

    findNewest(count: number): Promise<AuditDocument[]> {
      return audit.find({}, readTimeout).sort({ at: -1, _id: -1 }).limit(count).toArray();
    },
  };
}
