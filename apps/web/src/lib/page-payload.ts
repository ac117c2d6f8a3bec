import type { DehydratedState } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import type { PageContext } from './page-context.ts';

/** Addresses of the files that a page starts from. */
export interface PageAssets {
  styles: readonly string[];
  /** Scripts that the page needs and that no other tag asks for. */
  modulePreloads: readonly string[];
}

/** What the server sends to the browser beside the HTML. */
export interface PagePayload {
  page: PageContext;
  assets: PageAssets;
  queries: DehydratedState;
  /** Answers of the API that a loader threw, by route. */
  errors: Record<string, ApiProblem> | null;
  /**
   * Whether the HTML can be hydrated. Otherwise something failed that may work now: the browser runs the loaders
   * again and renders the page itself.
   */
  isComplete: boolean;
}

type ApiProblem = Pick<ApiError, 'problem' | 'retryAfter'>;

export const payloadId = 'page-payload';

/** The errors as data, when all of them are answers of the API that are worth repeating in the browser. */
export function errorsToData(errors: Record<string, unknown> | null): Record<string, ApiProblem> | null | undefined {
  if (!errors) return null;
  const entries: [string, ApiProblem][] = [];
  for (const [route, error] of Object.entries(errors)) {
    if (!(error instanceof ApiError) || error.status >= 500) return undefined;
    entries.push([route, { problem: error.problem, retryAfter: error.retryAfter }]);
  }
  return Object.fromEntries(entries);
}

export function errorsFromData(errors: Record<string, ApiProblem>): Record<string, ApiError> {
  return Object.fromEntries(
    Object.entries(errors).map(([route, { problem, retryAfter }]) => [route, new ApiError(problem, retryAfter)]),
  );
}
