import type { Document } from 'mongodb';
import { type Candidates, indexOf } from './search-steps.ts';
import type { ServiceOrder } from './service-orders.ts';

/** The index from which a search reads services, and the filter for the keys of this index. */
export interface IndexScan {
  index: string;
  filter: Document;
}

/**
 * The place of a service in a sorted list: the values of the fields by which the list is sorted. A page starts after the
 * position at which the previous page ended.
 */
export type Position = readonly unknown[];

export const scanOf = ({ field, words }: Candidates): IndexScan => ({
  index: indexOf[field],
  filter: { [field]: { $in: words } },
});

export const sortOf = ({ fields }: ServiceOrder) =>
  Object.fromEntries(fields.map(([field, direction]) => [field, direction]));

/** Creates a filter for the services that follow a position in the list. */
export function isAfter({ fields: [first] }: ServiceOrder, [value, id]: Position): Document {
  const [field, direction] = first as ServiceOrder['fields'][number];
  const beyond = direction === 1 ? '$gt' : '$lt';
  return { $or: [{ [field]: value, _id: { [beyond]: id } }, { [field]: { [beyond]: value } }] };
}

/**
 * Creates a filter for the services of an index scan after the position `after`, up to and including the position `upTo`.
 *
 * A position consists of the value by which the list is sorted, such as the time, and the id. The filter is not exact: it
 * ignores the id in `upTo`. Unless the scan uses the index of the list, the filter also ignores the id in `after`. So the
 * caller must exclude the services that have the same time as `after` or `upTo`, but are outside the range. An exact
 * filter would need an `$or`, and MongoDB would then not merge the index ranges of several words.
 */
export function rangeOf(
  { filter, index }: IndexScan,
  order: ServiceOrder,
  after?: Position,
  upTo?: Position,
): Document {
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
