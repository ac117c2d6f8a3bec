import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { HiddenPicture } from '../database/documents/hidden.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import { hiddenPicturesOf } from './find-hidden.ts';
import { idOf } from './pictures.store.ts';

type Kind = 'review' | 'service';

export type HiddenPictureStore = ReturnType<typeof createHiddenPictureStore>;

/**
 * Creates the store of the pictures that moderators hide: pictures of services, and photos of reviews.
 *
 * The store identifies a hidden picture by its address. If the customer removes the picture and chooses it again, it is
 * still hidden. A different picture is visible.
 *
 * A review contains the address of its service's picture. When a moderator hides this picture, the review does not
 * change, because each read of a review also reads the hidden pictures of the service.
 */
export function createHiddenPictureStore({
  services,
  reviews,
  pictures,
}: Pick<Collections, 'services' | 'reviews' | 'pictures'>) {
  async function setInContent(kind: Kind, _id: ObjectId, hiddenPictures: HiddenPicture[]) {
    const change = { $set: { hiddenPictures } };
    const write = kind === 'service' ? services.updateOne({ _id }, change) : reviews.updateOne({ _id }, change);
    const { matchedCount, modifiedCount } = await write;
    if (matchedCount === 0) return 'missing';
    return modifiedCount === 1 ? 'done' : 'already';
  }

  /** Returns the uid of the author of the review, or of the lister of the service. */
  async function findOwner(kind: Kind, _id: ObjectId): Promise<string | null | undefined> {
    const options = { ...readTimeout, projection: { uid: 1, createdBy: 1 } };
    if (kind === 'review') return (await reviews.findOne({ _id }, options))?.uid;
    return (await services.findOne({ _id }, options))?.createdBy;
  }

  /**
   * Marks the files of these pictures as hidden by this moderation case, and removes its mark from all other files. A
   * file can have the marks of several cases, and is hidden while it has at least one mark. `owner` is the owner of the
   * content. Only files that the owner has uploaded are marked. A lister can also use the address of a picture that
   * another customer has uploaded, and this case must not hide the file of that customer.
   */
  async function setFiles(caseId: string, urls: string[], owner: string | null | undefined): Promise<void> {
    const ids = urls.flatMap((url) => idOf(url) ?? []);
    await pictures.updateMany({ hiddenBy: caseId, _id: { $nin: ids } }, { $pull: { hiddenBy: caseId } });
    if (owner) await pictures.updateMany({ _id: { $in: ids }, uid: owner }, { $addToSet: { hiddenBy: caseId } });
  }

  /** Returns the stored addresses of the picture of a service, or of the photos of a review. */
  async function findAll(kind: Kind, id: string): Promise<string[]> {
    const _id = new ObjectId(id);
    const options = { ...readTimeout, projection: { img: 1, photos: 1 } };
    if (kind === 'review') return (await reviews.findOne({ _id }, options))?.photos?.map(({ url }) => url) ?? [];
    const service = await services.findOne({ _id }, options);
    return service?.img ? [service.img] : [];
  }

  return {
    /**
     * Returns the stored addresses of the pictures that an action hides or restores. Normally, these are the current
     * pictures of the service or review. But if `replaced` is true, or if the customer has replaced or removed all hidden
     * pictures, `restore` applies only to the hidden pictures that the customer has replaced or removed.
     */
    async findTargets(
      { action, replaced }: { action: 'hide' | 'restore'; replaced?: true | undefined },
      { history }: Pick<CaseDocument, 'history'>,
      kind: Kind,
      id: string,
    ): Promise<string[]> {
      const current = await findAll(kind, id);
      if (action === 'hide') return current;
      const hidden = hiddenPicturesOf(history).map(({ url }) => url);
      const replacedUrls = hidden.filter((url) => !current.includes(url));
      const areAllReplaced = hidden.length > 0 && replacedUrls.length === hidden.length;
      return replaced || areAllReplaced ? replacedUrls : current;
    },

    /**
     * Computes from all actions of the moderation case which pictures of the review or service must be hidden. Hides these
     * pictures, and shows all others. Idempotent.
     */
    async apply({ _id: caseId, history }: Pick<CaseDocument, '_id' | 'history'>, kind: Kind, id: string) {
      const hidden = hiddenPicturesOf(history);
      const urls = hidden.map(({ url }) => url);
      const _id = new ObjectId(id);
      const outcome = await setInContent(kind, _id, hidden);
      await setFiles(caseId, urls, await findOwner(kind, _id));
      return outcome;
    },
  };
}
