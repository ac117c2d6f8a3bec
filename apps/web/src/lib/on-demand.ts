import { retryOnce } from './retry.ts';

/** Milliseconds that a script may take to load: the specification's limit. */
const patience = 120_000;

/** A part of the app did not load: the connection dropped, it took too long, or another version was deployed meanwhile. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('A part of the app did not load', { cause });
    this.name = 'MissingPart';
  }
}

/**
 * `load` with a time limit, tried twice. Rejects with a MissingPart; the router and some browsers keep that for good, so
 * that afterwards only a new page tries again.
 */
export function onDemand<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    new Promise((resolve, reject) => {
      const clock = setTimeout(() => reject(new MissingPart('It took too long')), patience);
      retryOnce(load)
        .then(resolve, (cause: unknown) => reject(new MissingPart(cause)))
        .finally(() => clearTimeout(clock));
    });
}
