import { contract } from '@rtr/shared';
import express, { type Express, type RequestHandler } from 'express';
import type { Db } from 'mongodb';
import type { Logger } from 'pino';
import { accountRoutes } from './accounts/accounts.routes.ts';
import { createAccountStore } from './accounts/accounts.store.ts';
import { createAccessTokens } from './auth/access-token.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import type { Identity } from './auth/identity.ts';
import type { Config } from './config.ts';
import { getCollections } from './database/documents.ts';
import { cacheHeaders, corsHeaders, securityHeaders } from './http/headers.ts';
import { createListStreams } from './http/list-streams.ts';
import { logRequests } from './http/logging.ts';
import { rejectMalformedUrl } from './http/malformed-url.ts';
import { allowedMethodsByPath, errorHandler, rejectOtherMethods, rejectUnknownPath } from './http/problem.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { docsRoutes } from './operations/docs.routes.ts';
import { healthRoutes } from './operations/health.routes.ts';
import type { Metrics } from './operations/metrics.ts';
import { sitemapRoutes } from './operations/sitemap.routes.ts';
import { vitalsRoutes } from './operations/vitals.routes.ts';
import { createQuotaStore } from './quotas/quotas.store.ts';
import { reviewRoutes } from './reviews/reviews.routes.ts';
import { serviceRoutes } from './services/services.routes.ts';
import { createStores } from './stores.ts';

interface AppOptions {
  config: Config;
  db: Db;
  identity: Identity;
  logger: Logger;
  metrics: Metrics;
  /** Middleware that traces each request. Absent if tracing is off. */
  tracing?: RequestHandler | undefined;
  /** Aborted when the shutdown starts. From then on the instance is not ready and closes its connections. */
  shutdownSignal?: AbortSignal;
  /** The clock for tokens, in milliseconds since 1970. */
  now?: () => number;
}

/** Routes that are not part of the contract. */
const otherRoutes = [
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
  'GET /docs',
  'GET /robots.txt',
  'GET /sitemap.xml',
];

/** Creates the API with its middleware and routers, in the order in which they see a request. */
export function createApp({
  config,
  db,
  identity,
  logger,
  metrics,
  tracing,
  shutdownSignal,
  now = Date.now,
}: AppOptions): Express {
  const { webOrigins } = config;
  const collections = getCollections(db);
  const quotas = config.rateLimits ? createQuotaStore(collections) : undefined;
  const { services, reviews, summaries } = createStores(collections, quotas);
  const accounts = createAccountStore(collections, { reviews, services, identity });
  const tokens = createAccessTokens({ secrets: config.jwtSecrets, projectId: config.auth.projectId, now });
  const listStreams = createListStreams();
  const sitemapStreams = createListStreams(); // separate slots, so that readers of lists do not block crawlers
  const rateLimits = createRateLimits({ db, isEnabled: config.rateLimits });
  const authenticator = createAuthenticator({
    tokens,
    identity,
    isAccountClosed: accounts.isClosed,
    countWrite: rateLimits.countWrite,
    onTokenChecked: metrics.countToken,
  });
  metrics.observeOnScrape({ openStreamCount: listStreams.openCount, staleSummaryCount: summaries.countStale });

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxyHops);
  app.set('query parser', 'simple'); // flat: `email[$ne]=` is a parameter with that name, which no schema allows

  if (tracing) app.use(tracing);
  app.use(metrics.measureRequest, logRequests(logger), securityHeaders, corsHeaders(webOrigins), cacheHeaders);
  app.use((_req, res, next) => {
    if (shutdownSignal?.aborted) res.set('Connection', 'close');
    next();
  });
  app.use(healthRoutes({ db, shutdownSignal })); // before the rate limits, so that a health check always gets its response
  app.use(rateLimits.countRequest, rejectMalformedUrl);
  app.use(docsRoutes());
  app.use(authRoutes({ tokens, authenticator, webOrigins }));
  app.use(serviceRoutes({ services, authenticator, listStreams, webOrigins }));
  app.use(reviewRoutes({ reviews, services, authenticator, listStreams }));
  app.use(accountRoutes({ accounts, authenticator, now }));
  app.use(vitalsRoutes({ metrics, authenticator }));
  app.use(sitemapRoutes({ services, listStreams: sitemapStreams, webOrigin: webOrigins[0] }));

  for (const [path, methods] of allowedMethodsByPath([...Object.keys(contract), ...otherRoutes]))
    app.all(path, rejectOtherMethods(methods));
  app.use(rejectUnknownPath, errorHandler({ logger, onLimitReached: metrics.countRefusal }));
  return app;
}

/** Jobs that finish work after a crash. Run them at start and every minute. Any number of instances may run them at once. */
export function createSweeps(db: Db, identity: Identity): (() => Promise<void>)[] {
  const collections = getCollections(db);
  const { services, reviews, summaries } = createStores(collections);
  const accounts = createAccountStore(collections, { reviews, services, identity });
  return [() => accounts.sweep(), () => summaries.sweep()];
}
