import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { Hidden } from '../database/documents/hidden.ts';
import { NotFoundError } from '../errors.ts';
import type { ModeratedContent } from '../moderation/find-contents.ts';
import { toHidden } from '../to-hidden.ts';
import { excerptOf, otherRole } from './conversation-documents.ts';

export type MessageModerationStore = ReturnType<typeof createMessageModerationStore>;

/** Creates the store with which recipients report messages, and moderators find, hide and restore them. */
export function createMessageModerationStore({
  conversations,
  messages,
}: Pick<Collections, 'conversations' | 'messages'>) {
  return {
    /**
     * Finds the message that a customer reports. Throws a NotFoundError unless the customer is its recipient and can read it.
     */
    async findForReport(id: string, uid: string) {
      const message = await messages.findOne({ _id: new ObjectId(id), hidden: { $exists: false } }, readTimeout);
      const conversation = message && (await conversations.findOne({ _id: message.conversationId }, readTimeout));
      if (!message || !conversation || conversation[otherRole(message.role)].uid !== uid)
        throw new NotFoundError('You have received no message with this id.');
      return { serviceId: conversation.serviceId, title: conversation.serviceTitle };
    },

    /** Finds messages by their ids, including hidden messages. The result does not contain the rest of the conversations. */
    async findForModeration(ids: readonly string[]): Promise<Map<string, ModeratedContent>> {
      const found = await messages.find({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, readTimeout).toArray();
      const ofMessages = { _id: { $in: found.map(({ conversationId }) => conversationId) } };
      const foundConversations = await conversations.find(ofMessages, readTimeout).toArray();
      return new Map(
        found.flatMap(({ _id, conversationId, role, text, photos = [], createdAt, hidden }) => {
          const conversation = foundConversations.find((document) => document._id.equals(conversationId));
          if (!conversation) return [];
          const content: ModeratedContent = {
            message: {
              serviceId: conversation.serviceId.toHexString(),
              serviceTitle: conversation.serviceTitle,
              name: conversation[role].name,
              text,
              photoCount: photos.length,
              createdAt: createdAt.toISOString(),
            },
            hidden: { ...(hidden && { message: toHidden(hidden) }) },
            contentVersion: '', // A message cannot be edited.
            hasReply: false,
            isReadable: !hidden,
            pictures: [],
            lister: conversation.lister.uid,
            author: conversation[role].uid,
            recipient: conversation[otherRole(role)].uid,
          };
          return [[_id.toHexString(), content] as const];
        }),
      );
    },

    /** Hides a message from both participants, or restores it. */
    async setHidden(id: string, hidden: Hidden | null): Promise<'done' | 'already' | 'missing'> {
      const _id = new ObjectId(id);
      const message = await messages.findOne({ _id }, readTimeout);
      const conversation = message && (await conversations.findOne({ _id: message.conversationId }, readTimeout));
      if (!message || !conversation) return 'missing';
      const { conversationId, role, text } = message;
      const { serviceId, serviceTitle } = conversation;
      const { uid } = conversation[role];
      const { matchedCount } = await messages.updateOne(
        { _id, conversationId, hidden: { $exists: hidden === null } },
        hidden
          ? { $set: { hidden, ...(uid && { senderNews: { uid, serviceId, serviceTitle } }) } }
          : { $unset: { hidden: 1, senderNews: 1 } },
      );
      // The conversation is updated even if the message was already hidden or restored, because an earlier attempt may have
      // been interrupted in between.
      const excerpt = excerptOf({ text, ...(hidden && { hidden }) });
      await conversations.updateOne(
        { _id: conversationId, 'lastMessage._id': _id },
        { $set: { 'lastMessage.excerpt': excerpt } },
      );
      await conversations.updateOne({ _id: conversationId }, { $inc: { version: 1 } });
      return matchedCount === 1 ? 'done' : 'already';
    },
  };
}
