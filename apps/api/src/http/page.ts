import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { CollationOptions, Collection, Document, Filter, WithId } from 'mongodb';
import { MongoServerError, ObjectId } from 'mongodb';
import * as z from 'zod/mini';
import { readDeadline } from '../database.ts';
import { HttpError } from './problem.ts';

const defaultLimit = 20;

/** Up to here a list is counted exactly, if that can be had in time; docs/decisions/0008. */
export const countUpTo = 10_000;
/** How long a page waits for such a count, in milliseconds: a hundred times what it usually takes. Then it comes without. */
const countedWithin = 1000;

/** One field that a list is ordered by: 1 ascending or -1 descending, and what its value looks like in a cursor. */
type Step = readonly [field: string, direction: 1 | -1, value: z.ZodMiniType];

/** An order of a list. Its last step is `_id`, so that no two rows are equal; an index has the same steps. */
export interface Order {
  steps: readonly Step[];
  collation?: CollationOptions;
}

/** Values of ordered fields as a cursor carries them: JSON has neither dates nor Infinity. */
export const inCursor = {
  date: z.pipe(
    z.int().check(z.gte(-8.64e15), z.lte(8.64e15)),
    z.transform((at) => new Date(at)),
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
  /** How many rows the list has in all; undefined when they are more than this page and too many to count. */
  total: number | undefined;
  /** Cursor of the page after this one. */
  next?: string;
}

interface PageRequest {
  /** Names the list, its order and its filter: a cursor of any other is refused. */
  list: readonly unknown[];
  /** Names no field of the order. */
  filter: Document;
  order: Order;
  /** Counting ends here, and soon: beyond, it costs far more than the page itself. */
  countUpTo?: number;
  projection?: Document;
  limit: number | undefined;
  after: string | undefined;
}

/**
 * One page of a collection, by keyset: it begins right after the row that the cursor names, so rows that come or go
 * meanwhile make no other row appear twice or not at all, and the thousandth page costs what the first does.
 */
export async function findPage<T extends Document>(
  collection: Collection<T>,
  { list, filter, order, countUpTo, projection, limit = defaultLimit, after }: PageRequest,
): Promise<Page<WithId<T>>> {
  const { steps, collation } = order;
  const seal = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 16);
  const position = after === undefined ? undefined : readCursor(after, seal, steps);
  const options = {
    ...readDeadline,
    sort: Object.fromEntries(steps.map(([field, direction]) => [field, direction])),
    ...(collation && { collation }),
  };
  const [found, counted] = await Promise.all([
    collection
      .find((position ? beyond(filter, steps, position) : filter) as Filter<T>, options)
      .limit(limit + 1)
      .project<WithId<T>>(projection ?? {})
      .toArray(),
    countUpTo === undefined
      ? collection.countDocuments(filter as Filter<T>, readDeadline)
      : collection
          .countDocuments(filter as Filter<T>, { limit: countUpTo + 1, maxTimeMS: countedWithin })
          .catch(infinityWhenLate),
  ]);
  const rows = found.slice(0, limit);
  if (!position && found.length <= limit) return { rows, total: rows.length };
  const total = countUpTo !== undefined && counted > countUpTo ? undefined : counted;
  const last = rows.at(-1);
  if (found.length <= limit || !last) return { rows, total };
  return { rows, total, next: writeCursor(seal, steps, last) };
}

function infinityWhenLate(error: unknown): number {
  if (error instanceof MongoServerError && error.code === 50) return Infinity; // MaxTimeMSExpired
  throw error;
}

/**
 * Rows of a filter after a position: equal in some first steps, further on in the next. Each branch is one range of the
 * index, merged in order; the filter is repeated in each, since beside them it would have the ranges read from the start.
 */
function beyond(filter: Document, steps: readonly Step[], position: readonly unknown[]): Document {
  return {
    $or: steps.map(([field, direction], depth) => ({
      ...filter,
      ...Object.fromEntries(steps.slice(0, depth).map(([equal], at) => [equal, position[at]])),
      [field]: { [direction === 1 ? '$gt' : '$lt']: position[depth] },
    })),
  };
}

function writeCursor(seal: string, steps: readonly Step[], row: Document): string {
  const values = steps.map(([field]) => (row[field] instanceof Date ? row[field].getTime() : (row[field] as unknown)));
  return Buffer.from(JSON.stringify([seal, ...values])).toString('base64url');
}

/** Anyone may make up a cursor: every value must have its field's type, and the whole be written as we write it. */
function readCursor(cursor: string, seal: string, steps: readonly Step[]): unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const schema = z.tuple([z.literal(seal), ...steps.map(([, , value]) => value)]);
  const parsed = bytes.toString('base64url') === cursor ? z.safeParse(schema, parseJson(bytes.toString())) : undefined;
  if (parsed?.success) return parsed.data.slice(1);
  throw new HttpError(
    400,
    'This cursor was not made for this list in this order. Take `after` from the Link header of the page before, and keep the other parameters.',
    { errors: [{ path: 'query.after', message: 'is not a cursor of this list' }] },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers a page: the rows, the count of all if it is known, and the path of the next page with the same parameters. */
export function sendPage<T>(req: Request, res: Response<T[]>, { rows, total, next }: Page<T>): void {
  if (total !== undefined) res.set('X-Total-Count', String(total));
  if (next !== undefined) {
    // The contract has refused repeated and nested parameters: each is one string.
    const parameters = new URLSearchParams(req.query as Record<string, string>);
    parameters.set('after', next);
    res.set('Link', `<${req.baseUrl}${req.path}?${parameters.toString()}>; rel="next"`);
  }
  res.json(rows);
}
