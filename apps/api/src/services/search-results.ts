import type { Document } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { countUpTo, unlessTooLong } from '../database/count.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { positionOf } from '../database/pagination.ts';
import { type IndexScan, isAfter, type Position, rangeOf, scanOf, sortOf } from './search-ranges.ts';
import { type Candidates, indexOf, keysOf, matchingStep, type SearchTerm, type Step } from './search-steps.ts';
import { listed, listedFields } from './service-documents.ts';
import { type ServiceOrder, serviceOrders } from './service-orders.ts';

/**
 * The maximum number of words for which a search reads an index of words in the order of the results. For this, MongoDB
 * merges the index ranges of the words, and it can merge at most 200 ranges.
 */
const maxMergedWords = 100;

/** The place in a search where a page ended. The cursor contains it, so that the next page continues from there. */
export interface Stop {
  /** The index of the step (see `Step`) in which the page ended. */
  step: number;
  /**
   * One entry for each earlier step: the position of the last service that the step examined, or null if the step examined
   * all its services.
   */
  boundaries: readonly (Position | null)[];
  position: Position;
}

/** Creates the functions that read and count the results of a search. */
export function createSearchResults({ services }: Pick<Collections, 'services'>, maxCandidates: number) {
  return { readSteps, countAll, fitsOnPage };

  /** True if it is certain that all results of the search fit on one page with `limit` services. */
  function fitsOnPage(terms: readonly SearchTerm[], limit: number): boolean {
    const smallest = smallestOf(matchingStep(terms).candidates);
    return isSmall(smallest) && smallest.count <= limit;
  }

  /**
   * Reads a page of the results. Runs the steps of the search in order until the page is full. Each step examines at most
   * `maxCandidates` services. Later steps find the results that it has not reached. If the last step reaches this limit,
   * the page may not be full, but the next page continues the search.
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
      // Reads one service more than the page contains, to find out whether there is a next page.
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
   * Reads the results of one step of the search, without the results of earlier steps. If there are more than
   * `maxCandidates` services to examine, `boundary` is the position of the last examined service.
   */
  async function readStep(
    step: Step | undefined,
    order: ServiceOrder,
    { earlier, after, limit }: { earlier: Document[]; after: Position | undefined; limit: number },
  ): Promise<{ rows: ServiceDocument[]; boundary?: Position | undefined }> {
    if (!step) return { rows: [] };
    const smallest = smallestOf(step.candidates);
    if (smallest?.count === 0) return { rows: [] };
    const { scan, boundary } = isSmall(smallest)
      ? { scan: await smallScanOf(smallest, order), boundary: undefined }
      : await chooseScan(step.candidates, order, after);
    const excluded = [...earlier, ...(boundary ? [isAfter(order, boundary)] : [])];
    const rows = await services
      .aggregate<ServiceDocument>(
        [
          { $match: rangeOf(scan, order, after, boundary) },
          { $sort: sortOf(order) },
          ...examine({
            $and: [step.filter, ...(after ? [isAfter(order, after)] : [])],
            ...(excluded.length > 0 && { $nor: excluded }),
          }),
          { $limit: limit },
          { $project: listedFields },
        ],
        { ...readTimeout, hint: scan.index, ...(order.collation && { collation: order.collation }) },
      )
      .toArray();
    return { rows, boundary };
  }

  async function smallScanOf(candidates: Candidates, { collation }: ServiceOrder): Promise<IndexScan> {
    const scan = scanOf(candidates);
    if (!collation) return scan;
    // A query with the collation of the list cannot use the index of words, because this index has another collation.
    // So this query finds the ids without the collation. The next query then sorts the services with these ids.
    const found = await services
      .find(scan.filter, { ...readTimeout, projection: { _id: 1 }, hint: scan.index, limit: 2 * maxCandidates })
      .toArray();
    return { index: '_id_', filter: { _id: { $in: found.map(({ _id }) => _id) } } };
  }

  /**
   * Chooses the index that a step scans: an index of words, or the index with the order of the list. A step examines at
   * most `maxCandidates` services of the index, in the order of the list. With the chosen index, these services cover the
   * largest part of the list.
   */
  async function chooseScan(
    candidates: readonly Candidates[],
    order: ServiceOrder,
    after: Position | undefined,
  ): Promise<{ scan: IndexScan; boundary: Position | undefined }> {
    const ordered: IndexScan = { index: order.index, filter: {} };
    const mergeable = candidates.filter(
      ({ words }) => order === serviceOrders.newest && words.length <= maxMergedWords,
    );
    const scans = mergeable.length > 0 ? mergeable.map(scanOf) : [ordered];
    const options = await Promise.all(
      scans.map(async (scan) => ({ scan, boundary: await findBoundary(scan, order, after) })),
    );
    const time = ({ boundary }: { boundary: Position | undefined }) => Number(boundary?.[0] ?? -Infinity);
    const best = options.reduce((best, option) => (time(option) < time(best) ? option : best));
    // With an index of words, the step reads again all services with the same time as the position `after` (see
    // `rangeOf`). If the step examined only such services, the next page could start at the same position again. So use
    // the index of the list, because a scan of this index can start exactly after the position.
    const isStuck = best.scan !== ordered && after && best.boundary && Number(best.boundary[0]) === Number(after[0]);
    return isStuck ? { scan: ordered, boundary: await findBoundary(ordered, order, after) } : best;
  }

  /**
   * Returns the position of the last service that a step can examine: service number `maxCandidates` of the index scan
   * after the position `after`. Returns undefined if the step can examine all remaining services.
   */
  async function findBoundary(
    scan: IndexScan,
    order: ServiceOrder,
    after: Position | undefined,
  ): Promise<Position | undefined> {
    const [last, next] = await services
      .find(rangeOf(scan, order, after), {
        ...readTimeout,
        projection: Object.fromEntries(order.fields.map(([field]) => [field, 1])),
        sort: sortOf(order),
        hint: scan.index,
        ...(order.collation && { collation: order.collation }),
        skip: maxCandidates - 1,
        limit: 2,
      })
      .toArray();
    return last && next ? positionOf(order.fields, last) : undefined;
  }

  /**
   * Returns the aggregation stages that apply `filter` to the services that an index scan has found. The purpose of the
   * `$limit` is to prevent MongoDB from combining `filter` with the filter of the index scan, because MongoDB might then
   * scan the index range of a more frequent word. The limit is so high that it removes no service that the search needs.
   */
  function examine(filter: Document): Document[] {
    return [{ $limit: 2 * maxCandidates }, { $match: { ...listed, ...filter } }];
  }

  /**
   * Returns the number of results of a search, or undefined if counting them would take too long. If the search is a
   * single word without synonyms of several words, an index can count its results, up to the limit of `countUpTo`. The
   * results of any other search are counted only if one of its terms matches fewer than `maxCandidates` services.
   */
  async function countAll(terms: readonly SearchTerm[]): Promise<number | undefined> {
    const { candidates, filter } = matchingStep(terms);
    const smallest = smallestOf(candidates);
    const [term] = terms;
    const isOneWord = terms.length === 1 && term && [term.words, ...term.synonyms].every(({ length }) => length === 1);
    if (isSmall(smallest)) {
      if (isOneWord) return smallest.count;
      const { index, filter: indexFilter } = scanOf(smallest);
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

/**
 * Creates a filter that matches only the services that `step` has found. If there is a `boundary`, the step has not examined
 * the services after this position, so they do not match.
 */
function isFoundBy(step: Step | undefined, order: ServiceOrder, boundary: Position | null | undefined) {
  if (!step || !boundary) return step?.filter;
  return { $and: [step.filter], $nor: [isAfter(order, boundary)] };
}
