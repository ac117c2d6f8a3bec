import { normalizeWords } from '../words.ts';
import { editDistance } from './edit-distance.ts';
import { synonyms } from './synonyms.ts';

/**
 * How a phrase fits a typed word: it is this word (or its singular or plural), it has the same meaning, it starts with this
 * word, or it corrects this word. A larger number is a better match.
 */
export const forms = { typed: 4, synonym: 3, beginning: 2, correction: 1 } as const;

/** Words that a service may contain instead of the typed words. A service must contain all words of the phrase. */
export interface Phrase {
  words: readonly string[];
  form: (typeof forms)[keyof typeof forms];
  /** The word of a correction. */
  correctedTo?: string;
}

/** A typed word, or several typed words that form a phrase of the list of synonyms, and the phrases that it may mean. */
export interface Term {
  typed: readonly string[];
  phrases: readonly Phrase[];
}

/** Further words of a search text are ignored. */
const maxTerms = 10;

/** Words that say nothing about a service. A search ignores them, unless it has no other words. */
const ignoredWords = new Set(
  'a an and any are at for from i in is me my near need of on or our please that the to want we who with you your'.split(
    ' ',
  ),
);

/** The maximum length of the beginnings that are stored with a service. */
const maxBeginningLength = 3;

/**
 * Returns the words of a title or an area, and the first one to three letters of each word, marked with '*'. So a single
 * entry of the index contains all services for the typed letter 'h'.
 */
function titleWordsOf(text: string): string[] {
  const words = normalizeWords(text);
  const beginnings = words.flatMap((word) => {
    const letters = Array.from(word).slice(0, maxBeginningLength);
    return letters.map((_, index) => beginning(letters.slice(0, index + 1).join('')));
  });
  return [...new Set([...words, ...beginnings])];
}

const beginning = (letters: string) => `${letters}*`;

/** The maximum number of words of an area that the filter `area` uses. Further words are ignored. */
const maxAreaWords = 16;

/**
 * Returns the words of an area and all pairs of these words, each marked with '@'. For 'Old Town', these are '@old', '@town'
 * and '@old town'. They are in the same index as the words of titles. With a pair, MongoDB finds the services whose area has
 * both words without reading those that have only one of them.
 */
export function areaKeysOf(area: string): string[] {
  const words = normalizeWords(area).slice(0, maxAreaWords).toSorted();
  const pairs = words.flatMap((word, index) => words.slice(index + 1).map((other) => `${word} ${other}`));
  return [...words, ...pairs].map((key) => `@${key}`);
}

/** The words of a service that a search can find. They are stored with the service. */
export function searchFieldsOf({ title, area, description }: { title: string; area: string; description: string }) {
  return {
    titleWords: [...titleWordsOf(`${title} ${area}`), ...areaKeysOf(area)],
    words: normalizeWords(`${title} ${area} ${description}`),
  };
}

const meantByPhrase = new Map(
  synonyms.flatMap(({ typed, meant }) =>
    typed.map((phrase) => [phrase, meant.filter((other) => other !== phrase).map((other) => other.split(' '))]),
  ),
);
const maxPhraseLength = Math.max(...[...meantByPhrase.keys()].map((phrase) => phrase.split(' ').length));
const synonymWords: readonly string[] = [...meantByPhrase.keys()].filter((phrase) => !phrase.includes(' '));

/**
 * Splits a search into terms. If consecutive words form a phrase of the list of synonyms, they become one term. If several
 * phrases start with the same word, the longest one is used.
 */
export function termsOf(words: readonly string[]): Term[] {
  const terms: Term[] = [];
  for (let start = 0; start < words.length; start += terms.at(-1)?.typed.length ?? 1) terms.push(termAt(words, start));
  const meaningful = terms.filter(({ typed: [word = '', ...more] }) => more.length > 0 || !ignoredWords.has(word));
  return (meaningful.length > 0 ? meaningful : terms).slice(0, maxTerms);
}

function termAt(words: readonly string[], start: number): Term {
  for (let length = maxPhraseLength; length > 1; length -= 1) {
    const typed = words.slice(start, start + length);
    const meant = meantByPhrase.get(typed.join(' '));
    if (typed.length > 1 && meant)
      return { typed, phrases: [{ words: typed, form: forms.typed }, ...toPhrases(meant, forms.synonym)] };
  }
  const word = words[start] ?? '';
  return { typed: [word], phrases: phrasesOf(word) };
}

const toPhrases = (phrases: readonly (readonly string[])[], form: Phrase['form']): Phrase[] =>
  phrases.map((words) => ({ words, form }));

function phrasesOf(word: string): Phrase[] {
  const variants = [word, ...singularsOf(word), ...pluralsOf(word)];
  return [
    ...toPhrases(
      variants.map((variant) => [variant]),
      forms.typed,
    ),
    ...toPhrases(
      variants.flatMap((variant) => meantByPhrase.get(variant) ?? []),
      forms.synonym,
    ),
  ];
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

function pluralsOf(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word) || word.endsWith('s')) return [];
  return [/(?:x|ch|sh)$/.test(word) ? `${word}es` : word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`];
}

/**
 * Returns the phrases for the beginning of a word. `found` contains words of the vocabulary with this beginning. Only a
 * longer beginning also finds synonyms.
 */
export function beginningsOf(word: string, found: readonly string[]): Phrase[] {
  const isShort = Array.from(word).length <= maxBeginningLength;
  const others = isShort
    ? [[beginning(word)]]
    : synonymWords.filter((other) => other.startsWith(word)).flatMap((other) => meantByPhrase.get(other) ?? []);
  return toPhrases([...others, ...found.map((other) => [other])], forms.beginning);
}

/** The maximum number of corrections of a word that a search tries. */
const maxCorrections = 20;

/** Returns the phrases for the corrections of a word. `found` contains similar words of the vocabulary. */
export function correctionsOf(word: string, found: readonly string[]): Phrase[] {
  const similar = [...new Set([...found, ...synonymWords.filter((other) => isSimilar(word, other))])];
  const nearest = Math.min(...similar.map((other) => editDistance(word, other)));
  return similar
    .filter((other) => editDistance(word, other) === nearest)
    .slice(0, maxCorrections)
    .flatMap((other) => phrasesOf(other).map(({ words }) => ({ words, form: forms.correction, correctedTo: other })));
}

/** True if `other` may be the word that a customer meant: one edit is allowed from 4 letters, two edits from 8. */
export function isSimilar(word: string, other: string): boolean {
  const distance = editDistance(word, other);
  return distance > 0 && distance <= maxEdits(other);
}

/** The number of edits that may lie between a typed word and this word of the vocabulary. A number is never corrected. */
export function maxEdits(word: string): 0 | 1 | 2 {
  const { length } = Array.from(word);
  if (length < 4 || length > 24 || /\p{N}/u.test(word)) return 0;
  return length < 8 ? 1 : 2;
}

/** Returns the first number in a text, or Infinity if there is none. Commas separate thousands: 'from $1,200' is 1200. */
export function firstNumber(text: string): number {
  const [number] = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/.exec(text) ?? [];
  return number === undefined ? Infinity : Number(number.replaceAll(',', ''));
}
