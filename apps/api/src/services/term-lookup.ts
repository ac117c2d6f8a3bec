import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { type Field, indexOf, keysOf, maxLookups, type SearchLimits, type SearchTerm } from './search-steps.ts';
import { synonymWords, type Term, termsOf } from './search-terms.ts';
import { isOneEditApart, type VocabularyStore } from './vocabulary.store.ts';

/**
 * The maximum number of unknown terms that are corrected. A search with more unknown terms finds nothing. The number is
 * small, because each correction needs several database commands.
 */
const maxCorrections = 2;

export const isFound = ({ counts }: SearchTerm) => counts.words > 0;

/** Creates the functions that look up the terms of a search in the vocabulary and the indexes. */
export function createTermLookup(
  { services }: Pick<Collections, 'services'>,
  vocabulary: Pick<VocabularyStore, 'findByStart' | 'findSimilar'>,
  { maxCandidates, maxCompletions }: SearchLimits,
) {
  return { findTerms, lookUp };

  /**
   * Returns the terms of a search. If a term matches no service, replaces its words with similar words (see `correct`).
   * Returns undefined if a term still matches no service, or if more than `maxCorrections` terms need a correction.
   */
  async function findTerms(words: string[]): Promise<{ terms: SearchTerm[]; words: string[] } | undefined> {
    const terms = await lookUp(words);
    if (terms.length === 0) return undefined;
    if (terms.every(isFound)) return { terms, words };
    if (terms.filter((term) => !isFound(term)).length > maxCorrections) return undefined;
    const corrections = await Promise.all(
      terms.flatMap((term) => term.words.map(async ([word]) => (isFound(term) ? word : correct(word)))),
    );
    const corrected = corrections.filter((word) => word !== undefined);
    const correctedTerms = corrected.length < corrections.length ? [] : await lookUp(corrected);
    return correctedTerms.length > 0 && correctedTerms.every(isFound)
      ? { terms: correctedTerms, words: corrected }
      : undefined;
  }

  async function lookUp(words: readonly string[]): Promise<SearchTerm[]> {
    return Promise.all(
      termsOf(words).map(async (term, index) => {
        const isLookedUp = index < maxLookups;
        const completions = await Promise.all(
          term.words.map((forms) => (isLookedUp ? complete(forms) : Promise.resolve(undefined))),
        );
        const searched = keysOf({ ...term, completions }, 'start');
        const [titleWords, wordCount] = await Promise.all([count('titleWords', searched), count('words', searched)]);
        return { ...term, completions, counts: { titleWords, words: wordCount } };
      }),
    );
  }

  async function complete(forms: Term['words'][number]): Promise<string[] | undefined> {
    const found = await vocabulary.findByStart(forms[0], maxCompletions + 1);
    return found.length > maxCompletions ? undefined : [...new Set([...forms, ...found])];
  }

  /** Counts the services with one of these words. Counting stops at `maxCandidates`. */
  async function count(field: Field, words: readonly string[] | undefined): Promise<number> {
    if (!words) return maxCandidates;
    const options = { ...readTimeout, hint: indexOf[field], limit: maxCandidates };
    return services.countDocuments({ [field]: { $in: words } }, options);
  }

  /**
   * Returns a word that differs from this word by one edit. Prefers the most frequent word of titles, then a word of the
   * list of synonyms, then the most frequent word of descriptions.
   */
  async function correct(word: string): Promise<string | undefined> {
    const similar = await vocabulary.findSimilar(word);
    const mostFrequent = async (field: Field) => {
      const counted = await Promise.all(
        similar.map(async (other) => ({ other, frequency: await count(field, [other]) })),
      );
      return counted.filter(({ frequency }) => frequency > 0).toSorted((a, b) => b.frequency - a.frequency)[0]?.other;
    };
    return (
      (await mostFrequent('titleWords')) ??
      synonymWords.find((other) => other.length > 3 && isOneEditApart(word, other)) ??
      (await mostFrequent('words'))
    );
  }
}
