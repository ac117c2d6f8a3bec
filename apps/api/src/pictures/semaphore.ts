/**
 * Returns a function that runs tasks, of which at most `maxCount` run at the same time. The other tasks wait. If the signal
 * of a waiting task is aborted, the task does not run, and its promise rejects with the reason of the signal.
 */
export function createSemaphore(maxCount: number) {
  const waiting = new Set<() => void>();
  let freeCount = maxCount;

  function waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return async <T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    if (freeCount > 0) freeCount -= 1;
    else await waitForTurn(signal);
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else freeCount += 1;
    }
  };
}
