import { createHash } from 'node:crypto';
import {
  isWebUrl,
  limits,
  normalizePictureUrl,
  ownPicturePath,
  type PictureWidth,
  type PrivatePicture,
  type UploadedPicture,
} from '@rtr/shared';
import { Binary } from 'mongodb';
import type { Identity } from '../auth/identity.ts';
import { hasErrorCode, isDatabaseUnavailable, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { PictureDocument } from '../database/documents/pictures.ts';
import { InvalidInputError, LimitReachedError, NotFoundError, UnavailableError } from '../errors.ts';
import { runEach } from '../run-each.ts';
import { type EncodedPicture, encodePicture } from './encode-picture.ts';
import { createMissingPhotosError, createRemovedError } from './picture-errors.ts';
import { createSemaphore } from './semaphore.ts';
import { blockKeyOf, idOf } from './stored-address.ts';

const dayMs = 24 * 60 * 60_000;
const megabyte = 1_000_000;
/** The maximum number of pictures that are decoded at the same time. Decoding takes up to 350 MB of memory for each picture. */
const maxDecodingCount = 2;
const retryAfterQuotaSeconds = 24 * 60 * 60;
const noPicture = 'No picture has this address.';
/** The maximum number of pictures that one sweep examines. */
const picturesPerSweep = 100;

/** A filter for the pictures that everyone can read. */
const isPublic = { isPrivate: { $exists: false } };

type ProfilePictures = Pick<Identity, 'findPicture'>;

export type PictureStore = ReturnType<typeof createPictureStore>;

/**
 * Creates the store of the pictures that customers upload. One document contains all files of a picture, so a picture is
 * stored and erased by a single write. The id of a picture is a hash of the customer and the file. So a repeated upload has
 * the same id, and customers do not share pictures.
 *
 * A private picture is for messages only. If a customer uploads the same file as a private and as a public picture, they
 * are two pictures.
 */
export function createPictureStore(
  {
    pictures,
    blockedPictures,
    services,
    reviews,
    listers,
    conversations,
    messages,
  }: Pick<
    Collections,
    'pictures' | 'blockedPictures' | 'services' | 'reviews' | 'listers' | 'conversations' | 'messages'
  >,
  webOrigins: readonly [string, ...string[]],
) {
  const decode = createSemaphore(maxDecodingCount);

  function toStored(address: string): string {
    if (!isWebUrl(address)) return address;
    const normalized = normalizePictureUrl(address);
    const { origin, pathname } = new URL(normalized);
    // The paths of the API are not case-sensitive.
    const path = pathname.toLowerCase();
    return webOrigins.includes(origin) && path.startsWith(ownPicturePath) ? path : normalized;
  }

  const toAddress = (stored: string) => (stored.startsWith('/') ? `${webOrigins[0]}${stored}` : stored);

  const toUploaded = ({ _id, width, height }: Pick<PictureDocument, '_id' | 'width' | 'height'>): UploadedPicture => ({
    url: toAddress(`${ownPicturePath}${_id}`),
    width,
    height,
  });

  /** Returns true if a moderator has removed the picture at this stored address. */
  const isBlocked = async (stored: string) =>
    (await blockedPictures.findOne({ _id: blockKeyOf(stored) }, { ...readTimeout, projection: { _id: 1 } })) !== null;

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
   * Returns true if the picture is in a service, a review, a conversation or a message, or is the profile picture of the
   * customer who uploaded it. Deleted reviews and withdrawn services count until the database erases them.
   */
  async function isInUse(
    { _id, uid, isPrivate }: Pick<PictureDocument, '_id' | 'uid'> & { isPrivate: boolean },
    identity: ProfilePictures,
  ) {
    const path = `${ownPicturePath}${_id}`;
    const options = { ...readTimeout, projection: { _id: 1 } };
    if (isPrivate) return (await messages.findOne({ 'photos.id': _id }, options)) !== null;
    return (
      (await services.findOne({ img: path }, options)) !== null ||
      (await reviews.findOne({ 'photos.url': path }, options)) !== null ||
      (await reviews.findOne({ img: path }, options)) !== null ||
      (await reviews.findOne({ costomerImg: path }, options)) !== null ||
      (await listers.findOne({ _id: uid, picture: path }, options)) !== null ||
      (await conversations.findOne({ 'customer.picture': path }, options)) !== null ||
      (await conversations.findOne({ 'lister.picture': path }, options)) !== null ||
      toStored(await identity.findPicture(uid)) === path
    );
  }

  /** Returns true if the customer takes part in a conversation that contains the picture in a message that is not hidden. */
  async function hasReceived(uid: string, id: string): Promise<boolean> {
    const conversationIds = await messages.distinct(
      'conversationId',
      { 'photos.id': id, hidden: { $exists: false } },
      readTimeout,
    );
    const options = { ...readTimeout, projection: { _id: 1 } };
    return (await conversations.findOne({ _id: { $in: conversationIds }, participants: uid }, options)) !== null;
  }

  /**
   * Stores a picture in three widths. A repeated upload of the same file returns the same picture. Throws a
   * RemovedPictureError if a moderator has removed a picture with the same file, whoever uploaded it. If `signal` is
   * aborted before the decoding starts, rejects with its reason.
   */
  async function store(
    owner: Pick<PictureDocument, 'uid' | 'isPrivate'>,
    bytes: Buffer,
    contentType: string,
    signal: AbortSignal,
  ): Promise<Pick<PictureDocument, '_id' | 'width' | 'height'>> {
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
  }

  return {
    add: async (uid: string, bytes: Buffer, contentType: string, signal: AbortSignal): Promise<UploadedPicture> =>
      toUploaded(await store({ uid }, bytes, contentType, signal)),

    addPrivate: async (
      uid: string,
      bytes: Buffer,
      contentType: string,
      signal: AbortSignal,
    ): Promise<PrivatePicture> => {
      const { _id: id, width, height } = await store({ uid, isPrivate: true }, bytes, contentType, signal);
      return { id, width, height };
    },

    /** Reads the WebP file of a picture that everyone can read. */
    async find(_id: string, width: PictureWidth): Promise<Buffer> {
      const field = `file${width}` as const;
      const document = await pictures.findOne({ _id, ...isPublic }, { ...readTimeout, projection: { [field]: 1 } });
      if (!document) throw new NotFoundError(noPicture);
      return Buffer.from(document[field].buffer);
    },

    /**
     * Reads the WebP file of a private picture. Throws a NotFoundError unless the customer has uploaded the picture, or has
     * received it in a message.
     */
    async findPrivate(uid: string, _id: string, width: PictureWidth): Promise<Buffer> {
      const field = `file${width}` as const;
      const options = { ...readTimeout, projection: { uid: 1, [field]: 1 } };
      const document = await pictures.findOne({ _id, isPrivate: true }, options);
      if (!document || (document.uid !== uid && !(await hasReceived(uid, _id)))) throw new NotFoundError(noPicture);
      return Buffer.from(document[field].buffer);
    },

    /** Records that private pictures are used in a message, as `useOwn` does for the photos of a review. */
    async usePrivate(uid: string, ids: readonly string[], pathOf: (index: number) => string): Promise<void> {
      if (ids.length === 0) return;
      const isOwn = { uid, isPrivate: true as const };
      const usedAt = new Date();
      const { matchedCount } = await pictures.bulkWrite(
        ids.map((_id) => ({ updateOne: { filter: { _id, ...isOwn }, update: { $set: { usedAt } } } })),
        { ordered: false },
      );
      if (matchedCount === ids.length) return;
      const options = { ...readTimeout, projection: { _id: 1 } };
      const existing = await pictures.find({ _id: { $in: [...ids] }, ...isOwn }, options).toArray();
      const missing = [...ids.keys()].filter((index) => existing.every(({ _id }) => _id !== ids[index]));
      if (missing.length > 0) throw createMissingPhotosError(missing, pathOf);
      // `bulkWrite` skipped a picture that another request has uploaded in between. Try again.
      return this.usePrivate(uid, ids, pathOf);
    },

    async use(uid: string, address: string, path: string, current = ''): Promise<string> {
      const stored = toStored(address);
      if (stored === '' || stored === current) return stored;
      const id = idOf(stored);
      if (id !== undefined) {
        const { matchedCount } = await pictures.updateOne(
          { _id: id, uid, ...isPublic },
          { $set: { usedAt: new Date() } },
        );
        if (matchedCount === 1) return stored;
      }
      if (await isBlocked(stored)) throw createRemovedError('this picture', path);
      if (id !== undefined)
        throw new InvalidInputError('This picture does not exist any more. Upload it again.', [
          { path, message: 'must be the address of a picture that you uploaded, or of a picture on another site' },
        ]);
      return stored;
    },

    async useOwn(
      uid: string,
      addresses: readonly string[],
      pathOf: (index: number) => string,
      current: readonly string[] = [],
    ): Promise<string[]> {
      const stored = addresses.map(toStored);
      const added = [...stored.keys()].filter((index) => !current.includes(stored[index] ?? ''));
      if (added.length === 0) return stored;
      const idAt = (index: number) => {
        const path = stored[index] ?? '';
        return addresses[index]?.endsWith(path) ? (idOf(path) ?? '') : '';
      };
      const update = { $set: { usedAt: new Date() } };
      const { matchedCount } = await pictures.bulkWrite(
        added.map((index) => ({ updateOne: { filter: { _id: idAt(index), uid, ...isPublic }, update } })),
        { ordered: false },
      );
      if (matchedCount === added.length) return stored;
      const options = { ...readTimeout, projection: { _id: 1 } };
      const existing = await pictures.find({ _id: { $in: added.map(idAt) }, uid, ...isPublic }, options).toArray();
      const missing = added.filter((index) => existing.every(({ _id }) => _id !== idAt(index)));
      for (const index of missing)
        if (await isBlocked(stored[index] ?? '')) throw createRemovedError(`photo ${index + 1}`, pathOf(index));
      if (missing.length > 0) throw createMissingPhotosError(missing, pathOf);
      // `bulkWrite` skipped a picture that another request has uploaded in between. Try again.
      return this.useOwn(uid, addresses, pathOf, current);
    },

    toStored,
    toAddress,

    /** Returns the data that operators need about a picture, or undefined if the picture does not exist. */
    async describe(id: string) {
      const options = { ...readTimeout, projection: { uid: 1, createdAt: 1, usedAt: 1 } };
      const document = await pictures.findOne({ _id: id, ...isPublic }, options);
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
     * it is marked as unused, and deleted a day later.
     *
     * If Firebase or the database is unavailable, the sweep ends, because it would otherwise wait for a timeout for each
     * picture.
     */
    async sweep(identity: ProfilePictures, now = new Date()): Promise<void> {
      const dayAgo = new Date(now.getTime() - dayMs);
      const due = { $or: [{ usedAt: null, createdAt: { $lt: dayAgo } }, { usedAt: { $lt: dayAgo } }] };
      const projection = { uid: 1, createdAt: 1, usedAt: 1, isPrivate: 1 };
      const documents = await pictures.find(due, { ...readTimeout, projection, limit: picturesPerSweep }).toArray();
      const examine = async ({ _id, uid, createdAt, usedAt, isPrivate }: (typeof documents)[number]) => {
        // A customer who uses or uploads the picture during the sweep changes one of these times. Then skip the picture.
        const unchanged = { _id, createdAt, usedAt };
        if (await isInUse({ _id, uid, isPrivate: isPrivate === true }, identity))
          await pictures.updateOne(unchanged, { $set: { usedAt: now } });
        else if (usedAt) await pictures.updateOne(unchanged, { $set: { usedAt: null, createdAt: now } });
        else await pictures.deleteOne(unchanged);
      };
      const isUnavailable = (error: unknown) => error instanceof UnavailableError || isDatabaseUnavailable(error);
      await runEach(documents, examine, 'Some pictures could not be examined', isUnavailable);
    },
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
