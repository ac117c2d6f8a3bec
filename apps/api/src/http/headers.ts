import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Nothing that a browser may run, frame or load comes from JSON. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** Lets pages of exactly these origins read the answers. Tokens travel in a header, so no credentials. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
    exposedHeaders: ['Link', 'X-Total-Count', 'ETag', 'Location', 'Retry-After', 'X-Request-Id', 'WWW-Authenticate'],
    maxAge: 600,
  });
}

/** Public reads are checked again by their ETag; what a token opened, or changed, is kept by nobody. */
export const caching: RequestHandler = (req, res, next) => {
  const shared = req.headers.authorization === undefined && (req.method === 'GET' || req.method === 'HEAD');
  res.set('Cache-Control', shared ? 'no-cache' : 'private, no-store');
  if (/^\/review(\/|$)/i.test(req.path)) res.vary('Authorization');
  next();
};
