import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { isSimilar, maxEdits } from './search-terms.ts';

/** The maximum number of words of the vocabulary that are compared with one mistyped word. */
const maxExaminedWords = 500;
/** Only the first letters of a word are looked up for corrections, so that a long word needs no more index entries. */
const indexedLetters = 7;

export type VocabularyStore = ReturnType<typeof createVocabularyStore>;

/**
 * Creates the store of the vocabulary: the words of all services. It finds the words that start with a typed text, and the
 * words that are similar to a mistyped word. A word is added before the first service with this word is saved, and is never
 * removed. A search uses a word only if it then finds a service, so words without services do no harm.
 */
export function createVocabularyStore({ vocabulary }: Pick<Collections, 'vocabulary'>) {
  return {
    /** Adds the words that are missing. Idempotent. */
    async add(words: readonly string[]): Promise<void> {
      const existing = await vocabulary
        .find({ _id: { $in: [...words] } }, readTimeout)
        .project({ _id: 1 })
        .toArray();
      const existingWords = new Set(existing.map(({ _id }) => String(_id)));
      const missing = words.filter((word) => !existingWords.has(word));
      if (missing.length === 0) return;
      // Another request may add the same word at the same time, so these are upserts.
      await vocabulary.bulkWrite(
        missing.map((word) => ({
          updateOne: {
            filter: { _id: word },
            update: { $setOnInsert: { deletions: deletionsOf(word, maxEdits(word)) } },
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

    /** Returns the words that a customer may have meant with this word (see `isSimilar`). */
    async findSimilar(word: string): Promise<string[]> {
      if (/\p{N}/u.test(word)) return [];
      // A word of 8 letters may have been typed with 6.
      const edits = word.length < 3 ? 0 : word.length < 6 ? 1 : 2;
      const found = await vocabulary
        .find({ deletions: { $in: deletionsOf(word, edits) } }, { ...readTimeout, projection: { _id: 1 } })
        .limit(maxExaminedWords)
        .toArray();
      return found.map(({ _id }) => _id).filter((other) => isSimilar(word, other));
    },
  };
}

/**
 * Returns the first letters of a word, and their variants with up to `edits` letters removed: 'hood', 'hod', 'hoo' and 'ood'
 * for one edit. Two words that differ by this number of edits have a variant in common. So an index of the variants finds
 * similar words (symmetric deletion). Without edits, returns no variants.
 */
function deletionsOf(word: string, edits: 0 | 1 | 2): string[] {
  if (edits === 0) return [];
  let variants = [Array.from(word).slice(0, indexedLetters)];
  const all = [...variants];
  for (let edit = 0; edit < edits; edit += 1) {
    variants = variants.flatMap((letters) => letters.map((_, index) => letters.toSpliced(index, 1)));
    all.push(...variants);
  }
  return [...new Set(all.map((letters) => letters.join('')))];
}
