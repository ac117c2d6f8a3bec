import { type Document, ObjectId } from 'mongodb';

/** The ids from `from` (inclusive) to `to` (exclusive), as hexadecimal texts. Without a limit, all ids on that side. */
export interface IdRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns the filter for the documents whose `field` contains an id of the range. */
export function createIdFilter(field: '_id' | 'listerId', { from, to }: IdRange): Document {
  if (from === undefined && to === undefined) return {};
  return {
    [field]: {
      ...(from !== undefined && { $gte: new ObjectId(from) }),
      ...(to !== undefined && { $lt: new ObjectId(to) }),
    },
  };
}
