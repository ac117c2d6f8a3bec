import type { Db, Document } from 'mongodb';

/** True for commands that the API sends once a minute, even without requests. */
export function isPeriodic({ filter = {}, pipeline }: Document): boolean {
  const isRecheck = (filter.recheckAt ?? pipeline?.[0]?.$match?.recheckAt) !== undefined;
  return isRecheck || filter.finishedAt !== undefined || filter.titleWords?.$exists === false;
}

interface Explanation {
  /** The command and its collection, such as 'find reviews'. */
  title: string;
  plan: string;
  /** The numbers of examined keys and documents, and of returned rows. */
  keys: number;
  documents: number;
  rows: number;
  ms: number;
}

/** Explains a database command. For commands that the database cannot explain, such as `insert`, returns only a title. */
export async function explain(db: Db, sent: Document): Promise<Pick<Explanation, 'title'> & Partial<Explanation>> {
  const { lsid: _, $db: __, maxTimeMS: ___, ...command } = sent;
  const [name = ''] = Object.keys(command);
  const title = `${name} ${String(command[name])}`;
  if (!['find', 'aggregate', 'update', 'delete', 'distinct'].includes(name)) return { title };
  const explanation = await db.command({ explain: command, verbosity: 'executionStats' });
  const cursor = explanation.stages?.[0]?.$cursor ?? explanation;
  const { totalKeysExamined, totalDocsExamined, nReturned, executionTimeMillis } = cursor.executionStats;
  const rows = explanation.stages?.at(-1)?.nReturned ?? nReturned;
  const { winningPlan } = cursor.queryPlanner;
  const plan = stagesOf(winningPlan.queryPlan ?? winningPlan);
  return { title, plan, keys: totalKeysExamined, documents: totalDocsExamined, rows, ms: executionTimeMillis };
}

/**
 * Returns the stages of a query plan from the last to the first, such as 'LIMIT, FETCH, IXSCAN newest'. If several branches
 * are the same, lists them once.
 */
function stagesOf(stage: Document): string {
  const inputs: Document[] = stage.inputStages ?? (stage.inputStage ? [stage.inputStage] : []);
  const branches = Map.groupBy(inputs.map(stagesOf), (branch) => branch);
  const own = [stage.stage, stage.indexName].filter(Boolean).join(' ');
  const rest = [...branches].map(([branch, { length }]) => (length > 1 ? `${length} × (${branch})` : branch));
  return [own, ...rest].join(', ');
}
