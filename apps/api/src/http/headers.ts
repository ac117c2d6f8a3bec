import cors from 'cors';
import type { RequestHandler } from 'express';

/**
 * The security headers. The Content-Security-Policy forbids scripts, frames and all other resources, because JSON responses
 * load none.
 */
const securityHeaderValues = {
  'Content-Security-Policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.set(securityHeaderValues);
  next();
};

/** The security headers as a list of alternating names and values. */
export const securityHeaderList: readonly string[] = Object.entries(securityHeaderValues).flat();

/** The common headers of the responses that the response cache sends, as a list of alternating names and values. */
export const publicReadHeaders = [
  ...securityHeaderList,
  'Cache-Control',
  'no-cache',
  'Vary',
  'Origin, Accept-Encoding, Authorization',
];

const exposedHeaders = [
  'Link',
  'X-Total-Count',
  'X-Searched-For',
  'X-Left-Out',
  'X-Unknown-Words',
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'WWW-Authenticate',
];

/**
 * Allows only web pages of these origins to read responses. CORS credentials are off, because tokens are sent in a header
 * and not in a cookie.
 */
export function corsHeaders(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Cache-Control', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
    exposedHeaders,
    maxAge: 600,
  });
}

/** Returns the CORS headers of a response that Express does not send, as a list of alternating names and values. */
export function corsHeadersOf(origin: string | undefined, origins: readonly string[]): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders.join(',')];
}

/**
 * Adds the cache headers. A cache may store the response to a public read, but must revalidate it with the ETag before each
 * use. A cache must not store responses to writes or to requests with a token.
 */
export const cacheHeaders: RequestHandler = (req, res, next) => {
  const isPublicRead = req.headers.authorization === undefined && (req.method === 'GET' || req.method === 'HEAD');
  res.set('Cache-Control', isPublicRead ? 'no-cache' : 'private, no-store');
  if (/^\/(all)?review(\/|$)/i.test(req.path)) res.vary('Authorization');
  next();
};
