import type { RouteKey } from '@rtr/shared';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import { isPassing, retryDelayMs } from './api-error.ts';

/** What is fetched is held for 30 s before it counts as old. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The HTTP client repeats a read that failed in passing.
        retry: false,
        // Without a network a call fails at once, so that its screen says so, and is made again when there is one.
        networkMode: 'always',
        refetchOnReconnect: true,
        // Loaders have tried already: a screen that opens on a failure shows it, and its button tries again.
        retryOnMount: false,
        // What could not be loaded is asked for again by itself, as long as the page is visible.
        refetchInterval: ({ state: { data, error, errorUpdateCount } }) =>
          data === undefined && isPassing(error) && retryDelayMs(errorUpdateCount),
      },
    },
  });
}

/** In the browser: the online manager hears of changes, but assumes that the app opens online. */
export function followConnection(): void {
  onlineManager.setOnline(navigator.onLine);
}

/** The key of what a contract route answers to an input. `[key]` alone stands for all its answers. */
export function keyOf<I>(key: RouteKey, input: I): readonly [RouteKey, I] {
  return [key, input];
}
