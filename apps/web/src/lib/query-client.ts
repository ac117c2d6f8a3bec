import type { RouteKey } from '@rtr/shared';
import { onlineManager, QueryClient } from '@tanstack/react-query';

/** What is fetched is held for 30 s before it counts as old. */
export function createQueryClient(): QueryClient {
  // It hears of changes, and takes it for granted that the app opens online.
  onlineManager.setOnline(navigator.onLine);
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
      },
    },
  });
}

/** The key of what a contract route answers to an input. `[key]` alone stands for all its answers. */
export function keyOf<I>(key: RouteKey, input: I): readonly [RouteKey, I] {
  return [key, input];
}
