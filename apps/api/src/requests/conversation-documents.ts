import { type Conversation, limits, type Message } from '@rtr/shared';
import type { ConversationDocument, MessageDocument, Role } from '../database/documents/conversations.ts';
import type { PictureUse } from '../pictures/picture-use.ts';

export const otherRole = (role: Role): Role => (role === 'customer' ? 'lister' : 'customer');

/** Returns the role of a participant. */
export const roleOf = ({ customer }: Pick<ConversationDocument, 'customer'>, uid: string): Role =>
  customer.uid === uid ? 'customer' : 'lister';

export function excerptOf({ text, hidden }: Pick<MessageDocument, 'text' | 'hidden'>): string {
  return hidden ? '' : Array.from(text).slice(0, limits.excerptLength).join('');
}

/**
 * The stage of an update that computes who has unread messages. It depends only on the other fields, so it can be repeated,
 * and the order of concurrent updates does not matter.
 */
export const unreadByStage = {
  $set: {
    unreadBy: {
      $filter: { input: [readerOf('customer'), readerOf('lister')], cond: { $ne: ['$$this', null] } },
    },
  },
};

/** Returns the uid of a participant with unread messages, or null. A closed account has no uid, so it has none. */
function readerOf(role: Role) {
  return { $cond: [{ $gt: [`$${otherRole(role)}.sentAt`, `$${role}.readUntil`] }, `$${role}.uid`, null] };
}

/** Converts a document to the conversation that the participant with this uid reads. */
export function toConversation(
  document: ConversationDocument,
  uid: string,
  toAddress: PictureUse['toAddress'],
): Conversation {
  const { _id, serviceId, serviceTitle, status, messageCount, lastMessage, lastActivityAt, createdAt } = document;
  const role = roleOf(document, uid);
  const other = document[otherRole(role)];
  return {
    _id: _id.toHexString(),
    serviceId: serviceId.toHexString(),
    serviceTitle,
    role,
    other: {
      name: other.name,
      picture: toAddress(other.picture),
      ...(other.uid === null && { isClosed: true }),
    },
    status,
    isUnread: document.unreadBy.includes(uid),
    messageCount,
    lastMessage: {
      isOwn: lastMessage.role === role,
      excerpt: lastMessage.excerpt,
      createdAt: lastActivityAt.toISOString(),
    },
    createdAt: createdAt.toISOString(),
  };
}

/** Converts a document to the message that the participant with this role reads. */
export function toMessage({ _id, text, photos, createdAt, hidden, ...message }: MessageDocument, role: Role): Message {
  return {
    _id: _id.toHexString(),
    isOwn: message.role === role,
    text: hidden ? '' : text,
    ...(photos && !hidden && { photos }),
    ...(hidden && { isHidden: true }),
    createdAt: createdAt.toISOString(),
  };
}
