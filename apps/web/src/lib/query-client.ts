import type { RouteKey } from '@rtr/shared';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { isTemporary, retryDelayMs } from './api-error.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The HTTP client retries reads.
        retry: false,
        // If the browser is offline, fail at once instead of pausing the query, so that the screen can show the error.
        networkMode: 'always',
        refetchOnReconnect: true,
        // The loader has already tried. The screen shows the error with a button for a retry.
        retryOnMount: false,
        // Retry a query without data automatically while the page is visible.
        refetchInterval: ({ state: { data, error, errorUpdateCount } }) =>
          data === undefined && isTemporary(error) && retryDelayMs(errorUpdateCount),
      },
    },
  });
}

/** Sets the initial state, because the online manager assumes that the app starts online. */
export function followConnection(): void {
  onlineManager.setOnline(navigator.onLine);
}

/** The query key of a call to a contract route. `[key]` alone matches all calls to the route. */
export function keyOf<I>(key: RouteKey, input: I): readonly [RouteKey, I] {
  return [key, input];
}
