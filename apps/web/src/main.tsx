import '@fontsource-variable/familjen-grotesk';
import './app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { accessToken, renewAccessToken, session } from './features/auth/session.ts';
import { contextOf } from './lib/app.ts';
import { watchDeployments } from './lib/deployment.ts';
import { createHttp } from './lib/http.ts';
import { createQueryClient } from './lib/query-client.ts';
import { routes } from './router.tsx';
import { toast } from './ui/toasts.tsx';

const text = { newVersion: 'A new version is ready', reload: 'Reload' };

const queries = createQueryClient();
const http = createHttp({ base: '/api', token: accessToken, renew: renewAccessToken });
const router = createBrowserRouter(routes, { getContext: () => contextOf({ http, queries }) });

// The router looks at no `ready`, which rejects when it cuts a view transition short to go on: an uncaught error of a page that
// is there. When the page could not change, `finished` still says so.
if ('startViewTransition' in document) {
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    transition.ready.catch(() => {});
    return transition;
  };
}

// What only one customer may see is gone before anyone else looks.
let uid = session.getSnapshot().user?.uid;
session.subscribe(() => {
  const { user } = session.getSnapshot();
  if (uid && uid !== user?.uid)
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('GET /review') });
  uid = user?.uid;
});

// What the API wrote into the head is true of the page that was asked for, and of no other that one goes on to.
const { pathname } = location;
router.subscribe(({ location }) => {
  if (location.pathname !== pathname) for (const tag of document.querySelectorAll('[data-page]')) tag.remove();
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

// Never by itself: something may be being written.
watchDeployments(() =>
  toast.custom(text.newVersion, { id: 'version', action: { label: text.reload, onPress: () => location.reload() } }),
);

// Measuring must not cost what it measures, so it comes when the first page stands.
addEventListener('load', () => {
  const measure = () => {
    import('./features/vitals/report.ts').then(
      ({ reportVitals }) => reportVitals(),
      () => {},
    );
  };
  // Safari cannot tell when it is idle.
  if ('requestIdleCallback' in window) requestIdleCallback(measure);
  else setTimeout(measure, 1000);
});
