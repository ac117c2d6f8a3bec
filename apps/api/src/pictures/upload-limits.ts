import { limits } from '@rtr/shared';
import { LimitReachedError, UnavailableError } from '../errors.ts';

/** The maximum total size in memory of all running uploads of one API instance. */
const maxTotalBytes = 8 * limits.pictureBytes;
const maxUploadsPerCustomer = 2;
const retryAfterSeconds = 5;

/**
 * Creates the limits of one API instance: the memory of all uploads, and the number of uploads of each customer at a time.
 */
export function createUploadLimits() {
  const countByUid = new Map<string, number>();
  let totalBytes = 0;

  /**
   * Reserves the memory of one upload. Returns a function that releases it. An upload without `Content-Length` reserves the
   * largest allowed size.
   */
  return function reserve(uid: string, contentLength: number | undefined): () => void {
    const bytes = Math.min(contentLength ?? limits.pictureBytes, limits.pictureBytes);
    const count = countByUid.get(uid) ?? 0;
    if (count >= maxUploadsPerCustomer)
      throw new LimitReachedError(
        `You are already uploading ${count} pictures. Try again when one of them has been uploaded.`,
        'uploads-at-once',
        retryAfterSeconds,
      );
    if (totalBytes + bytes > maxTotalBytes)
      throw new UnavailableError('Too many pictures are being uploaded right now. Try again.', retryAfterSeconds);
    countByUid.set(uid, count + 1);
    totalBytes += bytes;
    return () => {
      totalBytes -= bytes;
      const remaining = (countByUid.get(uid) ?? 1) - 1;
      if (remaining === 0) countByUid.delete(uid);
      else countByUid.set(uid, remaining);
    };
  };
}
