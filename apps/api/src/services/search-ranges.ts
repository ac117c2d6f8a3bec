import type { Document } from 'mongodb';
import { type Candidates, indexOf } from './search-steps.ts';
import type { ServiceOrder } from './service-orders.ts';

/** An index, and a filter for its keys. */
export interface Source {
  index: string;
  filter: Document;
}

/**
 * A position in a list: the values of a row by which the list is sorted. The next page starts after the position of the last
 * row.
 */
export type Position = readonly unknown[];

export const sourceOf = ({ field, words }: Candidates): Source => ({
  index: indexOf[field],
  filter: { [field]: { $in: words } },
});

export const sortOf = ({ fields }: ServiceOrder) =>
  Object.fromEntries(fields.map(([field, direction]) => [field, direction]));

/** Creates a filter for the services after a position. */
export function isAfter({ fields: [first] }: ServiceOrder, [value, id]: Position): Document {
  const [field, direction] = first as ServiceOrder['fields'][number];
  const beyond = direction === 1 ? '$gt' : '$lt';
  return { $or: [{ [field]: value, _id: { [beyond]: id } }, { [field]: { [beyond]: value } }] };
}

/**
 * Creates a filter for the services of a source after the position `after`, up to `upTo`. An index of words compares only
 * the first value of a position, such as the time. So the range also includes all services that have this value in common
 * with one of its ends. A more exact filter would need an `$or`, and MongoDB would then not merge the ranges of several
 * words.
 */
export function rangeOf({ filter, index }: Source, order: ServiceOrder, after?: Position, upTo?: Position): Document {
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
