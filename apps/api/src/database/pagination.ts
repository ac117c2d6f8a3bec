import { createHash } from 'node:crypto';
import { limits } from '@rtr/shared';
import { type CollationOptions, type Collection, type Document, type Filter, ObjectId, type WithId } from 'mongodb';
import * as z from 'zod/mini';
import { InvalidInputError } from '../errors.ts';
import { parseJson } from '../parse-json.ts';
import { hasErrorCode, readTimeout } from './client.ts';

/** Lists up to this length are counted exactly, if the count is fast enough. See docs/decisions/0008. */
export const maxExactCount = 10_000;
/** A page is sent without the total if counting takes longer. It usually takes a hundredth of this. */
const countTimeoutMs = 1000;

/** Alphabetical order, ignoring case. */
export const titleCollation: CollationOptions = { locale: 'en', strength: 2 };

/** A field that a list is sorted by: ascending (1) or descending (-1), and the schema of its value in a cursor. */
type SortField = readonly [field: string, direction: 1 | -1, cursorValue: z.ZodMiniType];

/** The order of a list. The last field is `_id`, so that no two rows are equal. An index has the same fields. */
export interface SortOrder {
  fields: readonly SortField[];
  collation?: CollationOptions;
}

/** The schemas of values in a cursor. JSON has neither dates nor Infinity. */
export const cursorValue = {
  date: z.pipe(
    z.int().check(z.gte(-8.64e15), z.lte(8.64e15)),
    z.transform((time) => new Date(time)),
  ),
  number: z.pipe(
    z.nullable(z.number()),
    z.transform((value) => value ?? Infinity),
  ),
  text: z.string(),
  id: z.pipe(
    z.string().check(z.regex(/^[0-9a-f]{24}$/)),
    z.transform((text) => new ObjectId(text)),
  ),
};

export interface Page<T> {
  rows: T[];
  /** Number of rows on all pages. Undefined if there are too many to count. */
  totalCount: number | undefined;
  /** The cursor of the next page. Absent on the last page. */
  nextCursor?: string;
}

interface PageRequest {
  /** Identifies the list, its order and its filter. A cursor of any other list is rejected. */
  listKey: readonly unknown[];
  /** Must not contain a field of the order. */
  filter: Document;
  order: SortOrder;
  /** Stops counting here, because counting more rows would cost far more than the page itself. */
  maxCount?: number;
  projection?: Document;
  limit: number | undefined;
  after: string | undefined;
}

/**
 * Reads a page with keyset pagination: the page starts right after the row that the cursor identifies. Rows that are
 * inserted or deleted meanwhile do not repeat or skip other rows, and every page costs the same.
 */
export async function findPage<T extends Document>(
  collection: Collection<T>,
  { listKey, filter, order, maxCount, projection, limit = limits.defaultPageSize, after }: PageRequest,
): Promise<Page<WithId<T>>> {
  const { fields, collation } = order;
  const listHash = createHash('sha256').update(JSON.stringify(listKey)).digest('base64url').slice(0, 16);
  const position = after === undefined ? undefined : decodeCursor(after, listHash, fields);
  const options = {
    ...readTimeout,
    sort: Object.fromEntries(fields.map(([field, direction]) => [field, direction])),
    ...(collation && { collation }),
  };
  const [found, count] = await Promise.all([
    collection
      .find((position ? filterAfter(filter, fields, position) : filter) as Filter<T>, options)
      .limit(limit + 1)
      .project<WithId<T>>(projection ?? {})
      .toArray(),
    maxCount === undefined
      ? collection.countDocuments(filter as Filter<T>, readTimeout)
      : collection
          .countDocuments(filter as Filter<T>, { limit: maxCount + 1, maxTimeMS: countTimeoutMs })
          .catch((error: unknown) => {
            if (hasErrorCode(error, 'maxTimeExceeded')) return Infinity;
            throw error;
          }),
  ]);
  const rows = found.slice(0, limit);
  if (!position && found.length <= limit) return { rows, totalCount: rows.length };
  const totalCount = maxCount !== undefined && count > maxCount ? undefined : count;
  const last = rows.at(-1);
  if (found.length <= limit || !last) return { rows, totalCount };
  return { rows, totalCount, nextCursor: encodeCursor(listHash, fields, last) };
}

/**
 * Matches the rows after a position: rows whose first fields are equal and whose next field is beyond it. Each branch is
 * one range of the index, and MongoDB merges them in order. The filter is repeated in each branch, because next to `$or` it
 * would make the database scan the ranges from their start.
 */
function filterAfter(filter: Document, fields: readonly SortField[], position: readonly unknown[]): Document {
  return {
    $or: fields.map(([field, direction], depth) => ({
      ...filter,
      ...Object.fromEntries(fields.slice(0, depth).map(([equalField], index) => [equalField, position[index]])),
      [field]: { [direction === 1 ? '$gt' : '$lt']: position[depth] },
    })),
  };
}

function encodeCursor(listHash: string, fields: readonly SortField[], row: Document): string {
  const values = fields.map(([field]) => (row[field] instanceof Date ? row[field].getTime() : (row[field] as unknown)));
  return Buffer.from(JSON.stringify([listHash, ...values])).toString('base64url');
}

/** Cursors come from the client: every value must have the type of its field, and the encoding must be canonical. */
function decodeCursor(cursor: string, listHash: string, fields: readonly SortField[]): unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const schema = z.tuple([z.literal(listHash), ...fields.map(([, , value]) => value)]);
  const isCanonical = bytes.toString('base64url') === cursor;
  const parsed = isCanonical ? z.safeParse(schema, parseJson(bytes.toString())) : undefined;
  if (parsed?.success) return parsed.data.slice(1);
  throw new InvalidInputError(
    'This cursor does not belong to this list in this order. Take `after` from the Link header of the previous page, and keep the other parameters.',
    [{ path: 'query.after', message: 'is not a cursor of this list' }],
  );
}
