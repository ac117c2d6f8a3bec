import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { AuditDocument, Collections } from '../database/documents.ts';

/** The result of an operator command. */
export type Outcome = 'done' | 'already' | 'missing';

export type AuditStore = ReturnType<typeof createAuditStore>;

/**
 * Creates the audit log of operator commands. An entry is written before the command runs, so that every command leaves one.
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
