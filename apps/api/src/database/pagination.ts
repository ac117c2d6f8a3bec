import { hash } from 'node:crypto';
import { limits, parseJson } from '@rtr/shared';
import { type CollationOptions, type Collection, type Document, type Filter, ObjectId, type WithId } from 'mongodb';
import * as z from 'zod/mini';
import { InvalidInputError } from '../errors.ts';
import { readTimeout } from './client.ts';
import { countUpTo } from './count.ts';

/** The collation for alphabetical order. It ignores case. */
export const titleCollation: CollationOptions = { locale: 'en', strength: 2 };

/**
 * A field by which a list is sorted: its name, its direction (1 is ascending, -1 is descending), and the schema of its value
 * in a cursor.
 */
export type SortField = readonly [field: string, direction: 1 | -1, cursorValue: z.ZodMiniType];

/**
 * The fields by which a list is sorted. The last field is `_id`, so that each row has a unique position. There is an index
 * that ends with these fields.
 */
export interface SortOrder {
  fields: readonly SortField[];
  collation?: CollationOptions;
}

/**
 * The schemas of the values in a cursor. In a cursor, dates and Infinity have another form, because JSON does not have them.
 */
export const cursorValue = {
  date: z.pipe(
    z.int().check(z.gte(-8.64e15), z.lte(8.64e15)),
    z.transform((time) => new Date(time)),
  ),
  number: z.pipe(
    z.nullable(z.number()),
    z.transform((value) => value ?? Infinity),
  ),
  count: z.int(),
  text: z.string(),
  boolean: z.boolean(),
  id: z.pipe(
    z.string().check(z.regex(/^[0-9a-f]{24}$/)),
    z.transform((text) => new ObjectId(text)),
  ),
};

export interface Page<T> {
  rows: T[];
  /** The number of rows on all pages. Undefined if there are too many rows to count, or if counting takes too long. */
  totalCount: number | undefined;
  /** The cursor of the next page. Absent on the last page. */
  nextCursor?: string;
}

interface PageQuery {
  /**
   * The values that identify a list with its filter and order. A cursor that was created with other values is rejected.
   */
  listKey: readonly unknown[];
  /** The filter of the list. It must not contain a field by which the list is sorted, unless it selects a single row. */
  filter: Document;
  order: Pick<SortOrder, 'fields'>;
  limit: number | undefined;
  after: string | undefined;
}

interface PageRequest extends PageQuery {
  order: SortOrder;
  /** Returns the number of rows of the list, for example from a cache. By default, `countUpTo` counts them. */
  count?: () => Promise<number | undefined>;
  projection?: Document;
  /** The index to use. Without it, MongoDB compares all indexes that fit the filter. */
  hint?: string;
}

/**
 * Prepares the query of a page with keyset pagination: the page starts after the row that the cursor identifies. If
 * rows are inserted or deleted between two requests, all other rows are still listed exactly once. Reading a later page
 * takes no longer than reading the first page.
 */
export function preparePage({ listKey, filter, order, limit = limits.defaultPageSize, after }: PageQuery) {
  const { fields } = order;
  const cursors = createCursors(
    listKey,
    fields.map(([, , value]) => value),
  );
  const position = after === undefined ? undefined : cursors.decode(after);
  return {
    filter: position ? filterAfter(filter, fields, position) : filter,
    sort: Object.fromEntries(fields.map(([field, direction]) => [field, direction])),
    /** One row more than the page contains, to find out whether there is a next page. */
    limit: limit + 1,

    /** Creates the page from the rows that the query found. `count` is undefined if there are too many rows to count. */
    toPage<T extends Document>(found: T[], count: number | undefined): Page<T> {
      const rows = found.slice(0, limit);
      if (!position && found.length <= limit) return { rows, totalCount: rows.length };
      // A stored or cached count may be too low. So the total is at least the number of rows that were found.
      const totalCount = count === undefined ? undefined : Math.max(count, found.length);
      const last = rows.at(-1);
      if (found.length <= limit || !last) return { rows, totalCount };
      return { rows, totalCount, nextCursor: cursors.encode(positionOf(fields, last)) };
    },
  };
}

export async function findPage<T extends Document>(
  collection: Collection<T>,
  { count, projection, hint, ...query }: PageRequest,
): Promise<Page<WithId<T>>> {
  const { collation } = query.order;
  const page = preparePage(query);
  const [found, totalCount] = await Promise.all([
    collection
      .find(page.filter as Filter<T>, {
        ...readTimeout,
        sort: page.sort,
        ...(collation && { collation }),
        ...(hint && { hint }),
      })
      .limit(page.limit)
      .project<WithId<T>>(projection ?? {})
      .toArray(),
    count ? count() : countUpTo(collection, query.filter),
  ]);
  return page.toPage(found, totalCount);
}

/**
 * Creates a filter for the rows after a position. In a list with the newest rows first, sorted by date and id, these rows
 * have an earlier date, or the same date and a smaller id. Each of these two cases is a branch of the `$or`. MongoDB reads
 * each branch as a range of the index, and merges the sorted ranges.
 *
 * Each branch contains the whole filter of the list, because MongoDB would otherwise scan each range from its start. If
 * the filter has an `$in`, each value in it gets its own branches, so that MongoDB need not sort the rows in memory.
 */
export function filterAfter(
  filter: Document,
  fields: readonly (readonly [field: string, direction: 1 | -1, ...unknown[]])[],
  position: readonly unknown[],
): Document {
  return {
    $or: withoutIn(filter).flatMap((equalities) =>
      fields.map(([field, direction], depth) => ({
        ...equalities,
        ...Object.fromEntries(fields.slice(0, depth).map(([equalField], index) => [equalField, position[index]])),
        [field]: { [direction === 1 ? '$gt' : '$lt']: position[depth] },
      })),
    ),
  };
}

/** If a field of the filter has an `$in`, splits the filter into one filter for each value. */
function withoutIn(filter: Document): Document[] {
  for (const [field, condition] of Object.entries(filter))
    if (Array.isArray(condition?.$in)) return condition.$in.map((value: unknown) => ({ ...filter, [field]: value }));
  return [filter];
}

/** Returns the values that a row has in the sort fields of a list. */
export function positionOf(fields: readonly SortField[], row: Document): unknown[] {
  return fields.map(([field]) => row[field] as unknown);
}

/** Creates the functions that encode and decode the cursors of a list. `listKey` identifies the list and its order. */
export function createCursors(listKey: readonly unknown[], schemas: readonly z.ZodMiniType[]) {
  const listHash = hash('sha256', JSON.stringify(listKey), 'base64url').slice(0, 16);
  return {
    encode(values: readonly unknown[]): string {
      return Buffer.from(JSON.stringify([listHash, ...values.map(toCursorValue)])).toString('base64url');
    },

    /**
     * Decodes a cursor. Clients can send any text. So the text must be valid base64url, and every value must have the type
     * of its field.
     */
    decode(cursor: string): unknown[] {
      const bytes = Buffer.from(cursor, 'base64url');
      const isCanonical = bytes.toString('base64url') === cursor;
      const schema = z.tuple([z.literal(listHash), ...schemas]);
      const parsed = isCanonical ? z.safeParse(schema, parseJson(bytes.toString())) : undefined;
      if (parsed?.success) return parsed.data.slice(1);
      throw new InvalidInputError(
        'This cursor does not belong to this list in this order. Take `after` from the Link header of the previous page, and keep the other parameters.',
        [{ path: 'query.after', message: 'is not a cursor of this list' }],
      );
    },
  };
}

function toCursorValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCursorValue);
  return value instanceof Date ? value.getTime() : value;
}
