import type { Conversation, ConversationDetails, Message } from '@rtr/shared';
import { HttpResponse, http } from 'msw';
import { api, bearerOf, problem } from './api.ts';

export const conversationId = '65f0c0ffee0ddba11ca11ac1';

let sentCount = 0;

/** Creates a message. Each message is a minute newer than the previous one. */
export function aMessage(given: Partial<Message> = {}): Message {
  sentCount += 1;
  return {
    _id: sentCount.toString(16).padStart(24, '0'),
    isOwn: false,
    text: 'Can you come on Friday?',
    createdAt: new Date(Date.UTC(2026, 10, 4, 10, sentCount)).toJSON(),
    ...given,
  };
}

/** Creates a conversation in which the reader is the lister. */
export function aConversation(given: Partial<ConversationDetails> = {}): ConversationDetails {
  const messages = given.messages ?? [aMessage()];
  const { isOwn = false, text = '', createdAt = '2026-11-04T10:00:00.000Z' } = messages.at(-1) ?? {};
  return {
    _id: conversationId,
    serviceId: '65f0c0ffee0ddba11ca11ab1',
    serviceTitle: 'Hood repair',
    role: 'lister',
    other: { name: 'Amira Haddad', picture: '' },
    status: 'open',
    isUnread: false,
    messageCount: messages.length,
    lastMessage: { isOwn, excerpt: text, createdAt },
    createdAt: '2026-11-04T10:00:00.000Z',
    messages,
    ...given,
  };
}

/** Removes the messages, as in the list of conversations. */
export function summaryOf(details: ConversationDetails): Conversation {
  const { messages: _, ...conversation } = details;
  return conversation;
}

/**
 * Fakes an API with one conversation. A test changes it with `change`. The ETag changes with each change. Returns the calls
 * that it receives.
 */
export function fakeConversation(initial: ConversationDetails) {
  let conversation = initial;
  let version = 1;
  const reads: { status: number; ifNoneMatch: string | null }[] = [];
  const marks: unknown[] = [];
  const sent: { key: string | null; body: unknown }[] = [];
  const change = (changes: Partial<ConversationDetails>) => {
    conversation = { ...conversation, ...changes };
    version += 1;
  };
  const add = (message: Message, changes: Partial<ConversationDetails> = {}) =>
    change({ messages: [...conversation.messages, message], ...changes });
  api.use(
    http.get('/api/requests/:id', ({ request, params }) => {
      if (!bearerOf(request) || params.id !== conversation._id) return problem(404, 'There is no such request.');
      const ETag = `"${version}"`;
      const ifNoneMatch = request.headers.get('If-None-Match');
      const status = ifNoneMatch === ETag ? 304 : 200;
      reads.push({ status, ifNoneMatch });
      return status === 304
        ? new HttpResponse(null, { status, headers: { ETag } })
        : HttpResponse.json(conversation, { headers: { ETag } });
    }),
    http.post('/api/requests/:id/read', async ({ request }) => {
      marks.push(await request.json());
      change({ isUnread: false });
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/requests/:id/close', () => {
      change({ status: 'closed' });
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/requests/:id/messages', async ({ request }) => {
      const body = (await request.json()) as Pick<Message, 'text' | 'photos'>;
      sent.push({ key: request.headers.get('Idempotency-Key'), body });
      const message = aMessage({ ...body, isOwn: true });
      add(message);
      return HttpResponse.json({ acknowledged: true, insertedId: message._id }, { status: 201 });
    }),
  );
  return { reads, marks, sent, change, add };
}
