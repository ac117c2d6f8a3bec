import { limits, type ServiceFilters, type ServiceQuery, type Suggestion } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import * as z from 'zod/mini';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import {
  createCursors,
  cursorValue,
  type Page,
  positionOf,
  type SortOrder,
  titleCollation,
} from '../database/pagination.ts';
import { normalizeWords } from '../words.ts';
import {
  createSearchCandidates,
  maxCandidates,
  type Results,
  type Scored,
  type SearchTerm,
} from './search-candidates.ts';
import { beginningsOf, correctionsOf, type Term, termsOf } from './search-terms.ts';
import { listed, listedFields } from './service-documents.ts';
import { serviceOrders } from './service-orders.ts';
import { suggestionsFor } from './suggestions.ts';
import type { VocabularyStore } from './vocabulary.store.ts';

/**
 * The maximum number of words of the vocabulary for the beginning of a word. MongoDB merges one sorted range of the index
 * for each word, and can merge at most 200.
 */
const maxCompletions = 100;

/** A search text, as the customer has typed it or after a change: the words for which services were searched. */
interface Search extends Results {
  /** The words, if they are not the typed words. */
  searchedFor?: string;
  /** The typed words without which services were found. */
  leftOut?: string;
  /** Those of these words that no service contains. */
  unknown?: string;
}

export type SearchPage = Page<ServiceDocument> & Pick<Search, 'searchedFor' | 'leftOut' | 'unknown'>;

/** The results by relevance. The fields are those of `Scored`. */
const relevance: Pick<SortOrder, 'fields'> = {
  fields: [['score', -1, cursorValue.count], ...serviceOrders.newest.fields],
};

const collator = new Intl.Collator(titleCollation.locale, { sensitivity: 'accent' });

/**
 * Clients can send forged cursors, so the schema of the words in a cursor accepts only normalized words.
 */
const searchedWords = z.string().check(
  z.maxLength(2 * limits.searchLength),
  z.refine((text) => text !== '' && normalizeWords(text).join(' ') === text),
);

/** Creates the search for services. docs/decisions/0015 explains it. */
export function createServiceSearch(
  { services }: Pick<Collections, 'services'>,
  vocabulary: Pick<VocabularyStore, 'findByStart' | 'findSimilar'>,
) {
  const { sourceOfTerm, sourceOfFilters, readCandidates } = createSearchCandidates({ services });
  return {
    /** Returns a page of the services that match the search text and the filters. Without a search text, the newest are first. */
    async findPage({
      sort = 'relevance',
      limit = limits.defaultPageSize,
      after,
      ...query
    }: ServiceQuery): Promise<SearchPage> {
      const { q, ...filters } = query;
      const order = sort === 'relevance' ? relevance : serviceOrders[sort];
      const cursors = createCursors(
        ['services', sort, q, filters.area, filters.minRating, filters.contact, filters.photos],
        [z.nullable(searchedWords), ...order.fields.map(([, , value]) => value)],
      );
      const [searchedFor, ...position] = after === undefined ? [] : cursors.decode(after);
      const { rows, isComplete, ...search }: Search =
        typeof searchedFor === 'string'
          ? { ...(await findAll(searchedFor.split(' '), filters)), searchedFor }
          : q === undefined
            ? await findFiltered([], filters)
            : await findBest(normalizeWords(q), filters, after === undefined);
      const sorted = rows.toSorted((a, b) => compare(order, positionOf(order.fields, a), positionOf(order.fields, b)));
      const isAfter = (row: Scored) => compare(order, positionOf(order.fields, row), position) > 0;
      const following = after === undefined ? sorted : sorted.filter(isAfter);
      const page = following.slice(0, limit);
      const last = page.at(-1);
      return {
        rows: await readServices(page),
        totalCount: isComplete ? rows.length : undefined,
        ...(last &&
          following.length > page.length && {
            nextCursor: cursors.encode([search.searchedFor ?? null, ...positionOf(order.fields, last)]),
          }),
        ...search,
      };
    },

    /** Suggests a completed or corrected search, areas and services for a search text that the customer is still typing. */
    async suggest(q: string): Promise<Suggestion[]> {
      const typed = normalizeWords(q);
      const { rows, searchedFor } = await findBest(typed);
      return suggestionsFor(
        typed,
        rows.toSorted((a, b) => b.score - a.score),
        searchedFor,
      );
    },
  };

  /**
   * Finds the services that contain all words. If there are none, finds the services that contain the most of the words,
   * also as corrections, and searches for exactly these words instead.
   */
  async function findBest(typed: readonly string[], filters: ServiceFilters = {}, mayChange = true): Promise<Search> {
    const terms = await lookUp(termsOf(typed));
    const results = await findWithAll(terms, filters);
    if (results.rows.length > 0 || !mayChange) return results;
    // The words are changed only if they find nothing without filters either.
    if (Object.keys(filters).length > 0 && (await findWithAll(terms)).rows.length > 0) return results;
    const corrected = await Promise.all(terms.map(correct));
    const known = corrected.filter(({ size }) => size > 0);
    // If only one of the terms is in any service, the services with it cannot differ in the number of terms that they contain.
    // So it is enough to examine a few of them.
    const limit = known.length === 1 ? 100 : Math.floor(maxCandidates / Math.max(1, known.length));
    const candidates = await Promise.all(
      known.map(async (term) => readCandidates(term, known, {}, { needsAll: false, limit })),
    );
    const matchCount = ({ matches }: Scored) => matches.filter(Boolean).length;
    const [best] = candidates
      .flatMap(({ rows }) => rows)
      .toSorted((a, b) => matchCount(b) - matchCount(a) || b.score - a.score);
    if (!best) return results;
    const matchOf = (term: SearchTerm) => best.matches[known.indexOf(term)];
    const words = corrected.flatMap((term) => {
      const match = matchOf(term);
      if (!match) return [];
      return match.correctedTo === undefined ? term.typed : [match.correctedTo];
    });
    const leftOut = corrected.filter((term) => !matchOf(term));
    const textOf = (left: readonly Term[]) => left.flatMap((term) => term.typed).join(' ');
    const unknown = textOf(leftOut.filter((term) => (terms[corrected.indexOf(term)]?.size ?? 0) === 0));
    return {
      ...(await findAll(words, filters)),
      searchedFor: words.join(' '),
      ...(leftOut.length > 0 && { leftOut: textOf(leftOut) }),
      ...(unknown !== '' && { unknown }),
    };
  }

  async function findAll(words: readonly string[], filters: ServiceFilters): Promise<Results> {
    return findWithAll(await lookUp(termsOf(words)), filters);
  }

  async function findWithAll(terms: readonly SearchTerm[], filters: ServiceFilters = {}): Promise<Results> {
    return terms.length === 0 ? { rows: [], isComplete: true } : findFiltered(terms, filters);
  }

  async function findFiltered(terms: readonly SearchTerm[], filters: ServiceFilters): Promise<Results> {
    const [smallest] = [...terms, await sourceOfFilters(filters)].toSorted((a, b) => a.size - b.size);
    if (!smallest || smallest.size === 0) return { rows: [], isComplete: true };
    return readCandidates(smallest, terms, filters, { needsAll: true, limit: maxCandidates });
  }

  /** Completes the last term, which customers may still be typing, and counts the services with each term. */
  async function lookUp(terms: readonly Term[]): Promise<SearchTerm[]> {
    return Promise.all(
      terms.map(async (term, index) => {
        const [word = '', ...more] = term.typed;
        if (index < terms.length - 1 || more.length > 0) return sourceOfTerm(term);
        const found = await vocabulary.findByStart(word, maxCompletions);
        return sourceOfTerm({ ...term, phrases: [...term.phrases, ...beginningsOf(word, found)] });
      }),
    );
  }

  async function correct(term: SearchTerm): Promise<SearchTerm> {
    const [word = '', ...more] = term.typed;
    if (term.size > 0 || more.length > 0) return term;
    return sourceOfTerm({ ...term, phrases: correctionsOf(word, await vocabulary.findSimilar(word)) });
  }

  async function readServices(page: readonly Scored[]): Promise<ServiceDocument[]> {
    const ids = page.map(({ _id }) => _id);
    const documents = await services
      .find({ _id: { $in: ids }, ...listed }, { ...readTimeout, projection: listedFields })
      .toArray();
    const byId = new Map(documents.map((document) => [document._id.toHexString(), document]));
    return ids.flatMap((id) => byId.get(id.toHexString()) ?? []);
  }
}

/** Compares two positions in an order. Returns a positive number if `a` follows `b`. */
function compare({ fields }: Pick<SortOrder, 'fields'>, a: readonly unknown[], b: readonly unknown[]): number {
  for (const [index, [, direction]] of fields.entries()) {
    const difference = compareValues(a[index], b[index]);
    if (difference !== 0) return direction * difference;
  }
  return 0;
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
  const [one, other] = [a, b].map((value) => (value instanceof ObjectId ? value.toHexString() : (value as number)));
  if (one === undefined || other === undefined) return 0;
  return one < other ? -1 : one > other ? 1 : 0;
}
