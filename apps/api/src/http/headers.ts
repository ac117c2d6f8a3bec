import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** A JSON response needs no scripts, frames or other resources, so the policy forbids them all. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** Allows exactly these origins to read responses. Tokens are sent in a header, so CORS credentials stay off. */
export function corsHeaders(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
    exposedHeaders: ['Link', 'X-Total-Count', 'ETag', 'Location', 'Retry-After', 'X-Request-Id', 'WWW-Authenticate'],
    maxAge: 600,
  });
}

/** Public reads are revalidated with their ETag. Responses to authenticated requests and to writes are never stored. */
export const cacheHeaders: RequestHandler = (req, res, next) => {
  const isPublicRead = req.headers.authorization === undefined && (req.method === 'GET' || req.method === 'HEAD');
  res.set('Cache-Control', isPublicRead ? 'no-cache' : 'private, no-store');
  if (/^\/review(\/|$)/i.test(req.path)) res.vary('Authorization');
  next();
};
