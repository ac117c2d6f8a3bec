import type { AnyBulkWriteOperation } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { VocabularyDocument } from '../database/documents/services.ts';

/** The minimum and maximum length of words that are corrected. Shorter words are similar to too many other words. */
const correctableLength = { min: 3, max: 24 };
/** The maximum number of words of the vocabulary that are compared with one mistyped word. */
const maxExaminedWords = 500;
/** The maximum number of similar words that `findSimilar` returns. */
const maxSimilarWords = 8;
const hourMs = 60 * 60_000;
/**
 * Each word has the time when it was last marked as used. If the word is added again, this time is updated only if it is
 * older than `remarkAfterMs`. A sweep can remove the word only if this time is older than `removeAfterMs`.
 */
const [remarkAfterMs, removeAfterMs] = [12 * hourMs, 24 * hourMs];
/** The maximum number of words that one sweep examines. */
const wordsPerSweep = 500;

export type VocabularyStore = ReturnType<typeof createVocabularyStore>;

/**
 * Creates the store of the vocabulary: the words of all services. It finds the words that start with a typed text, and
 * the words that are similar to a mistyped word. A word is added before the first service with this word is saved. A
 * word is removed only if it was last marked as used more than a day ago, and no listed service contains it. So the
 * vocabulary contains every word that a search can find, and possibly others.
 */
export function createVocabularyStore({ vocabulary, services }: Pick<Collections, 'vocabulary' | 'services'>) {
  return {
    /** Adds the words that are missing, and marks the given words as used, unless they were marked recently. Idempotent. */
    async add(words: readonly string[], now = new Date()): Promise<void> {
      const markedRecently = { usedAt: { $gt: new Date(now.getTime() - remarkAfterMs) } };
      const marked = await vocabulary
        .find({ _id: { $in: [...words] }, ...markedRecently }, { ...readTimeout, projection: { _id: 1 } })
        .toArray();
      const markedWords = new Set(marked.map(({ _id }) => _id));
      const unmarked = words.filter((word) => !markedWords.has(word));
      if (unmarked.length === 0) return;
      await vocabulary.bulkWrite(
        unmarked.map((word) => ({
          updateOne: {
            filter: { _id: word },
            update: {
              $set: { usedAt: now },
              $setOnInsert: { deletions: isCorrectable(word) ? deletionsOf(word) : [] },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /**
     * Removes words that no listed service has any more. Each word is examined at most once a day. If another request marks
     * a word as used during the sweep, the word stays, because this request may then save a service with the word.
     */
    async sweep(now = new Date()): Promise<void> {
      const isDue = { usedAt: { $not: { $gt: new Date(now.getTime() - removeAfterMs) } } };
      const due = await vocabulary
        .find(isDue, { ...readTimeout, projection: { usedAt: 1 }, limit: wordsPerSweep })
        .sort({ usedAt: 1 })
        .toArray();
      const writes: AnyBulkWriteOperation<VocabularyDocument>[] = [];
      for (const { _id } of due) {
        const service = await services.findOne({ words: _id }, { ...readTimeout, projection: { _id: 1 } });
        const filter = { _id, ...isDue };
        writes.push(service ? { updateOne: { filter, update: { $set: { usedAt: now } } } } : { deleteOne: { filter } });
      }
      if (writes.length > 0) await vocabulary.bulkWrite(writes, { ordered: false });
    },

    /** Returns up to `limit` words that start with this text. */
    async findByStart(start: string, limit: number): Promise<string[]> {
      const found = await vocabulary
        .find({ _id: { $gte: start, $lt: `${start}\u{10FFFF}` } }, { ...readTimeout, projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /**
     * Returns words that differ from this word by one edit: one wrong, missing or additional letter, or two swapped letters.
     */
    async findSimilar(word: string): Promise<string[]> {
      if (!isCorrectable(word)) return [];
      const found = await vocabulary
        .find({ deletions: { $in: deletionsOf(word) } }, { ...readTimeout, projection: { _id: 1 } })
        .limit(maxExaminedWords)
        .toArray();
      return found
        .map(({ _id }) => _id)
        .filter((other) => isOneEditApart(word, other))
        .slice(0, maxSimilarWords);
    },
  };
}

/** Numbers are not corrected, because a similar number has another meaning. */
function isCorrectable(word: string): boolean {
  const { length } = Array.from(word);
  return length >= correctableLength.min && length <= correctableLength.max && !/\p{N}/u.test(word);
}

/**
 * Returns the word, and its variants with one letter removed: 'hod', 'hoo' and 'ood' for 'hood'. Two words that differ by one
 * edit have at least one variant in common. So an index of the variants finds similar words (symmetric deletion).
 */
function deletionsOf(word: string): string[] {
  const letters = Array.from(word);
  return [...new Set([word, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}

export function isOneEditApart(one: string, other: string): boolean {
  const [short, long] = [Array.from(one), Array.from(other)].toSorted((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  const first = long.findIndex((letter, index) => letter !== short[index]);
  if (first === -1) return false;
  const isRest = (from: number, rest: string[]) => rest.join() === long.slice(from).join();
  if (long.length > short.length) return isRest(first + 1, short.slice(first));
  const swapped = [short[first + 1], short[first], ...short.slice(first + 2)];
  return isRest(first + 1, short.slice(first + 1)) || (first + 1 < short.length && isRest(first, swapped as string[]));
}
