import type { ServiceFilters } from '@rtr/shared';
import type { Document } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { areaWordsOf, type Phrase, type Term, titleWordsOf } from './search-terms.ts';
import { listed } from './service-documents.ts';

/** The maximum number of services that a search examines, and so of its results. */
export const maxCandidates = 1000;
const fieldScores = { title: 3, area: 2, description: 1 };

/** A set of services that contains all results of a search. A search reads the smallest of these sets. */
interface Source {
  /** The queries that find the services. The second query continues after the first. Each returns the newest services first. */
  queries: readonly { filter: Document; index?: string }[];
  /** The number of index entries of the set, counted up to `maxCandidates` for each query. */
  count: number;
}

export interface SearchTerm extends Term, Source {}

const candidateFields = [
  'title',
  'area',
  'phone',
  'website',
  'img',
  'createdAt',
  'priceNumber',
  'averageRating',
] as const;

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
    const counts = await Promise.all([inTitle, anywhere].map(count));
    return {
      ...term,
      queries: [inTitle, { ...anywhere, filter: { ...anywhere.filter, titleWords: { $nin: keys } } }],
      count: counts.reduce((sum, each) => sum + each),
    };
  }

  /**
   * With the filter `area`, the source contains the services in this area. Otherwise, it contains the services that match
   * all filters, and its size is not known.
   */
  async function sourceOfFilters(filters: ServiceFilters): Promise<Source> {
    const areaWords = areaWordsOf(filters.area ?? '');
    if (areaWords.length === 0) return { queries: [{ filter: { ...listed, ...filterOf(filters) } }], count: Infinity };
    const query = { filter: { titleWords: { $all: areaWords } }, index: 'searchTitle' };
    return { queries: [query], count: await count(query) };
  }

  async function count({ filter, index: hint }: { filter: Document; index: string }): Promise<number> {
    return services.countDocuments(filter, { ...readTimeout, hint, limit: maxCandidates });
  }

  /** Reads the newest services of a source, and scores them for the terms. */
  async function readCandidates({ queries }: Source, terms: readonly Term[], limit: number): Promise<Results> {
    const searched = [...new Set(terms.flatMap(({ phrases }) => phrases.flatMap(({ words }) => words)))];
    const found: Candidate[] = [];
    for (const { filter, index } of queries) {
      if (found.length === limit) break;
      const candidates = services.aggregate<Candidate>(
        [
          { $match: filter },
          { $sort: { createdAt: -1, _id: -1 } },
          { $limit: limit - found.length },
          {
            $project: {
              ...Object.fromEntries(candidateFields.map((field) => [field, 1])),
              words: { $setIntersection: ['$words', searched] },
            },
          },
        ],
        { ...readTimeout, ...(index !== undefined && { hint: index }) },
      );
      found.push(...(await candidates.toArray()));
    }
    return { rows: found.map((candidate) => score(candidate, terms)), isComplete: found.length < limit };
  }
}

/** The filter of MongoDB for these filters, without the area. */
function filterOf({ minRating, contact, photos }: ServiceFilters): Document {
  return {
    ...(minRating !== undefined && { averageRating: { $gte: minRating } }),
    ...(contact && { $or: [{ phone: { $gt: '' } }, { website: { $gt: '' } }] }),
    ...(photos && { img: { $gt: '' } }),
  };
}

/** True if a candidate matches all filters. */
export function isMatch(candidate: Candidate, { area = '', minRating = 0, contact, photos }: ServiceFilters): boolean {
  const areaWords = new Set(areaWordsOf(candidate.area));
  return (
    areaWordsOf(area).every((word) => areaWords.has(word)) &&
    candidate.averageRating >= minRating &&
    (!contact || candidate.phone !== '' || candidate.website !== '') &&
    (!photos || candidate.img !== '')
  );
}

/** The longest word of a phrase is probably the rarest. */
const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/**
 * Scores a service: for each term, a match in the title is better than one in the area, and this is better than one in the
 * description. In the same field, the form of the match decides (see `forms`).
 */
function score(candidate: Candidate, terms: readonly Term[]): Scored {
  const [title, area] = [candidate.title, candidate.area].map((text) => new Set(titleWordsOf(text)));
  const all = new Set(candidate.words);
  const fieldOf = (word: string) =>
    title?.has(word)
      ? fieldScores.title
      : area?.has(word)
        ? fieldScores.area
        : all.has(word)
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
