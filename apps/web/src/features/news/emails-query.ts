import { queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { keyOf } from '../../lib/query-client.ts';

/** The query for the customer's setting of emails about news. */
export const newsEmailsQuery = (http: Http) =>
  queryOptions({
    queryKey: keyOf('GET /account/emails', {}),
    queryFn: async ({ signal }) => (await http('GET /account/emails', { as: 'customer', signal })).data,
  });
