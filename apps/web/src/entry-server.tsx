import { Writable } from 'node:stream';
import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, matchRoutes, StaticRouterProvider } from 'react-router-dom';
import { Document } from './document.tsx';
import { ApiError, isNotFound, isTemporary, NetworkError, UnexpectedAnswer } from './lib/api-error.ts';
import { contextOf } from './lib/app.ts';
import { createHttp } from './lib/http.ts';
import { pageContextOf } from './lib/page-context.ts';
import { errorsToData, type PageAssets, type PagePayload } from './lib/page-payload.ts';
import { createQueryClient } from './lib/query-client.ts';
import { scriptJson } from './lib/script-json.ts';
import { noStorage } from './lib/storage.ts';
import { protectedRoute, routes } from './router.tsx';
import { PageHead } from './ui/page-head.tsx';
import { ProgressBars } from './ui/page-state.tsx';

/** The timeout of a call to the API. The page then shows an error. */
const apiDeadlineMs = 1500;
const retryAfterSeconds = 2;

export interface PageRequest {
  /** Path and query of the request. */
  url: string;
  /** The `Cookie` header, or ''. */
  cookies: string;
  /** Headers for each call to the API, such as X-Forwarded-For. */
  apiHeaders: Record<string, string>;
}

export interface Page {
  status: number;
  /** The pattern of its route, such as '/services/:id'. */
  route: string;
  headers: Record<string, string>;
  /** The whole document; empty when the headers redirect. */
  html: Buffer;
}

export interface RendererOptions {
  /** Origin of the API. */
  api: string;
  /** The public address of the site, for canonical addresses and link previews. */
  origin: string;
  /** The address of the entry script. */
  entry: string;
  /** Returns the files of a page from the ids of its routes. */
  assetsOf: (routeIds: readonly string[]) => PageAssets;
  /** Called with unexpected errors of loaders and components. */
  onError: (error: unknown) => void;
}

export type RenderPage = (request: PageRequest) => Promise<Page>;

export { isPersonal } from './lib/page-context.ts';

/** Renders every page as for a visitor, because the server does not know who is signed in. */
export function createRenderer({ api, origin, entry, assetsOf, onError }: RendererOptions): RenderPage {
  const handler = createStaticHandler(routes);

  return async ({ url, cookies, apiHeaders }) => {
    const request = requestFor(url);
    if (!request) return malformed;
    const queries = createQueryClient();
    try {
      const http = createHttp({
        base: api,
        headers: apiHeaders,
        timeoutMs: apiDeadlineMs,
        // Do not wait for a slow API twice.
        canRepeat: (error) => error instanceof NetworkError && error.reason === 'unreachable',
      });
      const matches = matchRoutes(handler.dataRoutes, new URL(request.url).pathname) ?? [];
      const ids = matches.map(({ route }) => route.id);
      const route = patternOf(matches);
      // The loaders of protected pages need a session, which only the browser has.
      const isProtected = ids.includes(protectedRoute);
      const result = await handler.query(request, {
        requestContext: contextOf({ http, queries, storage: noStorage }),
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
        errors: errors ?? null,
        isComplete: errors !== undefined && failuresIn(queries).length === 0,
      };
      const router = createStaticRouter(handler.dataRoutes, result);
      try {
        const page = <StaticRouterProvider router={router} context={result} hydrate={false} />;
        return answer(route, status, await render(documentOf(payload, queries, page)));
      } catch {
        // React has already called `onError`.
        const shell = { ...payload, isComplete: false };
        return answer(route, 500, await render(documentOf(shell, queries, <Shell />)));
      }
    } finally {
      // The garbage collection timers of the cache would keep it in memory.
      queries.clear();
    }
  };

  function render(document: ReactNode): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const { pipe } = renderToPipeableStream(document, {
        bootstrapModules: [entry],
        // Streamed parts need an inline script, which the Content-Security-Policy forbids.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => pipe(collector(resolve)),
        onShellError: reject,
        onError,
      });
    });
  }
}

const malformed: Page = {
  status: 400,
  route: 'none',
  headers: { 'Content-Type': 'text/plain' },
  html: Buffer.from('This web address is not valid. Check the link and try again.'),
};

/** Returns 'none' if only the catch-all route matches. */
function patternOf(matches: readonly { route: { path?: string | undefined } }[]): string {
  const parts = matches.flatMap(({ route: { path } }) => path ?? []);
  return parts.includes('*') ? 'none' : `/${parts.join('/')}`;
}

function answer(route: string, status: number, html: Buffer): Page {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': status === 200 ? 'no-cache' : 'no-store',
    ...(status === 503 && { 'Retry-After': String(retryAfterSeconds) }),
  };
  return { status, route, headers, html };
}

/** A stream that passes everything written to it to `onEnd`. */
function collector(onEnd: (all: Buffer) => void): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    // Disables backpressure, so that the renderer never waits.
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

/** Sent when rendering the page failed. The browser then renders the page. */
function Shell() {
  return (
    <>
      <PageHead />
      <ProgressBars />
    </>
  );
}

function documentOf(payload: PagePayload, queries: QueryClient, children: ReactNode) {
  return (
    <Document payload={payload} json={scriptJson(payload)} queries={queries} storage={noStorage} session={null}>
      {children}
    </Document>
  );
}

function requestFor(url: string): Request | undefined {
  const address = `http://web${url.startsWith('/') ? url : '/'}`;
  return URL.canParse(address) ? new Request(address) : undefined;
}

function redirection(route: string, { status, headers }: Response): Page {
  return { status, route, headers: { Location: headers.get('Location') ?? '/' }, html: Buffer.alloc(0) };
}

/** Waits for prefetches that the loaders did not await, so that the HTML is complete. */
async function allFetched(queries: QueryClient): Promise<void> {
  const running = queries.getQueryCache().findAll({ fetchStatus: 'fetching' });
  await Promise.allSettled(running.map((query) => query.fetch()));
}

const failuresIn = (queries: QueryClient): Error[] =>
  queries
    .getQueryCache()
    .getAll()
    .flatMap(({ state: { error, data } }) => (error && data === undefined && !isNotFound(error) ? [error] : []));

/** Removes the timestamps, so that an unchanged page has the same ETag. The browser sets its own timestamps. */
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
  if (failures.some((failure) => isTemporary(failure) || failure instanceof UnexpectedAnswer)) return 503;
  const [failure] = failures;
  if (failure === undefined) return routed;
  return failure instanceof ApiError ? failure.status : 500;
}
