import { ObjectId } from 'mongodb';
import type { AuditDocument, Collections } from '../database.ts';
import { readDeadline } from '../database.ts';

/** What came of an operator's command. */
export type Outcome = 'done' | 'already' | 'missing';

export type AuditStore = ReturnType<typeof auditStore>;

/** What operators did, who and why. Written before the deed and completed after it: nothing is done in silence. */
export function auditStore({ audit }: Pick<Collections, 'audit'>) {
  return {
    async record(
      entry: Pick<AuditDocument, 'action' | 'target' | 'by' | 'reason'>,
      act: () => Promise<Outcome>,
    ): Promise<Outcome> {
      const _id = new ObjectId();
      await audit.insertOne({ _id, at: new Date(), ...entry, outcome: null });
      const outcome = await act();
      await audit.updateOne({ _id }, { $set: { outcome } });
      return outcome;
    },

    newest(count: number): Promise<AuditDocument[]> {
      return audit.find({}, readDeadline).sort({ at: -1, _id: -1 }).limit(count).toArray();
    },
  };
}
