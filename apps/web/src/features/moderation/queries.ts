import type { CaseStatus } from '@rtr/shared';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

/** The query for the list of moderation cases. The API responds with 404 to customers who are no moderators. */
export const casesQuery = (http: Http, status: CaseStatus) => {
  const query = { status, limit: '20' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /moderation', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /moderation', { as: 'customer', query: { ...query, after: after || undefined }, signal })),
    ...pagingOptionsFrom(),
  });
};

/** The query of the reports that the signed-in customer has sent. */
export const ownReportsQuery = (http: Http) => {
  const query = { limit: '10' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /account/reports', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(
        await http('GET /account/reports', { as: 'customer', query: { ...query, after: after || undefined }, signal }),
      ),
    ...pagingOptionsFrom(),
  });
};
