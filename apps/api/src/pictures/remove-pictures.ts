import { ObjectId } from 'mongodb';
import type { Collections } from '../database/collections.ts';
import type { Hidden } from '../database/documents/hidden.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import { blockKeyOf, idOf } from './stored-address.ts';

type Entry = CaseDocument['history'][number];

export type PictureRemoval = ReturnType<typeof createPictureRemoval>;

/** Returns the newest action about each picture. The keys are the stored addresses of the pictures. */
export function newestPictureActions(history: readonly Entry[]): Map<string, Entry> {
  return new Map(history.flatMap((entry) => (entry.pictures ?? []).map((url) => [url, entry] as const)));
}

/**
 * Creates the function that removes pictures for good, or lifts the block of removed pictures, as the given actions of a
 * moderation case say. The function is idempotent. The sweep calls it again until no request can be running that has read a
 * picture before its removal.
 *
 * A picture is first blocked, then removed from the content, and its file is deleted last. So after a crash at any point, the
 * next call finishes the removal.
 */
export function createPictureRemoval({
  services,
  reviews,
  listers,
  pictures,
  blockedPictures,
  conversations,
}: Pick<Collections, 'services' | 'reviews' | 'listers' | 'pictures' | 'blockedPictures' | 'conversations'>) {
  async function block(url: string, at: Date): Promise<void> {
    const id = idOf(url);
    const file = id && (await pictures.findOne({ _id: id }, { projection: { contentHash: 1 } }));
    const fields = { at, ...(file && { contentHash: file.contentHash }) };
    await blockedPictures.updateOne({ _id: blockKeyOf(url) }, { $set: fields }, { upsert: true });
  }

  /** Removes an uploaded picture wherever its customer uses it, and then its file. */
  async function removeUpload(url: string, removal: Hidden, fileId: string): Promise<void> {
    await services.updateMany({ img: url }, { $set: { img: '', removedPicture: removal } });
    const removePhoto = { $pull: { photos: { url } }, $set: { removedPhotos: removal } };
    await reviews.updateMany({ 'photos.url': url }, removePhoto);
    await reviews.updateMany({ img: url }, { $set: { img: '' } });
    await reviews.updateMany({ costomerImg: url }, { $set: { costomerImg: '' } });
    await listers.updateMany({ picture: url }, { $set: { picture: '' } });
    for (const field of ['customer.picture', 'lister.picture'])
      await conversations.updateMany({ [field]: url }, { $set: { [field]: '' }, $inc: { version: 1 } });
    await pictures.deleteOne({ _id: fileId });
  }

  /** Removes the picture at an external address from a service and its reviews. */
  async function removeAddress(img: string, removal: Hidden, serviceId: ObjectId): Promise<void> {
    await services.updateOne({ _id: serviceId, img }, { $set: { img: '', removedPicture: removal } });
    await reviews.updateMany({ serviceId, img }, { $set: { img: '' } });
  }

  return async (history: readonly Entry[], contentId: string): Promise<'done'> => {
    for (const [url, { action, at, reason }] of newestPictureActions(history)) {
      if (action === 'restore') {
        await blockedPictures.deleteOne({ _id: blockKeyOf(url) });
        continue;
      }
      await block(url, at);
      const fileId = idOf(url);
      if (fileId) await removeUpload(url, { at, reason }, fileId);
      else await removeAddress(url, { at, reason }, new ObjectId(contentId));
    }
    return 'done';
  };
}
