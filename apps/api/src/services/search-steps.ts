import type { Document } from 'mongodb';
import type { Term } from './search-terms.ts';

export interface SearchLimits {
  /**
   * The number of services that one step of a search examines. Without this limit, a search for two frequent words that
   * rarely occur together would examine all services. docs/decisions/0015 describes the steps.
   */
  maxCandidates: number;
  /** The maximum number of words of the vocabulary that are looked up for the start of a word, such as 'h'. */
  maxCompletions: number;
}
export const defaultSearchLimits: SearchLimits = { maxCandidates: 1000, maxCompletions: 1000 };
/**
 * The maximum number of terms that are looked up in an index. The services must match the other terms too, but these are
 * only compared.
 */
export const maxLookups = 8;

export type Field = 'titleWords' | 'words';
export const indexOf: Record<Field, string> = { titleWords: 'searchTitle', words: 'search' };

/**
 * How a service matches a term: `typed` only with the typed words, `whole` also with alternatives, and `start` also with
 * words that start with the typed words.
 */
type Match = 'typed' | 'whole' | 'start';

export interface SearchTerm extends Term {
  /** For each word: its forms, and the words of the vocabulary that start with it. Undefined if there are too many. */
  completions: readonly (readonly string[] | undefined)[];
  /** The number of services that can match the term. Counting stops at `maxCandidates`. */
  counts: Record<Field, number>;
}

/** The services whose `field` contains at least one of the `words`. An index finds them. */
export interface Candidates {
  field: Field;
  words: readonly string[];
  count: number;
}

/** One of several ways to find services. Its results are in the order of the list. */
export interface Step {
  /** Sets of services. Each of them contains all results of the step. */
  candidates: Candidates[];
  filter: Document;
}

/**
 * Returns the steps of the order `relevance`. A service belongs to the first step that finds it. A step that could find
 * nothing new is undefined. The steps find these services:
 *
 * 0. All terms are in the title, as typed.
 * 1. All terms are in the title, as typed or as alternatives.
 * 2. All terms are in the title, as typed, as alternatives or as starts of words.
 * 3. All terms are in the title or the description, and at least one of them is in the title.
 * 4. All terms are in the title or the description, as typed or as alternatives.
 * 5. All terms are in the title or the description, as typed, as alternatives or as starts of words.
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

/** Returns a list with the union of `size` sets, or an empty list if some of the sets are missing. */
function unionOf(sets: readonly Candidates[], size: number): Candidates[] {
  if (sets.length < size) return [];
  const count = sets.reduce((sum, set) => sum + set.count, 0);
  return [{ field: 'titleWords', words: [...new Set(sets.flatMap(({ words }) => words))], count }];
}

/** Returns the steps that find the services with all terms in the title. */
export function titleSteps(terms: readonly SearchTerm[]): (Step | undefined)[] {
  const hasAlternatives = terms.some(({ alternatives }) => alternatives.length > 0);
  return [
    stepOf(terms, 'typed', 'titleWords'),
    hasAlternatives ? stepOf(terms, 'whole', 'titleWords') : undefined,
    stepOf(terms, 'start', 'titleWords'),
  ];
}

/** Returns the step of the search that finds all services that match all terms. */
export const matchingStep = (terms: readonly SearchTerm[]) => stepOf(terms, 'start', 'words');

function stepOf(terms: readonly SearchTerm[], match: Match, field: Field): Step {
  return {
    candidates: candidatesOf(terms, match, field),
    filter: { $and: terms.map((term) => matches(term, match, field)) },
  };
}

/** Creates a filter for the services that match a term with words of the field. */
function matches({ words, alternatives, completions }: SearchTerm, match: Match, field: Field): Document {
  const typed = words.map((forms, index) => {
    if (match !== 'start') return { [field]: { $in: forms } };
    const completed = completions[index];
    if (completed) return { [field]: { $in: completed } };
    // The word contains only letters and digits, so it needs no escaping in a regular expression.
    return { $or: [{ [field]: { $regex: `^${forms[0]}` } }, { [field]: { $in: forms } }] };
  });
  const phrases = match === 'typed' ? [] : alternatives.map((phrase) => ({ [field]: { $all: phrase } }));
  return { $or: [{ $and: typed }, ...phrases] };
}

/**
 * Returns a set for each term: the services that can match the term. Looks up only the first `maxLookups` terms, and no
 * terms with too many words.
 */
function candidatesOf(terms: readonly SearchTerm[], match: Match, field: Field): Candidates[] {
  return terms.slice(0, maxLookups).flatMap((term) => {
    const words = keysOf(term, match);
    return words ? [{ field, words, count: term.counts[field] }] : [];
  });
}

/**
 * Returns the words to look up for a term. Every service that matches the term has at least one of them. For a phrase, its
 * longest word is enough, because long words are rare. Returns undefined if there are too many words.
 */
export function keysOf(
  { words, alternatives, completions }: Omit<SearchTerm, 'counts'>,
  match: Match,
): readonly string[] | undefined {
  const longest = longestOf(words.map(([word]) => word));
  const index = words.findIndex(([word]) => word === longest);
  const typed = match === 'start' ? completions[index] : words[index];
  return typed && [...new Set([...typed, ...(match === 'typed' ? [] : alternatives.map(longestOf))])];
}

const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
