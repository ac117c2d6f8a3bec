import { retryOnce } from './retry.ts';

/** The time limit for loading a script, in milliseconds, from the specification. */
const patience = 120_000;

/** A script did not load: the connection dropped, it took too long, or another version was deployed. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('A part of the app did not load', { cause });
    this.name = 'MissingPart';
  }
}

/**
 * Calls `load` with a time limit, up to twice. Rejects with a MissingPart. The router and some browsers cache the rejection,
 * so only a reload can try again.
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
