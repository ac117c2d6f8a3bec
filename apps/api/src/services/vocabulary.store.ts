import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/documents.ts';

/** Only words with this many letters are corrected. Shorter words are similar to too many others. */
const correctableLength = { min: 3, max: 24 };
/** The number of words that are examined, and the number of similar words among them that are returned. */
const maxExaminedWords = 500;
const maxSimilarWords = 8;

export type VocabularyStore = ReturnType<typeof createVocabularyStore>;

/**
 * Creates the store of the words of all services. The vocabulary finds the words that start with a typed text, and the words
 * that are similar to a mistyped word. A word is added before the first service that has it, and is never removed. So the
 * vocabulary has every word that a search can find, and may have more.
 */
export function createVocabularyStore({ vocabulary }: Pick<Collections, 'vocabulary'>) {
  return {
    /** Adds the words that are missing. Idempotent. */
    async add(words: readonly string[]): Promise<void> {
      const known = await vocabulary
        .find({ _id: { $in: [...words] } }, { ...readTimeout, projection: { _id: 1 } })
        .toArray();
      const knownWords = new Set(known.map(({ _id }) => _id));
      const missing = words.filter((word) => !knownWords.has(word));
      if (missing.length === 0) return;
      await vocabulary.bulkWrite(
        missing.map((word) => ({
          updateOne: {
            filter: { _id: word },
            update: { $setOnInsert: { deletions: isCorrectable(word) ? deletionsOf(word) : [] } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /** Returns up to `limit` words that start with this text. */
    async findByStart(start: string, limit: number): Promise<string[]> {
      const found = await vocabulary
        .find({ _id: { $gte: start, $lt: `${start}\u{10FFFF}` } }, { ...readTimeout, projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** Returns words that differ from this word by one edit: one wrong, missing, additional or swapped letter. */
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

/** Numbers are never corrected, because a similar number means something else. */
function isCorrectable(word: string): boolean {
  const { length } = Array.from(word);
  return length >= correctableLength.min && length <= correctableLength.max && !/\p{N}/u.test(word);
}

/**
 * Returns the word, and the word without each of its letters. If two words differ by one edit, these lists have a common
 * entry. So an index of these lists finds similar words (symmetric deletion).
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
