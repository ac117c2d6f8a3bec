import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Adds the security headers. JSON responses need no scripts, frames or other resources, so the policy forbids all of them. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** Allows only these origins to read responses. CORS credentials stay off, because tokens are sent in a header. */
export function corsHeaders(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
    exposedHeaders: ['Link', 'X-Total-Count', 'ETag', 'Location', 'Retry-After', 'X-Request-Id', 'WWW-Authenticate'],
    maxAge: 600,
  });
}

/**
 * Adds the cache headers. Public reads are revalidated with their ETag. Responses to requests with a token and to writes are
 * never stored.
 */
export const cacheHeaders: RequestHandler = (req, res, next) => {
  const isPublicRead = req.headers.authorization === undefined && (req.method === 'GET' || req.method === 'HEAD');
  res.set('Cache-Control', isPublicRead ? 'no-cache' : 'private, no-store');
  if (/^\/review(\/|$)/i.test(req.path)) res.vary('Authorization');
  next();
};
