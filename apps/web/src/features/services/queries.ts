import type { ServiceSort } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

/** The search and the order of a list of services. */
export interface ServiceSearch {
  q: string;
  sort: ServiceSort;
  /** The cursor after which the list starts. Undefined if it starts at its first service. */
  after?: string | undefined;
}

/** The number of services on a page. A typical catalogue fits on one page. */
export const pageSize = 60;

/** How long a list stays in the cache, so that the Back button can restore it. */
const listCacheMs = 3_600_000;

/** The query of the services that a search finds, page by page. */
export const servicesQuery = (http: Http, { q, sort, after: start }: ServiceSearch) => {
  const query = { limit: String(pageSize), sort, ...(q && { q }) };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /services', { ...query, after: start }),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /services', { query: { ...query, after: after || undefined }, signal })),
    gcTime: listCacheMs,
    ...pagingOptionsFrom(start),
  });
};

/** The query of the newest services. It returns `count` services. */
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
