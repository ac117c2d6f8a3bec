import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { type Phrase, type Term, titleWordsOf } from './search-terms.ts';

/** The maximum number of services that a search examines, and so of its results. */
export const maxCandidates = 1000;
const fieldScores = { title: 3, area: 2, description: 1 };

/** The services with a term can be read from two indexes. Each is sorted from the newest to the oldest service. */
const indexes = { titleWords: 'searchTitle', words: 'search' } as const;

export interface SearchTerm extends Term {
  /** The words to look up in the indexes: every service with this term has at least one of them. */
  keys: readonly string[];
  /** The number of entries of the indexes with one of these words, counted up to `maxCandidates` for each index. */
  count: number;
}

type Candidate = Pick<ServiceDocument, '_id' | 'title' | 'area' | 'createdAt' | 'priceNumber' | 'averageRating'> & {
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
  return { countServices, readCandidates };

  async function countServices(term: Term): Promise<SearchTerm> {
    const keys = [...new Set(term.phrases.map(({ words }) => longestOf(words)))];
    const count = async (field: keyof typeof indexes) =>
      services.countDocuments(
        { [field]: { $in: keys } },
        { ...readTimeout, hint: indexes[field], limit: maxCandidates },
      );
    const [inTitle, anywhere] = await Promise.all([count('titleWords'), count('words')]);
    return { ...term, keys, count: inTitle + anywhere };
  }

  /**
   * Reads the newest services with this term: first those with the term in the title or the area, then the others. Scores
   * them for all terms.
   */
  async function readCandidates({ keys }: SearchTerm, terms: readonly SearchTerm[], limit: number): Promise<Results> {
    const searched = [...new Set(terms.flatMap(({ phrases }) => phrases.flatMap(({ words }) => words)))];
    const read = async (field: keyof typeof indexes, filter: object, count: number) =>
      services
        .aggregate<Candidate>(
          [
            { $match: { [field]: { $in: keys }, ...filter } },
            { $sort: { createdAt: -1, _id: -1 } },
            { $limit: count },
            {
              $project: {
                title: 1,
                area: 1,
                createdAt: 1,
                priceNumber: 1,
                averageRating: 1,
                words: { $setIntersection: ['$words', searched] },
              },
            },
          ],
          { ...readTimeout, hint: indexes[field] },
        )
        .toArray();
    const inTitle = await read('titleWords', {}, limit);
    const missing = limit - inTitle.length;
    const others = missing > 0 ? await read('words', { titleWords: { $nin: keys } }, missing) : [];
    const rows = [...inTitle, ...others].map((candidate) => score(candidate, terms));
    return { rows, isComplete: rows.length < limit };
  }
}

/** The longest word of a phrase is probably the rarest. */
const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/**
 * Scores a service: for each term, a match in the title is better than one in the area, and this is better than one in the
 * description. In the same field, the form of the match decides (see `forms`).
 */
function score(candidate: Candidate, terms: readonly SearchTerm[]): Scored {
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
