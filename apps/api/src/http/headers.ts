import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * The security headers. The Content-Security-Policy forbids scripts, frames and all other resources, because JSON responses
 * load none.
 */
const securityHeaderValues = captureHeaders(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
  }),
);

export const securityHeaders: RequestHandler = (_req, res, next) => {
  for (const [name, value] of securityHeaderValues) res.setHeader(name, value);
  next();
};

/** Returns the headers that a middleware adds. They must be the same for each request. */
function captureHeaders(middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void) {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  middleware(res.req, res, () => {});
  return res.getHeaderNames().map((name): [string, string] => [name, String(res.getHeader(name))]);
}

/** The security headers as a list of alternating names and values. */
export const securityHeaderList: readonly string[] = securityHeaderValues.flat();

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
