import type { RouteObject } from 'react-router-dom';
import { Protected } from './features/auth/protected.tsx';
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
          { path: 'login', lazy: () => import('./routes/login.tsx') },
          { path: 'signup', lazy: () => import('./routes/signup.tsx') },
          { path: 'services', lazy: () => import('./routes/services.tsx') },
          { path: 'services/:id', lazy: () => import('./routes/service-details.tsx') },
          {
            Component: Protected,
            children: [
              { path: 'addservices', lazy: () => import('./routes/add-service.tsx') },
              { path: 'myreview', lazy: () => import('./routes/my-reviews.tsx') },
              { path: 'review/:id', lazy: () => import('./routes/write-review.tsx') },
              { path: 'editreview/:id', lazy: () => import('./routes/edit-review.tsx') },
              { path: 'account', lazy: () => import('./routes/account.tsx') },
            ],
          },
          { path: 'blogs', lazy: () => import('./routes/blogs.tsx') },
          { path: 'about', lazy: () => import('./routes/about.tsx') },
          { path: 'how-reviews-work', lazy: () => import('./routes/how-reviews-work.tsx') },
          { path: 'privacy', lazy: () => import('./routes/privacy.tsx') },
          { path: 'terms', lazy: () => import('./routes/terms.tsx') },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];
