import type { RequestHandler } from 'express';
import { InvalidInputError } from '../errors.ts';

/** Returns true if the URL has a malformed percent escape. Parsers interpret such a URL in different ways. */
export function isMalformedUrl(url: string): boolean {
  try {
    decodeURIComponent(url);
    return false;
  } catch {
    return true;
  }
}

export const rejectMalformedUrl: RequestHandler = (req, _res, next) => {
  if (isMalformedUrl(req.url))
    throw new InvalidInputError('The URL has an invalid % escape. Write a literal % as %25.');
  next();
};
