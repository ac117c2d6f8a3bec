import type { LimitName, Problem } from '@rtr/shared';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import type { Logger } from 'pino';

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

interface HttpErrorOptions {
  errors?: Problem['errors'];
  /** Which limit a 429 is about. */
  limit?: LimitName;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An answer other than success. `detail` is read by a person: what is wrong and what to do. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: Problem['errors'];
  readonly limit: LimitName | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, { errors, limit, headers = {}, cause }: HttpErrorOptions = {}) {
    super(detail, { cause });
    this.name = 'HttpError';
    this.status = status;
    this.errors = errors;
    this.limit = limit;
    this.headers = headers;
  }
}

export const notFound: RequestHandler = (req) => {
  throw new HttpError(404, `There is nothing at ${req.path}. /docs lists every route.`);
};

/** For each path the methods it knows, from keys such as 'GET /services/:id'. */
export function methodsOf(keys: readonly string[]): Map<string, string> {
  const byPath = new Map<string, string>();
  for (const key of keys) {
    const [method = '', path = ''] = key.split(' ');
    const known = byPath.has(path) ? [byPath.get(path)] : [];
    byPath.set(path, [...known, method === 'GET' ? 'GET, HEAD' : method].join(', '));
  }
  return byPath;
}

/** Answers a method that this path does not know. */
export function notAllowed(allow: string): RequestHandler {
  return (req) => {
    throw new HttpError(405, `${req.path} does not take ${req.method}. It takes ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/**
 * The one place that answers errors: as problems. Once the first byte is sent, it can only end the connection.
 */
export function problemHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const answer = toHttpError(error, req.method);
    const failure = { err: answer.cause ?? error, requestId: req.id };
    if (answer.status === 503) logger.warn(failure, 'request could not be served');
    else if (answer.status >= 500) logger.error(failure, 'request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.status(answer.status).set('Cache-Control', 'no-store').set(answer.headers);
    sendProblem(answer, res);
  };
}

function sendProblem({ status, message, errors, limit }: HttpError, res: Response): void {
  const body: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail: message,
    instance: res.get('X-Request-Id') ?? '',
    ...(limit && { limit }),
    ...(errors && { errors }),
  };
  res.type('application/problem+json').send(JSON.stringify(body));
}

function toHttpError(error: unknown, method: string): HttpError {
  if (error instanceof HttpError) return error;
  if (isDatabaseAway(error)) {
    const detail =
      method === 'GET' || method === 'HEAD'
        ? 'The database does not answer right now. Try again in a few seconds.'
        : 'The database does not answer right now. What you sent may or may not have been saved: look before you send it again, or repeat it with the same Idempotency-Key.';
    return new HttpError(503, detail, { headers: { 'Retry-After': '2' }, cause: error });
  }
  return (
    fromExpress(error) ??
    new HttpError(500, 'Something broke on our side. It has been noted; try again later.', { cause: error })
  );
}

/** Errors that Express and its body parser throw carry a status that is safe to tell. */
function fromExpress(error: unknown): HttpError | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  if (status === 413) return new HttpError(413, 'The body is larger than 32 KB. Shorten it and send it again.');
  if (status === 415)
    return new HttpError(415, 'The body’s encoding or character set is not supported. Send JSON in UTF-8.');
  if (status === 400)
    return new HttpError(
      400,
      'The address or the body is malformed: it could not be read. Send valid JSON in UTF-8 to a well-formed address.',
    );
  return undefined;
}

/** Whether the database could not be reached or did not answer in time, as opposed to having refused the operation. */
function isDatabaseAway(error: unknown): boolean {
  // The driver passes this one on unwrapped when the server dies between two writes to its socket.
  if (error instanceof Error && 'syscall' in error && error.syscall === 'write') return true;
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError) {
    return (
      error.code === 50 || // MaxTimeMSExpired
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('RetryableError') ||
      [6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436].includes(Number(error.code))
    );
  }
  return (
    error instanceof MongoNetworkError ||
    [
      'MongoServerSelectionError',
      'MongoWaitQueueTimeoutError',
      'MongoPoolClearedError',
      'MongoPoolClosedError',
      'MongoNotConnectedError',
      'MongoTopologyClosedError',
      'MongoClientClosedError',
    ].includes(error.name)
  );
}
