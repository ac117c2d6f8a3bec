import { limits, type NewsCount } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';
import { toVersioned, type Versioned } from '../../lib/version.ts';

/** The query for the news. It is soon stale, because the number in the header may already include a newer entry. */
export const newsQuery = (http: Http) => {
  const query = { limit: String(limits.defaultPageSize) };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /news', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /news', { as: 'customer', query: { ...query, after: after || undefined }, signal })),
    staleTime: 4000,
    refetchOnWindowFocus: 'always',
    ...pagingOptionsFrom(),
  });
};

/** The query for the number of new entries. It is not important, so a failed request is not repeated at intervals. */
export const newsCountQuery = (http: Http) => {
  const queryKey = keyOf('GET /news/count', {});
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Versioned<NewsCount>> => {
      const known = client.getQueryData<Versioned<NewsCount>>(queryKey);
      return toVersioned(await http('GET /news/count', { as: 'customer', signal, known }));
    },
    refetchInterval: false,
    refetchOnWindowFocus: 'always',
  });
};
