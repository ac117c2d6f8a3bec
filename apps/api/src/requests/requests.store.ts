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
import { runEach } from '../run-each.ts';
import { excerptOf, roleOf, setUnreadBy, toConversation, toMessage } from './conversation-documents.ts';

/**
 * The maximum duration of a request that sends a message. After this time, a message that is still pending is from a
 * request that was interrupted.
 */
const maxSendDurationMs = 60_000;
/** The maximum number of conversations that one command changes, so that the command ends before its timeout. */
const conversationsPerBatch = 100;

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
  {
    conversations,
    messages,
    services,
    listers,
  }: Pick<Collections, 'conversations' | 'messages' | 'services' | 'listers'>,
  { pictures, quotas }: ConversationDependencies,
) {
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
      setUnreadBy,
    ]);
    await messages.updateOne({ _id, conversationId }, { $unset: { isPending: 1 } });
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
    /** Begins a conversation of a customer with the lister of a service. A customer can have one open conversation with each service. */
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
        await deliver(_id, _id);
        return firstResult;
      }
      const ofService = { serviceId: new ObjectId(serviceId) };
      const { title, lister } = await findServiceToAsk(uid, ofService.serviceId);
      const open = { ...ofService, 'customer.uid': uid, status: 'open' } as const;
      // The conversation with this id was begun by the same request, which was sent twice at the same time.
      const other = await conversations.findOne(
        { ...open, _id: { $ne: _id } },
        { ...readTimeout, projection: { _id: 1 } },
      );
      if (other) throw new ConflictError(alreadyOpen);

      return quotas.countDaily('conversations', uid, async () => {
        const createdAt = new Date();
        // The first message has the same id as its conversation, so both are found again if the request is repeated.
        const row = { ...identity, conversationId: _id, role: 'customer' as const, createdAt };
        const message = await toNewMessage(uid, input, row);
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
        await insertIdempotently(messages, message, pathOf);
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
        await deliver(identity._id, conversationId);
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
        await deliver(identity._id, conversationId);
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
        setUnreadBy,
      ]);
    },

    /**
     * Removes a deleted account from its conversations, and closes them. The other participant keeps the messages, but not
     * the photos, because the pictures of the account are deleted. If both accounts are closed, the conversation is erased.
     * Idempotent: `participants` contains the uid until all other steps are done.
     */
    async eraseParticipant(uid: string): Promise<void> {
      for (;;) {
        const batch = await conversations
          .find({ participants: uid }, readTimeout)
          .limit(conversationsPerBatch)
          .toArray();
        if (batch.length === 0) return;
        const isInBatch = { $in: batch.map(({ _id }) => _id) };
        for (const role of ['customer', 'lister'] as const) {
          const ofRole = batch.filter((conversation) => conversation[role].uid === uid).map(({ _id }) => _id);
          const ownMessages = { conversationId: { $in: ofRole }, role };
          await messages.updateMany(ownMessages, { $unset: { photos: 1, hiddenOf: 1 } });
          const noAccount = { uid: null, name: '', picture: '' };
          await conversations.updateMany({ _id: { $in: ofRole } }, [
            {
              $set: {
                [role]: { $mergeObjects: [`$${role}`, noAccount] },
                status: 'closed',
                version: { $add: ['$version', 1] },
              },
            },
            setUnreadBy,
          ]);
        }
        const abandoned = await conversations
          .find(
            { _id: isInBatch, 'customer.uid': null, 'lister.uid': null },
            { ...readTimeout, projection: { _id: 1 } },
          )
          .toArray();
        const isAbandoned = { $in: abandoned.map(({ _id }) => _id) };
        await messages.deleteMany({ conversationId: isAbandoned });
        await conversations.deleteMany({ _id: isAbandoned });
        await conversations.updateMany({ _id: isInBatch }, { $pull: { participants: uid } });
      }
    },

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

const pathOf = (id: string) => `/requests/${id}`;
