import type { RouteKey } from '@rtr/shared';
import { onlineManager, type Query, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isTemporary } from './api-error.ts';
import { retryDelayMs } from './retry.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The HTTP client already retries reads, so queries are not retried.
        retry: false,
        // By default, a query pauses while the browser is offline. With 'always', the query fails at once and the screen
        // shows the error.
        networkMode: 'always',
        refetchOnReconnect: true,
        // A failed query is not repeated when its component mounts, because the loader has already tried, and the screen has
        // a retry button.
        retryOnMount: false,
        refetchInterval: retryInterval,
      },
    },
  });
}

/**
 * Returns the time until a query is repeated in milliseconds. If a query has no data because of a temporary failure, it is
 * repeated automatically while the page is visible. Returns false for all other queries.
 */
export function retryInterval({ state: { data, error, errorUpdateCount } }: Pick<Query, 'state'>): number | false {
  return data === undefined && isTemporary(error) && retryDelayMs(errorUpdateCount);
}

/**
 * Tells the online manager of TanStack Query whether the browser is online. Without this call, it assumes at first that the
 * browser is online.
 */
export function followConnection(): void {
  onlineManager.setOnline(navigator.onLine);
}

/**
 * Call this function after a write. It removes cached data that is not on screen, so that pages opened later load the
 * current data. It does not cancel the requests of a page that is just opening, because this page would fail without them.
 * Such a request may return data from before the write, so its result is invalidated.
 */
export function removeInactive(queries: QueryClient, queryKey: QueryKey = []): void {
  const filters = { queryKey, type: 'inactive' } as const;
  queries.removeQueries({ ...filters, fetchStatus: 'idle' });
  for (const query of queries.getQueryCache().findAll(filters))
    query.promise?.then(
      () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      () => {},
    );
}

/**
 * Returns true if the cached data is only for the signed-in customer. This includes public reviews that are cached together
 * with the customer's own votes. The key of such data contains the uid of the customer as `reader`.
 */
export function isPrivate([key, input]: QueryKey): boolean {
  return (
    /^GET \/(review|account|moderation|requests|news|pictures\/p)/.test(String(key)) ||
    (input as { reader?: string } | undefined)?.reader !== undefined
  );
}

interface SessionSource {
  getState: () => { user: { uid: string } | null };
  subscribe: (listener: () => void) => unknown;
}

/** When the customer signs out, or another customer signs in, removes the private queries of the customer from the cache. */
export function removePrivateQueriesOnSignOut(session: SessionSource, queries: QueryClient): void {
  let uid = session.getState().user?.uid;
  session.subscribe(() => {
    const { user } = session.getState();
    if (uid && uid !== user?.uid) queries.removeQueries({ predicate: ({ queryKey }) => isPrivate(queryKey) });
    uid = user?.uid;
  });
}

/** Returns the query key of an API call. To match all calls to the route, use the key `[key]` without the input. */
export function keyOf<I>(key: RouteKey, input: I): readonly [RouteKey, I] {
  return [key, input];
}
