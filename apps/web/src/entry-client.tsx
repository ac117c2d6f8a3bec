import './app.css';
import { hydrate, type QueryClient } from '@tanstack/react-query';
import { type ErrorInfo, StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { Document } from './document.tsx';
import { createSession, type Session } from './features/auth/session.ts';
import { addSession } from './features/auth/session-context.ts';
import { contextOf } from './lib/app.ts';
import { loadConfig } from './lib/config.ts';
import { watchDeployments } from './lib/deployment.ts';
import { createHttp } from './lib/http.ts';
import { errorsFromData, type PagePayload, payloadId } from './lib/page-payload.ts';
import { createQueryClient, followConnection } from './lib/query-client.ts';
import { createStorage } from './lib/storage.ts';
import { protectedRoute, routes } from './router.tsx';
import { toast } from './ui/toasts.tsx';

type Router = ReturnType<typeof createBrowserRouter>;

const text = { newVersion: 'A new version is ready', reload: 'Reload' };

// Not awaited at the top level: the scripts of the routes import this one, and would wait until it has ended.
void start();

async function start(): Promise<void> {
  const json = document.getElementById(payloadId)?.textContent ?? '';
  const payload = JSON.parse(json) as PagePayload;
  const queries = createQueryClient();
  const storage = createStorage(() => localStorage);
  const session = createSession({ loadConfig, storage, http: createHttp({ base: '/api' }) });
  const http = createHttp({ base: '/api', tokens: session });
  followConnection();
  fillCache(queries, payload);
  ignoreSkippedViewTransitions();
  removePrivateQueriesOnSignOut(session, queries);

  const isLoaded = await loadMatchedRoutes();
  const router = createBrowserRouter(routes, {
    getContext: () => addSession(contextOf({ http, queries, storage }), session),
    ...(payload.errors && { hydrationData: { loaderData: {}, errors: errorsFromData(payload.errors) } }),
  });
  // The server sends every protected page in its loading state, so hydration need not wait for the loaders.
  if (!router.state.matches.some(({ route }) => route.id === protectedRoute)) await initialized(router);

  const page = (
    <StrictMode>
      <Document payload={payload} json={json} queries={queries} storage={storage} session={session}>
        <RouterProvider router={router} />
      </Document>
    </StrictMode>
  );
  // As a transition React hydrates in slices, between which the browser answers the visitor.
  if (payload.isComplete && isLoaded)
    startTransition(() => void hydrateRoot(document, page, { onRecoverableError: reportMismatch }));
  else createRoot(document).render(page);

  // Never reload without asking: the customer may be writing.
  watchDeployments(() =>
    toast.custom(text.newVersion, { id: 'version', action: { label: text.reload, onPress: () => location.reload() } }),
  );
  reportVitalsWhenIdle();
}

/** A hydration mismatch: React has rendered that part of the page again, so the page works. */
function reportMismatch(error: unknown, { componentStack }: ErrorInfo): void {
  // oxlint-disable-next-line no-console -- shown in tests and in the browser's console
  console.error(error, componentStack);
}

/** The data is as fresh as the page, even if the clock of this device is wrong. */
function fillCache(client: QueryClient, { queries: state }: PagePayload): void {
  const dataUpdatedAt = Date.now();
  hydrate(client, {
    ...state,
    queries: state.queries.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt } })),
  });
}

/** Loads the scripts of the matched routes, so that the first render is complete. The router reports a failure. */
async function loadMatchedRoutes(): Promise<boolean> {
  try {
    await Promise.all(
      (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
        if (typeof route.lazy !== 'function') return;
        Object.assign(route, await route.lazy(), { lazy: undefined });
      }),
    );
    return true;
  } catch {
    return false;
  }
}

function initialized(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe((state) => {
      if (!state.initialized) return;
      stop();
      resolve();
    });
  });
}

/**
 * The router does not handle `ready`, which rejects when a view transition is skipped: that would be reported as an
 * uncaught error of a page that works. If the page could not change, `finished` still rejects.
 */
function ignoreSkippedViewTransitions(): void {
  if (!('startViewTransition' in document)) return;
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    transition.ready.catch(() => {});
    return transition;
  };
}

function removePrivateQueriesOnSignOut(session: Session, queries: QueryClient): void {
  let uid = session.getState().user?.uid;
  session.subscribe(() => {
    const { user } = session.getState();
    if (uid && uid !== user?.uid)
      queries.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('GET /review') });
    uid = user?.uid;
  });
}

/** The script that measures is loaded after the page, so that it does not slow the page down. */
function reportVitalsWhenIdle(): void {
  const measure = () => {
    import('./features/vitals/report.ts').then(
      ({ reportVitals }) => reportVitals(),
      () => {},
    );
  };
  const schedule = () => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(measure);
    else setTimeout(measure, 1000);
  };
  if (document.readyState === 'complete') schedule();
  else addEventListener('load', schedule);
}
