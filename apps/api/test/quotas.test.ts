import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { hiddenDeletedAt } from '../src/database/documents/reviews.ts';
import { bearer } from './support/bearer.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { createTestApp, type TestApp, type TestCustomer } from './support/test-app.ts';

const env = { RATE_LIMITS: 'on', JWT_SECRETS: `a:${randomBytes(32).toString('base64')}` };
const one = await createTestApp({ env });
const other = await createTestApp({ env: { ...env, MONGODB_DATABASE: one.config.mongodbDatabase } });
const { api, db, signUp, readMetrics } = one;
const { reviews, conversations } = getCollections(db);

let lena: TestCustomer;
beforeEach(async () => {
  lena = await signUp({ name: 'Lena' });
});

const addService = (author: TestCustomer, { api }: TestApp = one) =>
  api.post('/services').set(bearer(author)).send({ title: 'Hood repair' });
const addUnlimitedService = async () => {
  const input = { ...blankService, title: 'Hood repair' };
  return (await one.stores.services.insert(someLister, input)).insertedId;
};
const write = (
  author: TestCustomer,
  serviceId: string,
  { review = 'Well done', key = '' } = {},
  { api }: TestApp = one,
) =>
  api
    .post('/review')
    .set({ ...bearer(author), ...(key && { 'Idempotency-Key': key }) })
    .send({ serviceId, review });
const ask = async (sender: TestCustomer, { api }: TestApp = one) =>
  api
    .post(`/services/${await addUnlimitedService()}/requests`)
    .set(bearer(sender))
    .send({ text: 'How much?' });
const sendMessage = (sender: TestCustomer, id: string, { api }: TestApp = one) =>
  api.post(`/requests/${id}/messages`).set(bearer(sender)).send({ text: 'Hello?' });
const remove = (author: TestCustomer, id: string) => api.delete(`/review/${id}`).set(bearer(author));
const restore = (author: TestCustomer, id: string) => api.post(`/review/${id}/restore`).set(bearer(author));
const countLiveReviews = (author: TestCustomer, serviceId: string) =>
  reviews.countDocuments({ uid: author.uid, serviceId: new ObjectId(serviceId), deletedAt: null });

/** Counts this many writes in a daily quota of Lena. The day ends in `hours`. */
const use = (quota: string, points: number, hours = 24) => {
  const expire = new Date(Date.now() + hours * 3_600_000);
  return db
    .collection('limits')
    .updateOne({ key: `${quota}:${lena.uid}` }, { $set: { points, expire } }, { upsert: true });
};
const pointsOf = async (quota: string) =>
  (await db.collection('limits').findOne({ key: `${quota}:${lena.uid}` }))?.points as unknown;

describe('the daily quotas of a customer', () => {
  let serviceId: string;
  beforeEach(async () => {
    serviceId = await addUnlimitedService();
  });
  const edit = async (body: object) => {
    const row = { ...blankService, title: 'Hood repair' };
    const { insertedId } = await one.stores.services.insert({ ...someLister, uid: lena.uid }, row);
    return api.patch(`/services/${insertedId}`).set(bearer(lena)).send(body);
  };
  /** Returns the id of a conversation of Lena, which it begins if there is none. */
  const findConversation = async (): Promise<string> =>
    (await conversations.findOne({ participants: lena.uid }))?._id.toHexString() ??
    ((await ask(lena)).body.insertedId as string);
  const report = () => api.post(`/services/${serviceId}/report`).set(bearer(lena)).send({ reason: 'spam' });

  it.for([
    ['services', 100, 'services', () => addService(lena, other)],
    ['reviews', 300, 'reviews', () => write(lena, serviceId, {}, other)],
    ['edits', 300, 'edits of services', () => edit({ description: 'Another' })],
    ['reports', 20, 'reports', report],
    ['conversations', 20, 'requests', () => ask(lena, other)],
    ['messages', 200, 'messages', async () => sendMessage(lena, await findConversation(), other)],
  ] as const)(
    'allow as many %s as documented on all instances together, and then return 429',
    async ([quota, max, noun, send]) => {
      await use(quota, max - 1);
      expect((await send()).status).toBeLessThan(300);
      const { status, body, headers } = await send();
      expect([status, body.limit]).toEqual([429, `${quota}-per-day`]);
      expect(body.detail).toContain(`${max} ${noun} in the last 24 hours`);
      expect(body.detail).toContain('in 24 hours.');
      expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
      await use(quota, max, 0.5);
      expect((await send()).body.detail).toMatch(/in (29|30) minutes\.$/);
      await use(quota, max, -1);
      expect((await send()).status).toBeLessThan(300);
    },
  );

  it('do not affect other customers, other quotas, and edits of other fields', async () => {
    await use('services', 100);
    await use('edits', 300);
    await addService(lena).expect(429);
    await addService(await signUp()).expect(201);
    await write(lena, serviceId).expect(201);
    expect((await edit({ price: '$40' })).status).toBe(200);
  });

  it('count a deleted review, but neither a repeated nor a rejected nor a failed write', async () => {
    const { insertedId } = (await write(lena, serviceId, { key: 'draft' }).expect(201)).body;
    await remove(lena, insertedId).expect(200);
    expect(await pointsOf('reviews')).toBe(1);
    await write(lena, serviceId, { key: 'draft' }).expect(201);
    await write(lena, serviceId, { key: 'draft', review: 'Other words' }).expect(422);
    await write(lena, new ObjectId().toHexString()).expect(404);
    const photos = [{ url: `https://kitchen.example/pictures/u/${'0'.repeat(64)}`, alt: '' }];
    await api.post('/review').set(bearer(lena)).send({ serviceId, photos }).expect(400);
    expect(await pointsOf('reviews')).toBe(1);
  });
});

describe('the limit of messages in a conversation', () => {
  it('returns 429 for the 201st message of both participants, with advice on what to do', async () => {
    const { body } = await ask(lena);
    const id: string = body.insertedId;
    await conversations.updateOne({ _id: new ObjectId(id) }, { $set: { messageCount: 199 } });
    await sendMessage(lena, id).expect(201);
    await conversations.updateOne({ _id: new ObjectId(id) }, { $set: { messageCount: 200 } });
    const rejected = await sendMessage(lena, id).expect(429);
    expect(rejected.body).toMatchObject({
      limit: 'messages-per-conversation',
      detail: expect.stringContaining('After it is closed, the customer can send a new request.'),
    });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(await pointsOf('messages')).toBe(1);
  });

  it('does not count a request that begins a conversation as a message, nor a rejected one at all', async () => {
    const { body } = await ask(lena);
    expect([await pointsOf('conversations'), await pointsOf('messages')]).toEqual([1, undefined]);
    const serviceId = String((await conversations.findOne({ _id: new ObjectId(String(body.insertedId)) }))?.serviceId);
    await api.post(`/services/${serviceId}/requests`).set(bearer(lena)).send({ text: 'Again' }).expect(409);
    const photos = [{ id: '0'.repeat(24) }];
    await api.post(`/requests/${body.insertedId}/messages`).set(bearer(lena)).send({ photos }).expect(400);
    expect([await pointsOf('conversations'), await pointsOf('messages')]).toEqual([1, 0]);
  });
});

describe('the quota of reviews per customer and service', () => {
  let serviceId: string;
  beforeEach(async () => {
    serviceId = await addUnlimitedService();
  });

  async function fillQuota(): Promise<string[]> {
    const responses = await Promise.all(Array.from({ length: 10 }, () => write(lena, serviceId).expect(201)));
    return responses.map(({ body }) => body.insertedId as string);
  }

  it('returns 429 for the 11th review, with advice on what to do, and does not affect other services and customers', async () => {
    const [id = ''] = await fillQuota();
    const { body, headers } = await write(lena, serviceId).expect(429);
    expect(body).toMatchObject({ limit: 'reviews-per-service', detail: expect.stringContaining('Delete one of them') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await readMetrics()).toMatch(/rate_limit_rejections_total\{limit="reviews-per-service"\} \d+\n/);
    await write(lena, await addUnlimitedService()).expect(201);
    await write(await signUp(), serviceId).expect(201);
    await api.patch(`/review/${id}`).set(bearer(lena)).send({ rating: 4 }).expect(200);
  });

  it('allows exactly one more review right after a deletion', async () => {
    const [id = ''] = await fillQuota();
    await remove(lena, id).expect(200);
    await write(lena, serviceId).expect(201);
    await write(lena, serviceId).expect(429);
    expect(await countLiveReviews(lena, serviceId)).toBe(10);
  });

  it('prevents restoring a deleted review until the customer deletes another review', async () => {
    const [first = '', second = ''] = await fillQuota();
    await remove(lena, first).expect(200);
    await write(lena, serviceId).expect(201);
    const { body } = await restore(lena, first).expect(429);
    expect(body).toMatchObject({
      limit: 'reviews-per-service',
      detail: expect.stringContaining('restore this one'),
    });
    expect(await countLiveReviews(lena, serviceId)).toBe(10);
    await remove(lena, second).expect(200);
    await restore(lena, first).expect(200);
    await restore(lena, first).expect(200); // The client repeats the request because it has lost the response.
    expect(await countLiveReviews(lena, serviceId)).toBe(10);
  });

  it('counts reviews that an operator has hidden', async () => {
    const [id = ''] = await fillQuota();
    const hidden = { at: new Date(), reason: 'spam', deletedAt: null };
    await reviews.updateOne({ _id: new ObjectId(id) }, { $set: { hidden, deletedAt: hiddenDeletedAt } });
    await write(lena, serviceId).expect(429);
  });
});
