import { Writable } from 'node:stream';
import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, matchRoutes, StaticRouterProvider } from 'react-router-dom';
import { earlyActionsScript } from '../server/early-actions-script.ts';
import type { AppProps } from './app.tsx';
import { Document } from './document.tsx';
import { LoadingPage } from './features/auth/protected.tsx';
import { ApiError, isNotFound, isTemporary, NetworkError, UnexpectedResponse } from './lib/api-error.ts';
import { contextOf } from './lib/app.ts';
import { createHttp } from './lib/http.ts';
import { pageContextOf } from './lib/page-context.ts';
import { errorsToData, type PageAssets, type PagePayload } from './lib/page-payload.ts';
import { createQueryClient } from './lib/query-client.ts';
import { scriptJson } from './lib/script-json.ts';
import { hasSessionHint } from './lib/session-hint.ts';
import { noStorage } from './lib/storage.ts';
import { protectedRoute, routes } from './router.tsx';

/** The timeout of an API call during the rendering of a page. After the timeout, the page shows an error message. */
const apiDeadlineMs = 1500;
const retryAfterSeconds = 2;

export interface PageRequest {
  /** The path and the query of the request. */
  url: string;
  /** The `Cookie` header of the request, or '' if there is none. */
  cookies: string;
  /** Headers that every API call of this rendering sends, such as X-Forwarded-For. */
  apiHeaders: Record<string, string>;
}

export interface Page {
  status: number;
  /** The route pattern of the page, such as '/services/:id'. */
  route: string;
  headers: Record<string, string>;
  /** The whole HTML document, or a plain text if the address is malformed. Empty if the response is a redirect. */
  html: Buffer;
}

export interface RendererOptions {
  /** The origin of the API. */
  api: string;
  /** The public origin of the site, for canonical URLs and link previews. */
  origin: string;
  entry: string;
  assetsOf: (routeIds: readonly string[]) => PageAssets;
  /** Called for each unexpected error of a loader or a component. */
  onError: (error: unknown) => void;
}

export type RenderPage = (request: PageRequest) => Promise<Page>;

export { isPersonal } from './lib/page-context.ts';

/**
 * Creates the function that renders pages. The server does not know the signed-in customer, so the pages contain no data of
 * a customer.
 */
export function createRenderer({ api, origin, entry, assetsOf, onError }: RendererOptions): RenderPage {
  const handler = createStaticHandler(routes);

  return async ({ url, cookies, apiHeaders }) => {
    const request = requestFor(url);
    if (!request) return plainPage(400, 'This web address is not valid. Check the link and try again.');
    if (lineBreak.test(decodeURIComponent(new URL(request.url).pathname)))
      return plainPage(404, 'There is no page at this address.');
    const queries = createQueryClient();
    try {
      const http = createHttp({
        base: api,
        headers: {
          ...apiHeaders,
          // Requests uncompressed responses. The API is in the same network, where transferring a larger response takes less
          // time than decompressing a smaller one.
          'Accept-Encoding': 'identity',
          // Bypasses the response cache of the API, so that customers see their own writes. After a write through one
          // instance of the API, the cache of another instance may still contain the old response.
          ...(hasSessionHint(cookies) && { 'Cache-Control': 'no-cache' }),
        },
        timeoutMs: apiDeadlineMs,
        // Only a call that did not reach the API is repeated.
        canRepeat: isConnectionRefused,
      });
      const matches = matchRoutes(handler.dataRoutes, new URL(request.url).pathname) ?? [];
      const ids = matches.map(({ route }) => route.id);
      const route = patternOf(matches);
      // The loaders of protected pages run only in the browser, because they need a session.
      const isProtected = ids.includes(protectedRoute);
      const result = await handler.query(request, {
        requestContext: contextOf({ http, queries, storage: noStorage, origin }),
        ...(isProtected && { filterMatchesToLoad: () => false }),
      });
      if (result instanceof Response) return redirection(route, result);
      await allFetched(queries);

      const failures = [...Object.values(result.errors ?? {}), ...failuresIn(queries)];
      for (const failure of failures) if (!(failure instanceof ApiError) && !isTemporary(failure)) onError(failure);
      const errors = errorsToData(result.errors);
      const status = statusOf(failures, result.statusCode);
      const payload: PagePayload = {
        page: pageContextOf(cookies, origin),
        assets: assetsOf(ids),
        queries: withoutTimes(dehydrate(queries)),
        loaders: { loaderData: result.loaderData, errors: errors ?? null },
        isComplete: errors !== undefined && failuresIn(queries).length === 0,
      };
      const router = createStaticRouter(handler.dataRoutes, result);
      try {
        const page = <StaticRouterProvider router={router} context={result} hydrate={false} />;
        return pageOf(route, status, await render(documentOf(payload, { http, queries }, page)));
      } catch {
        // If the rendering fails, sends only the loading page. The page contains no data, because the data may have caused
        // the error. The browser requests the data again and renders the page itself. React has already passed the error to
        // `onError`.
        const shell = { ...payload, queries: { mutations: [], queries: [] }, isComplete: false };
        return pageOf(route, 500, await render(documentOf(shell, { http, queries }, <LoadingPage />)));
      }
    } finally {
      // Frees the memory of the data at once.
      queries.clear();
    }
  };

  function render(document: ReactNode): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const { pipe } = renderToPipeableStream(document, {
        bootstrapModules: [entry],
        // Makes React send the page in one piece. To send the page in several pieces, React would add inline scripts, which
        // the Content-Security-Policy forbids.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => pipe(collector(resolve)),
        onShellError: reject,
        onError,
      });
    });
  }
}

/** React Router has no route for a path with a line break, because its pattern `*` does not match one. */
const lineBreak = /[\n\r\u2028\u2029]/;

function plainPage(status: number, text: string): Page {
  return { status, route: 'none', headers: { 'Content-Type': 'text/plain' }, html: Buffer.from(text) };
}

/** Returns the route pattern of a page, such as '/services/:id'. Returns 'none' if there is no page at this path. */
function patternOf(matches: readonly { route: { path?: string | undefined } }[]): string {
  const parts = matches.flatMap(({ route: { path } }) => path ?? []);
  return parts.includes('*') ? 'none' : `/${parts.join('/')}`;
}

function pageOf(route: string, status: number, html: Buffer): Page {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': status === 200 ? 'no-cache' : 'no-store',
    ...(status === 503 && { 'Retry-After': String(retryAfterSeconds) }),
  };
  return { status, route, headers, html };
}

/** Returns true if the API refused the connection. The API has then not received the request. */
function isConnectionRefused(error: unknown): boolean {
  // A NetworkError has the error of `fetch` as its cause, and that error has the error of the connection as its cause.
  const fetchError = error instanceof NetworkError ? error.cause : undefined;
  return (
    fetchError instanceof Error && (fetchError.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
  );
}

function collector(onEnd: (all: Buffer) => void): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    // Without this high limit, the renderer would pause after each large chunk.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(chunk: Buffer, _encoding, next) {
      chunks.push(chunk);
      next();
    },
    final(next) {
      onEnd(Buffer.concat(chunks));
      next();
    },
  });
}

function documentOf(payload: PagePayload, app: Pick<AppProps, 'http' | 'queries'>, children: ReactNode) {
  return (
    <Document
      payload={payload}
      json={scriptJson(payload)}
      earlyActionsScript={earlyActionsScript}
      {...app}
      storage={noStorage}
      session={null}
    >
      {children}
    </Document>
  );
}

function requestFor(url: string): Request | undefined {
  const address = `http://web${url.startsWith('/') ? url : '/'}`;
  if (!URL.canParse(address)) return undefined;
  try {
    decodeURIComponent(new URL(address).pathname);
  } catch {
    return undefined;
  }
  return new Request(address);
}

function redirection(route: string, { status, headers }: Response): Page {
  return { status, route, headers: { Location: headers.get('Location') ?? '/' }, html: Buffer.alloc(0) };
}

/** Waits for the queries that loaders have started but not awaited, so that the HTML is complete. */
async function allFetched(queries: QueryClient): Promise<void> {
  const running = queries.getQueryCache().findAll({ fetchStatus: 'fetching' });
  await Promise.allSettled(running.map((query) => query.fetch()));
}

const failuresIn = (queries: QueryClient): Error[] =>
  queries
    .getQueryCache()
    .getAll()
    .flatMap(({ state: { error, data } }) => (error && data === undefined && !isNotFound(error) ? [error] : []));

/**
 * Removes the timestamps of the queries, so that the same content has the same ETag. The browser sets its own timestamps.
 */
function withoutTimes({ queries, mutations }: DehydratedState): DehydratedState {
  return {
    mutations,
    queries: queries.map((query) => ({
      ...query,
      dehydratedAt: 0,
      state: { ...query.state, dataUpdatedAt: 0, errorUpdatedAt: 0 },
    })),
  };
}

function statusOf(failures: readonly unknown[], routed: number): number {
  if (failures.some((failure) => isTemporary(failure) || failure instanceof UnexpectedResponse)) return 503;
  const [failure] = failures;
  if (failure === undefined) return routed;
  return failure instanceof ApiError ? failure.status : 500;
}
