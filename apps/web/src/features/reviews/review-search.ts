import type { ReviewSort } from '@rtr/shared';
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
    sort: sorts.find((sort) => sort === parameters.get('sort')) ?? 'newest',
    after: parameters.get('after') ?? undefined,
  };
}

/** Returns the address of a page with this filter and order. The address contains no default values. */
export function reviewSearchAddress(pathname: string, { rating, sort, after }: ReviewSearch): Exclude<To, string> {
  const parameters = new URLSearchParams({
    ...(rating && { rating }),
    ...(sort !== 'newest' && { sort }),
    ...(after && { after }),
  });
  return { pathname, search: parameters.toString() };
}
