import type { RouteKey } from '@rtr/shared';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { isTemporary } from './api-error.ts';
import { retryDelayMs } from './retry.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Queries are not retried, because the HTTP client already retries reads.
        retry: false,
        // If the browser is offline, a query fails at once instead of pausing, so that the screen can show the error.
        networkMode: 'always',
        refetchOnReconnect: true,
        // A failed query is not repeated when its component mounts: the loader has already tried, and the screen has a retry
        // button.
        retryOnMount: false,
        // Repeats a query that has no data, automatically, while the page is visible.
        refetchInterval: ({ state: { data, error, errorUpdateCount } }) =>
          data === undefined && isTemporary(error) && retryDelayMs(errorUpdateCount),
      },
    },
  });
}

/** Tells TanStack Query's online manager the initial state, because it assumes that the app starts online. */
export function followConnection(): void {
  onlineManager.setOnline(navigator.onLine);
}

/** Returns the query key of a call to a route of the contract. `[key]` alone matches all calls to the route. */
export function keyOf<I>(key: RouteKey, input: I): readonly [RouteKey, I] {
  return [key, input];
}
