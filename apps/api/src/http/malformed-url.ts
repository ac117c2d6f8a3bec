import type { RequestHandler } from 'express';
import { InvalidInputError } from '../errors.ts';

/** Rejects URLs with a malformed percent escape, because parsers disagree about the meaning of such a URL. */
export const rejectMalformedUrl: RequestHandler = (req, _res, next) => {
  try {
    decodeURIComponent(req.url);
  } catch {
    throw new InvalidInputError('The URL has an invalid % escape. Write a literal % as %25.');
  }
  next();
};
