import { limits } from '@rtr/shared';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

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
