import type { DehydratedState } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import type { PageContext } from './page-context.ts';

/** Addresses of the styles and scripts of a page. */
export interface PageAssets {
  styles: readonly string[];
  /** Scripts that the page imports. The entry script has its own tag. */
  modulePreloads: readonly string[];
}

/** Data that the server sends with the HTML. */
export interface PagePayload {
  page: PageContext;
  assets: PageAssets;
  queries: DehydratedState;
  /** API errors that loaders threw, by route. */
  errors: Record<string, ApiProblem> | null;
  /**
   * Whether the HTML can be hydrated. If not, the browser runs the loaders again and renders the page itself, because the
   * failure may have been temporary.
   */
  isComplete: boolean;
}

type ApiProblem = Pick<ApiError, 'problem' | 'retryAfter'>;

export const payloadId = 'page-payload';

/** Converts API errors to plain data. Returns undefined for other errors, so that the browser runs the loaders again. */
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
