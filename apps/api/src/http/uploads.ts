import { limits } from '@rtr/shared';
import type { Request } from 'express';
import { LimitReachedError, TooLargeError, UnavailableError } from '../errors.ts';
import { HttpError } from './problem.ts';
import { rateLimitKey } from './rate-limits.ts';

/** The maximum number of bytes in memory of all uploads of one API instance. */
const maxTotalBytes = 8 * limits.pictureBytes;
/** The maximum number of uploads in progress of one customer, and of one client address. */
const maxUploads = { uid: 2, address: 4 };
const minBytesPerSecond = 10_000;
const speedCheckSeconds = 5;
const retryAfterSeconds = 5;

/**
 * Creates a function that receives an upload and passes its bytes to `store`. The bytes that have arrived count towards a limit
 * for the memory of all uploads, until `store` has ended. Each customer and each client address has a limited number of uploads,
 * so a few of them cannot use all the memory. An upload that is too slow fails.
 */
export function createUploads() {
  const uploads: { uid: string; address: string; bytes: number }[] = [];

  function checkCount(name: 'uid' | 'address', value: string): void {
    const count = uploads.filter((upload) => upload[name] === value).length;
    if (count >= maxUploads[name])
      throw new LimitReachedError(
        `${name === 'uid' ? 'You are' : 'Your address is'} already uploading ${count} pictures. Try again when one of them has been uploaded.`,
        'uploads-at-once',
        retryAfterSeconds,
      );
  }

  return async function receiveUpload<T>(req: Request, uid: string, store: (bytes: Buffer) => Promise<T>): Promise<T> {
    const upload = { uid, address: rateLimitKey(req.ip ?? ''), bytes: 0 };
    checkCount('uid', upload.uid);
    checkCount('address', upload.address);
    if (Number(req.headers['content-length'] ?? 0) > limits.pictureBytes) throw createTooLargeError();
    uploads.push(upload);
    try {
      const body = await readBody(req, (byteCount) => {
        upload.bytes += byteCount;
        if (upload.bytes > limits.pictureBytes) throw createTooLargeError();
        if (uploads.reduce((sum, { bytes }) => sum + bytes, 0) > maxTotalBytes)
          throw new UnavailableError('Too many pictures are being uploaded right now. Try again.', retryAfterSeconds);
      });
      return await store(body);
    } finally {
      uploads.splice(uploads.indexOf(upload), 1);
    }
  };
}

const createTooLargeError = () =>
  new TooLargeError(
    `The body is larger than ${limits.pictureBytes / 1_000_000} MB. Make it smaller and send it again.`,
  );

/**
 * Reads the body of a request. `count` is called with the size of each part that arrives. If it throws, or if the client
 * sends too slowly, reading fails, and the rest of the body is ignored.
 */
async function readBody(req: Request, count: (byteCount: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let newBytes = 0;
  const receive = (chunk: Buffer) => {
    newBytes += chunk.length;
    chunks.push(chunk);
    try {
      count(chunk.length);
    } catch (error) {
      reject(error);
    }
  };
  const timer = setInterval(() => {
    if (newBytes < minBytesPerSecond * speedCheckSeconds)
      reject(
        new HttpError(408, 'The picture arrives too slowly. Send it again.', { headers: { Connection: 'close' } }),
      );
    newBytes = 0;
  }, speedCheckSeconds * 1000);
  req.on('data', receive).once('end', resolve).once('error', reject);
  try {
    await promise;
    return Buffer.concat(chunks);
  } finally {
    clearInterval(timer);
    req.off('data', receive).resume();
  }
}
