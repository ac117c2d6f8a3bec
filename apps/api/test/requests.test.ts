import { randomUUID } from 'node:crypto';
import { limits } from '@rtr/shared';
import { type CommandStartedEvent, ObjectId } from 'mongodb';
import { afterEach, assert, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { beforeNext } from './support/before-next.ts';
import { createConversationTest } from './support/conversations.ts';
import { createModerationTest } from './support/moderation.ts';
import { readAllPages } from './support/read-all-pages.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, apiClient, db, operate, people, signUp, signIn } = app;
const { ask, send, begin, reply, list, read, close, markRead, addService } = createConversationTest(app);
const collections = getCollections(db);
const { conversations, messages, services } = collections;
const { sweep } = app.stores.conversations;
const later = () => new Date(Date.now() + 61_000);
const unknownId = '0'.repeat(24);

let lister: TestCustomer;
let customer: TestCustomer;
let stranger: TestCustomer;
let service: string;

beforeAll(async () => {
  lister = await signUp({ name: 'Mina Duct', picture: 'https://pictures.example/mina.png' });
  customer = await signUp({ name: 'Omar', picture: 'https://pictures.example/omar.png' });
  stranger = await signUp({ name: 'Rosa' });
});
beforeEach(async () => {
  await Promise.all([conversations.deleteMany({}), messages.deleteMany({}), services.deleteMany({})]);
  service = await addService(lister);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a conversation', () => {
  it('begins with the message of a customer, and both participants read it with the name and picture of the other', async () => {
    const { body, headers } = await ask(customer, service, { text: ' How <b>much</b>? ' }).expect(201);
    const id: string = body.insertedId;
    expect(new URL(headers.location ?? '', `http://api.example/services/${service}/requests`).pathname).toBe(
      `/requests/${id}`,
    );
    const message = { text: ' How <b>much</b>? ', createdAt: expect.any(String), _id: expect.any(String) };
    const shared = { _id: id, serviceId: service, serviceTitle: 'Hood repair', status: 'open', messageCount: 1 };
    expect(await read(customer, id)).toEqual({
      ...shared,
      role: 'customer',
      other: { name: 'Mina Duct', picture: 'https://pictures.example/mina.png' },
      isUnread: false,
      lastMessage: { isOwn: true, excerpt: ' How <b>much</b>? ', createdAt: expect.any(String) },
      createdAt: expect.any(String),
      messages: [{ ...message, isOwn: true }],
    });
    expect(await read(lister, id)).toMatchObject({
      ...shared,
      role: 'lister',
      other: { name: 'Omar', picture: 'https://pictures.example/omar.png' },
      isUnread: true,
      lastMessage: { isOwn: false },
      messages: [{ ...message, isOwn: false }],
    });
  });

  it('contains the messages of both participants in their order', async () => {
    const id = await begin(customer, service, { text: 'One' });
    await reply(lister, id, { text: 'Two' });
    await reply(customer, id, { text: 'Three' });
    const { messages: found, messageCount, lastMessage } = await read(lister, id);
    expect(found.map(({ text, isOwn }) => [text, isOwn])).toEqual([
      ['One', false],
      ['Two', true],
      ['Three', false],
    ]);
    expect([messageCount, lastMessage.excerpt]).toEqual([3, 'Three']);
    expect(lastMessage.createdAt).toBe(found.at(-1)?.createdAt);
  });

  it('reveals no uid and no email address', async () => {
    const id = await begin(customer, service);
    const texts = await Promise.all(
      [lister, customer].flatMap((reader) =>
        [read(reader, id), list(reader)].map(async (body) => JSON.stringify(await body)),
      ),
    );
    for (const text of texts)
      for (const { uid, email } of [lister, customer]) {
        expect(text).not.toContain(uid);
        expect(text).not.toContain(email);
      }
  });

  it('keeps the title of the service and goes on after the lister has withdrawn it, or a moderator has hidden it', async () => {
    const id = await begin(customer, service);
    await api.patch(`/services/${service}`).set(bearer(lister)).send({ title: 'Hood cleaning' }).expect(200);
    await api.delete(`/services/${service}`).set(bearer(lister)).expect(200);
    await reply(lister, id);
    await operate('hide', 'service', service);
    await reply(customer, id);
    expect(await read(customer, id)).toMatchObject({ serviceTitle: 'Hood repair', messageCount: 3 });
  });

  it('cannot begin about one’s own service, a hidden, withdrawn or unknown service, or one whose lister has left', async () => {
    await ask(lister, service).expect(403);
    for (const id of [unknownId, 'x']) await ask(customer, id).expect(404);
    await api.delete(`/services/${service}`).set(bearer(lister)).expect(200);
    await ask(customer, service).expect(404);
    const hidden = await addService(lister);
    await operate('hide', 'service', hidden);
    await ask(customer, hidden).expect(404);
    const orphaned = await addService(lister);
    await services.updateOne({ _id: new ObjectId(orphaned) }, { $set: { createdBy: null, listerId: null } });
    await ask(customer, orphaned).expect(403);
    expect([await conversations.countDocuments(), await messages.countDocuments()]).toEqual([0, 0]);
  });

  it('is the only open one of a customer about a service, until one of the two closes it', async () => {
    for (const closer of [customer, lister]) {
      const id = await begin(customer, service);
      const { body } = await ask(customer, service, { text: 'Another question' }).expect(409);
      expect(body.detail).toContain('already have an open request');
      await ask(customer, await addService(lister)).expect(201);
      await begin(stranger, service).then((other) => close(stranger, other).expect(204));
      await close(closer, id).expect(204);
      await close(closer, id).expect(204);
      expect(await read(customer, id)).toMatchObject({ status: 'closed' });
      for (const sender of [customer, lister]) {
        const rejected = await send(sender, id).expect(409);
        expect(rejected.body.detail).toContain('is closed');
      }
    }
    expect(await list(customer, `?serviceId=${service}`)).toMatchObject([{ status: 'closed' }, { status: 'closed' }]);
  });

  it('is begun only once by concurrent requests, and no message of the rejected requests remains', async () => {
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, index) => ask(customer, service, { text: `${index}` })),
    );
    const statuses = sent.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, ...Array<number>(7).fill(409)]);
    const [only, ...others] = await list(customer);
    expect(others).toEqual([]);
    expect(await messages.countDocuments()).toBe(1);
    expect((await read(customer, only?._id ?? '')).messages).toHaveLength(1);
  });

  it('is not begun by a request that another one overtakes after it has found no open conversation', async () => {
    beforeNext('insertOne', () => begin(customer, service, { text: 'First' }));
    const { body } = await ask(customer, service, { text: 'Second' }).expect(409);
    expect(body.detail).toContain('already have an open request');
    expect(await list(customer)).toMatchObject([{ messageCount: 1, lastMessage: { excerpt: 'First' } }]);
    expect(await messages.countDocuments()).toBe(1);
  });

  it('is begun once by a request and its repetition that overtakes it', async () => {
    const key = randomUUID();
    let first = '';
    beforeNext('insertOne', async () => {
      first = (await ask(customer, service, { text: 'Once' }, key).expect(201)).body.insertedId;
    });
    const { body } = await ask(customer, service, { text: 'Once' }, key).expect(201);
    expect(body.insertedId).toBe(first);
    expect(await read(customer, first)).toMatchObject({ messageCount: 1, messages: [{ text: 'Once' }] });
  });

  it('counts all messages of concurrent requests', async () => {
    const id = await begin(customer, service);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(index % 2 ? customer : lister, id, { text: `${index}` }).expect(201),
      ),
    );
    const { messages: found, messageCount, lastMessage } = await read(customer, id);
    expect([found.length, messageCount]).toEqual([11, 11]);
    expect(lastMessage.createdAt).toBe(found.at(-1)?.createdAt);
    expect(await list(lister, '?unread=1')).toHaveLength(1);
    expect(await list(customer, '?unread=1')).toHaveLength(1);
  });

  it.each([
    [{}, 'body.text'],
    [{ text: ' \n' }, 'body.text'],
    [{ text: 'x'.repeat(limits.messageLength + 1) }, 'body.text'],
    [{ text: { $gt: '' } }, 'body.text'],
    [{ text: 'x', photos: [{ id: 'x' }] }, 'body.photos.0.id'],
    [{ text: 'x', photos: [{ id: unknownId }, { id: unknownId }] }, 'body.photos'],
    [{ text: 'x', photos: [{ id: unknownId }] }, 'body.photos.0.id'],
    [{ text: 'x', uid: 'y' }, 'body'],
  ])('rejects the message %.60j with 400', async (body, path) => {
    const id = await begin(customer, service);
    const other = await addService(lister);
    for (const rejected of [await send(lister, id, body).expect(400), await ask(customer, other, body).expect(400)])
      expect(rejected.body.errors).toMatchObject([{ path }]);
    expect(await messages.countDocuments()).toBe(1);
  });

  it('cannot be read or changed by a stranger or a moderator', async () => {
    const id = await begin(customer, service);
    const { moderator } = people;
    const attempts = (headers: Record<string, string>) => [
      api.get(`/requests/${id}`).set(headers),
      api.get(`/requests/${id}`).set({ ...headers, 'If-None-Match': '*' }),
      api.post(`/requests/${id}/messages`).set(headers).send({ text: 'x' }),
      api.post(`/requests/${id}/close`).set(headers),
      api.post(`/requests/${id}/read`).set(headers).send({ until: new Date().toISOString() }),
    ];
    for (const attempt of [...attempts(bearer(stranger)), ...attempts(bearer(moderator))]) {
      const { body } = await attempt.expect(404);
      expect(body.detail).toBe('You have no request with this id.');
    }
    for (const reader of [stranger, moderator]) expect(await list(reader)).toEqual([]);
    expect(await read(lister, id)).toMatchObject({ status: 'open', isUnread: true, messageCount: 1 });
    await api.get(`/requests/${unknownId}`).set(bearer(customer)).expect(404);
    await api.get('/requests/x').set(bearer(customer)).expect(404);
  });
});

describe('a repeated request with the same Idempotency-Key', () => {
  it('returns the first conversation, even if the service was withdrawn or the conversation was closed', async () => {
    const key = randomUUID();
    const { body: first } = await ask(customer, service, { text: 'Once' }, key).expect(201);
    const parallel = await Promise.all([1, 2, 3].map(() => ask(customer, service, { text: 'Once' }, key).expect(201)));
    await close(lister, first.insertedId).expect(204);
    await api.delete(`/services/${service}`).set(bearer(lister)).expect(200);
    const { body: last } = await ask(customer, service, { text: 'Once' }, key).expect(201);
    for (const { insertedId } of [...parallel.map(({ body }) => body), last]) expect(insertedId).toBe(first.insertedId);
    expect(await messages.countDocuments()).toBe(1);
  });

  it('begins only one conversation, even if all requests are sent at the same time', async () => {
    const key = randomUUID();
    await Promise.all(Array.from({ length: 6 }, () => ask(customer, service, { text: 'Once' }, key).expect(201)));
    const [only, ...others] = await list(customer);
    expect(others).toEqual([]);
    expect(await read(customer, only?._id ?? '')).toMatchObject({ messages: [{ text: 'Once' }], messageCount: 1 });
  });

  it('returns the first message, even if the conversation was closed in the meantime', async () => {
    const id = await begin(customer, service);
    const key = randomUUID();
    const sent = await Promise.all([1, 2, 3].map(() => send(lister, id, { text: 'Once' }, key).expect(201)));
    await close(customer, id).expect(204);
    sent.push(await send(lister, id, { text: 'Once' }, key).expect(201));
    expect(new Set(sent.map(({ body }) => body.insertedId)).size).toBe(1);
    expect(await read(customer, id)).toMatchObject({ messageCount: 2, messages: [{}, { text: 'Once' }] });
  });

  it('is rejected with 422 and the address of the conversation if its content differs', async () => {
    const key = randomUUID();
    const { insertedId: id } = (await ask(customer, service, { text: 'One' }, key).expect(201)).body;
    const asked = await ask(customer, service, { text: 'Two' }, key).expect(422);
    await send(lister, id, { text: 'One' }, key).expect(201);
    const sent = await send(lister, id, { text: 'Two' }, key).expect(422);
    for (const [{ headers }, path] of [
      [asked, `/services/${service}/requests`],
      [sent, `/requests/${id}/messages`],
    ] as const)
      expect(new URL(headers.location ?? '', `http://api.example${path}`).pathname).toBe(`/requests/${id}`);
    expect(await read(customer, id)).toMatchObject({ messages: [{ text: 'One' }, { text: 'One' }] });
  });

  it('does not mix up a message with a review that was added with the same key', async () => {
    const key = randomUUID();
    const sender = { ...bearer(customer), 'Idempotency-Key': key };
    const { body } = await api.post('/review').set(sender).send({ serviceId: service, review: 'Good' }).expect(201);
    const { insertedId } = (await ask(customer, service, { text: 'How much?' }, key).expect(201)).body;
    expect(insertedId).not.toBe(body.insertedId);
  });
});

describe('the mark of an unread conversation', () => {
  it('appears with a message of the other participant, and disappears for the reader who has read it', async () => {
    const id = await begin(customer, service);
    const { messages: first } = await read(lister, id);
    await markRead(lister, id, first[0]?.createdAt ?? '').expect(204);
    expect(await read(lister, id)).toMatchObject({ isUnread: false });
    await reply(lister, id);
    expect([(await read(lister, id)).isUnread, (await read(customer, id)).isUnread]).toEqual([false, true]);
    await reply(customer, id);
    expect([(await read(lister, id)).isUnread, (await read(customer, id)).isUnread]).toEqual([true, true]);
  });

  it('stays if a message has arrived after the newest message that the reader has seen', async () => {
    const id = await begin(customer, service);
    const { lastMessage } = await read(lister, id);
    await reply(customer, id, { text: 'Please' });
    await markRead(lister, id, lastMessage.createdAt).expect(204);
    expect(await list(lister, '?unread=1')).toMatchObject([{ _id: id }]);
  });

  it('appears with the next message, even if the reader has marked messages of the future as read', async () => {
    const id = await begin(customer, service);
    await markRead(lister, id, '2999-01-01T00:00:00.000Z').expect(204);
    expect(await list(lister, '?unread=1')).toEqual([]);
    await reply(customer, id);
    expect(await list(lister, '?unread=1')).toMatchObject([{ _id: id }]);
  });

  it('appears even if the clock of another API instance is ahead', async () => {
    const id = await begin(customer, service);
    const ahead = new Date(Date.now() + 5000);
    await messages.updateMany({}, { $set: { createdAt: ahead } });
    await conversations.updateMany({}, { $set: { lastActivityAt: ahead, 'customer.sentAt': ahead } });
    await markRead(lister, id, ahead.toISOString()).expect(204);
    await reply(customer, id, { text: 'Please' });
    const { isUnread, messages: found } = await read(lister, id);
    expect([isUnread, found.at(-1)?.text]).toEqual([true, 'Please']);
  });

  it.each([{}, { until: 'now' }, { until: 1 }, { until: '2026-01-01T00:00:00Z', at: 1 }])(
    'is not changed by the invalid body %j',
    async (body) => {
      const id = await begin(customer, service);
      await api.post(`/requests/${id}/read`).set(bearer(lister)).send(body).expect(400);
      expect(await read(lister, id)).toMatchObject({ isUnread: true });
    },
  );
});

describe('the list of conversations', () => {
  const clientOf = (reader: TestCustomer) => ({ ...api, get: (path: string) => api.get(path).set(bearer(reader)) });
  async function beginMany(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(await begin(customer, await addService(lister, { title: `Service ${index}` })));
    return ids;
  }

  it('contains the conversations of both roles, newest activity first', async () => {
    const [first = '', second = ''] = await beginMany(2);
    const own = await addService(customer, { title: 'Own' });
    const third = await begin(stranger, own);
    await reply(lister, first);
    expect((await list(customer)).map(({ _id, role }) => [_id, role])).toEqual([
      [first, 'customer'],
      [third, 'lister'],
      [second, 'customer'],
    ]);
    expect((await list(lister)).map(({ _id }) => _id)).toEqual([first, second]);
    expect((await list(stranger)).map(({ _id }) => _id)).toEqual([third]);
  });

  it('is returned in pages, and contains every conversation that did not change, even if others move to the front', async () => {
    const ids = await beginMany(7);
    let moved = ids[0] ?? '';
    const pages = await readAllPages<{ _id: string }>(clientOf(lister), '/requests?limit=2', async () => {
      await reply(customer, moved);
      moved = ids[1] ?? '';
    });
    const found = pages.flat().map(({ _id }) => _id);
    expect(found).toEqual(ids.slice(2).toReversed());
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  });

  it('contains only unread conversations with unread=1, and only those about a service with serviceId', async () => {
    const [first = '', second = '', third = ''] = await beginMany(3);
    await reply(lister, second);
    await reply(lister, third);
    expect((await list(customer, '?unread=1')).map(({ _id }) => _id)).toEqual([third, second]);
    const { serviceId } = await read(customer, second);
    expect((await list(customer, `?serviceId=${serviceId}`)).map(({ _id }) => _id)).toEqual([second]);
    expect((await list(customer, `?unread=1&serviceId=${serviceId}`)).map(({ _id }) => _id)).toEqual([second]);
    const { serviceId: readServiceId } = await read(customer, first);
    expect(await list(customer, `?unread=1&serviceId=${readServiceId}`)).toEqual([]);
    const { body, headers } = await api.get('/requests?limit=2&unread=1').set(bearer(lister)).expect(200);
    expect([body.length, headers['x-total-count']]).toEqual([2, '3']);
  });

  it.each(['unread=0', 'unread=true', 'serviceId=x', 'limit=0', 'after=x', 'uid=x', 'serviceId[$ne]='])(
    'rejects the parameter %s with 400',
    async (query) => {
      await api.get(`/requests?${query}`).set(bearer(customer)).expect(400);
    },
  );

  it('examines no more rows than a page has, however many conversations there are', async () => {
    const id = await begin(customer, service);
    const template = (await conversations.findOne({ _id: new ObjectId(id) })) ?? assert.fail();
    await conversations.insertMany(
      Array.from({ length: 3000 }, (_, index) => ({
        ...template,
        _id: new ObjectId(),
        customer: { ...template.customer, uid: `customer ${index}` },
        participants: [lister.uid, `customer ${index}`],
        lastActivityAt: new Date(Date.now() - index * 1000),
      })),
    );
    const started: CommandStartedEvent[] = [];
    apiClient.on('commandStarted', (event) => event.commandName === 'find' && started.push(event));
    for (const query of ['', '&unread=1', `&serviceId=${service}`, `&unread=1&serviceId=${service}`]) {
      const { headers } = await api.get(`/requests?limit=20${query}`).set(bearer(lister)).expect(200);
      const next = /^<([^>]*)>/.exec(headers.link ?? '')?.[1] ?? assert.fail();
      await api.get(`/requests${next}`).set(bearer(lister)).expect(200);
    }
    apiClient.removeAllListeners('commandStarted');
    expect(started.length).toBe(8);
    for (const { command } of started) {
      const { lsid: _, $db: __, ...query } = command;
      const { executionStats } = await db.command({ explain: query, verbosity: 'executionStats' });
      expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(2 * 21 + 2);
    }
  });
});

describe('GET /requests/{id}', () => {
  const get = (reader: TestCustomer, id: string, etag = '') =>
    api.get(`/requests/${id}`).set({ ...bearer(reader), ...(etag && { 'If-None-Match': etag }) });

  it('returns 304 without reading the messages, until something changes that the participant reads', async () => {
    const id = await begin(customer, service);
    let etag = '';
    const expectChange = async () => {
      const { headers } = await get(customer, id, etag).expect(200);
      expect(headers.etag).not.toBe(etag);
      expect(headers['cache-control']).toBe('private, no-store');
      etag = headers.etag ?? assert.fail();
      const collectionNames: unknown[] = [];
      apiClient.on('commandStarted', ({ command, commandName }) => collectionNames.push(command[commandName]));
      // Together with If-None-Match, the function `fetch` of browsers sends the header `Cache-Control: no-cache`, and so does
      // the client of this test.
      await get(customer, id, etag).expect(304, '');
      apiClient.removeAllListeners('commandStarted');
      expect(new Set(collectionNames).has('messages')).toBe(false);
    };
    await expectChange();
    await reply(lister, id);
    await expectChange();
    await markRead(customer, id, (await read(customer, id)).lastMessage.createdAt).expect(204);
    await expectChange();
    await close(lister, id).expect(204);
    await expectChange();
    await get(lister, id, etag).expect(200);
  });
});

describe('a closed account', () => {
  const leave = async (leaving: TestCustomer) =>
    api
      .delete('/account')
      .set(bearer(await signIn(leaving)))
      .expect(200);

  it('is shown without name and picture, and the other participant keeps the closed conversation with its messages', async () => {
    for (const role of ['customer', 'lister'] as const) {
      const leaving = await signUp({ name: 'Leaving', picture: 'https://pictures.example/leaving.png' });
      const staying = await signUp({ name: 'Staying' });
      const [asking, asked] = role === 'customer' ? [leaving, staying] : [staying, leaving];
      const id = await begin(asking, await addService(asked));
      await reply(asked, id);
      await leave(leaving);
      expect(await read(staying, id)).toMatchObject({
        other: { name: '', picture: '', isClosed: true },
        status: 'closed',
        messageCount: 2,
        messages: [{ text: 'How much?' }, { text: 'From $100' }],
      });
      expect(await list(staying)).toMatchObject([{ _id: id, isUnread: true }]);
      await send(staying, id).expect(409);
      await api.get(`/requests/${id}`).set(bearer(leaving)).expect(401);
      const stored = JSON.stringify([await conversations.find().toArray(), await messages.find().toArray()]);
      expect(stored).not.toContain(leaving.uid);
      expect(stored).not.toContain('Leaving');
    }
  });

  it('takes no new conversation about its services', async () => {
    const leaving = await signUp();
    const id = await addService(leaving);
    await leave(leaving);
    const { body } = await ask(customer, id).expect(403);
    expect(body.detail).toContain('closed their account');
  });

  it('does not prevent the other one from having a new conversation with another lister', async () => {
    const leaving = await signUp();
    await begin(leaving, service);
    await leave(leaving);
    await begin(customer, service);
    expect(await list(lister)).toMatchObject([{ status: 'open' }, { status: 'closed' }]);
  });

  it('takes the conversation and its messages with it if the other account is closed, too', async () => {
    const [one, other] = [await signUp(), await signUp()];
    await begin(one, await addService(other));
    await begin(customer, service);
    await leave(one);
    expect(await conversations.countDocuments()).toBe(2);
    await leave(other);
    expect([await conversations.countDocuments(), await messages.countDocuments()]).toEqual([1, 1]);
  });

  it('leaves all of its conversations, even if there are very many', async () => {
    const leaving = await signUp();
    const id = await begin(customer, await addService(leaving));
    const template = (await conversations.findOne({ _id: new ObjectId(id) })) ?? assert.fail();
    const rows = Array.from({ length: 250 }, () => ({ ...template, _id: new ObjectId(), serviceId: new ObjectId() }));
    await conversations.insertMany(rows);
    await leave(leaving);
    expect(await conversations.countDocuments({ 'lister.uid': leaving.uid })).toBe(0);
    expect(await conversations.countDocuments({ participants: [customer.uid], status: 'closed' })).toBe(251);
  });
});

describe('the sweep', () => {
  it('deletes the first message of a conversation that was not inserted, but not while the request may still run', async () => {
    const id = await begin(customer, service);
    await conversations.deleteMany({});
    await messages.updateMany({}, { $set: { isPending: true } });
    await sweep();
    expect(await messages.countDocuments()).toBe(1);
    await sweep(later());
    expect(await messages.countDocuments()).toBe(0);
    await api.get(`/requests/${id}`).set(bearer(customer)).expect(404);
  });

  it('adds a message to its conversation if the request was interrupted', async () => {
    const id = await begin(customer, service);
    const before = await conversations.findOne({});
    await reply(lister, id, { text: 'From $100' });
    await conversations.replaceOne({}, { ...before, _id: new ObjectId(id) } as never);
    await messages.updateOne({ text: 'From $100' }, { $set: { isPending: true } });
    expect(await list(customer, '?unread=1')).toEqual([]);
    await sweep(later());
    expect(await list(customer, '?unread=1')).toMatchObject([
      { _id: id, messageCount: 2, lastMessage: { excerpt: 'From $100' } },
    ]);
    await markRead(customer, id, (await read(customer, id)).lastMessage.createdAt);
    await sweep(later());
    expect(await list(customer, '?unread=1')).toEqual([]);
  });

  it('is not needed if the customer repeats a request that was interrupted before it stored the conversation', async () => {
    const key = randomUUID();
    const { insertedId: id } = (await ask(customer, service, { text: 'Once' }, key).expect(201)).body;
    await conversations.deleteMany({});
    await messages.updateMany({}, { $set: { isPending: true, createdAt: new Date(Date.now() - 5000) } });
    await ask(customer, service, { text: 'Once' }, key).expect(201);
    const { lastMessage, messages: found } = await read(lister, id);
    expect(found.map(({ text, createdAt }) => [text, createdAt])).toEqual([['Once', lastMessage.createdAt]]);
    await markRead(lister, id, found[0]?.createdAt ?? '').expect(204);
    expect(await read(lister, id)).toMatchObject({ isUnread: false });
    await sweep(later());
    expect(await messages.countDocuments()).toBe(1);
  });

  it('is not needed if the customer repeats a request that was interrupted after it stored the message', async () => {
    const id = await begin(customer, service);
    const before = await conversations.findOne({});
    const key = randomUUID();
    await send(lister, id, { text: 'From $100' }, key).expect(201);
    await conversations.replaceOne({}, { ...before, _id: new ObjectId(id) } as never);
    await messages.updateOne({ text: 'From $100' }, { $set: { isPending: true } });
    await send(lister, id, { text: 'From $100' }, key).expect(201);
    expect(await list(customer, '?unread=1')).toMatchObject([{ _id: id, messageCount: 2 }]);
  });
});
