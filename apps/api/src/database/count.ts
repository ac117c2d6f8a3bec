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
 * The counts of lists with more than `longListCount` rows are kept for this time. Otherwise, each page would read up to
 * 10,000 index keys again. The counts of shorter lists are always up to date.
 */
const longListTtlMs = 10_000;
const longListCount = 1000;
/** The maximum number of lists whose counts are kept. */
const maxLongLists = 1000;

/**
 * Counts rows, if possible with the index `hint`. Returns undefined if there are more than `maxExactCount` rows, or if counting
 * takes too long.
 */
export async function countUpTo<T extends Document>(
  collection: Collection<T>,
  filter: Document,
  hint?: string,
): Promise<number | undefined> {
  const options = { limit: maxExactCount + 1, maxTimeMS: countTimeoutMs, ...(hint !== undefined && { hint }) };
  const count = await unlessTooLong(collection.countDocuments(filter as Filter<T>, options));
  return count !== undefined && count <= maxExactCount ? count : undefined;
}

/** Creates a function that counts a list like `countUpTo`, and keeps the counts of long lists. `key` identifies the list. */
export function createListCounter<T extends Document>(collection: Collection<T>) {
  const longLists = createReadCache<{ count: number | undefined }>({
    ttlMs: longListTtlMs,
    maxSize: maxLongLists,
    sizeOf: () => 1,
  });
  return async (key: string, filter: Document): Promise<number | undefined> => {
    const kept = longLists.get(key);
    if (kept) return kept.count;
    const count = await countUpTo(collection, filter);
    if (count === undefined || count > longListCount) await longLists.load(key, async () => ({ count }));
    return count;
  };
}

/** Returns undefined if the database stopped the command because of its timeout. */
export async function unlessTooLong<T>(command: Promise<T>): Promise<T | undefined> {
  try {
    return await command;
  } catch (error) {
    if (hasErrorCode(error, 'maxTimeExceeded')) return undefined;
    throw error;
  }
}
