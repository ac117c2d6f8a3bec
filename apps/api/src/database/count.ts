import type { Collection, Document, Filter } from 'mongodb';
import { createReadCache } from '../read-cache.ts';
import { hasErrorCode } from './client.ts';

/**
 * The maximum number of rows that `countUpTo` counts. If there are more rows, the page is sent without a total. See
 * docs/decisions/0008.
 */
const maxExactCount = 10_000;
/**
 * The timeout for counting the rows of a list, which usually takes 10 ms. After the timeout, the page is sent without a
 * total.
 */
const countTimeoutMs = 1000;
/**
 * How long the API caches that a list has more than `maxExactCount` rows. Without this cache, the API would read 10,000
 * index keys for each page of the list. The totals of shorter lists are not cached here, because they must be up to date.
 */
const longListTtlMs = 10_000;
/** The maximum number of lists in the cache of lists with more than `maxExactCount` rows. */
const maxLongLists = 1000;

/**
 * Counts rows. Returns undefined if there are more than `maxExactCount` rows, or if counting takes too long.
 */
export async function countUpTo<T extends Document>(
  collection: Collection<T>,
  filter: Document,
): Promise<number | undefined> {
  const count = await countBeyondLimit(collection, filter);
  return count !== undefined && count <= maxExactCount ? count : undefined;
}

/**
 * Creates a function that counts the rows of a list like `countUpTo`, and caches which lists have more than `maxExactCount`
 * rows. `key` identifies the list. `hint` is the index to use, if MongoDB would not choose it itself.
 */
export function createListCounter<T extends Document>(collection: Collection<T>) {
  const longLists = createReadCache<true>({ ttlMs: longListTtlMs, maxSize: maxLongLists, sizeOf: () => 1 });
  return async (key: string, filter: Document, hint?: string): Promise<number | undefined> => {
    if (longLists.get(key)) return undefined;
    const count = await countBeyondLimit(collection, filter, hint);
    if (count === undefined || count <= maxExactCount) return count;
    await longLists.load(key, async () => true);
    return undefined;
  };
}

/**
 * Counts rows. Returns `maxExactCount + 1` if there are more than `maxExactCount` rows, and undefined if counting takes
 * too long.
 */
async function countBeyondLimit<T extends Document>(
  collection: Collection<T>,
  filter: Document,
  hint?: string,
): Promise<number | undefined> {
  const options = { limit: maxExactCount + 1, maxTimeMS: countTimeoutMs, ...(hint !== undefined && { hint }) };
  try {
    return await collection.countDocuments(filter as Filter<T>, options);
  } catch (error) {
    if (hasErrorCode(error, 'maxTimeExceeded')) return undefined;
    throw error;
  }
}
