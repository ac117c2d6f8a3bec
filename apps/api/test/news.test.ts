import type { NewsEntry } from '@rtr/shared';
import { type Collection, type CommandStartedEvent, type Document, ObjectId } from 'mongodb';
import { assert, beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createConversationTest } from './support/conversations.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';
import { readAllPages } from './support/read-all-pages.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, apiClient, db, people, signUp, signIn, insert, act, operate } = app;
const conversationTest = createConversationTest(app);
const { begin, reply, read, markRead, close, addService } = conversationTest;
const collections = getCollections(db);
const { services, reviews, inboxes } = collections;
const day = 24 * 60 * 60_000;

let service: string;
beforeEach(async () => {
  const all = Object.values(collections) as unknown as Collection[];
  await Promise.all(all.map((collection) => collection.deleteMany({})));
  service = await addService(people.lister);
});

const readNews = async (reader: TestCustomer, query = ''): Promise<NewsEntry[]> =>
  (await api.get(`/news${query}`).set(bearer(reader)).expect(200)).body;
const countNews = async (reader: TestCustomer): Promise<number> =>
  (await api.get('/news/count').set(bearer(reader)).expect(200)).body.count;
const markSeen = (reader: TestCustomer, until: string) =>
  api.post('/news/seen').set(bearer(reader)).send({ until }).expect(204);
const addReview = (fields: object = {}, author = people.author) =>
  insert('/review', author, { serviceId: service, review: 'Good', rating: 4, ...fields });
const putReply = (id: string) =>
  api.put(`/review/${id}/reply`).set(bearer(people.lister)).send({ text: 'Thank you' }).expect(200);
const report = (path: string, by = people.reader, fields: object = {}) =>
  api
    .post(`${path}/report`)
    .set(bearer(by))
    .send({ reason: 'spam', ...fields })
    .expect(201);
const appeal = (path: string, by: TestCustomer) =>
  api.post(`${path}/appeal`).set(bearer(by)).send({ text: 'It is true.' }).expect(204);
/** Sets the useful votes of a review as if this many customers had voted before. */
const setVotes = (id: string, count: number) =>
  reviews.updateOne(
    { _id: new ObjectId(id) },
    { $set: { usefulBy: Array.from({ length: count }, (_, index) => `voter ${index}`), usefulCount: count } },
  );
const vote = (id: string, by = people.reader) => api.put(`/review/${id}/useful`).set(bearer(by)).expect(200);
const kindsOf = (entries: NewsEntry[]) => entries.map(({ kind, part }) => (part ? `${kind} ${part}` : kind));

describe('the news', () => {
  it('of a lister contain new reviews of their listed services by others', async () => {
    const id = await addReview();
    await insert('/review', people.lister, { serviceId: service, review: 'We are good' });
    await insert('/review', people.author, { serviceId: await addService(people.reader), review: 'Of another lister' });
    const { body: review } = await api.get(`/review/${id}`).expect(200);
    expect(await readNews(people.lister)).toEqual([
      {
        kind: 'review',
        at: review.createdAt,
        isNew: true,
        serviceId: service,
        title: 'Hood repair',
        reviewId: id,
        name: 'Omar',
        rating: 4,
      },
    ]);
    expect(await readNews(people.author)).toEqual([]);
    await api.delete(`/services/${service}`).set(bearer(people.lister)).expect(200);
    expect(await readNews(people.lister)).toEqual([]);
  });

  it('of a lister contain no review that is deleted or hidden, and contain it again after it is restored', async () => {
    const id = await addReview({ rating: undefined });
    await api.delete(`/review/${id}`).set(bearer(people.author)).expect(200);
    expect(await readNews(people.lister)).toEqual([]);
    await api.post(`/review/${id}/restore`).set(bearer(people.author)).expect(200);
    await operate('hide', 'review', id);
    expect(await readNews(people.lister)).toEqual([]);
    await operate('restore', 'review', id);
    const [entry] = await readNews(people.lister);
    expect(entry).toMatchObject({ kind: 'review', reviewId: id });
    expect(entry).not.toHaveProperty('rating');
  });

  it('of an author contain the reply to their review, until the reply is deleted or hidden', async () => {
    const id = await addReview();
    const { body } = await putReply(id);
    expect(await readNews(people.author)).toEqual([
      {
        kind: 'reply',
        at: body.createdAt,
        isNew: true,
        serviceId: service,
        title: 'Hood repair',
        reviewId: id,
        name: 'Mina Duct',
      },
    ]);
    await report(`/review/${id}`, people.reader, { about: 'reply' });
    await act(`review-${id}`, { action: 'hide', part: 'reply' }).expect(200);
    expect(await readNews(people.author)).toEqual([]);
    await act(`review-${id}`, { action: 'restore', part: 'reply' }).expect(200);
    expect(kindsOf(await readNews(people.author))).toEqual(['reply']);
    await api.delete(`/review/${id}/reply`).set(bearer(people.lister)).expect(200);
    expect(await readNews(people.author)).toEqual([]);
  });

  it.each([
    [0, 1],
    [4, 5],
    [9, 10],
    [19, 20],
    [99, 100],
  ])('of an author say that a review with %i useful votes has got another one', async (before, count) => {
    const id = await addReview();
    await setVotes(id, before);
    if (before > 0) {
      const milestone = before < 5 ? 1 : before < 10 ? 5 : before - (before % 10);
      const at = new Date(Date.now() - day);
      await reviews.updateMany({}, { $set: { usefulMilestone: { count: milestone, at } } });
    }
    const startedAt = Date.now();
    await vote(id);
    const [only, ...others] = await readNews(people.author);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ kind: 'useful', count, reviewId: id, serviceId: service, title: 'Hood repair' });
    expect(Date.parse(only?.at ?? '')).toBeGreaterThanOrEqual(startedAt);
    await vote(id, people.moderator);
    expect(await readNews(people.author)).toEqual([only]);
  });

  it('of an author do not repeat a milestone that is lost and reached again', async () => {
    const id = await addReview();
    await vote(id);
    const [first] = await readNews(people.author);
    await markSeen(people.author, first?.at ?? '');
    await api.delete(`/review/${id}/useful`).set(bearer(people.reader)).expect(200);
    expect(await readNews(people.author)).toEqual([]);
    await vote(id);
    expect(await readNews(people.author)).toEqual([{ ...first, isNew: false }]);
  });

  it('contain the decisions of moderators about one’s own content, until the content is restored', async () => {
    const photo = (width: number) =>
      drawPicture(width)
        .png()
        .toBuffer()
        .then((file) =>
          api
            .post('/pictures')
            .set({ ...bearer(people.author), 'Content-Type': 'image/png' })
            .send(file)
            .expect(201),
        );
    const review = await addReview();
    await putReply(review);
    const withPhoto = await addReview({ photos: [{ url: (await photo(51)).body.url }] });
    const pictured = await addService(people.lister, { title: 'Duct', img: 'https://pictures.example/duct.png' });
    const conversation = await begin(people.author, service, { text: 'Thieves' });
    const message = (await read(people.lister, conversation)).messages[0]?._id ?? '';

    await report(`/review/${review}`, people.reader, { about: 'reply' });
    await act(`review-${review}`, { action: 'hide', part: 'reply' }).expect(200);
    expect(await readNews(people.lister)).toMatchObject([
      { kind: 'decision', part: 'reply', outcome: 'hidden', reviewId: review },
      { kind: 'message' },
      { kind: 'review' },
      { kind: 'review' },
    ]);
    await report(`/review/${withPhoto}`, people.reader, { about: 'picture' });
    await act(`review-${withPhoto}`, { action: 'hide', part: 'picture' }).expect(200);
    await report(`/messages/${message}`, people.lister);
    await act(`message-${message}`, { action: 'hide' }).expect(200);
    await report(`/review/${review}`, people.moderator);
    await act(`review-${review}`, { action: 'hide' }).expect(200);
    expect(await readNews(people.author)).toMatchObject([
      { kind: 'decision', part: 'review', outcome: 'hidden', reviewId: review, title: 'Hood repair' },
      { kind: 'decision', part: 'message', outcome: 'hidden', requestId: conversation, serviceId: service },
      { kind: 'decision', part: 'picture', outcome: 'hidden', reviewId: withPhoto },
    ]);
    await report(`/services/${pictured}`, people.reader, { about: 'picture' });
    await act(`service-${pictured}`, { action: 'hide', part: 'picture' }).expect(200);
    await report(`/services/${service}`);
    await act(`service-${service}`, { action: 'hide' }).expect(200);
    expect(kindsOf(await readNews(people.lister))).toEqual(
      expect.arrayContaining(['decision service', 'decision picture', 'report message']),
    );
    await act(`service-${service}`, { action: 'restore' }).expect(200);
    await act(`review-${review}`, { action: 'restore' }).expect(200);
    await act(`message-${message}`, { action: 'restore' }).expect(200);
    expect(kindsOf(await readNews(people.lister))).not.toContain('decision service');
    expect(kindsOf(await readNews(people.author))).toEqual(['decision picture']);
  });

  it('contain the decisions about one’s own reports and requests for another look', async () => {
    const review = await addReview();
    await report(`/review/${review}`);
    expect(await readNews(people.reader)).toEqual([]);
    const { body } = await act(`review-${review}`, { action: 'hide', reason: 'Spam' }).expect(200);
    expect(await readNews(people.reader)).toEqual([
      {
        kind: 'report',
        at: body.history[0].at,
        isNew: true,
        serviceId: service,
        title: 'Hood repair',
        reviewId: review,
        part: 'review',
        outcome: 'hidden',
      },
    ]);
    await appeal(`/review/${review}`, people.author);
    await act(`review-${review}`, { action: 'restore' }).expect(200);
    expect(await readNews(people.author)).toMatchObject([{ kind: 'decision', part: 'review', outcome: 'kept' }]);
    await report(`/services/${service}`);
    await act(`service-${service}`, { action: 'dismiss' }).expect(200);
    expect(await readNews(people.reader)).toMatchObject([
      { kind: 'report', part: 'service', outcome: 'kept' },
      { kind: 'report', part: 'review', outcome: 'hidden' },
    ]);
    expect((await readNews(people.reader))[0]).not.toHaveProperty('reviewId');
  });

  it('contain an unread conversation, until it is read', async () => {
    const id = await begin(people.author, service);
    const { lastMessage } = await read(people.lister, id);
    expect(await readNews(people.lister)).toEqual([
      {
        kind: 'message',
        at: lastMessage.createdAt,
        isNew: true,
        serviceId: service,
        title: 'Hood repair',
        requestId: id,
        name: 'Omar',
      },
    ]);
    await markRead(people.lister, id, lastMessage.createdAt).expect(204);
    expect(await readNews(people.lister)).toEqual([]);
    await reply(people.lister, id);
    await close(people.lister, id).expect(204);
    expect(await readNews(people.author)).toMatchObject([{ kind: 'message', requestId: id, name: 'Mina Duct' }]);
  });

  it('go back 90 days', async () => {
    const id = await addReview();
    await putReply(id);
    await vote(id);
    const setAge = async (days: number) => {
      const at = new Date(Date.now() - days * day);
      await reviews.updateMany({}, { $set: { createdAt: at, 'reply.createdAt': at, 'usefulMilestone.at': at } });
    };
    await setAge(89);
    expect([(await readNews(people.lister)).length, (await readNews(people.author)).length]).toEqual([1, 2]);
    expect([await countNews(people.lister), await countNews(people.author)]).toEqual([1, 2]);
    await setAge(91);
    expect([await readNews(people.lister), await readNews(people.author)]).toEqual([[], []]);
    expect([await countNews(people.lister), await countNews(people.author)]).toEqual([0, 0]);
  });

  it('need a token, and no cache may store them', async () => {
    await api.get('/news').expect(401);
    await api.get('/news/count').expect(401);
    await api.post('/news/seen').send({ until: new Date().toISOString() }).expect(401);
    for (const path of ['/news', '/news/count']) {
      const { headers } = await api.get(path).set(bearer(people.author)).expect(200);
      expect(headers['cache-control']).toBe('private, no-store');
    }
  });

  it.each(['limit=0', 'after=x', `after=${Buffer.from('["x"]').toString('base64url')}`, 'kind=review'])(
    'reject the parameter %s with 400',
    async (query) => {
      await api.get(`/news?${query}`).set(bearer(people.author)).expect(400);
    },
  );
});

describe('pages of the news', () => {
  const clientOf = (reader: TestCustomer) => ({ ...api, get: (path: string) => api.get(path).set(bearer(reader)) });

  /** Adds entries of several kinds, of which many have the same time. */
  async function addEntries(count: number): Promise<void> {
    const own = await addService(people.author, { title: 'Own' });
    const template = (await reviews.findOne({ _id: new ObjectId(await addReview()) })) ?? assert.fail();
    await reviews.deleteMany({});
    const at = (index: number) => new Date(Date.now() - day - Math.floor(index / 5) * 1000);
    const reply = { uid: people.lister.uid, text: 'x', name: 'Mina', createdAt: at(0), updatedAt: at(0) };
    const rows = Array.from({ length: count }, (_, index) => ({
      ...template,
      _id: new ObjectId(),
      createdAt: at(index),
      reply: { ...reply, createdAt: at(index) },
      usefulCount: 1,
      usefulMilestone: { count: 1, at: at(index) },
    }));
    const received = rows.map((row) => ({
      ...row,
      _id: new ObjectId(),
      serviceId: new ObjectId(own),
      uid: 'someone',
    }));
    await reviews.insertMany([...rows, ...received]);
    await services.updateMany({}, { $set: { reviewCount: count } });
  }

  it('contain every entry once, newest first, even if many have the same time', async () => {
    await addEntries(12);
    const all = await readNews(people.author, '?limit=100');
    expect(all.length).toBe(3 * 12);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    for (const limit of [1, 4, 7]) {
      const pages = await readAllPages<NewsEntry>(clientOf(people.author), `/news?limit=${limit}`);
      expect(pages.flat()).toEqual(all);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  it('contain every old entry once, even if new ones appear in between', async () => {
    await addEntries(4);
    const all = await readNews(people.author, '?limit=100');
    const pages = await readAllPages<NewsEntry>(clientOf(people.author), '/news?limit=5', async () => {
      await addReview({ serviceId: (await services.findOne({ title: 'Own' }))?._id.toHexString() }, people.reader);
    });
    expect(pages.flat()).toEqual(all);
  });

  it('belong to one customer: the cursor of another one is rejected', async () => {
    await addEntries(4);
    const { headers } = await api.get('/news?limit=2').set(bearer(people.author)).expect(200);
    const next = /^<([^>]*)>/.exec(headers.link ?? '')?.[1] ?? assert.fail();
    await api.get(`/news${next}`).set(bearer(people.author)).expect(200);
    await api.get(`/news${next}`).set(bearer(people.lister)).expect(400);
  });

  it('and the count examine few rows beyond the page, however much content there is', async () => {
    await addEntries(1000);
    const hidden = { at: new Date(), reason: 'x' };
    await reviews.updateMany({ uid: 'someone' }, { $set: { 'reply.hidden': hidden, removedPhotos: hidden } });
    const started: CommandStartedEvent[] = [];
    apiClient.on('commandStarted', (event) => ['find', 'aggregate'].includes(event.commandName) && started.push(event));
    for (const reader of [people.author, people.lister]) {
      const { headers } = await api.get('/news?limit=10').set(bearer(reader)).expect(200);
      const next = /^<([^>]*)>/.exec(headers.link ?? '')?.[1];
      if (next) await api.get(`/news${next}`).set(bearer(reader)).expect(200);
      await api.get('/news/count').set(bearer(reader)).expect(200);
    }
    apiClient.removeAllListeners('commandStarted');
    expect(started.length).toBeGreaterThan(50);
    for (const { commandName, command } of started) {
      const { lsid: _, $db: __, ...query } = command;
      const plan: Document = await db.command({ explain: query, verbosity: 'executionStats' });
      const { executionStats, queryPlanner } = plan.stages?.[0]?.$cursor ?? plan;
      const text = `${command[commandName]} ${JSON.stringify(command.filter ?? command.pipeline)}`;
      expect(JSON.stringify(queryPlanner.winningPlan), text).not.toMatch(/"(COLLSCAN|SORT)"/);
      // A page needs 11 rows of each source, and the count up to 99.
      expect(executionStats.totalDocsExamined, text).toBeLessThanOrEqual(commandName === 'find' ? 2 * 11 + 2 : 99);
    }
  });
});

describe('GET /news/count', () => {
  it('counts the entries that are newer than the last seen one', async () => {
    expect(await countNews(people.lister)).toBe(0);
    for (const review of ['One', 'Two', 'Three']) await addReview({ review });
    expect(await countNews(people.lister)).toBe(3);
    const [newest, middle] = await readNews(people.lister);
    await markSeen(people.lister, middle?.at ?? '');
    expect(await countNews(people.lister)).toBe(1);
    expect((await readNews(people.lister)).map(({ isNew }) => isNew)).toEqual([true, false, false]);
    await markSeen(people.lister, newest?.at ?? '');
    await markSeen(people.lister, middle?.at ?? '');
    expect(await countNews(people.lister)).toBe(0);
    await addReview();
    expect(await countNews(people.lister)).toBe(1);
  });

  it('counts an entry that comes after the customer has marked the future as seen', async () => {
    await markSeen(people.lister, '2999-01-01T00:00:00.000Z');
    await addReview();
    expect(await countNews(people.lister)).toBe(1);
  });

  it('counts up to 99', async () => {
    const template = (await reviews.findOne({ _id: new ObjectId(await addReview()) })) ?? assert.fail();
    await reviews.insertMany(Array.from({ length: 150 }, () => ({ ...template, _id: new ObjectId() })));
    expect(await countNews(people.lister)).toBe(99);
  });

  it('returns 304 until the count changes', async () => {
    const get = (etag = '') => api.get('/news/count').set({ ...bearer(people.lister), 'If-None-Match': etag });
    const { headers } = await get().expect(200);
    await get(headers.etag).expect(304, '');
    await addReview();
    await get(headers.etag).expect(200, { count: 1 });
  });
});

describe('POST /news/seen', () => {
  it.each([{}, { until: 'now' }, { until: 1 }, { until: '2026-01-01T00:00:00Z', uid: 'x' }])(
    'rejects the body %j with 400',
    async (body) => {
      await api.post('/news/seen').set(bearer(people.author)).send(body).expect(400);
      expect(await inboxes.countDocuments()).toBe(0);
    },
  );

  it('stores only a time, which is erased with the account', async () => {
    const leaving = await signUp();
    await markSeen(leaving, '2026-01-01T00:00:00Z');
    expect(await inboxes.find().toArray()).toEqual([{ _id: leaving.uid, seenAt: new Date('2026-01-01T00:00:00Z') }]);
    await api
      .delete('/account')
      .set(bearer(await signIn(leaving)))
      .expect(200);
    expect(await inboxes.countDocuments()).toBe(0);
  });
});
