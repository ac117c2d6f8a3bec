import { retryOnce } from './retry.ts';

/** Given by the specification. */
const loadTimeoutMs = 120_000;

/** A script did not load: the connection failed, the request timed out, or a new deployment removed the script. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('A part of the app did not load', { cause });
    this.name = 'MissingPart';
  }
}

/**
 * Calls `load` with a timeout, and retries it once. Rejects with a MissingPart. The router and some browsers cache the
 * rejection, so only a reload can load the script later.
 */
export function onDemand<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new MissingPart('It took too long')), loadTimeoutMs);
      retryOnce(load)
        .then(resolve, (cause: unknown) => reject(new MissingPart(cause)))
        .finally(() => clearTimeout(timer));
    });
}
