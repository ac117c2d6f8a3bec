import type { RequestHandler } from 'express';
import { InvalidInputError } from '../errors.ts';

/** Parsers disagree about the meaning of a URL with a malformed percent escape. */
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
