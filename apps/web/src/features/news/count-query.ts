import type { NewsCount } from '@rtr/shared';
import { queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { keyOf } from '../../lib/query-client.ts';
import { toVersioned, type Versioned } from '../../lib/version.ts';

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
