import type { RequestListener } from 'node:http';
import { contract } from '@rtr/shared';
import express, { type RequestHandler } from 'express';
import type { Db } from 'mongodb';
import type { Logger } from 'pino';
import { addAccountRoutes } from './accounts/accounts.routes.ts';
import { createAccountStore } from './accounts/accounts.store.ts';
import { createAccessTokens } from './auth/access-token.ts';
import { addAuthRoutes } from './auth/auth.routes.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import type { Identity } from './auth/identity.ts';
import type { Config } from './config.ts';
import { getCollections } from './database/collections.ts';
import { contractRouter } from './http/contract-router.ts';
import { cacheHeaders, corsHeaders, publicReadHeaders, securityHeaders } from './http/headers.ts';
import { createListStreams } from './http/list-streams.ts';
import { createResponseLog } from './http/logging.ts';
import { rejectMalformedUrl } from './http/malformed-url.ts';
import { errorHandler, rejectOtherMethods, rejectUnknownPath } from './http/problem.ts';
import { createPublicReads } from './http/public-reads.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createRequestListener } from './http/request-listener.ts';
import { createResponseCache } from './http/response-cache.ts';
import { addModerationRoutes } from './moderation/moderation.routes.ts';
import { addNewsEmailRoutes } from './news/emails.routes.ts';
import type { MailServer } from './news/mail-server.ts';
import { addNewsRoutes } from './news/news.routes.ts';
import { createEmailSweep } from './news/send-emails.ts';
import { docsRoutes } from './operations/docs.routes.ts';
import { healthRoutes } from './operations/health.routes.ts';
import type { Metrics } from './operations/metrics.ts';
import { sitemapRoutes } from './operations/sitemap.routes.ts';
import { addVitalsRoutes } from './operations/vitals.routes.ts';
import { addPictureRoutes } from './pictures/pictures.routes.ts';
import { createQuotas, noQuotas } from './quotas.ts';
import { addConversationRoutes } from './requests/requests.routes.ts';
import { addReplyRoutes } from './reviews/replies.routes.ts';
import { addReviewRoutes } from './reviews/reviews.routes.ts';
import { addVoteRoutes } from './reviews/votes.routes.ts';
import { addListerRoutes } from './services/listers.routes.ts';
import { addServiceRoutes } from './services/services.routes.ts';
import { createStores } from './stores.ts';

interface AppOptions {
  config: Config;
  db: Db;
  identity: Identity;
  logger: Logger;
  metrics: Metrics;
  /** Middleware that traces each request. Undefined if tracing is off. */
  tracing?: RequestHandler | undefined;
  /** Aborted when the shutdown starts. From then on, the API is not ready, and closes each connection after its response. */
  shutdownSignal?: AbortSignal;
  /** The clock for tokens. Returns milliseconds since 1970. */
  now?: () => number;
}

/** What the sweep that sends emails needs. Without it, no emails are sent. */
interface MailOptions {
  mailServer: MailServer;
  countEmail: Metrics['countEmail'];
  /** When it is aborted, the sweep sends no further email. */
  shutdownSignal?: AbortSignal;
}

/** The routes that are not in `contract.ts`, without the files that the page /docs loads. */
const otherRoutes = [
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
  'GET /docs',
  'GET /robots.txt',
  'GET /sitemap.xml',
];

export function createApp({
  config,
  db,
  identity,
  logger,
  metrics,
  tracing,
  shutdownSignal,
  now = Date.now,
}: AppOptions): RequestListener {
  const { webOrigins } = config;
  const collections = getCollections(db);
  const quotas = config.rateLimits ? createQuotas(db) : noQuotas;
  const stores = createStores(collections, webOrigins, quotas);
  const { services, listers, reviews, replies, votes, summaries, pictures, conversations } = stores;
  const accounts = createAccountStore(collections, { ...stores, identity });
  const tokens = createAccessTokens({ secrets: config.jwtSecrets, projectId: config.auth.projectId, now });
  const listStreams = createListStreams();
  // The sitemap has its own limit of open streams. So clients that read lists do not block crawlers.
  const sitemapStreams = createListStreams();
  const rateLimits = createRateLimits(db, config.rateLimits);
  const authenticate = createAuthenticator({
    tokens,
    identity,
    isAccountClosed: accounts.isClosed,
    isAccountClosedCached: accounts.isClosedCached,
    onTokenChecked: metrics.countToken,
  });
  const cache = createResponseCache({ commonHeaders: publicReadHeaders, onRequest: metrics.countCacheRequest });
  metrics.observeOnScrape({
    openStreamCount: listStreams.openCount,
    staleSummaryCount: summaries.countStale,
    cacheBytes: cache.bytes,
  });

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustedProxies);
  // The simple query parser creates no nested parameters. From `email[$ne]=`, it creates a parameter with exactly this name,
  // which every schema rejects.
  app.set('query parser', 'simple');

  app.use(securityHeaders, corsHeaders(webOrigins), cacheHeaders);
  app.use((_req, res, next) => {
    if (shutdownSignal?.aborted) res.set('Connection', 'close');
    // If the request listener caught an error, `failure` is this error, and `next` passes it to the error handler.
    next(res.locals.failure);
  });
  app.use(healthRoutes({ db, shutdownSignal }), rejectMalformedUrl, docsRoutes());
  const onWrite = () => {
    cache.clear();
    services.clearCounts();
  };
  const addRoute = contractRouter(app, { authenticate, countWrite: rateLimits.countWrite, onWrite });
  const publicReads = createPublicReads({ addRoute, cache, listStreams });
  const { addRead } = publicReads;
  addAuthRoutes(addRoute, { tokens, pictures, webOrigins });
  addServiceRoutes(addRoute, addRead, { services, replies, webOrigins });
  addListerRoutes(addRead, stores);
  addReviewRoutes(addRoute, addRead, { reviews, votes, listStreams });
  addReplyRoutes(addRoute, replies);
  addVoteRoutes(addRoute, votes);
  addAccountRoutes(addRoute, { accounts, now });
  addPictureRoutes(addRoute, pictures);
  addConversationRoutes(addRoute, conversations);
  addModerationRoutes(addRoute, stores);
  addNewsRoutes(addRoute, stores.news);
  addNewsEmailRoutes(addRoute, { emails: stores.newsEmails, isAvailable: config.mail !== undefined });
  addVitalsRoutes(addRoute, metrics);
  app.use(sitemapRoutes({ services, listers, listStreams: sitemapStreams, webOrigin: webOrigins[0] }));
  rejectOtherMethods(app, [...Object.keys(contract), ...otherRoutes]);
  app.use(rejectUnknownPath, errorHandler({ logger, onLimitReached: metrics.countRejection }));
  return createRequestListener({
    app,
    publicReads,
    metrics,
    logResponse: createResponseLog(logger),
    countRequest: rateLimits.countRequest,
    tracing,
    shutdownSignal,
    trustedProxies: config.trustedProxies,
    webOrigins,
  });
}

/**
 * Creates the sweeps. A sweep is a job that finishes interrupted work, or removes data that is not needed any more. Each
 * API instance runs every sweep at start and once a minute, so several instances may run the same sweep at the same time.
 */
export function createSweeps(
  db: Db,
  identity: Identity,
  webOrigins: Config['webOrigins'],
  mail?: MailOptions,
): ((now?: () => number) => Promise<unknown>)[] {
  const collections = getCollections(db);
  const stores = createStores(collections, webOrigins, noQuotas);
  const { summaries, pictures, replies, conversations, reports, moderation, reviewModeration } = stores;
  const accounts = createAccountStore(collections, { ...stores, identity });
  const sendEmails =
    mail && createEmailSweep({ ...stores, emails: stores.newsEmails, identity, webOrigin: webOrigins[0], ...mail });
  return [
    () => accounts.sweep(),
    () => summaries.sweep(),
    () => pictures.sweep(identity),
    () => reports.sweep(),
    () => moderation.sweep(),
    () => reviewModeration.sweep(),
    () => replies.sweep(),
    () => conversations.sweep(),
    ...(sendEmails ? [sendEmails] : []),
  ];
}
