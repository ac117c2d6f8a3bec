import type { RequestHandler } from 'express';
import { HttpError } from './problem.ts';

/** Refuses an address with a malformed % escape, which parsers would each guess at in their own way. */
export const wellFormedAddress: RequestHandler = (req, _res, next) => {
  try {
    decodeURIComponent(req.url);
  } catch (cause) {
    throw new HttpError(400, 'The address holds a % that escapes nothing. Write a plain % as %25.', { cause });
  }
  next();
};
