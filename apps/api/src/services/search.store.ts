import { limits, type ServiceQuery } from '@rtr/shared';
import * as z from 'zod/mini';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { createCursors, cursorValue, type Page } from '../database/pagination.ts';
import type { Position } from './search-ranges.ts';
import { createSearchResults, type Stop } from './search-results.ts';
import { defaultSearchLimits, matchingStep, relevanceSteps, type SearchTerm, titleSteps } from './search-steps.ts';
import { completeSynonyms, normalizeWords } from './search-terms.ts';
import { serviceOrders } from './service-orders.ts';
import { createTermLookup, isFound } from './term-lookup.ts';
import type { VocabularyStore } from './vocabulary.store.ts';

/**
 * The maximum number of services that one search for suggestions returns. It is larger than the number of suggestions,
 * because several services can have the same title.
 */
const servicesForSuggestions = 25;

const stepCount = 6;
/**
 * The schema of the search with corrected spelling, which a cursor contains. Clients can send forged cursors, so the
 * schema accepts only normalized words.
 */
const correctedSearch = z.string().check(
  z.maxLength(2 * limits.searchLength),
  z.refine((text) => text !== '' && normalizeWords(text).join(' ') === text),
);
const stopSchemas = [
  z.int().check(z.gte(0), z.lt(stepCount)),
  z.array(z.nullable(z.tuple([cursorValue.date, cursorValue.id]))).check(z.maxLength(stepCount)),
];

export interface SearchPage extends Page<ServiceDocument> {
  /** The corrected search, if the customer mistyped a word. */
  searchedFor?: string;
}

export function createServiceSearch(
  { services }: Pick<Collections, 'services'>,
  vocabulary: Pick<VocabularyStore, 'findByStart' | 'findSimilar'>,
  searchLimits = defaultSearchLimits,
) {
  const { findTerms, lookUp } = createTermLookup({ services }, vocabulary, searchLimits);
  const { readSteps, countAll, fitsOnPage } = createSearchResults({ services }, searchLimits.maxCandidates);
  return {
    /**
     * Returns a page of the results of a search. If the search stopped because it had examined too many services, the page
     * may not be full, but has a cursor for the next page.
     */
    async findPage({
      q,
      sort = 'relevance',
      limit = limits.defaultPageSize,
      after,
    }: ServiceQuery & { q: string }): Promise<SearchPage> {
      const order = serviceOrders[sort === 'relevance' ? 'newest' : sort];
      const positionSchemas = order.fields.map(([, , value]) => value);
      const cursors = createCursors(
        ['services', sort, q],
        [z.nullable(correctedSearch), ...stopSchemas, ...positionSchemas],
      );
      const [searchedFor, step, boundaries, ...position] = (
        after === undefined ? [] : cursors.decode(after)
      ) as Partial<[string | null, Stop['step'], Stop['boundaries'], ...Position]>;

      const words = normalizeWords(searchedFor ?? q);
      const found = searchedFor === undefined ? await findTerms(words) : { terms: await lookUp(words), words };
      if (!found || found.terms.length === 0) return { rows: [], totalCount: 0 };
      const corrected = searchedFor ?? (found.words === words ? null : found.words.join(' '));

      const steps = sort === 'relevance' ? relevanceSteps(found.terms) : [matchingStep(found.terms)];
      const start = step === undefined || boundaries === undefined ? undefined : { step, boundaries, position };
      const needsCount = start !== undefined || !fitsOnPage(found.terms, limit);
      const [{ rows, stop }, totalCount] = await Promise.all([
        readSteps(steps, order, start, limit),
        needsCount ? countAll(found.terms) : undefined,
      ]);
      return {
        rows,
        totalCount: start || stop ? totalCount : rows.length,
        ...(stop && { nextCursor: cursors.encode([corrected, stop.step, stop.boundaries, ...stop.position]) }),
        ...(corrected !== null && { searchedFor: corrected }),
      };
    },

    /** Returns titles of services as suggestions for a search text that the customer is still typing. */
    async suggest(q: string): Promise<string[]> {
      const words = normalizeWords(q);
      const titles = new Map<string, string>();
      const findTitles = async (terms: readonly SearchTerm[] = []) => {
        if (terms.length === 0 || !terms.every(isFound)) return [];
        const { rows } = await readSteps(titleSteps(terms), serviceOrders.newest, undefined, servicesForSuggestions);
        return rows.map((row) => row.title.trim());
      };
      const addTitles = (found: readonly string[]) => {
        for (const title of found) if (!titles.has(title.toLowerCase())) titles.set(title.toLowerCase(), title);
      };
      addTitles(await findTitles((await findTerms(words))?.terms));
      if (titles.size < limits.suggestions) {
        const searches = completeSynonyms(words).map(async (search) => findTitles(await lookUp(search)));
        addTitles((await Promise.all(searches)).flat());
      }
      return [...titles.values()].slice(0, limits.suggestions);
    },
  };
}
