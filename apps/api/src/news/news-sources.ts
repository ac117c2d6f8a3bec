import type { NewsEntry } from '@rtr/shared';
import { type Collection, type Document, type Filter, ObjectId, type WithId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import { filterAfter } from '../database/pagination.ts';

/** The position of an entry in the news, which are sorted by time, source and key, in descending order. */
export interface Position {
  at: Date;
  source: string;
  /** Unique among the entries of the source. It begins with the id of the document from which the entry is derived. */
  key: string;
}

export interface Row extends Position {
  entry: Omit<NewsEntry, 'at' | 'isNew'>;
}

export interface Range {
  /** Entries of this time, and older entries, are not read. */
  since: Date;
  /** The entries after this position are read. Without it, reading begins with the newest entry. */
  after?: Position | undefined;
  limit: number;
}

export interface Source {
  /** Reads the entries of the range, newest first. */
  find(range: Range): Promise<Row[]>;
  /** Counts the entries after a time, up to a limit. */
  count(since: Date, limit: number): Promise<number>;
}

interface DocumentSource<T extends Document> {
  /** The name of the source. Sources with the same name must contain different documents of the same collection. */
  name: string;
  collection: Collection<T>;
  /** The documents from which entries are derived. */
  filter: Filter<T>;
  /** The field with the time of the entry. */
  at: string;
  /** The name of the index to use. It ends with the field `at` and `_id`. */
  index: string;
  projection: Document;
  /** Converts a document to an entry. `at` is the time of the entry. */
  toEntry: (document: WithId<T>) => Row['entry'];
}

/** Creates a source whose entries are derived from one document each. It reads no more documents than the range needs. */
export function createSourceOfDocuments<T extends Document>(source: DocumentSource<T>): Source {
  const { name, collection, filter, at, index, projection, toEntry } = source;
  const options = { ...readTimeout, hint: index };

  function filterOf({ since, after }: Range): Document {
    if (!after) return { ...filter, [at]: { $gt: since } };
    if (name < after.source) return { ...filter, [at]: { $gt: since, $lte: after.at } };
    if (name > after.source) return { ...filter, [at]: { $gt: since, $lt: after.at } };
    const fields = [[at, -1] as const, ['_id', -1] as const];
    return filterAfter(filter, fields, [after.at, new ObjectId(after.key.slice(0, 24))]);
  }

  return {
    async find(range) {
      const found = await collection
        .find(filterOf(range) as Filter<T>, {
          ...options,
          projection: { ...projection, [at]: 1 },
          sort: { [at]: -1, _id: -1 },
          limit: range.limit,
        })
        .toArray();
      return found
        .map((document) => ({
          at: valueAt(document, at),
          source: name,
          key: String(document._id),
          entry: toEntry(document),
        }))
        .filter((row) => row.at > range.since);
    },

    count: (since, limit) => collection.countDocuments({ ...filter, [at]: { $gt: since } }, { ...options, limit }),
  };
}

/** Returns the date at a path of field names, such as 'reply.createdAt'. */
function valueAt(document: Document, path: string): Date {
  return path.split('.').reduce<unknown>((value, field) => (value as Document)[field], document) as Date;
}

/** Creates a source from entries that are already read. */
export function createSourceOfRows(rows: readonly Row[]): Source {
  return {
    find: async ({ since, after, limit }) =>
      rows
        .filter((row) => row.at > since && (!after || compareRows(after, row) < 0))
        .toSorted(compareRows)
        .slice(0, limit),
    count: async (since, limit) => Math.min(limit, rows.filter(({ at }) => at > since).length),
  };
}

/** Compares two positions for `sort`, newest first. */
export function compareRows(one: Position, other: Position): number {
  return (
    other.at.getTime() - one.at.getTime() || compareTexts(other.source, one.source) || compareTexts(other.key, one.key)
  );
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
