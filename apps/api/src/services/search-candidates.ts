import type { ServiceFilters } from '@rtr/shared';
import type { Document } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { normalizeWords } from '../words.ts';
import { areaKeysOf, type Phrase, type Term } from './search-terms.ts';
import { listed } from './service-documents.ts';

/** The maximum number of services that a search examines, and so of its results. */
export const maxCandidates = 1000;
const fieldScores = { title: 3, area: 2, description: 1 };

/** A set of services that contains all results of a search. A search reads the smallest of these sets. */
interface Source {
  /**
   * The queries that find the services. The second query continues after the first. Each returns the newest services first.
   * `count` is the number of services that it finds, up to `maxCandidates`, or 0 if this is not known.
   */
  queries: readonly { filter: Document; index: string; count: number }[];
  /** The size of the set, for a comparison with other sets. */
  size: number;
}

export interface SearchTerm extends Term, Source {}

const candidateFields = ['title', 'area', 'createdAt', 'priceNumber', 'averageRating'] as const;

type Candidate = Pick<ServiceDocument, '_id' | (typeof candidateFields)[number]> & {
  /** The words of the search that the service contains. */
  words: string[];
};

export interface Scored extends Candidate {
  score: number;
  /** For each term, the phrase that the service contains. Undefined if it contains none. */
  matches: readonly (Phrase | undefined)[];
}

export interface Results {
  rows: Scored[];
  /** False if there may be more results than the examined ones. */
  isComplete: boolean;
}

/** Creates the functions that read and score the services for a search. */
export function createSearchCandidates({ services }: Pick<Collections, 'services'>) {
  return { sourceOfTerm, sourceOfFilters, readCandidates };

  /** Returns where to read the services with the term: first those with it in the title or the area, then the others. */
  async function sourceOfTerm(term: Term): Promise<SearchTerm> {
    const keys = [...new Set(term.phrases.map(({ words }) => longestOf(words)))];
    const inTitle = { filter: { titleWords: { $in: keys } }, index: 'searchTitle' };
    const anywhere = { filter: { words: { $in: keys } }, index: 'search' };
    const countInTitle = await count(inTitle);
    // If the first query already finds the maximum number of services, the second one is not needed, so its services are not
    // counted.
    const countAnywhere = countInTitle < maxCandidates ? await count(anywhere) : maxCandidates;
    const others = { ...anywhere, filter: { ...anywhere.filter, titleWords: { $nin: keys } } };
    return {
      ...term,
      queries: [
        { ...inTitle, count: countInTitle },
        // The beginnings of words are only in titles, so the difference can be negative.
        { ...others, count: Math.max(0, countAnywhere - countInTitle) },
      ],
      // If two words are both in very many services, the one in fewer titles is rarer.
      size: countInTitle + countAnywhere,
    };
  }

  /**
   * With the filter `area`, the source contains the services whose area has one pair of the words of the filter, or its only
   * word. Otherwise, it contains the services that match all filters, and its size is not known.
   */
  async function sourceOfFilters(filters: ServiceFilters): Promise<Source> {
    const key = longestOf(areaKeysOf(filters.area ?? ''));
    if (key === '') {
      const index = filters.minRating === undefined ? 'newest' : 'fullStars';
      return { queries: [{ filter: { ...listed, ...filterOf(filters) }, index, count: 0 }], size: Infinity };
    }
    const query = { filter: { titleWords: key }, index: 'searchTitle' };
    const size = await count(query);
    return { queries: [{ ...query, count: size }], size };
  }

  async function count({ filter, index: hint }: { filter: Document; index: string }): Promise<number> {
    return services.countDocuments(filter, { ...readTimeout, hint, limit: maxCandidates });
  }

  /**
   * Examines the newest services of a source, up to `limit`, and scores those that match the filters. If `needsAll` is true,
   * returns only services that contain all terms.
   */
  async function readCandidates(
    { queries }: Source,
    terms: readonly Term[],
    filters: ServiceFilters,
    { needsAll, limit }: { needsAll: boolean; limit: number },
  ): Promise<Results> {
    const searched = [...new Set(terms.flatMap(({ phrases }) => phrases.flatMap(({ words }) => words)))];
    const found: Candidate[] = [];
    let left = limit;
    for (const { filter, index, count: size } of queries) {
      if (left <= 0) break;
      const candidates = services.aggregate<Candidate>(
        [
          { $match: filter },
          { $sort: { createdAt: -1, _id: -1 } },
          { $limit: left },
          // This removes most services that lack a term, so that MongoDB sends fewer services to the API.
          { $match: { $and: [filterOf(filters), ...(needsAll ? terms.map(filterOfTerm) : [])] } },
          {
            $project: {
              ...Object.fromEntries(candidateFields.map((field) => [field, 1])),
              words: { $setIntersection: ['$words', searched] },
            },
          },
        ],
        { ...readTimeout, hint: index },
      );
      found.push(...(await candidates.toArray()));
      left -= size;
    }
    const scored = found.map((candidate) => score(candidate, terms));
    return {
      rows: needsAll ? scored.filter(({ matches }) => matches.every(Boolean)) : scored,
      isComplete: left > 0 && found.length < limit,
    };
  }
}

/** The filter of MongoDB for these filters. */
function filterOf({ area = '', minRating, contact, photos }: ServiceFilters): Document {
  const areaKeys = areaKeysOf(area);
  return {
    ...(areaKeys.length > 0 && { titleWords: { $all: areaKeys } }),
    // The index `fullStars` is sorted by date for each number of stars. With the list [4, 5], MongoDB merges two sorted
    // parts of it. With the range >= 4, it would have to sort all services that match.
    ...(minRating !== undefined && { fullStars: { $in: [1, 2, 3, 4, 5].filter((stars) => stars >= minRating) } }),
    ...(contact && { $or: [{ phone: { $gt: '' } }, { website: { $gt: '' } }] }),
    ...(photos && { img: { $gt: '' } }),
  };
}

/**
 * Returns a filter that every service with the term matches. Other services may match too, because the filter requires only
 * one word of a phrase.
 */
function filterOfTerm({ phrases }: Term): Document {
  const anyWord = { $in: [...new Set(phrases.flatMap(({ words }) => words))] };
  return { $or: [{ words: anyWord }, { titleWords: anyWord }] };
}

/** The longest word of a phrase is probably the rarest. Without words, returns ''. */
const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/** True if the words contain this word, or a word with this beginning if it ends with '*' (see `titleWordsOf`). */
const contains = (words: readonly string[], word: string) =>
  word.endsWith('*') ? words.some((other) => other.startsWith(word.slice(0, -1))) : words.includes(word);

/**
 * Scores a service: for each term, a match in the title is better than one in the area, and this is better than one in the
 * description. In the same field, the form of the match decides (see `forms`).
 */
function score(candidate: Candidate, terms: readonly Term[]): Scored {
  const [title, area] = [normalizeWords(candidate.title), normalizeWords(candidate.area)];
  const fieldOf = (word: string) =>
    contains(title, word)
      ? fieldScores.title
      : contains(area, word)
        ? fieldScores.area
        : candidate.words.includes(word)
          ? fieldScores.description
          : 0;
  let total = 0;
  const matches = terms.map(({ phrases }) => {
    let best = { score: 0, phrase: undefined as Phrase | undefined };
    for (const phrase of phrases) {
      const field = Math.min(...phrase.words.map(fieldOf));
      const phraseScore = 10 * field + phrase.form;
      if (field > 0 && phraseScore > best.score) best = { score: phraseScore, phrase };
    }
    total += best.score;
    return best.phrase;
  });
  return { ...candidate, score: total, matches };
}
