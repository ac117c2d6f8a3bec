import type { OwnReply, OwnService, Reply, Review } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { beforeNext } from './support/before-next.ts';
import { minutesAgo } from './support/minutes-ago.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, apiClient, db, config, identity, operate, signUp } = await createTestApp();
const { reviews, services } = getCollections(db);

let lister: TestCustomer;
let author: TestCustomer;
let serviceId: string;
let reviewId: string;
beforeAll(async () => {
  [lister, author] = [await signUp({ name: 'Mina Duct' }), await signUp({ name: 'Omar' })];
});
beforeEach(async () => {
  await Promise.all([services.deleteMany(), reviews.deleteMany()]);
  serviceId = await addService('Hood repair');
  reviewId = await write('Came on time');
});

const unknownId = '0'.repeat(24);

async function addService(title: string, customer = lister): Promise<string> {
  return (await api.post('/services').set(bearer(customer)).send({ title }).expect(201)).body.insertedId;
}
async function write(review: string, { of = serviceId, by = author, ...input }: WriteOptions = {}): Promise<string> {
  const body = { serviceId: of, review, ...input };
  return (await api.post('/review').set(bearer(by)).send(body).expect(201)).body.insertedId;
}
interface WriteOptions {
  of?: string;
  by?: TestCustomer;
  rating?: number;
}
const put = (body: object, { of = reviewId, by = lister } = {}) =>
  api.put(`/review/${of}/reply`).set(bearer(by)).send(body);
const remove = ({ of = reviewId, by = lister } = {}) => api.delete(`/review/${of}/reply`).set(bearer(by));
const replyTo = async (of = reviewId): Promise<Reply> => (await put({ text: 'Thank you' }, { of }).expect(200)).body;
const read = async (of = reviewId): Promise<Review> => (await api.get(`/review/${of}`).expect(200)).body;
const list = async (query: string): Promise<string[]> =>
  (await api.get(`/allreview?serviceId=${serviceId}${query}`).expect(200)).body.map(({ review }: Review) => review);
const ownServices = async (query = ''): Promise<OwnService[]> =>
  (await api.get(`/account/services${query}`).set(bearer(lister)).expect(200)).body;
const ownReplies = async (customer = lister): Promise<OwnReply[]> =>
  (await api.get('/account/replies').set(bearer(customer)).expect(200)).body;
const change = (of: string, fields: object) => reviews.updateOne({ _id: new ObjectId(of) }, { $set: fields });

afterEach(() => {
  vi.restoreAllMocks();
});

/** Hides the reply as a moderator does. */
const hideReply = () => reviews.updateMany({}, { $set: { 'reply.hidden': { reason: 'An insult', at: new Date() } } });
const hiddenDetail =
  'A moderator has hidden your reply, so you can neither change it nor write another one. You can read the reason on the page of your reply.';

describe('PUT /review/:id/reply', () => {
  it('adds the reply, exactly as typed and with the name of the lister, to every response that contains the review', async () => {
    const text = '$reply.uid <b>&</b>\n thank you. ';
    const { body: reply } = await put({ text }).expect(200);
    expect(reply).toEqual({ text, name: 'Mina Duct', createdAt: expect.any(String), updatedAt: reply.createdAt });
    expect((await read()).reply).toEqual(reply);
    for (const path of [`/allreview?serviceId=${serviceId}`, `/allreview?serviceId=${serviceId}&limit=5`])
      expect((await api.get(path).expect(200)).body).toMatchObject([{ reply }]);
    for (const path of [`/review?email=${author.email}`, `/review?email=${author.email}&limit=5`])
      expect((await api.get(path).set(bearer(author)).expect(200)).body).toMatchObject([{ reply }]);
    expect(JSON.stringify(await read())).not.toContain(lister.uid);
  });

  it('edits the reply, keeps the time of the first version, and does not change the review', async () => {
    const { reply: _, ...before } = await read();
    const first = await replyTo();
    await change(reviewId, { 'reply.createdAt': minutesAgo(9), 'reply.updatedAt': minutesAgo(9) });
    const { body: edited } = await put({ text: 'Thank you very much' }).expect(200);
    expect(edited).toMatchObject({ text: 'Thank you very much', name: 'Mina Duct' });
    expect(Date.parse(edited.createdAt)).toBeLessThan(Date.parse(first.createdAt));
    expect(Date.parse(edited.updatedAt)).toBeGreaterThanOrEqual(Date.parse(first.createdAt));
    expect(await read()).toEqual({ ...before, reply: edited });
  });

  it('returns the same reply when the request is repeated, without marking it as edited', async () => {
    const first = await replyTo();
    expect(await replyTo()).toEqual(first);
  });

  it('stores one reply when two requests arrive at the same time', async () => {
    const responses = await Promise.all(['One', 'Two'].map((text) => put({ text }).expect(200)));
    const { reply } = await read();
    expect(responses.map(({ body }) => body)).toContainEqual(reply);
    expect(new Set(responses.map(({ body }) => body.createdAt))).toHaveProperty('size', 1);
  });

  it('does not change the version of the review, so its author can still edit it with the earlier ETag', async () => {
    const { headers } = await api.get(`/review/${reviewId}`).set(bearer(author)).expect(200);
    await replyTo();
    const ifMatch = { 'If-Match': headers.etag ?? '' };
    const edit = { review: 'Came on time, twice' };
    await api
      .patch(`/review/${reviewId}`)
      .set({ ...bearer(author), ...ifMatch })
      .send(edit)
      .expect(200);
    expect(await read()).toMatchObject({ ...edit, reply: { text: 'Thank you' } });
  });

  it('returns 403 for anyone but the lister of the service, and for a review by the lister', async () => {
    const { body } = await put({ text: 'Me too' }, { by: author }).expect(403);
    expect(body.detail).toBe('Only the lister of the service can reply to its reviews.');
    await put({ text: 'Me too' }, { by: await signUp() }).expect(403);
    const own = await write('We are the best', { by: lister });
    await put({ text: 'Indeed' }, { of: own }).expect(403);
    expect(await read()).not.toHaveProperty('reply');
    expect(await read(own)).not.toHaveProperty('reply');
  });

  it.each([
    [{}],
    [{ text: '' }],
    [{ text: ' \n\t ' }],
    [{ text: 'x'.repeat(2001) }],
    [{ text: { $gt: '' } }],
    [{ text: 'x', name: 'Somebody' }],
    [{ text: 'x', createdAt: '2020-01-01T00:00:00Z' }],
  ])('returns 400 for the invalid reply %j', async (body) => {
    await put(body).expect(400);
    expect(await read()).not.toHaveProperty('reply');
  });

  it('accepts 2,000 characters, counted in code points', async () => {
    await put({ text: '🍳'.repeat(2000) }).expect(200);
  });

  it('returns 404 for a review that is missing, deleted or hidden, or whose service is not listed', async () => {
    await put({ text: 'x' }, { of: unknownId }).expect(404);
    await put({ text: 'x' }, { of: 'not-an-id' }).expect(404);
    await operate('hide', 'review', reviewId);
    await put({ text: 'x' }).expect(404);
    await remove().expect(404);
    await operate('restore', 'review', reviewId);
    await api.delete(`/services/${serviceId}`).set(bearer(lister)).expect(200);
    await put({ text: 'x' }).expect(404);
    await put({ text: 'x' }, { by: author }).expect(404);
    await api.post(`/services/${serviceId}/restore`).set(bearer(lister)).expect(200);
    await api.delete(`/review/${reviewId}`).set(bearer(author)).expect(200);
    await put({ text: 'x' }).expect(404);
    await put({ text: 'x' }, { by: author }).expect(404);
  });

  it('returns 403 if a moderator has hidden the reply, as does DELETE', async () => {
    await replyTo();
    await change(reviewId, { 'reply.hidden': { at: new Date(), reason: 'An insult' } });
    const { body } = await put({ text: 'Harmless' }).expect(403);
    expect(body.detail).toBe(hiddenDetail);
    expect((await remove().expect(403)).body.detail).toBe(body.detail);
    await put({ text: 'Thank you' }).expect(403);
    expect(await read()).not.toHaveProperty('reply');
    expect(await ownReplies()).toMatchObject([{ text: 'Thank you', hidden: { reason: 'An insult' } }]);
  });
});

it('a reply is kept when the author of the review deletes and restores the review', async () => {
  const reply = await replyTo();
  await api.delete(`/review/${reviewId}`).set(bearer(author)).expect(200);
  await api.post(`/review/${reviewId}/restore`).set(bearer(author)).expect(200);
  expect((await read()).reply).toEqual(reply);
});

describe('a reply that a moderator hides at the same time', () => {
  it('is not edited, and PUT /review/:id/reply returns 403', async () => {
    await replyTo();
    beforeNext('findOneAndUpdate', hideReply);
    expect((await put({ text: 'Too late' }).expect(403)).body.detail).toBe(hiddenDetail);
    expect(await ownReplies()).toMatchObject([{ text: 'Thank you', hidden: { reason: 'An insult' } }]);
  });

  it('is not deleted, and DELETE /review/:id/reply returns 403', async () => {
    await replyTo();
    beforeNext('updateOne', hideReply);
    expect((await remove().expect(403)).body.detail).toBe(hiddenDetail);
    expect(await ownReplies()).toMatchObject([{ text: 'Thank you', hidden: { reason: 'An insult' } }]);
  });
});

describe('DELETE /review/:id/reply', () => {
  it('removes the reply, and the lister can reply again', async () => {
    await replyTo();
    expect((await remove().expect(200)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await read()).not.toHaveProperty('reply');
    await remove().expect(404);
    await replyTo();
  });

  it('can be undone for 10 minutes: if the lister sends the same text again, the reply has its earlier dates', async () => {
    await replyTo();
    await change(reviewId, { 'reply.createdAt': minutesAgo(90), 'reply.updatedAt': minutesAgo(80) });
    const { reply } = await read();
    await remove().expect(200);
    expect((await put({ text: 'Thank you' }).expect(200)).body).toEqual(reply);
    expect(await read()).toMatchObject({ reply });
    expect((await put({ text: 'Thank you!' }).expect(200)).body.createdAt).toBe(reply?.createdAt);
    await remove().expect(200);
    expect(JSON.stringify(await reviews.findOne())).not.toContain('Thank you');
  });

  it('is not undone if the lister sends another text, or sends the same text after 10 minutes: the text becomes a new reply with new dates', async () => {
    const isNew = ({ createdAt, updatedAt }: Reply) =>
      Date.parse(createdAt) > minutesAgo(5).getTime() && createdAt === updatedAt;
    for (const [text, age] of [
      ['Another text', 0],
      ['Thank you', 11],
    ] as const) {
      await replyTo();
      await change(reviewId, { 'reply.createdAt': minutesAgo(90), 'reply.updatedAt': minutesAgo(80) });
      await remove().expect(200);
      await change(reviewId, { 'deletedReply.deletedAt': minutesAgo(age) });
      expect((await put({ text }).expect(200)).body).toSatisfy(isNew);
      await remove().expect(200);
    }
  });

  it('stores a hash of the text, which a sweep removes after 10 minutes', async () => {
    const sweep = async () => {
      for (const sweepOnce of createSweeps(db, identity, config.webOrigins)) await sweepOnce();
    };
    const countHashes = () => reviews.countDocuments({ deletedReply: { $exists: true } });
    await replyTo();
    await remove().expect(200);
    await change(reviewId, { 'deletedReply.deletedAt': minutesAgo(9) });
    await sweep();
    expect(await countHashes()).toBe(1);
    await change(reviewId, { 'deletedReply.deletedAt': minutesAgo(11) });
    await sweep();
    expect(await countHashes()).toBe(0);
  });

  it('deletes a reply even after its review was hidden, or the service was hidden or withdrawn, because the lister still sees the reply', async () => {
    const cannotRead: (() => Promise<unknown>)[] = [
      () => operate('hide', 'review', reviewId),
      () => operate('hide', 'service', serviceId),
      () => api.delete(`/services/${serviceId}`).set(bearer(lister)).expect(200),
    ];
    for (const hide of cannotRead) {
      await replyTo();
      await hide();
      expect(await ownReplies()).toMatchObject([{ reviewId }]);
      await remove({ by: author }).expect(404);
      await remove().expect(200);
      expect(await ownReplies()).toEqual([]);
      await remove().expect(404);
      await operate('restore', 'review', reviewId);
      await operate('restore', 'service', serviceId);
    }
  });

  it('returns 403 for the author of the review, and 404 for an unknown review', async () => {
    await replyTo();
    await remove({ by: author }).expect(403);
    expect(await read()).toHaveProperty('reply');
    await remove({ of: unknownId }).expect(404);
  });
});

describe('the number of reviews without a reply', () => {
  const unansweredCount = async () => (await ownServices())[0]?.unansweredCount;

  it('is returned with the services of the caller, and does not count deleted reviews, hidden reviews and reviews by the lister', async () => {
    const [second, third] = [await write('Second'), await write('Third')];
    await write('We are the best', { by: lister });
    expect(await unansweredCount()).toBe(3);
    await replyTo();
    expect(await unansweredCount()).toBe(2);
    await remove().expect(200);
    expect(await unansweredCount()).toBe(3);
    await api.delete(`/review/${second}`).set(bearer(author)).expect(200);
    await operate('hide', 'review', third);
    expect(await unansweredCount()).toBe(1);
    await operate('hide', 'service', serviceId);
    expect(await unansweredCount()).toBe(0);
  });

  it('is reported as 100 if it is higher', async () => {
    const template = await reviews.findOne({ _id: new ObjectId(reviewId) });
    await reviews.insertMany(Array.from({ length: 120 }, () => ({ ...template, _id: new ObjectId() }) as never));
    expect(await unansweredCount()).toBe(100);
  });

  it('is not public', async () => {
    expect((await api.get(`/services/${serviceId}`).expect(200)).body).not.toHaveProperty('unansweredCount');
  });
});

describe('GET /account/services?serviceId=', () => {
  it('returns only the service with this id, and nothing if it belongs to another lister', async () => {
    await addService('Another');
    const foreign = await addService('Foreign', author);
    expect(await ownServices(`?serviceId=${serviceId}`)).toMatchObject([{ _id: serviceId, unansweredCount: 1 }]);
    expect(await ownServices(`?serviceId=${foreign}`)).toEqual([]);
    await api.get('/account/services?serviceId=x').set(bearer(lister)).expect(400);
  });
});

describe('GET /allreview with the parameter sort=unanswered', () => {
  it('returns pages of reviews: first those that need a reply, then answered reviews and reviews by the lister, each group newest first', async () => {
    for (const text of ['Second', 'Third', 'Fourth']) await write(text);
    await write('We are the best', { by: lister });
    await replyTo();
    await replyTo((await reviews.findOne({ review: 'Third' }))?._id.toHexString());
    const expected = ['Fourth', 'Second', 'We are the best', 'Third', 'Came on time'];
    expect(await list('&sort=unanswered')).toEqual(expected);
    const pages = await readAllPages<Review>(api, `/allreview?serviceId=${serviceId}&sort=unanswered&limit=2`);
    expect(pages.flat().map(({ review }) => review)).toEqual(expected);
  });

  it('ignores this parameter and returns the newest reviews first if the list is filtered by stars', async () => {
    const five = await write('Five', { rating: 5 });
    await write('Five again', { rating: 5 });
    await replyTo(five);
    expect(await list('&sort=unanswered&rating=5')).toEqual(['Five again', 'Five']);
    expect(await list('&sort=newest&rating=5')).toEqual(['Five again', 'Five']);
  });
});

describe('GET /account/replies', () => {
  it('returns the replies of the caller in pages, each with the id of its review and the id and name of the service', async () => {
    const second = await write('Second');
    const [first, later] = [await replyTo(), await replyTo(second)];
    const service = { serviceId, serviceName: 'Hood repair' };
    const expected = [
      { ...later, ...service, reviewId: second },
      { ...first, ...service, reviewId },
    ];
    expect(await ownReplies()).toEqual(expected);
    expect(await ownReplies(author)).toEqual([]);
    const asLister = { ...api, get: (path: string) => api.get(path).set(bearer(lister)) };
    expect(await readAllPages<OwnReply>(asLister, '/account/replies?limit=1')).toEqual(expected.map((row) => [row]));
    await api.get('/account/replies?of=x').set(bearer(lister)).expect(400);
  });

  it('with `reviewId` returns only the reply to this review, and with `hidden=true` only replies that a moderator has hidden', async () => {
    const second = await write('Second');
    await replyTo();
    await replyTo(second);
    await change(second, { 'reply.hidden': { at: new Date(), reason: 'An insult' } });
    const find = async (query: string, by = lister) =>
      (await api.get(`/account/replies?${query}`).set(bearer(by)).expect(200)).body as OwnReply[];
    expect(await find(`reviewId=${second}`)).toMatchObject([{ reviewId: second, hidden: { reason: 'An insult' } }]);
    expect(await find(`reviewId=${reviewId}&hidden=true`)).toEqual([]);
    expect(await find('hidden=true')).toMatchObject([{ reviewId: second }]);
    expect(await find(`reviewId=${second}`, author)).toEqual([]);
    for (const query of ['reviewId=x', 'hidden=yes'])
      await api.get(`/account/replies?${query}`).set(bearer(lister)).expect(400);
  });

  it('returns replies even to reviews of a withdrawn service, but not to deleted reviews', async () => {
    const deleted = await write('Deleted later');
    await replyTo();
    await replyTo(deleted);
    await api.delete(`/review/${deleted}`).set(bearer(author)).expect(200);
    await api.delete(`/services/${serviceId}`).set(bearer(lister)).expect(200);
    expect(await ownReplies()).toMatchObject([{ reviewId }]);
  });
});

describe('the deletion of the account of a lister', () => {
  it('erases all replies of the lister, even those to deleted and hidden reviews, but no reply of another lister', async () => {
    const leaving = await signUp({ name: 'Leaving' });
    const of = await addService('Ducts', leaving);
    const ids = [await write('Kept', { of }), await write('Deleted', { of }), await write('Hidden', { of })];
    for (const id of ids) await put({ text: 'Thank you' }, { of: id, by: leaving }).expect(200);
    await replyTo();
    await api.delete(`/review/${ids[1]}`).set(bearer(author)).expect(200);
    await operate('hide', 'review', ids[2] ?? '');
    await api.delete('/account').set(bearer(leaving.idToken)).expect(200);
    expect(await reviews.countDocuments({ 'reply.uid': leaving.uid })).toBe(0);
    expect(await read(ids[0])).not.toHaveProperty('reply');
    expect(await read()).toHaveProperty('reply');
  });

  it('erases many replies with few database commands', async () => {
    const leaving = await signUp();
    const of = await addService('Ducts', leaving);
    const id = await write('Kept', { of });
    await put({ text: 'Thank you' }, { of: id, by: leaving }).expect(200);
    const template = await reviews.findOne({ _id: new ObjectId(id) });
    await reviews.insertMany(Array.from({ length: 250 }, () => ({ ...template, _id: new ObjectId() }) as never));
    let commands = 0;
    apiClient.on('commandStarted', () => {
      commands += 1;
    });
    await api.delete('/account').set(bearer(leaving.idToken)).expect(200);
    apiClient.removeAllListeners('commandStarted');
    expect(commands).toBeLessThan(40);
    expect(await reviews.countDocuments({ reply: { $exists: true } })).toBe(0);
    expect(await reviews.countDocuments({ awaitsReply: true })).toBe(252);
  });
});
