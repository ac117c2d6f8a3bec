import type { ServiceSort } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

export interface ServiceSearch {
  q: string;
  sort: ServiceSort;
  /** The cursor after which the list starts. Undefined if the list starts with its first service. */
  after?: string | undefined;
}

/** The number of services on a page of the list. A typical catalogue fits on one page. */
export const pageSize = 60;

/** How long a list stays in the cache after it has left the screen. The Back button restores the list from the cache. */
const listCacheMs = 3_600_000;

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
