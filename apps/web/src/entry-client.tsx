import './app.css';
import { hydrate, type QueryClient } from '@tanstack/react-query';
import { type ErrorInfo, StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { Document } from './document.tsx';
import { createSession } from './features/auth/session.ts';
import { addSession } from './features/auth/session-context.ts';
import { contextOf } from './lib/app.ts';
import { loadConfig } from './lib/config.ts';
import { watchDeployments } from './lib/deployment.ts';
import { earlyActionsId, repeatEarlyActions } from './lib/early-actions.ts';
import { createHttp } from './lib/http.ts';
import { hydrationDataOf, type PagePayload, payloadId } from './lib/page-payload.ts';
import { createQueryClient, followConnection, removePrivateQueriesOnSignOut } from './lib/query-client.ts';
import { createStorage } from './lib/storage.ts';
import { routes } from './router.tsx';
import { commonText } from './ui/texts.ts';
import { toast } from './ui/toasts.tsx';

type Router = ReturnType<typeof createBrowserRouter>;

const text = { newVersion: 'A new version of this site is available' };

// Do not `await` this call. It loads the scripts of the routes, which import this module. With `await`, this module and
// those scripts would wait for each other.
void start();

async function start(): Promise<void> {
  const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';
  const json = textOf(payloadId);
  const payload = JSON.parse(json) as PagePayload;
  const queries = createQueryClient();
  const storage = createStorage(() => localStorage);
  const session = createSession({ loadConfig, storage, http: createHttp({ base: '/api' }) });
  const http = createHttp({ base: '/api', tokens: session });
  followConnection();
  fillCache(queries, payload);
  removePrivateQueriesOnSignOut(session, queries);

  const isLoaded = await loadMatchedRoutes();
  const router = createBrowserRouter(routes, {
    getContext: () => addSession(contextOf({ http, queries, storage, origin: payload.page.origin }), session),
    // With the results of the loaders on the server, the loaders do not run again, and the scroll position stays.
    ...(payload.isComplete && { hydrationData: hydrationDataOf(payload) }),
  });
  guardViewTransitions(router);
  const onReady = () => {
    session.start();
    // React first renders what differs between the server and the browser, for example that a service is saved.
    setTimeout(() => {
      // After `stopRecording`, React receives all events itself.
      void repeatEarlyActions(window.stopRecording?.() ?? []);
      performance.mark('ready');
    });
  };
  const page = (
    <StrictMode>
      <Document
        payload={payload}
        json={json}
        earlyActionsScript={textOf(earlyActionsId)}
        http={http}
        queries={queries}
        storage={storage}
        session={session}
        onReady={onReady}
      >
        <RouterProvider router={router} />
      </Document>
    </StrictMode>
  );
  // Inside a transition, React hydrates the page in small steps. So the page stays responsive.
  if (payload.isComplete && isLoaded)
    startTransition(() => void hydrateRoot(document, page, { onRecoverableError: reportMismatch }));
  else createRoot(document).render(page);

  // Shows a message instead of reloading the page, because the customer may be typing.
  watchDeployments(() =>
    toast.custom(text.newVersion, {
      id: 'version',
      action: { label: commonText.reload, onPress: () => location.reload() },
    }),
  );
  reportVitalsWhenIdle();
}

/** Logs a hydration mismatch. The page still works, because React renders the different part again. */
function reportMismatch(error: unknown, { componentStack }: ErrorInfo): void {
  // oxlint-disable-next-line no-console -- shown in tests and in the browser's console
  console.error(error, componentStack);
}

/**
 * Fills the query cache with the data from the server. The fetch time of the data is set to the current time of this device,
 * because the clock of the server may differ.
 */
function fillCache(client: QueryClient, { queries: state }: PagePayload): void {
  const dataUpdatedAt = Date.now();
  hydrate(client, {
    ...state,
    queries: state.queries.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt } })),
  });
}

/**
 * Loads the scripts of the current routes, so that the first render is complete. If a script fails to load, returns false,
 * and the router handles the error.
 */
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

/**
 * Works around two problems of the router's view transitions. (1) The browser calls `update`, which shows the new page, a
 * few frames after the start of the transition. If a later navigation has finished by then, `update` would show the
 * page of the earlier navigation instead of the page of the later one. So `update` is skipped. (2) If the browser skips
 * a transition, the promise `ready` rejects, and the router does not handle the rejection. So the rejection is ignored
 * here. Real errors are still reported, because they also reject the promise `finished`.
 */
function guardViewTransitions(router: Router): void {
  if (!('startViewTransition' in document)) return;
  let transitionKey: string | undefined;
  router.subscribe(({ location }, { viewTransitionOpts }) => {
    if (viewTransitionOpts) transitionKey = location.key;
  });
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update?: ViewTransitionUpdateCallback) => {
    const transition = start(() => (router.state.location.key === transitionKey ? update?.() : undefined));
    transition.ready.catch(() => {});
    return transition;
  };
}

/** The script for web vitals loads when the browser is idle, so that it does not delay the page. */
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
