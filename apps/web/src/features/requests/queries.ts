import { type Conversation, type ConversationDetails, limits, type PictureWidth } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../lib/api-error.ts';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf, retryInterval } from '../../lib/query-client.ts';
import { toVersioned, type Versioned } from '../../lib/version.ts';

/** The time between two requests for new messages. It leaves a second for the response, so that they appear within 5 s. */
const messagePollMs = 4000;

/** The query for the conversations of the signed-in customer, newest activity first. */
export const requestsQuery = (http: Http, { isUnread = false } = {}) => {
  const query = { limit: String(limits.defaultPageSize), ...(isUnread && { unread: '1' as const }) };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /requests', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /requests', { as: 'customer', query: { ...query, after: after || undefined }, signal })),
    // A new message can arrive at any time.
    staleTime: messagePollMs,
    refetchOnWindowFocus: 'always',
    ...pagingOptionsFrom(),
  });
};

/** The query for the open conversation that the customer has begun about a service. The result is null if there is none. */
export const openRequestQuery = (http: Http, serviceId: string) => {
  const query = { serviceId, limit: String(limits.maxPageSize) };
  return queryOptions({
    queryKey: keyOf('GET /requests', query),
    queryFn: async ({ signal }): Promise<Conversation | null> => {
      const { data } = await http('GET /requests', { as: 'customer', query, signal });
      return data.find(({ role, status }) => role === 'customer' && status === 'open') ?? null;
    },
  });
};

/** The query for one conversation. While the page is visible, the query looks for new messages every few seconds. */
export const requestQuery = (http: Http, id: string) => {
  const queryKey = keyOf('GET /requests/:id', { id });
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Versioned<ConversationDetails>> => {
      const known = client.getQueryData<Versioned<ConversationDetails>>(queryKey);
      return toVersioned(await http('GET /requests/:id', { as: 'customer', params: { id }, signal, known }));
    },
    refetchInterval: (query) => {
      const { data, error } = query.state;
      if (data === undefined) return retryInterval(query);
      return isRejected(error) ? false : messagePollMs;
    },
    staleTime: messagePollMs,
    refetchOnWindowFocus: 'always',
  });
};

/** Returns true if the session has ended, or if the conversation does not exist any more. */
const isRejected = (error: Error | null) => error instanceof ApiError && [401, 404].includes(error.status);

/** The query for a private picture, which is at most `width` pixels wide. */
export const privatePictureQuery = (http: Http, id: string, width: PictureWidth) =>
  queryOptions({
    queryKey: keyOf('GET /pictures/p/:id', { id, width }),
    queryFn: async ({ signal }) => {
      const query = { w: String(width) as `${PictureWidth}` };
      return (await http('GET /pictures/p/:id', { as: 'customer', params: { id }, query, signal })).data;
    },
    // A picture never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
