import { createHash } from 'node:crypto';
import { limits, ownPicturePath, type PictureWidth, type UploadedPicture } from '@rtr/shared';
import { Binary, type Filter } from 'mongodb';
import type { Identity } from '../auth/identity.ts';
import { hasErrorCode, isDatabaseUnavailable, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { PictureDocument } from '../database/documents/pictures.ts';
import { InvalidInputError, LimitReachedError, NotFoundError, UnavailableError } from '../errors.ts';
import { runEach } from '../run-each.ts';
import { type EncodedPicture, encodePicture } from './encode-picture.ts';
import { createHiddenError, createMissingPhotosError } from './picture-errors.ts';
import { createSemaphore } from './semaphore.ts';

const dayMs = 24 * 60 * 60_000;
const megabyte = 1_000_000;
/** The maximum number of pictures that are decoded at the same time. Decoding takes up to 350 MB of memory for each picture. */
const maxDecodingCount = 2;
const retryAfterQuotaSeconds = 24 * 60 * 60;
/** The maximum number of pictures that one sweep examines. */
const picturesPerSweep = 100;

type ProfilePictures = Pick<Identity, 'findPicture'>;

export type PictureStore = ReturnType<typeof createPictureStore>;

/**
 * Creates the store of the pictures that customers upload. One document contains all files of a picture, so a picture is
 * stored and erased by a single write. The id of a picture is a hash of the customer and the file. So a repeated upload has
 * the same id, and customers do not share pictures.
 */
export function createPictureStore(
  { pictures, services, reviews }: Pick<Collections, 'pictures' | 'services' | 'reviews'>,
  webOrigins: readonly [string, ...string[]],
) {
  const decode = createSemaphore(maxDecodingCount);

  function toStored(address: string): string {
    if (!URL.canParse(address)) return address;
    const { origin, pathname } = new URL(address);
    return webOrigins.includes(origin) && pathname.startsWith(ownPicturePath) ? pathname : address;
  }

  const toAddress = (stored: string) => (stored.startsWith('/') ? `${webOrigins[0]}${stored}` : stored);

  const toUploaded = ({ _id, width, height }: Pick<PictureDocument, '_id' | 'width' | 'height'>): UploadedPicture => ({
    url: toAddress(`${ownPicturePath}${_id}`),
    width,
    height,
  });

  async function readFile(filter: Filter<PictureDocument>, width: PictureWidth): Promise<Buffer> {
    const field = `file${width}` as const;
    const document = await pictures.findOne(filter, { ...readTimeout, projection: { [field]: 1 } });
    if (!document) throw new NotFoundError('No picture has this address.');
    return Buffer.from(document[field].buffer);
  }

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
   * Returns true if the picture is in a service or a review, or is the profile picture of the customer who uploaded it.
   * Deleted reviews and withdrawn services count until the database erases them.
   */
  async function isInUse({ _id, uid }: Pick<PictureDocument, '_id' | 'uid'>, identity: ProfilePictures) {
    const path = `${ownPicturePath}${_id}`;
    const options = { ...readTimeout, projection: { _id: 1 } };
    return (
      (await services.findOne({ img: path }, options)) !== null ||
      (await reviews.findOne({ 'photos.url': path }, options)) !== null ||
      (await reviews.findOne({ img: path }, options)) !== null ||
      (await reviews.findOne({ costomerImg: path }, options)) !== null ||
      toStored(await identity.findPicture(uid)) === path
    );
  }

  return {
    /**
     * Stores a picture in three widths. A repeated upload of the same file returns the same picture. Throws a
     * HiddenContentError if a moderator has hidden the picture. If `signal` is aborted before the decoding starts, rejects
     * with its reason.
     */
    async add(uid: string, bytes: Buffer, contentType: string, signal: AbortSignal): Promise<UploadedPicture> {
      const _id = createHash('sha256').update(uid).update('\0').update(bytes).digest('hex').slice(0, 24);
      // If the customer has already uploaded this file, sets the time of the upload to now. With the old time, the
      // sweep could soon delete the picture as unused.
      const existing = await pictures.findOneAndUpdate(
        { _id },
        { $set: { createdAt: new Date() } },
        { projection: { width: 1, height: 1, hiddenBy: 1 } },
      );
      if (existing?.hiddenBy?.length) throw createHiddenError('this picture');
      if (existing) return toUploaded(existing);
      await checkQuota(uid);
      const document = toDocument(_id, uid, await decode(() => encodePicture(bytes, contentType), signal));
      await pictures.insertOne(document).catch((error: unknown) => {
        if (!hasErrorCode(error, 'duplicateKey')) throw error; // The same file was uploaded twice at the same time.
      });
      return toUploaded(document);
    },

    /** Reads the WebP file of a picture that no moderator has hidden. */
    find: (id: string, width: PictureWidth) => readFile({ _id: id, 'hiddenBy.0': { $exists: false } }, width),

    /** Reads the largest WebP file of a picture, even if the picture is hidden. Only moderators may read this file. */
    findForModerator: (id: string) => readFile({ _id: id }, 1280),

    async use(address: string, path: string, current: readonly string[] = []): Promise<string> {
      const stored = toStored(address);
      const id = idOf(stored);
      if (id === undefined) return stored;
      const used = await pictures.findOneAndUpdate(
        { _id: id },
        { $set: { usedAt: new Date() } },
        { projection: { hiddenBy: 1 } },
      );
      if (!used)
        throw new InvalidInputError('This picture does not exist any more. Upload it again.', [
          { path, message: 'is the address of a picture that does not exist any more' },
        ]);
      if (used.hiddenBy?.length && !current.includes(stored)) throw createHiddenError('this picture', path);
      return stored;
    },

    async useOwn(
      uid: string,
      addresses: readonly string[],
      pathOf: (index: number) => string,
      current: readonly string[] = [],
    ): Promise<string[]> {
      if (addresses.length === 0) return [];
      const stored = addresses.map(toStored);
      const ids = stored.map((path, index) => (addresses[index]?.endsWith(path) ? (idOf(path) ?? '') : ''));
      const update = { $set: { usedAt: new Date() } };
      const visible = { 'hiddenBy.0': { $exists: false } };
      const { matchedCount } = await pictures.bulkWrite(
        ids.map((_id, index) => {
          const isCurrent = current.includes(stored[index] ?? '');
          return { updateOne: { filter: { _id, uid, ...(!isCurrent && visible) }, update } };
        }),
        { ordered: false },
      );
      if (matchedCount === ids.length) return stored;
      const options = { ...readTimeout, projection: { hiddenBy: 1 } };
      const existing = await pictures.find({ _id: { $in: ids }, uid }, options).toArray();
      const found = ids.map((id) => existing.find(({ _id }) => _id === id));
      const missing = [...found.keys()].filter((index) => found[index] === undefined);
      if (missing.length > 0) throw createMissingPhotosError(missing, pathOf);
      const hidden = found.findIndex(
        (picture, index) => picture?.hiddenBy?.length && !current.includes(stored[index] ?? ''),
      );
      if (hidden !== -1) throw createHiddenError(`photo ${hidden + 1}`, pathOf(hidden));
      // `bulkWrite` skipped a picture that was hidden or missing, but `find` found it. So another request restored or
      // uploaded this picture in between. Try again.
      return this.useOwn(uid, addresses, pathOf, current);
    },

    toStored,
    toAddress,

    /** Returns the data that operators need about a picture, or undefined if the picture does not exist. */
    async describe(id: string) {
      const options = { ...readTimeout, projection: { uid: 1, createdAt: 1, usedAt: 1 } };
      const document = await pictures.findOne({ _id: id }, options);
      if (!document) return undefined;
      const { uid, createdAt, usedAt } = document;
      return { uid, createdAt, usedAt, path: `${ownPicturePath}${id}` };
    },

    async delete(id: string): Promise<'done' | 'missing'> {
      const { deletedCount } = await pictures.deleteOne({ _id: id });
      return deletedCount === 1 ? 'done' : 'missing';
    },

    async eraseAllByOwner(uid: string): Promise<void> {
      await pictures.deleteMany({ uid });
    },

    /**
     * Deletes pictures that were not used for a day. A picture in use is examined once a day. If nothing uses it any more,
     * it is marked as unused, and deleted a day later. The sweep keeps hidden pictures, because otherwise their customers
     * could upload them again.
     *
     * If Firebase or the database is unavailable, the sweep ends, because it would otherwise wait for a timeout for each
     * picture.
     */
    async sweep(identity: ProfilePictures, now = new Date()): Promise<void> {
      const dayAgo = new Date(now.getTime() - dayMs);
      const due = { $or: [{ usedAt: null, createdAt: { $lt: dayAgo } }, { usedAt: { $lt: dayAgo } }] };
      const projection = { uid: 1, createdAt: 1, usedAt: 1, hiddenBy: 1 };
      const documents = await pictures.find(due, { ...readTimeout, projection, limit: picturesPerSweep }).toArray();
      const examine = async ({ _id, uid, createdAt, usedAt, hiddenBy = [] }: (typeof documents)[number]) => {
        // A customer who uses or uploads the picture during the sweep changes one of these times. Then skip the picture.
        const unchanged = { _id, createdAt, usedAt };
        if (hiddenBy.length > 0 || (await isInUse({ _id, uid }, identity)))
          await pictures.updateOne(unchanged, { $set: { usedAt: now } });
        else if (usedAt) await pictures.updateOne(unchanged, { $set: { usedAt: null, createdAt: now } });
        else await pictures.deleteOne(unchanged);
      };
      const isUnavailable = (error: unknown) => error instanceof UnavailableError || isDatabaseUnavailable(error);
      await runEach(documents, examine, 'Some pictures could not be examined', isUnavailable);
    },
  };
}

function toDocument(_id: string, uid: string, { width, height, files }: EncodedPicture): PictureDocument {
  return {
    _id,
    uid,
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

/**
 * Returns the id of the uploaded picture with this stored path, or undefined if the text is not the path of an uploaded
 * picture.
 */
export function idOf(stored: string): string | undefined {
  return stored.startsWith(ownPicturePath) ? stored.slice(ownPicturePath.length) : undefined;
}
