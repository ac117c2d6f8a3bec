import { data, type RouteObject } from 'react-router-dom';
import { LoadingRoute, Protected } from './features/auth/protected.tsx';
import { onDemand } from './lib/on-demand.ts';
import { RouteError } from './routes/error.tsx';
// The home page is part of the entry script, because most visits start there and a separate script would add a round trip.
import * as home from './routes/home.tsx';
import { Layout } from './routes/layout/layout.tsx';
import { NotFound } from './routes/not-found.tsx';
import { protectedPageNames } from './routes/texts.ts';

/**
 * The id of the parent route of all pages that need a session, except the page Moderation. The server renders these pages in
 * their loading state.
 */
export const protectedRoute = 'protected';

/**
 * The routes of the app. Paths are case-insensitive: /myReview matches /myreview. The module of a page exports the
 * properties of its route, such as `Component`, `loader` and `action`. The id of a route is the path of its module. The server
 * uses the id to find the scripts of the page.
 */
export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    children: [
      {
        // This route is inside the layout. So the header and the footer stay visible while a page loads, and also if it
        // fails to load.
        HydrateFallback: LoadingRoute,
        ErrorBoundary: RouteError,
        children: [
          { index: true, ...home },
          { id: 'routes/login', path: 'login', lazy: onDemand(() => import('./routes/login.tsx')) },
          { id: 'routes/signup', path: 'signup', lazy: onDemand(() => import('./routes/signup.tsx')) },
          { id: 'routes/services', path: 'services', lazy: onDemand(() => import('./routes/services.tsx')) },
          {
            id: 'routes/service-details',
            path: 'services/:id',
            lazy: onDemand(() => import('./routes/service-details.tsx')),
          },
          { id: 'routes/lister', path: 'listers/:id', lazy: onDemand(() => import('./routes/lister.tsx')) },
          {
            id: protectedRoute,
            children: [
              {
                Component: Protected,
                children: [
                  {
                    id: 'routes/add-service',
                    path: 'addservices',
                    handle: { name: protectedPageNames.addService },
                    lazy: onDemand(() => import('./routes/add-service.tsx')),
                  },
                  {
                    id: 'routes/my-reviews',
                    path: 'myreview',
                    handle: { name: protectedPageNames.myReviews },
                    lazy: onDemand(() => import('./routes/my-reviews.tsx')),
                  },
                  {
                    id: 'routes/write-review',
                    path: 'review/:id',
                    handle: { name: protectedPageNames.writeReview },
                    lazy: onDemand(() => import('./routes/write-review.tsx')),
                  },
                  {
                    id: 'routes/edit-review',
                    path: 'editreview/:id',
                    handle: { name: protectedPageNames.editReview },
                    lazy: onDemand(() => import('./routes/edit-review.tsx')),
                  },
                  {
                    id: 'routes/reply',
                    path: 'reply/:id',
                    handle: { name: protectedPageNames.reply },
                    lazy: onDemand(() => import('./routes/reply.tsx')),
                  },
                  {
                    id: 'routes/my-services',
                    path: 'myservices',
                    handle: { name: protectedPageNames.myServices },
                    lazy: onDemand(() => import('./routes/my-services.tsx')),
                  },
                  {
                    id: 'routes/edit-service',
                    path: 'editservice/:id',
                    handle: { name: protectedPageNames.editService },
                    lazy: onDemand(() => import('./routes/edit-service.tsx')),
                  },
                  {
                    id: 'routes/account',
                    path: 'account',
                    handle: { name: protectedPageNames.account },
                    lazy: onDemand(() => import('./routes/account.tsx')),
                  },
                  {
                    id: 'routes/ask',
                    path: 'ask/:id',
                    handle: { name: protectedPageNames.ask },
                    lazy: onDemand(() => import('./routes/ask.tsx')),
                  },
                  {
                    id: 'routes/requests',
                    path: 'requests',
                    handle: { name: protectedPageNames.requests },
                    lazy: onDemand(() => import('./routes/requests.tsx')),
                  },
                  {
                    id: 'routes/request',
                    path: 'requests/:id',
                    handle: { name: protectedPageNames.request },
                    lazy: onDemand(() => import('./routes/request.tsx')),
                  },
                  {
                    id: 'routes/news',
                    path: 'news',
                    handle: { name: protectedPageNames.news },
                    lazy: onDemand(() => import('./routes/news.tsx')),
                  },
                ],
              },
              // This route is not a child of `Protected`, which redirects visitors to the login page. Visitors must see the
              // page for unknown addresses instead.
              { id: 'routes/moderation', path: 'moderation', lazy: onDemand(() => import('./routes/moderation.tsx')) },
            ],
          },
          {
            id: 'routes/unsubscribe',
            path: 'unsubscribe/:key',
            lazy: onDemand(() => import('./routes/unsubscribe.tsx')),
          },
          { id: 'routes/blogs', path: 'blogs', lazy: onDemand(() => import('./routes/blogs.tsx')) },
          { id: 'routes/about', path: 'about', lazy: onDemand(() => import('./routes/about.tsx')) },
          {
            id: 'routes/how-reviews-work',
            path: 'how-reviews-work',
            lazy: onDemand(() => import('./routes/how-reviews-work.tsx')),
          },
          { id: 'routes/privacy', path: 'privacy', lazy: onDemand(() => import('./routes/privacy.tsx')) },
          { id: 'routes/terms', path: 'terms', lazy: onDemand(() => import('./routes/terms.tsx')) },
          { path: '*', loader: () => data(null, { status: 404 }), Component: NotFound },
        ],
      },
    ],
  },
];
