import type { DehydratedState } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import type { PageContext } from './page-context.ts';

export interface PageAssets {
  styles: readonly string[];
  /** The script of the app, which every page needs. */
  app: string;
  /** The scripts that this page needs in addition to the script of the app. */
  routeScripts: readonly string[];
}

/** The data that the server sends with the HTML. */
export interface PagePayload {
  page: PageContext;
  assets: PageAssets;
  queries: DehydratedState;
  /** The results of the loaders and their API errors, both by the id of the route. The queries contain the data. */
  loaders: { loaderData: Record<string, unknown>; errors: Record<string, ApiProblem> | null };
  /**
   * Whether the browser can hydrate the HTML. False if some data did not load. The browser then runs the loaders again and
   * renders the page itself.
   */
  isComplete: boolean;
}

type ApiProblem = Pick<ApiError, 'problem' | 'retryAfterSeconds'>;

export const payloadId = 'page-payload';

/**
 * Converts the API errors of loaders to plain data. If any of the errors is a server error (5xx) or not an API error,
 * returns undefined, so that the browser runs the loaders again.
 */
export function errorsToData(errors: Record<string, unknown> | null): Record<string, ApiProblem> | null | undefined {
  if (!errors) return null;
  const entries: [string, ApiProblem][] = [];
  for (const [route, error] of Object.entries(errors)) {
    if (!(error instanceof ApiError) || error.status >= 500) return undefined;
    entries.push([route, { problem: error.problem, retryAfterSeconds: error.retryAfterSeconds }]);
  }
  return Object.fromEntries(entries);
}

/** Converts the results of the loaders to the initial state of the router in the browser. */
export function hydrationDataOf({ loaders: { loaderData, errors } }: PagePayload) {
  const entries = Object.entries(errors ?? {}).map(([route, { problem, retryAfterSeconds }]) => [
    route,
    new ApiError(problem, retryAfterSeconds),
  ]);
  return { loaderData, ...(errors && { errors: Object.fromEntries(entries) as Record<string, ApiError> }) };
}
