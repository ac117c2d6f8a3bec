/**
 * Runs a task for one item after the other. If the task fails for one item, it still runs for the other items. After the
 * last item, throws an AggregateError with all failures.
 */
export async function runEach<T>(
  items: Iterable<T>,
  task: (item: T) => Promise<unknown>,
  failureMessage: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await task(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failureMessage);
}
