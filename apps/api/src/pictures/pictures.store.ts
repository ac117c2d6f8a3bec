import {
  isWebUrl,
  normalizePictureUrl,
  ownPicturePath,
  type PictureWidth,
  type PrivatePicture,
  type UploadedPicture,
} from '@rtr/shared';
import { isDatabaseUnavailable, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { PictureDocument } from '../database/documents/pictures.ts';
import { InvalidInputError, NotFoundError, UnavailableError } from '../errors.ts';
import { runEach } from '../run-each.ts';
import { createMissingPhotosError, createRemovedError } from './picture-errors.ts';
import { createPictureReferences, type ProfilePictures } from './picture-references.ts';
import { blockKeyOf, idOf } from './stored-address.ts';
import { createPictureUpload } from './upload-picture.ts';

const dayMs = 24 * 60 * 60_000;
const noPicture = 'No picture has this address.';
/** The maximum number of pictures that one sweep examines. */
const picturesPerSweep = 100;

/** A filter for the pictures that everyone can read. */
const isPublic = { isPrivate: { $exists: false } };

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
  collections: Pick<
    Collections,
    'pictures' | 'blockedPictures' | 'services' | 'reviews' | 'listers' | 'conversations' | 'messages'
  >,
  webOrigins: readonly [string, ...string[]],
) {
  const { pictures, blockedPictures } = collections;
  const store = createPictureUpload(collections);
  const references = createPictureReferences(collections, toStored);

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
      if (!document || (document.uid !== uid && !(await references.wasSentTo(uid, _id))))
        throw new NotFoundError(noPicture);
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
        if (await references.isInUse({ _id, uid, isPrivate: isPrivate === true }, identity))
          await pictures.updateOne(unchanged, { $set: { usedAt: now } });
        else if (usedAt) await pictures.updateOne(unchanged, { $set: { usedAt: null, createdAt: now } });
        else await pictures.deleteOne(unchanged);
      };
      const isUnavailable = (error: unknown) => error instanceof UnavailableError || isDatabaseUnavailable(error);
      await runEach(documents, examine, 'Some pictures could not be examined', isUnavailable);
    },
  };
}
