import type { RouteKey } from '@rtr/shared';
import { onlineManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isTemporary } from './api-error.ts';
import { retryDelayMs } from './retry.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Queries are not retried, because the HTTP client already retries reads.
        retry: false,
        // If the browser is offline, a query fails at once, so that the screen can show the error. By default, the query
        // would pause.
        networkMode: 'always',
        refetchOnReconnect: true,
        // A failed query is not repeated when its component mounts. The loader has already tried, and the screen has a retry
        // button.
        retryOnMount: false,
        // While the page is visible, a query without data is repeated automatically after a temporary failure.
        refetchInterval: ({ state: { data, error, errorUpdateCount } }) =>
          data === undefined && isTemporary(error) && retryDelayMs(errorUpdateCount),
      },
    },
  });
}

/** Sets the initial state of TanStack Query's online manager, which otherwise assumes that the app starts online. */
export function followConnection(): void {
  onlineManager.setOnline(navigator.onLine);
}

/**
 * Returns true if the cached data belongs to one customer. Queries that also work without a customer contain the customer's
 * uid as `reader`.
 */
export function isPrivate([key, input]: QueryKey): boolean {
  return (
    /^GET \/(review|account|moderation)/.test(String(key)) ||
    (input as { reader?: string } | undefined)?.reader !== undefined
  );
}

/** Returns the query key of a call to a route. To match all calls to the route, use the key `[key]` without the input. */
export function keyOf<I>(key: RouteKey, input: I): readonly [RouteKey, I] {
  return [key, input];
}
