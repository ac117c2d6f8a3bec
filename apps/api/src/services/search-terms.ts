import { limits } from '@rtr/shared';
import { synonyms } from './synonyms.ts';

/**
 * A typed word, or several typed words that form a phrase of the list of synonyms. A search finds only services that match
 * all of its terms.
 */
export interface Term {
  /**
   * One array for each typed word: the word, then its possible singular forms. A service matches if it contains at
   * least one form from every array.
   */
  words: readonly (readonly [string, ...string[]])[];
  /**
   * Words and phrases with the same meaning as the typed words. A service matches a phrase if it contains all words of the
   * phrase.
   */
  synonyms: readonly (readonly string[])[];
}

/**
 * Returns the words of a text. A word is a sequence of letters and digits. Words are normalized for searches: without case,
 * accents and compatibility forms ('ﬁ' becomes 'fi'). Converting to lower, upper and lower case turns both 'ß' and 'ẞ' into
 * 'ss'. A word is cut to the maximum length of a search text.
 */
export function normalizeWords(text: string): string[] {
  const normalized = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
  return [...new Set(normalized.match(/[\p{L}\p{N}]+/gu)?.map(cut))];
}

const cut = (word: string) =>
  word.length <= limits.searchLength ? word : Array.from(word).slice(0, limits.searchLength).join('');

/** The words of a service that a search can find. They are stored with the service. */
export function searchFieldsOf({ title, description }: { title: string; description: string }) {
  return { titleWords: normalizeWords(title), words: normalizeWords(`${title} ${description}`) };
}

const meantByPhrase = new Map(
  synonyms.flatMap(({ typed, meant }) =>
    typed.map((phrase) => [phrase, meant.filter((other) => other !== phrase).map((other) => other.split(' '))]),
  ),
);
const maxPhraseLength = Math.max(...[...meantByPhrase.keys()].map((phrase) => phrase.split(' ').length));
/** All words that have synonyms. Phrases of several words are left out. */
export const synonymWords: readonly string[] = [...meantByPhrase.keys()].filter((phrase) => !phrase.includes(' '));

/** The minimum length of the last word of a search that `completeSynonyms` completes. */
const minCompletedLength = 3;
const maxCompletedSynonyms = 3;

/**
 * Completes the last word of a search with words of the list of synonyms, such as 'exha' to 'exhaust'. Returns one search
 * for each completion.
 */
export function completeSynonyms(words: readonly string[]): string[][] {
  const last = words.at(-1) ?? '';
  if (last.length < minCompletedLength) return [];
  return synonymWords
    .filter((word) => word !== last && word.startsWith(last))
    .slice(0, maxCompletedSynonyms)
    .map((word) => [...words.slice(0, -1), word]);
}

/**
 * Splits a search into terms. If consecutive words form a phrase of the list of synonyms, they become one term. If several
 * phrases start with the same word, the longest one is used.
 */
export function termsOf(words: readonly string[]): Term[] {
  const terms: Term[] = [];
  for (let start = 0; start < words.length; start += terms.at(-1)?.words.length ?? 1) terms.push(termAt(words, start));
  return terms;
}

function termAt(words: readonly string[], start: number): Term {
  for (let length = maxPhraseLength; length > 1; length -= 1) {
    const phrase = words.slice(start, start + length);
    const meant = meantByPhrase.get(phrase.join(' '));
    if (phrase.length > 1 && meant) return { words: phrase.map((word) => [word]), synonyms: meant };
  }
  const word = words[start] ?? '';
  const forms = [word, ...singularsOf(word)] as const;
  return { words: [forms], synonyms: forms.flatMap((form) => meantByPhrase.get(form) ?? []) };
}

/** Returns the possible singular forms of an English plural. For 'switches', these are 'switche' and 'switch'. */
function singularsOf(word: string): string[] {
  if (!/^[a-z]{3,}s$/.test(word) || /(?:ss|us|is)$/.test(word)) return [];
  return [
    word.slice(0, -1),
    ...(/(?:[sx]|ch|sh)es$/.test(word) ? [word.slice(0, -2)] : []),
    ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
  ];
}

/** Returns the first number in a text, or Infinity if there is none. Commas separate thousands: 'from $1,200' is 1200. */
export function firstNumber(text: string): number {
  const [number] = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/.exec(text) ?? [];
  return number === undefined ? Infinity : Number(number.replaceAll(',', ''));
}
