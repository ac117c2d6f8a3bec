import type { ServiceSort } from '@rtr/shared';
import { cursorValue, type SortOrder, titleCollation } from '../database/pagination.ts';

/** The orders of a list of services. The index with the name of the order has this order. */
export const serviceOrders: Record<Exclude<ServiceSort, 'relevance'>, SortOrder> = {
  newest: {
    fields: [
      ['createdAt', -1, cursorValue.date],
      ['_id', -1, cursorValue.id],
    ],
  },
  title: {
    fields: [
      ['title', 1, cursorValue.text],
      ['_id', 1, cursorValue.id],
    ],
    collation: titleCollation,
  },
  price: {
    fields: [
      ['priceNumber', 1, cursorValue.number],
      ['_id', 1, cursorValue.id],
    ],
  },
  rating: {
    fields: [
      ['averageRating', -1, cursorValue.number],
      ['_id', -1, cursorValue.id],
    ],
  },
};
