import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NowProvider } from './lib/now.tsx';
import { type PageContext, PageContextProvider } from './lib/page-context.ts';

interface AppProps {
  page: PageContext;
  queries: QueryClient;
  /** The router's provider. */
  children: ReactNode;
}

/** The providers that every screen needs, on both sides and in tests. */
export function App({ page, queries, children }: AppProps) {
  return (
    <QueryClientProvider client={queries}>
      <PageContextProvider value={page}>
        <NowProvider initial={page.now}>{children}</NowProvider>
      </PageContextProvider>
    </QueryClientProvider>
  );
}
