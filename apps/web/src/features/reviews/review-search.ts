import { limits, type ReviewSort } from '@rtr/shared';
import type { To } from 'react-router-dom';
import { commonText } from '../../ui/texts.ts';
import { type ReviewSearch, starCounts } from './queries.ts';

export const sortNames: Record<ReviewSort, string> = {
  newest: commonText.newest,
  useful: 'Most useful',
  highest: commonText.highestRated,
  lowest: 'Lowest rated',
  unanswered: 'Without a reply first',
};
const sorts = Object.keys(sortNames) as ReviewSort[];

/**
 * Reads the filter and the order of the reviews from the query parameters of an address. If a parameter is missing or
 * invalid, uses its default value.
 */
export function reviewSearchIn(parameters: URLSearchParams): ReviewSearch {
  return {
    rating: starCounts.find((stars) => stars === parameters.get('rating')),
    q: (parameters.get('q') ?? '').trim().slice(0, limits.searchLength),
    photos: parameters.get('photos') === '1',
    sort: sorts.find((sort) => sort === parameters.get('sort')) ?? 'newest',
    after: parameters.get('after') ?? undefined,
  };
}

/** Returns the query parameters of this filter and order. Default values are left out. */
export const reviewSearchParameters = ({ rating, q, photos, sort, after }: Partial<ReviewSearch>) => ({
  ...(rating && { rating }),
  ...(q && { q }),
  ...(photos && { photos: '1' }),
  ...(sort && sort !== 'newest' && { sort }),
  ...(after && { after }),
});

/** Returns the address of a page with this filter and order. */
export function reviewSearchAddress(pathname: string, search: ReviewSearch): Exclude<To, string> {
  return { pathname, search: new URLSearchParams(reviewSearchParameters(search)).toString() };
}
