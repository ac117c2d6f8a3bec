import { ownPicturePath } from '@rtr/shared';
import type { Identity } from '../auth/identity.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { PictureDocument } from '../database/documents/pictures.ts';
import type { PictureUse } from './picture-use.ts';

export type ProfilePictures = Pick<Identity, 'findPicture'>;

/** Creates the functions that look for the rows which contain a picture. Each lookup uses an index. */
export function createPictureReferences(
  {
    services,
    reviews,
    listers,
    conversations,
    messages,
  }: Pick<Collections, 'services' | 'reviews' | 'listers' | 'conversations' | 'messages'>,
  toStored: PictureUse['toStored'],
) {
  const options = { ...readTimeout, projection: { _id: 1 } };

  return {
    /**
     * Returns true if the picture is in a service, a review, a conversation or a message, or is the profile picture of the
     * customer who uploaded it. Deleted reviews and withdrawn services count until the database erases them.
     */
    async isInUse(
      { _id, uid, isPrivate }: Pick<PictureDocument, '_id' | 'uid'> & { isPrivate: boolean },
      identity: ProfilePictures,
    ) {
      const path = `${ownPicturePath}${_id}`;
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
    },

    /** Returns true if the customer takes part in a conversation that contains the picture in a message that is not hidden. */
    async wasSentTo(uid: string, id: string): Promise<boolean> {
      const conversationIds = await messages.distinct(
        'conversationId',
        { 'photos.id': id, hidden: { $exists: false } },
        readTimeout,
      );
      return (await conversations.findOne({ _id: { $in: conversationIds }, participants: uid }, options)) !== null;
    },
  };
}
