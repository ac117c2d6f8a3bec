import { limits, type MessagePhoto } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import { type Hidden, hidden } from './hidden.ts';
import { count, type DocumentSchema, date, nullable, text, texts } from './schema.ts';

export type Role = 'customer' | 'lister';

/** A participant of a conversation. If the account was closed, `uid` is null, and `name` and `picture` are empty. */
export interface Participant {
  /** The API never sends the uid to clients. */
  uid: string | null;
  /** The name and the stored address of the picture when the conversation began. */
  name: string;
  picture: string;
  /** The time of the newest message that the participant has sent. Null if they have sent none. */
  sentAt: Date | null;
  /** The participant has read the messages up to this time. */
  readUntil: Date;
}

/** A conversation of a customer with the lister of a service. */
export interface ConversationDocument {
  _id: ObjectId;
  requestHash: string | null;
  serviceId: ObjectId;
  /** The title of the service when the conversation began. */
  serviceTitle: string;
  customer: Participant;
  lister: Participant;
  /** The uids of the two participants. A uid is removed when the account is closed. */
  participants: string[];
  /** The uids of the participants who have not read all messages of the other one. */
  unreadBy: string[];
  status: 'open' | 'closed';
  messageCount: number;
  /** The newest message. `excerpt` is the beginning of its text. It is empty if the message is hidden. */
  lastMessage: { _id: ObjectId; role: Role; excerpt: string };
  /** The time of the newest message. */
  lastActivityAt: Date;
  createdAt: Date;
  /** Incremented by each write that changes what a participant reads, also in the messages. */
  version: number;
}

/**
 * A message in a conversation. It contains the role of its sender in the conversation, and their uid only while it is hidden.
 */
export interface MessageDocument {
  _id: ObjectId;
  requestHash: string | null;
  conversationId: ObjectId;
  /** The role of the sender. */
  role: Role;
  text: string;
  /** Absent if the message has no photos. `id` is the id of a private picture. */
  photos?: MessagePhoto[];
  createdAt: Date;
  /**
   * Present from the insertion of the message until its time and excerpt are copied to the conversation. Participants can
   * read the message in the meantime. If the request was interrupted, a sweep finishes it.
   */
  isPending?: true;
  /** Present while the message is hidden. */
  hidden?: Hidden;
  /**
   * Present while the message is hidden and its sender has an account: the uid of the sender, and the service of the
   * conversation. They are copied here, so that an index finds the message for the news of the sender.
   */
  senderNews?: { uid: string; serviceId: ObjectId; serviceTitle: string };
}

const participant = {
  bsonType: 'object',
  required: ['uid', 'name', 'picture', 'sentAt', 'readUntil'],
  properties: {
    uid: nullable('string'),
    name: text(limits.nameLength),
    picture: text(limits.urlLength),
    sentAt: nullable('date'),
    readUntil: date,
  },
};
const role = { enum: ['customer', 'lister'] };

export const conversationSchema: DocumentSchema = {
  required: {
    requestHash: nullable('string'),
    serviceId: { bsonType: 'objectId' },
    serviceTitle: text(limits.titleLength),
    customer: participant,
    lister: participant,
    participants: { ...texts, maxItems: 2 },
    unreadBy: { ...texts, maxItems: 2 },
    status: { enum: ['open', 'closed'] },
    messageCount: count,
    lastMessage: {
      bsonType: 'object',
      required: ['_id', 'role', 'excerpt'],
      properties: { _id: { bsonType: 'objectId' }, role, excerpt: text(limits.excerptLength) },
    },
    lastActivityAt: date,
    createdAt: date,
    version: count,
  },
};

export const messageSchema: DocumentSchema = {
  required: {
    requestHash: nullable('string'),
    conversationId: { bsonType: 'objectId' },
    role,
    text: text(limits.messageLength),
    createdAt: date,
  },
  optional: {
    photos: {
      bsonType: 'array',
      maxItems: limits.photosPerMessage,
      items: {
        bsonType: 'object',
        required: ['id', 'alt'],
        properties: { id: { bsonType: 'string' }, alt: text(limits.photoAltLength) },
      },
    },
    isPending: { bsonType: 'bool' },
    hidden,
    senderNews: { bsonType: 'object', required: ['uid', 'serviceId', 'serviceTitle'] },
  },
};
