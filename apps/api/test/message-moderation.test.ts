import { beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createConversationTest } from './support/conversations.ts';
import { createModerationTest } from './support/moderation.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, db, people, signUp, signIn, operate, act, readCase, readCases } = app;
const { begin, reply, read, list, addService, uploadPrivate } = createConversationTest(app);
const { conversations, messages, services, reports, cases, audit } = getCollections(db);

let conversation: string;
/** A message of the customer `people.author` to `people.lister`. */
let message: string;
const caseId = () => `message-${message}`;

beforeEach(async () => {
  await Promise.all([conversations.deleteMany({}), messages.deleteMany({}), services.deleteMany({})]);
  await Promise.all([reports.deleteMany({}), cases.deleteMany({}), audit.deleteMany({})]);
  conversation = await begin(people.author, await addService(people.lister), { text: 'You are thieves.' });
  message = (await read(people.lister, conversation)).messages[0]?._id ?? '';
});

const reportMessage = (sender: TestCustomer, id = message, body: object = { reason: 'abuse' }) =>
  api.post(`/messages/${id}/report`).set(bearer(sender)).send(body);
const readReports = async (sender: TestCustomer) =>
  (await api.get('/account/reports').set(bearer(sender)).expect(200)).body;

describe('the report of a message', () => {
  it('opens a case with this message alone, and the sender of the report reads it among their reports', async () => {
    const photos = [{ id: await uploadPrivate(people.author, 400), alt: 'A face' }];
    const second = await reply(people.author, conversation, { text: 'Look at this', photos });
    await reply(people.lister, conversation, { text: 'Please stop.' });
    const body = { reason: 'abuse', text: 'Insults me' };
    const { body: report } = await reportMessage(people.lister, second, body).expect(201);
    expect(report).toMatchObject({
      ...body,
      about: 'message',
      status: 'open',
      target: { kind: 'message', id: second },
    });
    await reportMessage(people.lister, second, body).expect(200);
    const [only, ...others] = await readCases('open');
    expect(others).toEqual([]);
    const { serviceId } = await read(people.lister, conversation);
    expect(only).toMatchObject({ _id: `message-${second}`, reports: [{ by: 'lister', about: 'message' }] });
    expect(only?.message).toEqual({
      serviceId,
      serviceTitle: 'Hood repair',
      name: 'Omar',
      text: 'Look at this',
      photoCount: 1,
      createdAt: expect.any(String),
    });
    expect(JSON.stringify(only)).not.toMatch(
      new RegExp(`Please stop|thieves|A face|${photos[0]?.id}|${people.author.uid}`),
    );
    expect(await readReports(people.lister)).toMatchObject([
      { target: { kind: 'message', title: 'Hood repair', author: 'Omar', excerpt: 'Look at this' }, status: 'open' },
    ]);
  });

  it('is possible only for the recipient', async () => {
    for (const sender of [people.author, people.reader, people.moderator]) await reportMessage(sender).expect(404);
    for (const id of ['0'.repeat(24), 'x', conversation.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))])
      await reportMessage(people.lister, id).expect(404);
    expect(await reports.countDocuments()).toBe(0);
  });

  it.each([{}, { reason: 'boring' }, { reason: 'spam', about: 'message' }, { reason: 'spam', text: 'x'.repeat(501) }])(
    'is rejected with 400 if it is %.60j',
    async (body) => {
      await reportMessage(people.lister, message, body).expect(400);
    },
  );
});

describe('a hidden message', () => {
  it('is shown to both participants without its text and photos, until a moderator restores it', async () => {
    await reportMessage(people.lister).expect(201);
    const { body } = await act(caseId(), { action: 'hide', reason: 'Insulting' }).expect(200);
    expect(body).toMatchObject({ status: 'closed', hidden: { message: { reason: 'Insulting' } } });
    for (const reader of [people.lister, people.author]) {
      const { messages: found, lastMessage, messageCount } = await read(reader, conversation);
      expect(found).toEqual([expect.objectContaining({ text: '', isHidden: true })]);
      expect(found[0]).not.toHaveProperty('photos');
      expect([lastMessage.excerpt, messageCount]).toEqual(['', 1]);
    }
    expect(await readReports(people.lister)).toMatchObject([
      { status: 'closed', outcome: 'hidden', hiddenPart: 'message' },
    ]);
    expect(JSON.stringify(await readReports(people.lister))).not.toContain('thieves');
    await reportMessage(people.lister).expect(404);

    await act(caseId(), { action: 'restore' }).expect(200);
    const restored = await read(people.lister, conversation);
    expect(restored).toMatchObject({
      messages: [{ text: 'You are thieves.' }],
      lastMessage: { excerpt: 'You are thieves.' },
    });
    expect(restored.messages[0]).not.toHaveProperty('isHidden');
    expect(await readReports(people.lister)).toMatchObject([{ status: 'closed', outcome: 'kept' }]);
    const log = await operate('log');
    for (const action of ['hide message', 'restore message']) expect(log.join('\n')).toContain(`${action} ${message}`);
  });

  it('does not change the excerpt of a newer message, and changes the ETag of the conversation', async () => {
    await reply(people.lister, conversation, { text: 'Please stop.' });
    await reportMessage(people.lister).expect(201);
    const get = (etag = '') =>
      api.get(`/requests/${conversation}`).set({ ...bearer(people.author), 'If-None-Match': etag });
    const { headers } = await get().expect(200);
    await get(headers.etag).expect(304);
    await act(caseId(), { action: 'hide' }).expect(200);
    await get(headers.etag).expect(200);
    expect(await list(people.author)).toMatchObject([{ lastMessage: { excerpt: 'Please stop.' } }]);
  });

  it('can be dismissed instead, which changes nothing', async () => {
    await reportMessage(people.lister).expect(201);
    await act(caseId(), { action: 'dismiss' }).expect(200);
    expect(await read(people.author, conversation)).toMatchObject({ messages: [{ text: 'You are thieves.' }] });
    expect(await readReports(people.lister)).toMatchObject([{ status: 'closed', outcome: 'kept' }]);
  });

  it('has no parts, and neither do reviews and services have the part message', async () => {
    await reportMessage(people.lister).expect(201);
    for (const part of ['picture', 'reply', 'review', 'service'])
      expect((await act(caseId(), { action: 'hide', part }).expect(400)).body.errors).toMatchObject([
        { path: 'body.part' },
      ]);
    const service = await addService(people.lister);
    await api.post(`/services/${service}/report`).set(bearer(people.reader)).send({ reason: 'spam' }).expect(201);
    await act(`service-${service}`, { action: 'hide', part: 'message' }).expect(400);
    await act(caseId(), { action: 'hide', part: 'message' }).expect(200);
  });

  it('is decided by a moderator who does not take part in the conversation', async () => {
    for (const [asking, asked, sender] of [
      [people.moderator, people.lister, 'customer'],
      [people.moderator, people.lister, 'lister'],
      [people.author, people.moderator, 'customer'],
      [people.author, people.moderator, 'lister'],
    ] as const) {
      const id = await begin(asking, await addService(asked));
      if (sender === 'lister') await reply(asked, id);
      const received = (await read(asked, id)).messages.at(-1)?._id ?? '';
      await reportMessage(sender === 'lister' ? asking : asked, received).expect(201);
      expect(await readCase(`message-${received}`)).toMatchObject({ isOwn: true });
      for (const action of ['hide', 'dismiss']) await act(`message-${received}`, { action }).expect(403);
    }
  });
});

it('after the sender has closed their account, the case shows no name, and after both have, the message is gone', async () => {
  const [sender, recipient] = [await signUp({ name: 'Sender' }), await signUp({ name: 'Recipient' })];
  const id = await begin(sender, await addService(recipient), { text: 'Words' });
  message = (await read(recipient, id)).messages[0]?._id ?? '';
  await reportMessage(recipient).expect(201);
  await act(caseId(), { action: 'hide' }).expect(200);
  const leave = async (leaving: TestCustomer) =>
    api
      .delete('/account')
      .set(bearer(await signIn(leaving)))
      .expect(200);
  await leave(sender);
  expect(JSON.stringify(await messages.find().toArray())).not.toContain(sender.uid);
  expect(await readCase(caseId())).toMatchObject({ message: { name: '', text: 'Words' }, hidden: { message: {} } });
  await act(caseId(), { action: 'restore' }).expect(200);
  await leave(recipient);
  expect(await readCase(caseId())).not.toHaveProperty('message');
  await act(caseId(), { action: 'hide' }).expect(404);
  await act(caseId(), { action: 'dismiss' }).expect(200);
});
