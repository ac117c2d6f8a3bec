import * as z from 'zod/mini';
import { after, id, limit, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/**
 * A photo in a message: the id of a private picture, and a description for people who cannot see the photo. Only the
 * customer who uploaded a private picture and the recipient of a message with it can read the picture.
 */
export const messagePhoto = z.strictObject({ id, alt: text(limits.photoAltLength) });

export const messagePhotoInput = z.extend(messagePhoto, { alt: z._default(messagePhoto.shape.alt, '') });

/** A private picture that was uploaded. `width` and `height` are those of the largest stored file in pixels. */
export const privatePicture = z.strictObject({
  id,
  width: z.int().check(z.gte(1)),
  height: z.int().check(z.gte(1)),
});

/** A new message. It must contain a text or a photo. The photos must be private pictures that the sender has uploaded. */
export const messageInput = z
  .strictObject({
    text: z._default(text(limits.messageLength), ''),
    photos: z._default(
      z.array(messagePhotoInput).check(
        z.maxLength(limits.photosPerMessage),
        z.refine((photos) => new Set(photos.map((photo) => photo.id)).size === photos.length, {
          error: 'must not contain the same photo twice',
        }),
      ),
      [],
    ),
  })
  .check(
    z.refine((message) => message.text.trim() !== '' || message.photos.length > 0, {
      path: ['text'],
      error: 'must not be empty, unless the message has a photo',
    }),
  );

export const message = z.strictObject({
  _id: id,
  /** True if the reader has written the message. */
  isOwn: z.boolean(),
  /** Empty if a moderator has hidden the message. Its photos are then absent. */
  text: z.string(),
  /** Present if the message has photos. */
  photos: z.optional(z.array(messagePhoto)),
  /** Present if a moderator has hidden the message. */
  isHidden: z.optional(z.literal(true)),
  createdAt: timestamp,
});

/** The participant of a conversation who is not the reader. */
export const otherParticipant = z.strictObject({
  name: z.string(),
  picture: z.string(),
  /** Present if this account was closed. Then `name` and `picture` are empty. */
  isClosed: z.optional(z.literal(true)),
});

/**
 * The newest message of a conversation. `excerpt` is the beginning of its text. It is empty for a message with photos only,
 * and if the message is hidden.
 */
export const lastMessage = z.strictObject({ isOwn: z.boolean(), excerpt: z.string(), createdAt: timestamp });

/**
 * A conversation of a customer with the lister of a service, as one of the two participants reads it. Nobody else can
 * read it.
 */
export const conversation = z.strictObject({
  _id: id,
  serviceId: id,
  /** The title of the service when the conversation began. */
  serviceTitle: z.string(),
  /** The role of the reader. */
  role: z.enum(['customer', 'lister']),
  other: otherParticipant,
  /** A closed conversation takes no more messages. */
  status: z.enum(['open', 'closed']),
  /** True if the other participant has sent a message that the reader has not read. */
  isUnread: z.boolean(),
  messageCount: z.int().check(z.gte(1)),
  lastMessage,
  createdAt: timestamp,
});

/** A conversation with all its messages, oldest first. */
export const conversationDetails = z.extend(conversation, { messages: z.array(message) });

/**
 * Marks the messages up to this time as read. It is the time of the newest message that the page has shown, so a message
 * that arrives in between stays unread.
 */
export const conversationReadInput = z.strictObject({ until: timestamp });

/**
 * The query parameters for one's own conversations, newest activity first. With `unread=1`, the list contains only unread
 * conversations. With `serviceId`, it contains only those about this service.
 */
export const conversationsQuery = z.strictObject({
  unread: z.optional(z.literal('1')),
  serviceId: z.optional(id),
  limit: z.optional(limit),
  after: z.optional(after),
});

export type MessagePhoto = z.infer<typeof messagePhoto>;
export type PrivatePicture = z.infer<typeof privatePicture>;
export type MessageInput = z.infer<typeof messageInput>;
export type Message = z.infer<typeof message>;
export type Conversation = z.infer<typeof conversation>;
export type ConversationDetails = z.infer<typeof conversationDetails>;
export type ConversationsQuery = z.infer<typeof conversationsQuery>;
