import type { Db, Document } from 'mongodb';

/** True for commands that the API sends once a minute, even without requests. */
export function isPeriodic({ filter = {}, pipeline }: Document): boolean {
  const isRecheck = (filter.recheckAt ?? pipeline?.[0]?.$match?.recheckAt) !== undefined;
  return isRecheck || filter.finishedAt !== undefined;
}

/** Returns the number of index keys that a command examines. It is 0 for commands that the database cannot explain, such as `insert`. */
export async function countKeys(db: Db, sent: Document): Promise<number> {
  const { lsid: _, $db: __, maxTimeMS: ___, ...command } = sent;
  const [name = ''] = Object.keys(command);
  if (!['find', 'aggregate', 'update', 'delete', 'distinct'].includes(name)) return 0;
  const explanation = await db.command({ explain: command, verbosity: 'executionStats' });
  const { executionStats } = explanation.stages?.[0]?.$cursor ?? explanation;
  return executionStats.totalKeysExamined;
}
