import { limits, type OwnService, type Service, type ServiceSort } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Http } from '../../lib/http.ts';
import { type Page, pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';
import { toVersioned } from '../../lib/version.ts';

/** The names of the filters of the list, in the address of the page and in the query of the API. */
const filterNames = ['area', 'minRating', 'contact', 'photos'] as const;

export type Filters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined };

export interface ServiceSearch extends Filters {
  q: string;
  /** The chosen order. Undefined if it is the default order. */
  sort?: ServiceSort | undefined;
  /** The list starts after this cursor. Undefined for the start of the list. */
  after?: string | undefined;
}

/** The words of a search text that the API has changed, because no service has all words. */
export interface ChangedSearch {
  /** The words for which the API has searched. */
  searchedFor: string;
  /** The words that the API has left out. Empty if it has only corrected words. */
  leftOut: string;
  /** True if no service has any of the words in `leftOut`. */
  isUnknown: boolean;
}

export interface ServicePage extends Page<Service> {
  /** Undefined if the API has searched for the search text itself. */
  changed?: ChangedSearch | undefined;
}

/** The number of services in a page of the list. A typical catalogue has only one page. */
export const pageSize = 60;

/** How long a list stays in the cache after it has left the screen. The Back button restores the list from the cache. */
const listCacheMs = 3_600_000;

export const defaultSortOf = (q: string | undefined): ServiceSort => (q ? 'relevance' : 'newest');

export const servicesQuery = (http: Http, search: ServiceSearch) => {
  const { q, sort = defaultSortOf(q), after: start } = search;
  const query = { limit: String(pageSize), sort, ...(q && { q }), ...filtersIn(search) };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /services', { ...query, after: start }),
    queryFn: async ({ pageParam: after, signal }): Promise<ServicePage> => {
      const response = await http('GET /services', { query: { ...query, after: after || undefined }, signal });
      return { ...toPage(response), changed: changedSearchIn(response.headers) };
    },
    gcTime: listCacheMs,
    ...pagingOptionsFrom(start),
  });
};

function changedSearchIn(headers: Headers): ChangedSearch | undefined {
  const [searchedFor, leftOut, unknown] = ['X-Searched-For', 'X-Left-Out', 'X-Unknown-Words'].map((name) =>
    decodeURIComponent(headers.get(name) ?? ''),
  );
  return searchedFor ? { searchedFor, leftOut: leftOut ?? '', isUnknown: unknown === leftOut } : undefined;
}

/** Returns the filters of a search that are set. */
export const filtersIn = (search: Filters) =>
  Object.fromEntries(filterNames.flatMap((name) => (search[name] ? [[name, search[name]]] : []))) as {
    area?: string;
    minRating?: string;
    contact?: '1';
    photos?: '1';
  };

/** The query of the most used areas. */
export const areasQuery = (http: Http) =>
  queryOptions({
    queryKey: keyOf('GET /areas', {}),
    queryFn: async ({ signal }) => (await http('GET /areas', { signal })).data,
    staleTime: 300_000,
  });

/**
 * Suggestions are requested only in the browser. They are not necessary, so a failed request is not repeated at intervals.
 */
export const suggestionsQuery = (http: Http, q: string) =>
  queryOptions({
    queryKey: keyOf('GET /services/suggestions', { q }),
    queryFn: async ({ signal }) => (await http('GET /services/suggestions', { query: { q }, signal })).data,
    staleTime: 60_000,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });

/** The query of the services that the home page shows. */
export const newestServicesQuery = (http: Http) => {
  const query = { limit: '3' };
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

export const listerQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /listers/:id', { id }),
    queryFn: async ({ signal }) => (await http('GET /listers/:id', { params: { id }, signal })).data,
  });

/** The query of the services of a lister. The list starts after the cursor `start`. */
export const listerServicesQuery = (http: Http, id: string, start?: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('GET /listers/:id/services', { id, after: start }),
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { limit: String(pageSize), after: after || undefined };
      return toPage(await http('GET /listers/:id/services', { params: { id }, query, signal }));
    },
    ...pagingOptionsFrom(start),
  });

/** The query of the form that edits a service. It reads the service and its version together, because they must match. */
export const editableServiceQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /services/:id', { id, for: 'edit' }),
    queryFn: async ({ signal }) => toVersioned(await http('GET /services/:id', { params: { id }, signal })),
  });

/** The query of the services that the signed-in customer has listed. */
export const ownServicesQuery = (http: Http) => {
  const query = { limit: '50' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /account/services', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(
        await http('GET /account/services', { as: 'customer', query: { ...query, after: after || undefined }, signal }),
      ),
    ...pagingOptionsFrom(),
  });
};

/**
 * The query of the services that the signed-in customer has withdrawn, at most `maxPageSize`. With `serviceId`, the result
 * contains only this service.
 */
export const withdrawnServicesQuery = (http: Http, serviceId?: string) => {
  const query = { withdrawn: 'true', limit: String(limits.maxPageSize), ...(serviceId && { serviceId }) } as const;
  return queryOptions({
    queryKey: keyOf('GET /account/services', query),
    queryFn: async ({ signal }) => (await http('GET /account/services', { as: 'customer', query, signal })).data,
  });
};

/** The query of one service of the signed-in customer. The result is null if the customer has not listed this service. */
export const ownServiceQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /account/services', { id }),
    queryFn: async ({ signal }): Promise<OwnService | null> => {
      // Anyone can type a malformed id into the address. It is not sent, because the API would reject it.
      if (!/^[\da-f]{24}$/i.test(id)) return null;
      const query = { serviceId: id };
      return (await http('GET /account/services', { as: 'customer', query, signal })).data[0] ?? null;
    },
  });
