import type { Request, Response } from 'express';
import type { Page } from '../database/pagination.ts';
import type { ReadResponse } from './response-cache.ts';

/**
 * Creates the response with the rows of a page. The headers contain the total, if it is known, and a link to the next page.
 */
export function createPageResponse<T>(path: string, query: object, { rows, totalCount, nextCursor }: Page<T>) {
  const headers: Record<string, string> = {};
  if (totalCount !== undefined) headers['X-Total-Count'] = String(totalCount);
  if (nextCursor !== undefined) {
    const parameters = new URLSearchParams(query as Record<string, string>);
    parameters.set('after', nextCursor);
    headers.Link = `<${path}?${parameters.toString()}>; rel="next"`;
  }
  return { body: rows, headers } satisfies ReadResponse<T[]>;
}

export function sendPage<T>(req: Request, res: Response<T[]>, page: Page<T>): void {
  // The contract rejects repeated and nested parameters, so all parameters are strings.
  const { headers, body } = createPageResponse(req.baseUrl + req.path, req.query, page);
  res.set(headers).json(body);
}
