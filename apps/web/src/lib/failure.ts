import type { LimitName } from '@rtr/shared';
import { ApiError, NetworkError, UnexpectedAnswer } from './api-error.ts';

/** If one of these limits is reached, it does not help to wait some seconds. */
const quotas: ReadonlySet<LimitName> = new Set(['services-per-day', 'reviews-per-day', 'reviews-per-service']);

/** Why an API call failed. The text on screen depends on the reason. */
export interface Failure {
  reason: 'session' | 'away' | 'too fast' | 'limit' | 'missing' | 'forbidden' | 'repeated' | 'refused' | 'unexpected';
  /** An explanation for the customer. It comes from the API if the API has responded. */
  detail: string;
  /** How many seconds the customer must wait. It has a meaning only if the reason is 'too fast'. */
  wait: number;
}

/** Converts the error of an API call to a `Failure`. Rethrows any other error, because it is a bug. */
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
  // The API responds with 422 if the idempotency key was already used with other content.
  if (status === 422) return 'repeated';
  if (status === 429) return problem.limit && quotas.has(problem.limit) ? 'limit' : 'too fast';
  return status >= 500 ? 'away' : 'refused';
}
