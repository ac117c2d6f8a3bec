import type { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { MessageDocument } from '../database/documents/conversations.ts';
import { runEach } from '../run-each.ts';
import { excerptOf, unreadByStage } from './conversation-documents.ts';

/**
 * The maximum duration of a request that sends a message. After this time, a message that is still pending is from a
 * request that was interrupted.
 */
const maxSendDurationMs = 60_000;

/** Creates the functions that bring a conversation up to date with its messages. */
export function createMessageDelivery({ conversations, messages }: Pick<Collections, 'conversations' | 'messages'>) {
  /** Updates the conversation of a pending message. Does nothing if the message is not pending any more. */
  async function deliver(_id: ObjectId, conversationId: ObjectId): Promise<void> {
    const message = await messages.findOne({ _id, conversationId, isPending: true }, readTimeout);
    if (!message) return;
    const { role, createdAt } = message;
    const messageCount = await messages.countDocuments({ conversationId }, readTimeout);
    await conversations.updateOne({ _id: conversationId }, [
      {
        $set: {
          messageCount: { $max: ['$messageCount', messageCount] },
          lastMessage: {
            $cond: [
              { $gt: [createdAt, '$lastActivityAt'] },
              { $literal: { _id, role, excerpt: excerptOf(message) } },
              '$lastMessage',
            ],
          },
          lastActivityAt: { $max: ['$lastActivityAt', createdAt] },
          [`${role}.sentAt`]: { $max: [`$${role}.sentAt`, createdAt] },
          version: { $add: ['$version', 1] },
        },
      },
      unreadByStage,
    ]);
    await messages.updateOne({ _id, conversationId }, { $unset: { isPending: 1 } });
  }

  return {
    deliver,

    /** Delivers the messages of interrupted requests, or deletes them if their conversation was not inserted. */
    async sweep(now = new Date()): Promise<void> {
      const interrupted = { isPending: true as const, createdAt: { $lt: new Date(now.getTime() - maxSendDurationMs) } };
      const found = await messages.find(interrupted, readTimeout).toArray();
      const finish = async ({ _id, conversationId }: MessageDocument) => {
        const options = { ...readTimeout, projection: { _id: 1 } };
        if (await conversations.findOne({ _id: conversationId }, options)) await deliver(_id, conversationId);
        else await messages.deleteOne({ _id, conversationId });
      };
      await runEach(found, finish, 'Some messages could not be delivered');
    },
  };
}
