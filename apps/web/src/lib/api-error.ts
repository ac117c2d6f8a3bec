import type { Problem } from '@rtr/shared';

/** The API answered with an error. `problem.detail` is a text for the customer. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem;
  /** Seconds to wait before the next attempt, if the answer contains them. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** There was no answer: the network is down, the server is unreachable, or the call timed out. */
export class NetworkError extends Error {
  readonly reason: 'unreachable' | 'timeout';

  constructor(reason: 'unreachable' | 'timeout', cause: unknown) {
    super(reason === 'timeout' ? 'The server took too long to answer.' : 'The server could not be reached.', { cause });
    this.name = 'NetworkError';
    this.reason = reason;
  }
}

/** The API answered 2xx with a body that breaks the contract. Whether the call succeeded is unknown. */
export class UnexpectedAnswer extends Error {
  constructor(cause?: unknown) {
    super('The server gave an unexpected answer.', { cause });
    this.name = 'UnexpectedAnswer';
  }
}

/** Returns the answer to a write if it acknowledges the write; throws an UnexpectedAnswer otherwise. */
export function requireAcknowledged<T extends { acknowledged: boolean }>(answer: T): T {
  // A proxy or a captive portal may have answered instead of the API.
  if ((answer as Partial<T> | null | undefined)?.acknowledged !== true) throw new UnexpectedAnswer();
  return answer;
}

/** Whether the API answered 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Resolves with the answer of a call; with null when the API answered 404. */
export async function nullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The delay before the next automatic attempt: exponential backoff. */
export function retryDelayMs(attempts: number): number {
  return Math.min(60_000, 2000 * 2 ** attempts);
}

/** Whether the failure is temporary, so that the same call may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}
