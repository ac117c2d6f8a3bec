import type { OwnReview, ReviewSort } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

export const starCounts = ['1', '2', '3', '4', '5'] as const;
/** The number of stars by which reviews are filtered, as it is written in an address. */
export type StarCount = (typeof starCounts)[number];

/** The filter and the order of a service's reviews. */
export interface ReviewSearch {
  /** The number of stars of the reviews. Undefined for all reviews. */
  rating?: StarCount | undefined;
  sort: ReviewSort;
  /** The cursor after which the list starts. Undefined if it starts at its first review. */
  after?: string | undefined;
}

/** The query of a service's reviews, page by page. */
export const serviceReviewsQuery = (http: Http, serviceId: string, { rating, sort, after: start }: ReviewSearch) => {
  const query = { serviceId, sort, limit: '20', ...(rating && { rating }) };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /allreview', { ...query, after: start }),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /allreview', { query: { ...query, after: after || undefined }, signal })),
    ...pagingOptionsFrom(start),
  });
};

/** The query of a customer's own reviews, page by page. The API compares the email with that of the token. */
export const ownReviewsQuery = (http: Http, email: string) => {
  const query = { email, limit: '50' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /review', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /review', { as: 'customer', query: { ...query, after: after || undefined }, signal })),
    ...pagingOptionsFrom(),
  });
};

/** Fetches all of a customer's own reviews, newest first. */
export async function allOwnReviews(http: Http, email: string): Promise<OwnReview[]> {
  const reviews: OwnReview[] = [];
  let after: string | undefined;
  do {
    const page = toPage(await http('GET /review', { as: 'customer', query: { email, limit: '100', after } }));
    reviews.push(...page.rows);
    ({ after } = page);
  } while (after);
  return reviews;
}

/** The query of a customer's reviews of one service, up to 100. The API allows 10. */
export const ownReviewsOfServiceQuery = (http: Http, { email, serviceId }: { email: string; serviceId: string }) => {
  const query = { email, serviceId, limit: '100' };
  return queryOptions({
    queryKey: keyOf('GET /review', query),
    queryFn: async ({ signal }) => (await http('GET /review', { as: 'customer', query, signal })).data,
  });
};

/** The query of one review. It contains the author's email if the author is signed in. */
export const reviewQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /review/:id', { id }),
    queryFn: async ({ signal }) => (await http('GET /review/:id', { as: 'customer', params: { id }, signal })).data,
  });

/** The query of one review as visitors see it. The call sends no access token. */
export const publicReviewQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /review/:id', { id, as: 'anyone' }),
    queryFn: async ({ signal }) => (await http('GET /review/:id', { params: { id }, signal })).data,
  });
