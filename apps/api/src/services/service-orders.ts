import type { ServiceSort } from '@rtr/shared';
import { cursorValue, type SortOrder, titleCollation } from '../database/pagination.ts';

/** The order of a list of services, and the index with this order. */
export interface ServiceOrder extends SortOrder {
  index: string;
}

export const serviceOrders: Record<Exclude<ServiceSort, 'relevance'>, ServiceOrder> = {
  newest: {
    index: 'newest',
    fields: [
      ['createdAt', -1, cursorValue.date],
      ['_id', -1, cursorValue.id],
    ],
  },
  title: {
    index: 'title',
    fields: [
      ['title', 1, cursorValue.text],
      ['_id', 1, cursorValue.id],
    ],
    collation: titleCollation,
  },
  price: {
    index: 'price',
    fields: [
      ['priceNumber', 1, cursorValue.number],
      ['_id', 1, cursorValue.id],
    ],
  },
  rating: {
    index: 'rating',
    fields: [
      ['averageRating', -1, cursorValue.number],
      ['_id', -1, cursorValue.id],
    ],
  },
};
