import type { LimitName } from '@rtr/shared';
import { ApiError, NetworkError, UnexpectedAnswer } from './api-error.ts';

/** Limits that are not over after a short wait. */
const quotas: ReadonlySet<LimitName> = new Set(['services-per-day', 'reviews-per-day', 'reviews-per-service']);

/** Why the API did not do what was asked, where a person can do something about it. */
export interface Failure {
  reason: 'session' | 'away' | 'too fast' | 'limit' | 'missing' | 'forbidden' | 'repeated' | 'refused' | 'unexpected';
  /** What the API says of it. */
  detail: string;
  /** Seconds to wait, when it was too fast. */
  wait: number;
}

/** Reads what a call threw. An error that is neither an answer nor a lost connection is a bug, and is thrown on. */
export function failureOf(error: unknown): Failure {
  if (error instanceof NetworkError) return { reason: 'away', detail: error.message, wait: 0 };
  if (error instanceof UnexpectedAnswer) return { reason: 'unexpected', detail: error.message, wait: 0 };
  if (!(error instanceof ApiError)) throw error;
  return { reason: reasonOf(error), detail: error.problem.detail, wait: error.retryAfter ?? 10 };
}

function reasonOf({ status, problem }: ApiError): Failure['reason'] {
  if (status === 401) return 'session';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  // The idempotency key was used before, with something else.
  if (status === 422) return 'repeated';
  if (status === 429) return problem.limit && quotas.has(problem.limit) ? 'limit' : 'too fast';
  return status >= 500 ? 'away' : 'refused';
}
