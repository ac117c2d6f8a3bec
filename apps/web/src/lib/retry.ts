/** The delay before the retry. A phone that has changed its network is usually online again after this time. */
const retryOnceDelayMs = 500;

/**
 * Retries a read once if the error may be temporary. Do not use this for writes: if only the response was lost, the retry
 * would save the same data twice.
 */
export async function retryOnce<T>(
  read: () => Promise<T>,
  isRetryable: (error: unknown) => boolean = () => true,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isRetryable(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, retryOnceDelayMs));
    return read();
  }
}

/** Returns the delay before the next automatic attempt. It grows with each attempt (exponential backoff). */
export function retryDelayMs(attempts: number): number {
  return Math.min(60_000, 2000 * 2 ** attempts);
}

/** Resolves when the browser is online again, after `delayMs`, or when `signal` is aborted, whichever is first. */
export function onlineOr(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}
