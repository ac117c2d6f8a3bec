import { retryOnce } from './retry.ts';

/** The timeout for loading a script, which the specification defines. */
const loadTimeoutMs = 120_000;

/** Thrown when a script does not load: the connection failed, the request timed out, or a new deployment removed the script. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('A part of the app did not load', { cause });
    this.name = 'MissingPart';
  }
}

/**
 * Wraps the import of a script: calls `load` with a timeout, retries it once, and then rejects with a MissingPart. The
 * router and some browsers cache the failed import, so only a reload of the page can load the script later.
 */
export function onDemand<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new MissingPart(new Error('It took too long'))), loadTimeoutMs);
      retryOnce(load)
        .then(resolve, (cause: unknown) => reject(new MissingPart(cause)))
        .finally(() => clearTimeout(timer));
    });
}
