import type { Request, Response } from 'express';
import type { Page } from '../database/pagination.ts';

/** Sends the rows of a page. The headers contain the total count, if it is known, and a link to the next page. */
export function sendPage<T>(req: Request, res: Response<T[]>, { rows, totalCount, nextCursor }: Page<T>): void {
  if (totalCount !== undefined) res.set('X-Total-Count', String(totalCount));
  if (nextCursor !== undefined) {
    // The contract rejects repeated and nested parameters, so each parameter is a string.
    const parameters = new URLSearchParams(req.query as Record<string, string>);
    parameters.set('after', nextCursor);
    res.set('Link', `<${req.baseUrl}${req.path}?${parameters.toString()}>; rel="next"`);
  }
  res.json(rows);
}
