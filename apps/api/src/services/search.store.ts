import { limits, type ServiceQuery } from '@rtr/shared';
import type { Document } from 'mongodb';
import * as z from 'zod/mini';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { countUpTo, createCursors, cursorValue, type Page, positionOf, unlessTooLong } from '../database/pagination.ts';
import { completeSynonyms, normalizeWords, synonymWords, type Term, termsOf } from './search-terms.ts';
import { type ServiceOrder, serviceOrders } from './service-orders.ts';
import { isOneEditApart, type VocabularyStore } from './vocabulary.store.ts';

export interface SearchLimits {
  /**
   * The number of services that one step of a search examines. Without this limit, a search for two frequent words that
   * rarely occur together would examine all services. docs/decisions/0015 describes the steps.
   */
  maxCandidates: number;
  /** The maximum number of words of the vocabulary that are looked up for the start of a word, such as 'h'. */
  maxCompletions: number;
}
const searchLimits: SearchLimits = { maxCandidates: 1000, maxCompletions: 1000 };
/**
 * The maximum number of terms that are looked up in an index. The services must match the other terms too, but these are
 * only compared.
 */
const maxLookups = 8;
/** The maximum number of words whose index ranges are merged in the order of the list. MongoDB merges at most 200 ranges. */
const maxMergedWords = 100;
/**
 * The number of services that are read for suggestions. It is larger than the number of suggestions, because several
 * services can have the same title.
 */
const servicesForSuggestions = 25;

type Field = 'titleWords' | 'words';
const indexOf: Record<Field, string> = { titleWords: 'searchTitle', words: 'search' };

/**
 * How a service matches a term: `typed` only with the typed words, `whole` also with alternatives, and `start` also with
 * words that start with the typed words.
 */
type Match = 'typed' | 'whole' | 'start';

interface SearchTerm extends Term {
  /** For each word: its forms, and the words of the vocabulary that start with it. Undefined if there are too many. */
  completions: readonly (readonly string[] | undefined)[];
  /** The number of services that can match the term. Counting stops at `maxCandidates`. */
  counts: Record<Field, number>;
}

/** The services whose `field` contains at least one of the `words`. An index finds them. */
interface Candidates {
  field: Field;
  words: readonly string[];
  count: number;
}

/** One of several ways to find services. Its results are in the order of the list. */
interface Step {
  /** Sets of services. Each of them contains all results of the step. */
  candidates: Candidates[];
  filter: Document;
}

/** An index, and a filter for its keys. */
interface Source {
  index: string;
  filter: Document;
}

/**
 * A position in a list: the values of a row by which the list is sorted. The next page starts after the position of the last
 * row.
 */
type Position = readonly unknown[];

/** The end of a page, which the cursor contains. The next page continues there. */
interface Stop {
  step: number;
  /** For each earlier step that was given up, the last position that it has examined. */
  boundaries: readonly (Position | null)[];
  position: Position;
}

const stepCount = 6;
/**
 * If more words than this are unknown, the search finds nothing, because each correction needs several database commands.
 */
const maxCorrections = 2;
/**
 * The corrected search that a cursor contains. Clients can send any cursor, so the search must consist of normalized words.
 */
const correctedSearch = z.string().check(
  z.maxLength(2 * limits.searchLength),
  z.refine((text) => text !== '' && normalizeWords(text).join(' ') === text),
);
const stopSchemas = [
  z.int().check(z.gte(0), z.lt(stepCount)),
  z.array(z.nullable(z.tuple([cursorValue.date, cursorValue.id]))).check(z.maxLength(stepCount)),
];

/** Excludes the search words of a service, which are longer than its description. */
export const withoutWords = { words: 0, titleWords: 0 };
const notHidden = { hiddenAt: null };

export interface SearchPage extends Page<ServiceDocument> {
  /** The corrected search, if the customer mistyped a word. */
  searchedFor?: string;
}

export function createServiceSearch(
  { services }: Pick<Collections, 'services'>,
  vocabulary: Pick<VocabularyStore, 'findByStart' | 'findSimilar'>,
  { maxCandidates, maxCompletions } = searchLimits,
) {
  return {
    /**
     * Returns a page of a search. If the search had to examine too many services, the page has fewer services than `limit`,
     * and a cursor.
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
      const smallest = smallestOf(candidatesOf(found.terms, 'start', 'words'));
      const fitsOnPage = !start && isSmall(smallest) && smallest.count <= limit;
      const [{ rows, stop }, totalCount] = await Promise.all([
        readSteps(steps, order, start, limit),
        fitsOnPage ? undefined : countAll(found.terms),
      ]);
      return {
        rows,
        totalCount: start || stop ? totalCount : rows.length,
        ...(stop && { nextCursor: cursors.encode([corrected, stop.step, stop.boundaries, ...stop.position]) }),
        ...(corrected !== null && { searchedFor: corrected }),
      };
    },

    /** Returns titles of services for an incomplete search text. */
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

  /**
   * Returns the terms of a search. If no service has a word, the most frequent similar word replaces it. Returns undefined
   * if the search finds nothing even then.
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

  /** Returns the most frequent word that differs by one edit. Prefers words of titles to words of descriptions. */
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

  /**
   * Reads the services of one step after the other until the page is full. A step that has examined `maxCandidates` services
   * is given up, and a later step finds the rest of its results. If it is the last step, the page ends early.
   */
  async function readSteps(
    steps: readonly (Step | undefined)[],
    order: ServiceOrder,
    start: Stop | undefined,
    limit: number,
  ): Promise<{ rows: ServiceDocument[]; stop?: Stop }> {
    const found: { row: ServiceDocument; step: number }[] = [];
    const boundaries = [...(start?.boundaries ?? [])];
    for (let step = start?.step ?? 0; step < steps.length; step += 1) {
      const earlier = steps.slice(0, step).map((other, index) => isFoundBy(other, order, boundaries[index]));
      // One row more than the page has shows whether there is a next page.
      const { rows, boundary } = await readStep(steps[step], order, {
        earlier: earlier.filter((filter) => filter !== undefined),
        after: step === start?.step ? start.position : undefined,
        limit: limit + 1 - found.length,
      });
      found.push(...rows.map((row) => ({ row, step })));
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const pageRows = page.map(({ row }) => row);
      if (found.length > limit && last) {
        const position = positionOf(order.fields, last.row);
        return {
          rows: pageRows,
          stop: { step: last.step, boundaries: boundaries.slice(0, last.step), position },
        };
      }
      if (boundary && step === steps.length - 1)
        return { rows: pageRows, stop: { step, boundaries, position: boundary } };
      boundaries[step] = boundary ?? null;
    }
    return { rows: found.map(({ row }) => row) };
  }

  function isSmall(candidates: Candidates | undefined): candidates is Candidates {
    return candidates !== undefined && candidates.count < maxCandidates;
  }

  /**
   * Reads those services of a step that no earlier step finds. If the step has examined `maxCandidates` services, also
   * returns `boundary`, the last position that it has examined. There may be more results after it.
   */
  async function readStep(
    step: Step | undefined,
    order: ServiceOrder,
    { earlier, after, limit }: { earlier: Document[]; after: Position | undefined; limit: number },
  ): Promise<{ rows: ServiceDocument[]; boundary?: Position | undefined }> {
    if (!step) return { rows: [] };
    const smallest = smallestOf(step.candidates);
    if (smallest?.count === 0) return { rows: [] };
    const { source, boundary } = isSmall(smallest)
      ? { source: await smallSourceOf(smallest, order), boundary: undefined }
      : await chooseSource(step.candidates, order, after);
    const excluded = [...earlier, ...(boundary ? [isAfter(order, boundary)] : [])];
    const rows = await services
      .aggregate<ServiceDocument>(
        [
          { $match: rangeOf(source, order, after, boundary) },
          { $sort: sortOf(order) },
          ...examine({
            $and: [step.filter, ...(after ? [isAfter(order, after)] : [])],
            ...(excluded.length > 0 && { $nor: excluded }),
          }),
          { $limit: limit },
          { $project: withoutWords },
        ],
        { ...readTimeout, hint: source.index, ...(order.collation && { collation: order.collation }) },
      )
      .toArray();
    return { rows, boundary };
  }

  async function smallSourceOf(candidates: Candidates, { collation }: ServiceOrder): Promise<Source> {
    const source = sourceOf(candidates);
    if (!collation) return source;
    // MongoDB cannot use the index for words together with the collation of the list. So the ids are found first.
    const found = await services
      .find(source.filter, { ...readTimeout, projection: { _id: 1 }, hint: source.index, limit: 2 * maxCandidates })
      .toArray();
    return { index: '_id_', filter: { _id: { $in: found.map(({ _id }) => _id) } } };
  }

  /**
   * Returns the source whose next `maxCandidates` services reach furthest in the list. In that part of the list, this source
   * has the fewest services.
   */
  async function chooseSource(
    candidates: readonly Candidates[],
    order: ServiceOrder,
    after: Position | undefined,
  ): Promise<{ source: Source; boundary: Position | undefined }> {
    const ordered: Source = { index: order.index, filter: {} };
    const mergeable = candidates.filter(
      ({ words }) => order === serviceOrders.newest && words.length <= maxMergedWords,
    );
    const sources = mergeable.length > 0 ? mergeable.map(sourceOf) : [ordered];
    const options = await Promise.all(
      sources.map(async (source) => ({ source, boundary: await findBoundary(source, order, after) })),
    );
    const time = ({ boundary }: { boundary: Position | undefined }) => Number(boundary?.[0] ?? -Infinity);
    const best = options.reduce((best, option) => (time(option) < time(best) ? option : best));
    // The range of an index of words starts at the time of the position, not at the position itself. If very many services
    // have this time, the range may end before the position. Then the search must use the index of the list.
    const isStuck = best.source !== ordered && after && best.boundary && Number(best.boundary[0]) === Number(after[0]);
    return isStuck ? { source: ordered, boundary: await findBoundary(ordered, order, after) } : best;
  }

  /**
   * Returns the position of the last service that a step may examine, or undefined if the step may examine all services of
   * the source.
   */
  async function findBoundary(
    source: Source,
    order: ServiceOrder,
    after: Position | undefined,
  ): Promise<Position | undefined> {
    const [last, next] = await services
      .find(rangeOf(source, order, after), {
        ...readTimeout,
        projection: Object.fromEntries(order.fields.map(([field]) => [field, 1])),
        sort: sortOf(order),
        hint: source.index,
        ...(order.collation && { collation: order.collation }),
        skip: maxCandidates - 1,
        limit: 2,
      })
      .toArray();
    return last && next ? positionOf(order.fields, last) : undefined;
  }

  /**
   * Returns the stages that examine candidates. The `$limit` removes only candidates after the boundary. Without this stage,
   * MongoDB would combine the filter with the filter for the index keys, and might read the keys of a more frequent word.
   */
  function examine(filter: Document): Document[] {
    return [{ $limit: 2 * maxCandidates }, { $match: { ...notHidden, ...filter } }];
  }

  /**
   * Counts all results of a search. Returns undefined if counting takes too long, or if there are too many results. A search
   * for one word has too many results if they exceed the limit of `countUpTo`. Any other search has too many results if all
   * its terms are frequent.
   */
  async function countAll(terms: readonly SearchTerm[]): Promise<number | undefined> {
    const { candidates, filter } = matchingStep(terms);
    const smallest = smallestOf(candidates);
    const [term] = terms;
    const isOneWord =
      terms.length === 1 && term && [term.words, ...term.alternatives].every(({ length }) => length === 1);
    if (isSmall(smallest)) {
      if (isOneWord) return smallest.count;
      const { index, filter: indexFilter } = sourceOf(smallest);
      const results = await unlessTooLong(
        services
          .aggregate<{ total: number }>([{ $match: indexFilter }, ...examine(filter), { $count: 'total' }], {
            ...readTimeout,
            hint: index,
          })
          .toArray(),
      );
      return results && (results[0]?.total ?? 0);
    }
    if (!isOneWord) return undefined;
    const words = keysOf(term, 'start');
    return countUpTo(services, words ? { words: { $in: words } } : filter, indexOf.words);
  }
}

const smallestOf = (sets: readonly Candidates[]) => sets.toSorted((a, b) => a.count - b.count)[0];
const isFound = ({ counts }: SearchTerm) => counts.words > 0;

/** Creates a filter for the results of a step up to the boundary where the step was given up. */
function isFoundBy(step: Step | undefined, order: ServiceOrder, boundary: Position | null | undefined) {
  if (!step || !boundary) return step?.filter;
  return { $and: [step.filter], $nor: [isAfter(order, boundary)] };
}

/** Creates a filter for the services after a position. */
function isAfter({ fields: [first] }: ServiceOrder, [value, id]: Position): Document {
  const [field, direction] = first as ServiceOrder['fields'][number];
  const beyond = direction === 1 ? '$gt' : '$lt';
  return { $or: [{ [field]: value, _id: { [beyond]: id } }, { [field]: { [beyond]: value } }] };
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
function relevanceSteps(terms: readonly SearchTerm[]): (Step | undefined)[] {
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
function titleSteps(terms: readonly SearchTerm[]): (Step | undefined)[] {
  const hasAlternatives = terms.some(({ alternatives }) => alternatives.length > 0);
  return [
    stepOf(terms, 'typed', 'titleWords'),
    hasAlternatives ? stepOf(terms, 'whole', 'titleWords') : undefined,
    stepOf(terms, 'start', 'titleWords'),
  ];
}

/** Returns the step of the search that finds all services that match all terms. */
const matchingStep = (terms: readonly SearchTerm[]) => stepOf(terms, 'start', 'words');

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
function keysOf(
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

const sourceOf = ({ field, words }: Candidates): Source => ({
  index: indexOf[field],
  filter: { [field]: { $in: words } },
});

const sortOf = ({ fields }: ServiceOrder) => Object.fromEntries(fields.map(([field, direction]) => [field, direction]));

/**
 * Creates a filter for the services of a source after the position `after`, up to `upTo`. An index of words compares only
 * the first value of a position, such as the time. So the range also includes all services that have this value in common
 * with one of its ends. A more exact filter would need an `$or`, and MongoDB would then not merge the ranges of several
 * words.
 */
function rangeOf({ filter, index }: Source, order: ServiceOrder, after?: Position, upTo?: Position): Document {
  const [[field, direction]] = order.fields as [ServiceOrder['fields'][number]];
  const [from, until] = direction === 1 ? ['$gte', '$lte'] : ['$lte', '$gte'];
  const end = upTo && { [until]: upTo[0] };
  if (!after) return end ? { ...filter, [field]: end } : filter;
  if (index !== order.index) return { ...filter, [field]: { [from]: after[0], ...end } };
  const beyond = direction === 1 ? '$gt' : '$lt';
  return {
    $or: [{ [field]: after[0], _id: { [beyond]: after[1] } }, { [field]: { [beyond]: after[0], ...end } }],
  };
}
