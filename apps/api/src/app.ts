import { contract } from '@rtr/shared';
import express, { type Express, type RequestHandler } from 'express';
import type { Db } from 'mongodb';
import type { Logger } from 'pino';
import { accountRoutes } from './account/account.routes.ts';
import { accountStore } from './account/account.store.ts';
import { accessTokens } from './auth/access-token.ts';
import { authRoutes } from './auth/auth.routes.ts';
import type { Identity } from './auth/identity.ts';
import { requireCustomer } from './auth/require-customer.ts';
import type { Config } from './config.ts';
import { collectionsOf } from './database.ts';
import { wellFormedAddress } from './http/address.ts';
import { caching, crossOrigin, securityHeaders } from './http/headers.ts';
import { limits } from './http/limits.ts';
import { requestLog } from './http/logging.ts';
import { methodsOf, notAllowed, notFound, problemHandler } from './http/problem.ts';
import { listStreams } from './http/stream.ts';
import { crawlerRoutes } from './operations/crawlers.routes.ts';
import { docsRoutes } from './operations/docs.routes.ts';
import { healthRoutes } from './operations/health.routes.ts';
import type { Metrics } from './operations/metrics.ts';
import { vitalsRoutes } from './operations/vitals.routes.ts';
import { customerQuotas, type Quotas, unlimited } from './quotas.ts';
import { reviewRoutes } from './reviews/reviews.routes.ts';
import { reviewStore } from './reviews/reviews.store.ts';
import { summaries } from './reviews/summary.ts';
import { serviceRoutes } from './services/services.routes.ts';
import { serviceStore } from './services/services.store.ts';

interface AppOptions {
  config: Config;
  db: Db;
  identity: Identity;
  logger: Logger;
  metrics: Metrics;
  /** Sees each request first, when traces are wanted. */
  trace?: RequestHandler | undefined;
  /** Aborted when this instance is about to close: from then on it is unready, and keeps no connection. */
  closing?: AbortSignal;
  /** The clock for tokens, in milliseconds since 1970. */
  now?: () => number;
}

/** The API, from the first byte of a request to the last of its answer. */
export function createApp({
  config,
  db,
  identity,
  logger,
  metrics,
  trace,
  closing,
  now = Date.now,
}: AppOptions): Express {
  const quotas = config.rateLimits ? customerQuotas(collectionsOf(db), metrics.refused) : unlimited;
  const { services, reviews, summary, accounts } = stores(db, identity, quotas);
  const tokens = accessTokens({ secrets: config.jwtSecrets, projectId: config.auth.projectId, now });
  const streamLimits = { refused: () => metrics.refused('address') };
  const streams = listStreams(streamLimits);
  const sitemapStreams = listStreams(streamLimits); // slots of its own: readers of lists cannot keep crawlers out
  const { webOrigins } = config;
  const { spend, perAddress } = limits({ db, on: config.rateLimits, refused: metrics.refused });
  const gate = requireCustomer({
    tokens,
    identity,
    isClosed: (uid) => accounts.isClosed(uid),
    spend,
    seen: metrics.tokenSeen,
  });
  metrics.watch({ openStreams: streams.open, behind: summary.behind });

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxyHops);
  app.set('query parser', 'simple'); // flat: `email[$ne]=` is a parameter of that odd name, which no schema knows

  if (trace) app.use(trace);
  app.use(metrics.request, requestLog(logger), securityHeaders, crossOrigin(webOrigins), caching);
  app.use((_req, res, next) => {
    if (closing?.aborted) res.set('Connection', 'close');
    next();
  });
  app.use(healthRoutes({ db, closing })); // before the limits: nothing may keep a probe from its answer
  app.use(perAddress, wellFormedAddress);
  app.use(docsRoutes());
  app.use(authRoutes({ tokens, gate, webOrigins }));
  app.use(serviceRoutes({ services, gate, streams, webOrigins }));
  app.use(reviewRoutes({ reviews, services, gate, streams }));
  app.use(accountRoutes({ accounts, gate, now }));
  app.use(vitalsRoutes({ metrics, gate }));
  app.use(crawlerRoutes({ services, streams: sitemapStreams, origin: webOrigins[0] }));

  const operations = ['GET /healthz', 'GET /readyz', 'GET /openapi.json', 'GET /docs'];
  const crawlers = ['GET /robots.txt', 'GET /sitemap.xml'];
  for (const [path, allow] of methodsOf([...Object.keys(contract), ...operations, ...crawlers]))
    app.all(path, notAllowed(allow));
  app.use(notFound, problemHandler(logger));
  return app;
}

/** What finishes work that a crash interrupted: each to run at the start and every minute, in any number of instances. */
export function createSweeps(db: Db, identity: Identity): (() => Promise<void>)[] {
  const { accounts, summary } = stores(db, identity);
  return [() => accounts.sweep(), () => summary.sweep()];
}

function stores(db: Db, identity: Identity, quotas: Quotas = unlimited) {
  const collections = collectionsOf(db);
  const summary = summaries(collections);
  const services = serviceStore(collections, quotas);
  const reviews = reviewStore(collections, summary, quotas);
  const accounts = accountStore(collections, { reviews, services, identity });
  return { services, reviews, summary, accounts };
}
