import { createHash } from 'node:crypto';
import type { Response } from 'express';

/**
 * Sends a row that its owner can edit. The ETag begins with the time of the last edit, so that `readVersions` finds this
 * time in the If-Match header of a later edit. New reviews change the rest of the ETag, but they do not make an edit fail.
 */
export function sendWithVersion<T extends { updatedAt: string }>(res: Response<T>, row: T): void {
  const hash = createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 16);
  res.set('ETag', `"${Date.parse(row.updatedAt)}-${hash}"`).json(row);
}

/**
 * Reads an If-Match header. Returns the times of the last edits in its ETags, in milliseconds since 1970. Returns undefined
 * if every version matches. An unknown ETag becomes NaN, which matches no version.
 */
export function readVersions(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').map((tag) => Number(/^\s*(?:W\/)?"(\d{1,15})-/.exec(tag)?.[1]));
}
