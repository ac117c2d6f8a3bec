import type { DeleteResult, Problem } from '@rtr/shared';

/** Thrown when the API responds with an error. `problem.detail` is a text for the customer. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem;
  /** The `Retry-After` header of the response. Undefined if there is none. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown when there is no response: the network is down, the server is unreachable, or the call timed out. */
export class NetworkError extends Error {
  readonly reason: 'unreachable' | 'timeout';

  constructor(reason: 'unreachable' | 'timeout', cause: unknown) {
    super(reason === 'timeout' ? 'The server took too long to respond.' : 'The server could not be reached.', {
      cause,
    });
    this.name = 'NetworkError';
    this.reason = reason;
  }
}

/**
 * Thrown when the responses do not show whether the call succeeded. Usually, a response with a 2xx status does not match
 * the contract.
 */
export class UnexpectedResponse extends Error {
  constructor(cause?: unknown) {
    super('The server sent an unexpected response.', { cause });
    this.name = 'UnexpectedResponse';
  }
}

/** Returns the response to a write. Throws an UnexpectedResponse if the response does not say that the write succeeded. */
export function requireAcknowledged<T extends { acknowledged: boolean }>(response: T): T {
  // Without this check, the response of another server, such as a proxy or the login page of a Wi-Fi network, could look
  // like a success.
  if ((response as Partial<T> | null | undefined)?.acknowledged !== true) throw new UnexpectedResponse();
  return response;
}

/** Throws an UnexpectedResponse if the response does not say that a row was deleted. */
export function requireDeleted(response: DeleteResult): void {
  if (!(requireAcknowledged(response).deletedCount > 0)) throw new UnexpectedResponse();
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Returns true if the API rejected the input. A retry with the same input fails too. */
export function isBadRequest(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}

export async function nullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Returns true if the network failed or a server was unavailable. The same call may then succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}
