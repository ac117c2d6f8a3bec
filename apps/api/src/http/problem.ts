import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type LimitName, limits, type Problem } from '@rtr/shared';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../database/client.ts';
import {
  ConflictError,
  ForbiddenError,
  IdempotencyConflictError,
  InvalidInputError,
  LimitReachedError,
  NotFoundError,
  notFound,
  OutdatedVersionError,
  RemovedPictureError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  UnsupportedMediaError,
} from '../errors.ts';
import { securityHeaderList } from './headers.ts';
import { describeLimit } from './rate-limits.ts';
import { relativeReference } from './relative-reference.ts';
import type { HeaderList } from './response-cache.ts';
import { retryAdvice } from './route-effects.ts';

/** The names of the statuses. Node.js has outdated names for two of them. */
const titles: Record<number, string | undefined> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

const problemType = 'application/problem+json; charset=utf-8';

const tooManyRequestsHeaders: HeaderList = [
  ...securityHeaderList,
  'Cache-Control',
  'no-store',
  'Vary',
  'Origin',
  'Content-Type',
  problemType,
];

interface HttpErrorOptions {
  current?: Problem['current'];
  errors?: Problem['errors'];
  limit?: LimitName;
  headers?: Record<string, string | number>;
  cause?: unknown;
}

/** An error with an HTTP status. `detail` is for people: it says what is wrong and what to do. */
export class HttpError extends Error {
  readonly status: number;
  readonly current: Problem['current'];
  readonly errors: Problem['errors'];
  readonly limit: LimitName | undefined;
  readonly headers: Record<string, string | number>;

  constructor(status: number, detail: string, { current, errors, limit, headers = {}, cause }: HttpErrorOptions = {}) {
    super(detail, { cause });
    this.name = 'HttpError';
    this.status = status;
    this.current = current;
    this.errors = errors;
    this.limit = limit;
    this.headers = headers;
  }
}

/** The last route of the API, which rejects all paths that no other route matches. */
export const rejectUnknownPath: RequestHandler = (req) => {
  throw new HttpError(404, notFound.path(req.path));
};

/**
 * Rejects methods that a path does not support. Each route is a text with a method and a path, such as 'GET /services/:id'.
 */
export function rejectOtherMethods(app: Express, routes: readonly string[]): void {
  for (const [path = '', keys] of Map.groupBy(routes, (route) => route.split(' ')[1])) {
    const methods = keys.map((key) => (key.startsWith('GET ') ? 'GET, HEAD' : key.split(' ')[0])).join(', ');
    app.all(path, (req) => {
      throw new HttpError(405, `${req.path} does not support ${req.method}. It supports ${methods}.`, {
        headers: { Allow: methods },
      });
    });
  }
}

interface ErrorHandlerOptions {
  logger: Logger;
  onLimitReached: (limit: LimitName) => void;
}

/**
 * Sends every error as a problem response (RFC 9457). If the response has already started, it cannot be replaced, so the
 * connection is closed.
 */
export function errorHandler({ logger, onLimitReached }: ErrorHandlerOptions): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (error instanceof LimitReachedError) onLimitReached(error.limit);
    const httpError = toHttpError(error, res.locals.startedRoute as string | undefined);
    const fields = { err: httpError.cause ?? error, requestId: res.get('X-Request-Id') };
    if (httpError.status === 503) logger.warn(fields, 'service unavailable');
    else if (httpError.status >= 500) logger.error(fields, 'request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.status(httpError.status).set('Cache-Control', 'no-store').set(httpError.headers);
    if (error instanceof IdempotencyConflictError) res.location(relativeReference(req.path, error.location));
    sendProblem(httpError, res);
  };
}

function sendProblem(error: HttpError, res: Response): void {
  const body = createProblem(error, res.get('X-Request-Id') ?? '');
  res.type(problemType).send(JSON.stringify(body));
}

type ProblemSource = Pick<HttpError, 'status' | 'message'> & Partial<Pick<HttpError, 'current' | 'errors' | 'limit'>>;

function createProblem({ status, message, current, errors, limit }: ProblemSource, instance: string): Problem {
  return {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail: message,
    instance,
    ...(limit && { limit }),
    ...(current && { current }),
    ...(errors && { errors }),
  };
}

interface Rejection {
  requestId: string;
  retryAfterSeconds: number;
  /** The headers that depend on the request. */
  ownHeaders: HeaderList;
}

/**
 * Rejects a request of a client address that has sent too many requests. This function does not use Express, because during
 * an attack the API sends mostly this response.
 */
export function sendTooManyRequests(
  req: IncomingMessage,
  res: ServerResponse,
  { requestId, retryAfterSeconds, ownHeaders }: Rejection,
): void {
  const message = describeLimit(retryAfterSeconds);
  const body = JSON.stringify(createProblem({ status: 429, message, limit: 'requests-per-minute' }, requestId));
  const headers = [...tooManyRequestsHeaders, 'Retry-After', String(retryAfterSeconds), ...ownHeaders];
  res.writeHead(429, [...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/**
 * Converts any error to an HttpError. `startedRoute` is the route whose handler has started, such as 'GET /services/:id'. It
 * is undefined if no handler has started.
 */
function toHttpError(error: unknown, startedRoute: string | undefined): HttpError {
  if (error instanceof HttpError) return error;
  if (isDatabaseUnavailable(error)) {
    const detail = `The database does not respond right now. ${retryAdvice(startedRoute)}`;
    return new HttpError(503, detail, { headers: { 'Retry-After': 2 }, cause: error });
  }
  return (
    fromDomainError(error) ??
    fromExpressError(error) ??
    new HttpError(500, 'Something went wrong on our side. The error is logged. Try again later.', { cause: error })
  );
}

function fromDomainError(error: unknown): HttpError | undefined {
  if (error instanceof InvalidInputError) return new HttpError(400, error.message, { errors: error.issues });
  if (error instanceof UnauthenticatedError) {
    const challenge = error.reason === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"';
    return new HttpError(401, error.message, { headers: { 'WWW-Authenticate': challenge } });
  }
  if (error instanceof ForbiddenError) return new HttpError(403, error.message);
  if (error instanceof NotFoundError) return new HttpError(404, error.message);
  if (error instanceof ConflictError) return new HttpError(409, error.message);
  if (error instanceof RemovedPictureError) return new HttpError(409, error.message, { errors: error.issues });
  if (error instanceof TooLargeError) return new HttpError(413, error.message);
  if (error instanceof UnsupportedMediaError) return new HttpError(415, error.message);
  if (error instanceof OutdatedVersionError) return new HttpError(412, error.message, { current: error.current });
  if (error instanceof IdempotencyConflictError) return new HttpError(422, error.message, { errors: error.issues });
  if (error instanceof LimitReachedError)
    return new HttpError(429, error.message, {
      limit: error.limit,
      headers: { 'Retry-After': error.retryAfterSeconds },
    });
  if (error instanceof UnavailableError)
    return new HttpError(503, error.message, {
      headers: { 'Retry-After': error.retryAfterSeconds },
      cause: error.cause,
    });
  return undefined;
}

/**
 * Converts an error of Express or of its body parser to an error with a message for people. Returns undefined for any other
 * error.
 */
function fromExpressError(error: unknown): HttpError | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  if (status === 412)
    return new HttpError(412, 'The file is not the one that If-Match or If-Unmodified-Since names. Read it again.');
  if (status === 413)
    return new HttpError(
      413,
      `The body is larger than ${limits.bodyBytes / 1024} KB. Make it smaller and send it again.`,
    );
  if (status === 415)
    return new HttpError(415, 'The encoding or character set of the body is not supported. Send JSON in UTF-8.');
  if (status === 400)
    return new HttpError(400, 'The URL or the body is malformed. Send valid JSON in UTF-8 to a well-formed URL.');
  return undefined;
}
