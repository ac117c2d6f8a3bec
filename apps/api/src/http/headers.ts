import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Adds the security headers. The Content-Security-Policy forbids scripts, frames and all other resources, because JSON
 * responses need none.
 */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/**
 * Allows only web pages of these origins to read responses. CORS credentials stay off, because tokens are sent in a header.
 */
export function corsHeaders(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
    exposedHeaders: [
      'Link',
      'X-Total-Count',
      'X-Searched-For',
      'ETag',
      'Location',
      'Retry-After',
      'X-Request-Id',
      'WWW-Authenticate',
    ],
    maxAge: 600,
  });
}

/**
 * Adds the cache headers. A cache may store public reads, but must revalidate them with the ETag for each use. Caches must
 * not store responses to writes or to requests with a token.
 */
export const cacheHeaders: RequestHandler = (req, res, next) => {
  const isPublicRead = req.headers.authorization === undefined && (req.method === 'GET' || req.method === 'HEAD');
  res.set('Cache-Control', isPublicRead ? 'no-cache' : 'private, no-store');
  if (/^\/(all)?review(\/|$)/i.test(req.path)) res.vary('Authorization');
  next();
};
