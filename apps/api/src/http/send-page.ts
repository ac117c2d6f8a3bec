import type { Request, Response } from 'express';
import type { Page } from '../database/pagination.ts';
import type { ReadResponse } from './response-cache.ts';

/**
 * Creates the response with the rows of a page. The headers contain the total count, if it is known, and a link to the next
 * page. The link is relative to the URL of the request, because proxies can serve the API under another path, such as /api.
 */
export function createPageResponse<T>(query: object, { rows, totalCount, nextCursor }: Page<T>) {
  const headers: Record<string, string> = {};
  if (totalCount !== undefined) headers['X-Total-Count'] = String(totalCount);
  if (nextCursor !== undefined) {
    const parameters = new URLSearchParams(query as Record<string, string>);
    parameters.set('after', nextCursor);
    headers.Link = `<?${parameters.toString()}>; rel="next"`;
  }
  return { body: rows, headers } satisfies ReadResponse<T[]>;
}

export function sendPage<T>(req: Request, res: Response<T[]>, page: Page<T>): void {
  // The contract rejects repeated and nested parameters, so each parameter is a string.
  const { headers, body } = createPageResponse(req.query, page);
  res.set(headers).json(body);
}
