import { type ConversationDetails, limits, type ReviewSort } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';
import { toVersioned } from '../../lib/version.ts';
import type { ExportedContent } from './export.ts';

export const starCounts = ['1', '2', '3', '4', '5'] as const;
/** A number of stars by which reviews can be filtered. The address of the page contains it. */
export type StarCount = (typeof starCounts)[number];

export interface ReviewSearch {
  /** The list contains only reviews with this number of stars. If undefined, the list contains all reviews. */
  rating?: StarCount | undefined;
  /** Each word must be the beginning of a word of the review. Empty without a search. */
  q: string;
  /** Whether the list contains only reviews with photos. */
  photos: boolean;
  sort: ReviewSort;
  /** The list starts after this cursor. Undefined for the start of the list. */
  after?: string | undefined;
}

/**
 * The query for the reviews of a service. `reader` is the uid of the signed-in customer. The response then says which
 * reviews this customer has marked as useful.
 */
export const serviceReviewsQuery = (
  http: Http,
  serviceId: string,
  { rating, q, photos, sort, after: start }: ReviewSearch,
  reader?: string,
) => {
  const filter = { ...(rating && { rating }), ...(q && { q }), ...(photos && { photos: '1' as const }) };
  const query = { serviceId, sort, limit: String(limits.defaultPageSize), ...filter };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /allreview', { ...query, after: start, reader }),
    queryFn: ({ pageParam: after, signal }) =>
      asReader(reader, signal, async (as) =>
        toPage(await http('GET /allreview', { ...as, query: { ...query, after: after || undefined }, signal })),
      ),
    ...pagingOptionsFrom(start),
  });
};

/** The query of the newest reviews of all services of a lister. The list starts after the cursor `start`. */
export const listerReviewsQuery = (http: Http, id: string, start?: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('GET /listers/:id/reviews', { id, after: start }),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /listers/:id/reviews', { params: { id }, query: { after: after || undefined }, signal })),
    ...pagingOptionsFrom(start),
  });

/**
 * Calls the API with the customer's access token. If this fails, for example because the session has expired, calls the API
 * again without a token.
 */
async function asReader<T>(
  reader: string | undefined,
  signal: AbortSignal,
  call: (as: { as?: 'customer' }) => Promise<T>,
): Promise<T> {
  if (reader === undefined) return call({});
  try {
    return await call({ as: 'customer' });
  } catch {
    signal.throwIfAborted();
    return call({});
  }
}

/** The query of a customer's own reviews. The API rejects an email that differs from the email in the access token. */
export const ownReviewsQuery = (http: Http, email: string) => {
  const query = { email, limit: '50' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /review', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /review', { as: 'customer', query: { ...query, after: after || undefined }, signal })),
    ...pagingOptionsFrom(),
  });
};

/** The query of the reviews that the customer has deleted and can still restore. */
export const deletedReviewsQuery = (http: Http, email: string) => {
  const query = { email, deleted: 'true', limit: String(limits.maxPageSize) } as const;
  return queryOptions({
    queryKey: keyOf('GET /review', query),
    queryFn: async ({ signal }) => (await http('GET /review', { as: 'customer', query, signal })).data,
  });
};

/**
 * The query for the total number of the customer's replies. It requests a page with a single reply, because only the total
 * is needed.
 */
export const ownRepliesQuery = (http: Http) => {
  const query = { limit: '1' };
  return queryOptions({
    queryKey: keyOf('GET /account/replies', query),
    queryFn: async ({ signal }) => toPage(await http('GET /account/replies', { as: 'customer', query, signal })),
  });
};

/** The query for the customer's own reply to a review. The reply may be hidden. The result is null if there is no reply. */
export const ownReplyQuery = (http: Http, reviewId: string) => {
  const query = { reviewId, limit: '1' };
  return queryOptions({
    queryKey: keyOf('GET /account/replies', query),
    queryFn: async ({ signal }) =>
      (await http('GET /account/replies', { as: 'customer', query, signal })).data[0] ?? null,
  });
};

/** The query for the hidden replies of the customer, at most `maxPageSize`. */
export const hiddenRepliesQuery = (http: Http) => {
  const query = { hidden: 'true', limit: String(limits.maxPageSize) } as const;
  return queryOptions({
    queryKey: keyOf('GET /account/replies', query),
    queryFn: async ({ signal }) => (await http('GET /account/replies', { as: 'customer', query, signal })).data,
  });
};

/** Reads all reviews, replies, votes, reports and requests of the customer, and whether they get emails about news. */
export async function readOwnContent(http: Http, email: string): Promise<ExportedContent> {
  const as = 'customer' as const;
  const [reviews, replies, votes, reports, conversations, emails] = await Promise.all([
    readAll((page) => http('GET /review', { as, query: { ...page, email } })),
    readAll((query) => http('GET /account/replies', { as, query })),
    readAll((query) => http('GET /account/votes', { as, query })),
    readAll((query) => http('GET /account/reports', { as, query })),
    readAll((query) => http('GET /requests', { as, query })),
    http('GET /account/emails', { as }),
  ]);
  const requests: ConversationDetails[] = [];
  for (const { _id: id } of conversations)
    requests.push((await http('GET /requests/:id', { as, params: { id } })).data);
  return { reviews, replies, votes, reports, requests, emailsAboutNews: emails.data.isOn };
}

/** Reads all pages of a list. */
async function readAll<T>(
  readPage: (query: { limit: string; after: string | undefined }) => Promise<{ data: T[]; headers: Headers }>,
): Promise<T[]> {
  const rows: T[] = [];
  let after: string | undefined;
  do {
    const page = toPage(await readPage({ limit: String(limits.maxPageSize), after }));
    rows.push(...page.rows);
    ({ after } = page);
  } while (after);
  return rows;
}

/**
 * The query of a customer's reviews of one service. One page contains all of them, because a customer can have only a few
 * reviews of a service (`liveReviewsPerService`).
 */
export const ownReviewsOfServiceQuery = (http: Http, { email, serviceId }: { email: string; serviceId: string }) => {
  const query = { email, serviceId, limit: String(limits.maxPageSize) };
  return queryOptions({
    queryKey: keyOf('GET /review', query),
    queryFn: async ({ signal }) => (await http('GET /review', { as: 'customer', query, signal })).data,
  });
};

/** The query for one review with its version. The review contains the author's email only for the author. */
export const reviewQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /review/:id', { id }),
    queryFn: async ({ signal }) =>
      toVersioned(await http('GET /review/:id', { as: 'customer', params: { id }, signal })),
  });

/**
 * The query for one review that is only shown. To edit a review, use `reviewQuery`, which also returns the version of
 * the review. `reader` is the uid of the signed-in customer, or undefined for a visitor.
 */
export const publicReviewQuery = (http: Http, id: string, reader?: string) =>
  queryOptions({
    queryKey: keyOf('GET /review/:id', { id, as: 'anyone', reader }),
    queryFn: ({ signal }) =>
      asReader(reader, signal, async (as) => (await http('GET /review/:id', { ...as, params: { id }, signal })).data),
  });
