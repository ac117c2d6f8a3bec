import type { Problem } from '@rtr/shared';

/** The API answered, and it was not a success. `problem.detail` is written for a person. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem;
  /** Seconds to wait before trying again, when the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** No answer came: the network is down, the server is out of reach, or it took too long. */
export class NetworkError extends Error {
  readonly reason: 'unreachable' | 'timeout';

  constructor(reason: 'unreachable' | 'timeout', cause: unknown) {
    super(reason === 'timeout' ? 'The server took too long to answer.' : 'The server could not be reached.', { cause });
    this.name = 'NetworkError';
    this.reason = reason;
  }
}

/** The API answered 2xx, but not with what the contract promises: whether it did what was asked is unknown. */
export class UnexpectedAnswer extends Error {
  constructor(cause?: unknown) {
    super('The server gave an unexpected answer.', { cause });
    this.name = 'UnexpectedAnswer';
  }
}

/** The answer to a write, if it says that the write was done; else throws an UnexpectedAnswer. */
export function acknowledged<T extends { acknowledged: boolean }>(answer: T): T {
  // The type is the contract's. A proxy or a captive portal may have answered instead.
  if ((answer as Partial<T> | null | undefined)?.acknowledged !== true) throw new UnexpectedAnswer();
  return answer;
}

/** What a call answers; null when the API says that it is not there. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** How long to wait before trying again by itself, after so many tries. */
export function retryDelayMs(tries: number): number {
  return Math.min(60_000, 2000 * 2 ** tries);
}

/** Whether the same call may well succeed a moment later. */
export function isPassing(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}
