import type { NewsCount } from '@rtr/shared';
import { queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { keyOf } from '../../lib/query-client.ts';
import { toVersioned, type Versioned } from '../../lib/version.ts';

/** The query for the number of new entries. */
export const newsCountQuery = (http: Http) => {
  const queryKey = keyOf('GET /news/count', {});
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Versioned<NewsCount>> => {
      const known = client.getQueryData<Versioned<NewsCount>>(queryKey);
      return toVersioned(await http('GET /news/count', { as: 'customer', signal, known }));
    },
    refetchOnWindowFocus: 'always',
  });
};
