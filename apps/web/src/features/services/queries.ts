import type { ServiceSort } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagesFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

/** What a list of services can be narrowed and ordered by. */
export interface ServiceSearch {
  q: string;
  sort: ServiceSort;
  /** The cursor to begin after, when the list does not begin at its first service. */
  after?: string | undefined;
}

/** So many that the whole of a usual catalogue shows at once. */
export const pageSize = 60;

/** Milliseconds that what was loaded of a list is held for one who comes back to it. */
const held = 3_600_000;

/** The services that a search finds, page by page. */
export const servicesQuery = (http: Http, { q, sort, after: start }: ServiceSearch) => {
  const query = { limit: String(pageSize), sort, ...(q && { q }) };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /services', { ...query, after: start }),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /services', { query: { ...query, after: after || undefined }, signal })),
    gcTime: held,
    ...pagesFrom(start),
  });
};

/** The newest services, a few of them. */
export const newestServicesQuery = (http: Http, count: number) => {
  const query = { limit: String(count) };
  return queryOptions({
    queryKey: keyOf('GET /services', query),
    queryFn: async ({ signal }) => (await http('GET /services', { query, signal })).data,
  });
};

export const serviceQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /services/:id', { id }),
    queryFn: async ({ signal }) => (await http('GET /services/:id', { params: { id }, signal })).data,
  });
