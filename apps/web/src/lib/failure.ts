import { quotas } from '@rtr/shared';
import { ApiError, NetworkError, UnexpectedResponse } from './api-error.ts';

export interface Failure {
  reason: ReturnType<typeof reasonOf> | 'unexpected';
  /** An explanation for the customer. If the API has sent an error, this is the text of the API. */
  detail: string;
  /** How long the customer must wait. It is only used if the reason is 'too fast'. */
  waitSeconds: number;
}

/** Converts the error of an API call to a `Failure`. Any other error is a bug and is thrown again. */
export function failureOf(error: unknown): Failure {
  if (error instanceof NetworkError || isProviderUnreachable(error))
    return { reason: 'unavailable', detail: error.message, waitSeconds: 0 };
  if (error instanceof UnexpectedResponse) return { reason: 'unexpected', detail: error.message, waitSeconds: 0 };
  if (!(error instanceof ApiError)) throw error;
  return { reason: reasonOf(error), detail: error.problem.detail, waitSeconds: error.retryAfterSeconds ?? 10 };
}

/** Returns true if the same request may succeed later. Otherwise, the customer must change something first. */
export function canRetry({ reason }: Failure): boolean {
  return reason === 'unavailable' || reason === 'too fast' || reason === 'unexpected';
}

/** Returns true if the app could not reach Firebase, for example to get a new token before an API call. */
function isProviderUnreachable(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'auth/network-request-failed';
}

function reasonOf({ status, problem }: ApiError) {
  if (status === 401) return 'session';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  // The status 412 means that the row was edited after the form was opened.
  if (status === 412) return 'outdated';
  // The API responds with 422 if an earlier request with other content had the same idempotency key.
  if (status === 422) return 'repeated';
  if (status === 429) return quotas.some((quota) => quota === problem.limit) ? 'limit' : 'too fast';
  return status === 408 || status >= 500 ? 'unavailable' : 'rejected';
}
