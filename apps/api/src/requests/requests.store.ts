import type { Conversation, ConversationDetails, ConversationsQuery, InsertResult, MessageInput } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import type { Customer } from '../auth/access-token.ts';
import { hasErrorCode, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { createListCounter } from '../database/count.ts';
import type { ConversationDocument, MessageDocument, Role } from '../database/documents/conversations.ts';
import {
  createRowIdentity,
  findFirstResult,
  insertIdempotently,
  type RowIdentity,
} from '../database/idempotent-insert.ts';
import { cursorValue, findPage, type Page, type SortOrder } from '../database/pagination.ts';
import { ConflictError, ForbiddenError, NotFoundError, notFound } from '../errors.ts';
import type { PictureStore } from '../pictures/pictures.store.ts';
import type { Quotas } from '../quotas.ts';
import { excerptOf, roleOf, toConversation, toMessage, unreadByStage } from './conversation-documents.ts';
import { createParticipantErasure } from './erase-participant.ts';
import { createMessageDelivery } from './message-delivery.ts';

const newestActivityFirst: SortOrder = {
  fields: [
    ['lastActivityAt', -1, cursorValue.date],
    ['_id', -1, cursorValue.id],
  ],
};

const alreadyOpen =
  'You already have an open request about this service. Write your message there, or close that request first.';
const closed = 'This request is closed, so it takes no more messages.';

interface ConversationDependencies {
  pictures: Pick<PictureStore, 'usePrivate' | 'toStored' | 'toAddress'>;
  quotas: Quotas;
}

export type ConversationStore = ReturnType<typeof createConversationStore>;

/**
 * Creates the store of the conversations between customers and listers. In addresses, a conversation is called a request.
 *
 * A message is first stored with the mark `isPending`, then its conversation is inserted or updated, and then the mark is
 * removed. Every step can be repeated. If the process is killed in between, the sweep finishes the rest, or deletes the
 * message if its conversation was not inserted.
 */
export function createConversationStore(
  collections: Pick<Collections, 'conversations' | 'messages' | 'services' | 'listers'>,
  { pictures, quotas }: ConversationDependencies,
) {
  const { conversations, messages, services, listers } = collections;
  const delivery = createMessageDelivery(collections);
  const countRows = createListCounter(conversations);

  /** Finds a conversation in which the customer takes part. */
  async function findOwn(uid: string, id: string): Promise<ConversationDocument> {
    const found = await conversations.findOne({ _id: new ObjectId(id), participants: uid }, readTimeout);
    if (!found) throw new NotFoundError(notFound.conversation);
    return found;
  }

  async function toNewMessage(
    uid: string,
    { text, photos }: MessageInput,
    row: RowIdentity & { conversationId: ObjectId; role: Role; createdAt: Date },
  ): Promise<MessageDocument> {
    await pictures.usePrivate(
      uid,
      photos.map((photo) => photo.id),
      (index) => `body.photos.${index}.id`,
    );
    return { ...row, text, ...(photos.length > 0 && { photos }), isPending: true };
  }

  /** Finds the service that a customer asks about, and its lister. */
  async function findServiceToAsk(uid: string, _id: ObjectId) {
    const projection = { title: 1, createdBy: 1, listerName: 1 };
    const service = await services.findOne({ _id, hiddenAt: null }, { ...readTimeout, projection });
    if (!service) throw new NotFoundError(notFound.service);
    const { title, createdBy, listerName } = service;
    if (createdBy === null) throw new ForbiddenError('The lister of this service has closed their account.');
    if (createdBy === uid) throw new ForbiddenError('This is your own service. Only other customers can ask about it.');
    const lister = await listers.findOne({ _id: createdBy }, readTimeout);
    return { title, lister: { uid: createdBy, name: lister?.name ?? listerName, picture: lister?.picture ?? '' } };
  }

  return {
    /**
     * Begins a conversation of a customer with the lister of a service. A customer can have only one open conversation about a
     * service.
     */
    async open(
      { uid, name, picture }: Customer,
      serviceId: string,
      input: MessageInput,
      idempotencyKey: string | undefined,
    ): Promise<InsertResult> {
      const identity = createRowIdentity(uid, idempotencyKey, pathOf(serviceId), [input.text, input.photos]);
      const { _id } = identity;
      const firstResult = await findFirstResult(conversations, identity, pathOf);
      if (firstResult) {
        await delivery.deliver(_id, _id);
        return firstResult;
      }
      const ofService = { serviceId: new ObjectId(serviceId) };
      const { title, lister } = await findServiceToAsk(uid, ofService.serviceId);
      const open = { ...ofService, 'customer.uid': uid, status: 'open' } as const;
      // A conversation with this id was begun by the same request, which was sent twice at the same time.
      const other = await conversations.findOne(
        { ...open, _id: { $ne: _id } },
        { ...readTimeout, projection: { _id: 1 } },
      );
      if (other) throw new ConflictError(alreadyOpen);

      return quotas.countDaily('conversations', uid, async () => {
        // The first message has the same id as its conversation, so both are found again if the request is repeated.
        const row = { ...identity, conversationId: _id, role: 'customer' as const, createdAt: new Date() };
        const message = await toNewMessage(uid, input, row);
        await insertIdempotently(messages, message, pathOf);
        // If an earlier attempt was interrupted, its message is stored, with another time.
        const { createdAt } = (await messages.findOne({ _id, conversationId: _id }, readTimeout)) ?? message;
        const conversation: ConversationDocument = {
          ...identity,
          ...ofService,
          serviceTitle: title,
          customer: { uid, name, picture: pictures.toStored(picture), sentAt: createdAt, readUntil: createdAt },
          lister: { ...lister, sentAt: null, readUntil: new Date(0) },
          participants: [uid, lister.uid],
          unreadBy: [lister.uid],
          status: 'open',
          messageCount: 1,
          lastMessage: { _id, role: 'customer', excerpt: excerptOf(message) },
          lastActivityAt: createdAt,
          createdAt,
          version: 1,
        };
        const result = await insertIdempotently(conversations, conversation, pathOf).catch(async (error: unknown) => {
          if (!hasErrorCode(error, 'duplicateKey')) throw error;
          // Another request of the customer has begun a conversation at the same time.
          await messages.deleteOne({ _id, conversationId: _id, isPending: true });
          throw new ConflictError(alreadyOpen);
        });
        await messages.updateOne({ _id, conversationId: _id }, { $unset: { isPending: 1 } });
        return result;
      });
    },

    /** Returns a page of the conversations of a customer, newest activity first. */
    async findPage(uid: string, { unread, serviceId, limit, after }: ConversationsQuery): Promise<Page<Conversation>> {
      const listKey = ['conversations', uid, unread, serviceId];
      const filter = {
        [unread ? 'unreadBy' : 'participants']: uid,
        ...(serviceId !== undefined && { serviceId: new ObjectId(serviceId) }),
      };
      const { rows, ...page } = await findPage(conversations, {
        listKey,
        filter,
        order: newestActivityFirst,
        count: () => countRows(JSON.stringify(listKey), filter),
        limit,
        after,
      });
      return { ...page, rows: rows.map((row) => toConversation(row, uid, pictures.toAddress)) };
    },

    /**
     * Finds a conversation of the customer. `version` changes with everything that the customer reads in it, also with its
     * messages. The messages are read only by `readDetails`, after the version. So they are at least as new as the version.
     */
    async find(uid: string, id: string) {
      const document = await findOwn(uid, id);
      const { _id: conversationId, version } = document;
      return {
        version: JSON.stringify([id, uid, version]),
        async readDetails(): Promise<ConversationDetails> {
          const found = await messages.find({ conversationId }, readTimeout).sort({ createdAt: 1, _id: 1 }).toArray();
          const role = roleOf(document, uid);
          return {
            ...toConversation(document, uid, pictures.toAddress),
            messages: found.map((message) => toMessage(message, role)),
          };
        },
      };
    },

    /** Adds a message to a conversation of the customer. */
    async send(
      uid: string,
      id: string,
      input: MessageInput,
      idempotencyKey: string | undefined,
    ): Promise<InsertResult> {
      const conversation = await findOwn(uid, id);
      const conversationId = conversation._id;
      const pathOfConversation = () => pathOf(id);
      const identity = createRowIdentity(uid, idempotencyKey, pathOf(id), [input.text, input.photos]);
      const firstResult = await findFirstResult(messages, identity, pathOfConversation);
      if (firstResult) {
        await delivery.deliver(identity._id, conversationId);
        return firstResult;
      }
      if (conversation.status === 'closed') throw new ConflictError(closed);
      quotas.checkMessagesOfConversation(conversation.messageCount);
      return quotas.countDaily('messages', uid, async () => {
        // Each message is later than the ones before, even if the clocks of the API instances differ.
        const createdAt = new Date(Math.max(Date.now(), conversation.lastActivityAt.getTime() + 1));
        const row = { ...identity, conversationId, role: roleOf(conversation, uid), createdAt };
        const message = await toNewMessage(uid, input, row);
        const result = await insertIdempotently(messages, message, pathOfConversation);
        await delivery.deliver(identity._id, conversationId);
        return result;
      });
    },

    /** Closes a conversation of the customer. Idempotent. */
    async close(uid: string, id: string): Promise<void> {
      const { _id } = await findOwn(uid, id);
      await conversations.updateOne({ _id, status: 'open' }, { $set: { status: 'closed' }, $inc: { version: 1 } });
    },

    /** Marks the messages up to this time as read by the customer. Idempotent. */
    async markRead(uid: string, id: string, until: Date): Promise<void> {
      const conversation = await findOwn(uid, id);
      const readUntil = `${roleOf(conversation, uid)}.readUntil`;
      await conversations.updateOne({ _id: conversation._id, unreadBy: uid }, [
        {
          $set: {
            // A time in the future would also mark later messages as read.
            [readUntil]: { $max: [`$${readUntil}`, { $min: [until, '$lastActivityAt'] }] },
            version: { $add: ['$version', 1] },
          },
        },
        unreadByStage,
      ]);
    },

    eraseParticipant: createParticipantErasure(collections),
    sweep: delivery.sweep,
  };
}

const pathOf = (id: string) => `/requests/${id}`;
