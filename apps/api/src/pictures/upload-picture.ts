import { createHash } from 'node:crypto';
import { limits } from '@rtr/shared';
import { Binary } from 'mongodb';
import { hasErrorCode, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { PictureDocument } from '../database/documents/pictures.ts';
import { LimitReachedError } from '../errors.ts';
import { type EncodedPicture, encodePicture } from './encode-picture.ts';
import { createRemovedError } from './picture-errors.ts';
import { createSemaphore } from './semaphore.ts';

const megabyte = 1_000_000;
/** The maximum number of pictures that are decoded at the same time. Decoding takes up to 350 MB of memory for each picture. */
const maxDecodingCount = 2;
const retryAfterQuotaSeconds = 24 * 60 * 60;

/** Creates the function that stores the pictures which customers upload. */
export function createPictureUpload({ pictures, blockedPictures }: Pick<Collections, 'pictures' | 'blockedPictures'>) {
  const decode = createSemaphore(maxDecodingCount);

  async function checkQuota(uid: string): Promise<void> {
    const [used = { count: 0, bytes: 0 }] = await pictures
      .aggregate<{ count: number; bytes: number }>(
        [{ $match: { uid } }, { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: '$bytes' } } }],
        readTimeout,
      )
      .toArray();
    const { picturesPerCustomer, pictureBytesPerCustomer } = limits;
    if (used.count < picturesPerCustomer && used.bytes < pictureBytesPerCustomer) return;
    throw new LimitReachedError(
      `You have uploaded ${used.count} pictures with ${Math.round(used.bytes / megabyte)} MB. The limits for one account are ${picturesPerCustomer} pictures and ${pictureBytesPerCustomer / megabyte} MB. Pictures that nothing uses any more are deleted after one or two days.`,
      'pictures-per-customer',
      retryAfterQuotaSeconds,
    );
  }

  /**
   * Stores a picture in three widths. A repeated upload of the same file returns the same picture. Throws a
   * RemovedPictureError if a moderator has removed a picture with the same file, whoever uploaded it. If `signal` is
   * aborted before the decoding starts, rejects with its reason.
   */
  return async (
    owner: Pick<PictureDocument, 'uid' | 'isPrivate'>,
    bytes: Buffer,
    contentType: string,
    signal: AbortSignal,
  ): Promise<Pick<PictureDocument, '_id' | 'width' | 'height'>> => {
    const { uid, isPrivate } = owner;
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    if (await blockedPictures.findOne({ contentHash }, { ...readTimeout, projection: { _id: 1 } }))
      throw createRemovedError('this picture');
    const _id = createHash('sha256')
      .update(`${uid}\0${isPrivate ? 'private\0' : ''}`)
      .update(bytes)
      .digest('hex')
      .slice(0, 24);
    // If the customer has already uploaded this file, sets the time of the upload to now. With the old time, the
    // sweep could soon delete the picture as unused.
    const existing = await pictures.findOneAndUpdate(
      { _id },
      { $set: { createdAt: new Date() } },
      { projection: { width: 1, height: 1 } },
    );
    if (existing) return existing;
    await checkQuota(uid);
    const document = toDocument(
      { _id, ...owner, contentHash },
      await decode(() => encodePicture(bytes, contentType), signal),
    );
    await pictures.insertOne(document).catch((error: unknown) => {
      if (!hasErrorCode(error, 'duplicateKey')) throw error; // The same file was uploaded twice at the same time.
    });
    return document;
  };
}

function toDocument(
  identity: Pick<PictureDocument, '_id' | 'uid' | 'contentHash' | 'isPrivate'>,
  { width, height, files }: EncodedPicture,
): PictureDocument {
  return {
    ...identity,
    createdAt: new Date(),
    usedAt: null,
    width,
    height,
    bytes: Object.values(files).reduce((sum, file) => sum + file.length, 0),
    file320: new Binary(files[320]),
    file640: new Binary(files[640]),
    file1280: new Binary(files[1280]),
  };
}
