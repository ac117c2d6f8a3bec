import type { IncomingMessage, RequestListener } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import proxyAddress from 'proxy-addr';
import type { Metrics } from '../operations/metrics.ts';
import { corsHeadersOf } from './headers.ts';
import { findRequestId, type LogResponse } from './logging.ts';
import { sendTooManyRequests } from './problem.ts';
import type { PublicReads } from './public-reads.ts';

interface RequestListenerOptions {
  app: Express;
  publicReads: PublicReads;
  metrics: Pick<Metrics, 'requestStarted' | 'requestEnded' | 'countRejection'>;
  logResponse: LogResponse;
  /** If the client address has sent too many requests, returns the seconds after which it can send the next one. */
  countRequest: (address: string) => number | undefined;
  tracing: RequestHandler | undefined;
  shutdownSignal: AbortSignal | undefined;
  trustedProxies: string[];
  webOrigins: readonly string[];
}

/** The data of a request that the metrics and the traces need. Express or `PublicReads` sets the route. */
type RoutedRequest = IncomingMessage & { id?: string; route?: { path?: unknown } };

/** Health checks are sent every few seconds, so they are neither limited nor logged. */
const healthChecks = new Set(['/healthz', '/readyz']);

/**
 * Creates the request listener of the API. It counts, measures and logs requests, and rejects requests above the limit of
 * their client address. It serves public reads with the response cache, and passes other requests to Express.
 */
export function createRequestListener({
  app,
  publicReads,
  metrics,
  logResponse,
  countRequest,
  tracing,
  shutdownSignal,
  trustedProxies,
  webOrigins,
}: RequestListenerOptions): RequestListener {
  const isTrusted = proxyAddress.compile(trustedProxies);
  return (req: RoutedRequest, res) => {
    const startedAt = performance.now();
    const id = findRequestId(req);
    const isHealthCheck = healthChecks.has(req.url ?? '');
    req.id = id;
    metrics.requestStarted();
    res.once('close', () => {
      const path = req.route?.path;
      metrics.requestEnded(req, res, typeof path === 'string' ? path : 'none', startedAt);
      if (!isHealthCheck) logResponse(req, res, id, startedAt);
    });
    const respond = () => {
      const ownHeaders = ['X-Request-Id', id, ...corsHeadersOf(req.headers.origin, webOrigins)];
      const retryAfterSeconds = isHealthCheck ? undefined : countRequest(proxyAddress(req, isTrusted));
      // A preflight request is never rejected, because otherwise the web app could not read the 429 response to its request.
      if (retryAfterSeconds !== undefined && req.method !== 'OPTIONS') {
        metrics.countRejection('requests-per-minute');
        if (shutdownSignal?.aborted) ownHeaders.push('Connection', 'close');
        sendTooManyRequests(req, res, { requestId: id, retryAfterSeconds, ownHeaders });
        return;
      }
      if (shutdownSignal?.aborted || !publicReads.respond(req, res, ownHeaders, fail)) handleWithExpress();
    };
    /**
     * Passes the error to Express. A middleware in `app.ts` passes it to the error handler, which responds with a problem.
     */
    const fail = (failure: unknown) => handleWithExpress({ failure });
    const handleWithExpress = (locals: Response['locals'] = {}) => {
      (res as Response).locals = locals;
      res.setHeader('X-Request-Id', id);
      app(req, res);
    };
    if (tracing) tracing(req as Request, res as Response, respond);
    else respond();
  };
}
