import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { unreadByStage } from './conversation-documents.ts';

/** The maximum number of conversations that one command changes, so that the command ends before its timeout. */
const conversationsPerBatch = 100;

/**
 * Creates the function that removes a deleted account from its conversations, and closes them. The other participant keeps
 * the messages, but not the photos, because the pictures of the account are deleted. If both accounts are closed, the
 * conversation is erased. Idempotent: `participants` contains the uid until all other steps are done.
 */
export function createParticipantErasure({ conversations, messages }: Pick<Collections, 'conversations' | 'messages'>) {
  return async (uid: string): Promise<void> => {
    for (;;) {
      const batch = await conversations.find({ participants: uid }, readTimeout).limit(conversationsPerBatch).toArray();
      if (batch.length === 0) return;
      const isInBatch = { $in: batch.map(({ _id }) => _id) };
      for (const role of ['customer', 'lister'] as const) {
        const ofRole = batch.filter((conversation) => conversation[role].uid === uid).map(({ _id }) => _id);
        const ownMessages = { conversationId: { $in: ofRole }, role };
        await messages.updateMany(ownMessages, { $unset: { photos: 1, senderNews: 1 } });
        const noAccount = { uid: null, name: '', picture: '' };
        await conversations.updateMany({ _id: { $in: ofRole } }, [
          {
            $set: {
              [role]: { $mergeObjects: [`$${role}`, noAccount] },
              status: 'closed',
              version: { $add: ['$version', 1] },
            },
          },
          unreadByStage,
        ]);
      }
      const abandoned = await conversations
        .find({ _id: isInBatch, 'customer.uid': null, 'lister.uid': null }, { ...readTimeout, projection: { _id: 1 } })
        .toArray();
      const isAbandoned = { $in: abandoned.map(({ _id }) => _id) };
      await messages.deleteMany({ conversationId: isAbandoned });
      await conversations.deleteMany({ _id: isAbandoned });
      await conversations.updateMany({ _id: isInBatch }, { $pull: { participants: uid } });
    }
  };
}
