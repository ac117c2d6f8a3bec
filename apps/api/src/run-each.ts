/**
 * Runs a task for one item after the other. If the task fails for one item, it still runs for the other items, unless
 * `endsRun` returns true for the error. At the end, throws an AggregateError with all failures.
 */
export async function runEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  task: (item: T) => Promise<unknown>,
  failureMessage: string,
  endsRun: (error: unknown) => boolean = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await task(item);
    } catch (error) {
      failures.push(error);
      if (endsRun(error)) break;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failureMessage);
}
