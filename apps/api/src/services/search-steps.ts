import type { Document } from 'mongodb';
import type { Term } from './search-terms.ts';

export interface SearchLimits {
  /**
   * The maximum number of services that one step of a search examines. Without this limit, a search for two frequent words
   * that rarely occur together could examine very many services. docs/decisions/0015 describes the steps.
   */
  maxCandidates: number;
  /**
   * The maximum number of words that a search looks up in an index for one typed word: all words of the vocabulary that
   * start with it. If there are more, for example for 'h', the search does not use an index for this typed word. Instead,
   * it checks whether the services that it examines contain a word with this start.
   */
  maxCompletions: number;
}
export const defaultSearchLimits: SearchLimits = { maxCandidates: 1000, maxCompletions: 1000 };
/**
 * The maximum number of terms that are looked up in an index. The other terms only filter the services that the index
 * finds.
 */
export const maxLookups = 8;

export type Field = 'titleWords' | 'words';
export const indexOf: Record<Field, string> = { titleWords: 'searchTitle', words: 'search' };

/**
 * How a service matches a term. A typed word here also means its singular forms.
 * - `typed`: It contains the typed words.
 * - `whole`: It contains the typed words or one of their synonyms.
 * - `start`: It contains the typed words, one of their synonyms, or words that start with the typed words.
 */
type Match = 'typed' | 'whole' | 'start';

export interface SearchTerm extends Term {
  /**
   * One entry for each typed word: the word, its singular forms, and the words of the vocabulary that start with it. An
   * entry is undefined if it would contain too many words.
   */
  completions: readonly (readonly string[] | undefined)[];
  /** For each field, the number of services that may match the term. Counting stops at `maxCandidates`. */
  counts: Record<Field, number>;
}

/** The services whose `field` contains at least one of the `words`. An index finds them. */
export interface Candidates {
  field: Field;
  words: readonly string[];
  count: number;
}

/**
 * One of the queries of a search. Suggestions and searches in the order `relevance` have several steps: the first step
 * finds the best results, and each step sorts its results from newest to oldest. Other searches have a single step.
 */
export interface Step {
  /**
   * Sets of services. Each set contains all results of the step, and may contain other services. So the step needs to
   * read only one of the sets, for example the smallest.
   */
  candidates: Candidates[];
  filter: Document;
}

/**
 * Returns the steps of a search that is sorted by relevance, from the best results to the worst. If several steps find
 * the same service, only the first of them lists it. A step that could add no services is undefined. A step finds the
 * services that contain all terms in these fields and forms:
 *
 * 0. In the title, as typed.
 * 1. In the title, as typed or as synonyms.
 * 2. In the title, as typed, as synonyms or as starts of words.
 * 3. In the title or the description, as typed, as synonyms or as starts of words. At least one term is in the title.
 * 4. In the title or the description, as typed or as synonyms.
 * 5. In the title or the description, as typed, as synonyms or as starts of words.
 */
export function relevanceSteps(terms: readonly SearchTerm[]): (Step | undefined)[] {
  const inTitle = terms.slice(0, maxLookups).map((term) => matches(term, 'start', 'titleWords'));
  const all = matchingStep(terms);
  const someInTitle = {
    candidates: [...all.candidates, ...unionOf(candidatesOf(terms, 'start', 'titleWords'), inTitle.length)],
    filter: { $and: [all.filter, { $or: inTitle }] },
  };
  return [...titleSteps(terms), terms.length === 1 ? undefined : someInTitle, stepOf(terms, 'whole', 'words'), all];
}

/**
 * Merges the candidates of all terms into one set: the services that may match at least one of the terms. Returns an array
 * with this set. Returns an empty array if the candidates of a term are missing, because too many words start with the
 * typed word. `termCount` is the number of terms that are looked up.
 */
function unionOf(sets: readonly Candidates[], termCount: number): Candidates[] {
  if (sets.length < termCount) return [];
  const count = sets.reduce((sum, set) => sum + set.count, 0);
  return [{ field: 'titleWords', words: [...new Set(sets.flatMap(({ words }) => words))], count }];
}

/** Returns the steps that find the services with all terms in the title. */
export function titleSteps(terms: readonly SearchTerm[]): (Step | undefined)[] {
  const hasSynonyms = terms.some(({ synonyms }) => synonyms.length > 0);
  return [
    stepOf(terms, 'typed', 'titleWords'),
    hasSynonyms ? stepOf(terms, 'whole', 'titleWords') : undefined,
    stepOf(terms, 'start', 'titleWords'),
  ];
}

/** Returns the step that finds all results of a search: the services with all terms in the title or the description. */
export const matchingStep = (terms: readonly SearchTerm[]) => stepOf(terms, 'start', 'words');

function stepOf(terms: readonly SearchTerm[], match: Match, field: Field): Step {
  return {
    candidates: candidatesOf(terms, match, field),
    filter: { $and: terms.map((term) => matches(term, match, field)) },
  };
}

/**
 * Creates a filter for the services that match the term. The filter checks only the words in `field`. `match` defines
 * which words a service must contain.
 */
function matches({ words, synonyms, completions }: SearchTerm, match: Match, field: Field): Document {
  const typed = words.map((forms, index) => {
    if (match !== 'start') return { [field]: { $in: forms } };
    const completed = completions[index];
    if (completed) return { [field]: { $in: completed } };
    // The word contains only letters and digits, so it needs no escaping in a regular expression.
    return { $or: [{ [field]: { $regex: `^${forms[0]}` } }, { [field]: { $in: forms } }] };
  });
  const phrases = match === 'typed' ? [] : synonyms.map((phrase) => ({ [field]: { $all: phrase } }));
  return { $or: [{ $and: typed }, ...phrases] };
}

/**
 * Returns one `Candidates` object for each term: the services that may match the term. Leaves out terms after the first
 * `maxLookups` terms, and terms with too many words to look up.
 */
function candidatesOf(terms: readonly SearchTerm[], match: Match, field: Field): Candidates[] {
  return terms.slice(0, maxLookups).flatMap((term) => {
    const words = keysOf(term, match);
    return words ? [{ field, words, count: term.counts[field] }] : [];
  });
}

/**
 * Returns the words to look up in the index for a term. Every service that matches the term contains at least one of
 * these words. If the typed text or a synonym has several words, only its longest word is looked up, because this word is
 * probably the rarest. Returns undefined if too many words of the vocabulary start with the typed word.
 */
export function keysOf(
  { words, synonyms, completions }: Omit<SearchTerm, 'counts'>,
  match: Match,
): readonly string[] | undefined {
  const longest = longestOf(words.map(([word]) => word));
  const index = words.findIndex(([word]) => word === longest);
  const typed = match === 'start' ? completions[index] : words[index];
  return typed && [...new Set([...typed, ...(match === 'typed' ? [] : synonyms.map(longestOf))])];
}

const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
