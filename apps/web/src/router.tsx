import type { RouteObject } from 'react-router-dom';
import { Protected } from './features/auth/protected.tsx';
import { onDemand } from './lib/on-demand.ts';
import { RouteError } from './routes/error.tsx';
// Home comes with the entry: it is where most visits begin, and loading it afterwards would only add a round trip.
import * as home from './routes/home.tsx';
import { Layout } from './routes/layout.tsx';
import { NotFound } from './routes/not-found.tsx';
import { ProgressBars } from './ui/page-state.tsx';

/**
 * The specification's route table, top to bottom, and our own pages after it; paths match in any case, so /myReview is /myreview. A page's module
 * exports what the router takes: `Component`, `loader`, `action`, `ErrorBoundary`.
 */
export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    children: [
      {
        // Within the layout: what shows until the first page is there, and when a page fails.
        HydrateFallback: ProgressBars,
        ErrorBoundary: RouteError,
        children: [
          { index: true, ...home },
          { path: 'login', lazy: onDemand(() => import('./routes/login.tsx')) },
          { path: 'signup', lazy: onDemand(() => import('./routes/signup.tsx')) },
          { path: 'services', lazy: onDemand(() => import('./routes/services.tsx')) },
          { path: 'services/:id', lazy: onDemand(() => import('./routes/service-details.tsx')) },
          {
            Component: Protected,
            children: [
              { path: 'addservices', lazy: onDemand(() => import('./routes/add-service.tsx')) },
              { path: 'myreview', lazy: onDemand(() => import('./routes/my-reviews.tsx')) },
              { path: 'review/:id', lazy: onDemand(() => import('./routes/write-review.tsx')) },
              { path: 'editreview/:id', lazy: onDemand(() => import('./routes/edit-review.tsx')) },
              { path: 'account', lazy: onDemand(() => import('./routes/account.tsx')) },
            ],
          },
          { path: 'blogs', lazy: onDemand(() => import('./routes/blogs.tsx')) },
          { path: 'about', lazy: onDemand(() => import('./routes/about.tsx')) },
          { path: 'how-reviews-work', lazy: onDemand(() => import('./routes/how-reviews-work.tsx')) },
          { path: 'privacy', lazy: onDemand(() => import('./routes/privacy.tsx')) },
          { path: 'terms', lazy: onDemand(() => import('./routes/terms.tsx')) },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];
