import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { Session } from './features/auth/session.ts';
import { SessionProvider } from './features/auth/session-context.ts';
import { AccessTokenProvider } from './lib/access-token-context.ts';
import type { Http } from './lib/http.ts';
import { HttpProvider } from './lib/http-context.ts';
import { NowProvider } from './lib/now.tsx';
import { type PageContext, PageContextProvider } from './lib/page-context.ts';
import type { BrowserStorage } from './lib/storage.ts';
import { StorageProvider } from './lib/storage-context.ts';

export interface AppProps {
  page: PageContext;
  http: Http;
  queries: QueryClient;
  storage: BrowserStorage;
  /** The session of this browser. Null on the server. */
  session: Session | null;
  /** Called when the page is hydrated. */
  onReady?: () => void;
  /** The provider component of the router. It renders the current page. */
  children: ReactNode;
}

/** Provides the contexts that every page needs. The server, the browser and the tests all render this component. */
export function App({ page, http, queries, storage, session, onReady, children }: AppProps) {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <QueryClientProvider client={queries}>
      <PageContextProvider value={page}>
        <StorageProvider value={storage}>
          <SessionProvider value={session}>
            <AccessTokenProvider value={session}>
              <HttpProvider value={http}>
                <NowProvider initial={page.now}>{children}</NowProvider>
              </HttpProvider>
            </AccessTokenProvider>
          </SessionProvider>
        </StorageProvider>
      </PageContextProvider>
    </QueryClientProvider>
  );
}
