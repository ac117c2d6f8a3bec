import type { LimitName } from '@rtr/shared';
import { ApiError, NetworkError, UnexpectedAnswer } from './api-error.ts';

/** The limits for which waiting a short time does not help. */
const quotas: ReadonlySet<LimitName> = new Set(['services-per-day', 'reviews-per-day', 'reviews-per-service']);

/** Why a call failed. The text on screen depends on the reason. */
export interface Failure {
  reason: 'session' | 'away' | 'too fast' | 'limit' | 'missing' | 'forbidden' | 'repeated' | 'refused' | 'unexpected';
  /** The explanation in the response of the API. */
  detail: string;
  /** How many seconds to wait, if the reason is 'too fast'. */
  wait: number;
}

/** Converts the error of a call to a `Failure`. Rethrows all other errors, because they are bugs. */
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
  // With the status 422, the idempotency key was already used with other content.
  if (status === 422) return 'repeated';
  if (status === 429) return problem.limit && quotas.has(problem.limit) ? 'limit' : 'too fast';
  return status >= 500 ? 'away' : 'refused';
}
