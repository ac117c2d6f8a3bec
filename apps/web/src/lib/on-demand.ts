import { retryOnce } from './retry.ts';

/**
 * The timeout for loading a script. The specification of this app defines it (see docs/decisions/0006-deployments.md).
 */
const loadTimeoutMs = 120_000;

/** Thrown when a script does not load, for example because a new deployment has removed it. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('A part of the app did not load', { cause });
    this.name = 'MissingPart';
  }
}

/**
 * Wraps `load`, which imports a script, with a timeout and one retry. If the retry fails too, throws a MissingPart. After
 * that, only a reload of the page can load the script, because the router and some browsers cache the failed import.
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
