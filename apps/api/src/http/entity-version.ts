import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';

/**
 * Creates the ETag of a response. If the response contains a row that can be edited, `version` is the time of its last edit.
 * The ETag begins with this time, so that `readVersions` can read it from the If-Match header of an edit. A new review of a
 * service changes only the rest of the service's ETag, so it does not make an edit of the service fail.
 */
export function createEtag(parts: readonly (string | Buffer)[], version?: number): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const digest = hash.digest('base64url').slice(0, 16);
  return version === undefined ? `W/"${digest}"` : `"${version}-${digest}"`;
}

/** Sends a row with an ETag that contains its version, so that the client can later edit the row with If-Match. */
export function sendWithVersion<T extends { updatedAt: string }>(res: Response<T>, row: T): void {
  res.set('ETag', createEtag([JSON.stringify(row)], Date.parse(row.updatedAt))).json(row);
}

/**
 * True if the If-None-Match header of a request contains the ETag. The Cache-Control header of the request does not matter,
 * because `fetch` adds `no-cache` to every request with an If-None-Match header. So `req.fresh` of Express is always false.
 */
export function isNotModified({ headers }: IncomingMessage, etag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags === undefined) return false;
  return tags === etag || tags === '*' || tags.split(',').some((tag) => toWeak(tag.trim()) === toWeak(etag));
}

export const toWeak = (etag: string) => (etag.startsWith('W/') ? etag : `W/${etag}`);

/**
 * Sends a private response, or 304 if the client already has the version with this ETag. In that case, `read` is not
 * called.
 */
export async function sendUnlessKnown<T>(
  req: Request,
  res: Response<T>,
  etag: string,
  read: () => T | Promise<T>,
): Promise<void> {
  res.set('ETag', etag);
  if (isNotModified(req, etag)) res.status(304).end();
  else res.json(await read());
}

/**
 * Reads an If-Match header. The ETag of a row begins with the time of the row's last edit, in milliseconds since 1970.
 * Returns the times of all ETags in the header, or undefined if the header allows every version. An ETag without a time
 * becomes NaN, which equals no version.
 */
export function readVersions(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').map((tag) => Number(/^\s*(?:W\/)?"(\d{1,15})-/.exec(tag)?.[1]));
}
