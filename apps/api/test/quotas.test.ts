import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { assert, beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { hiddenDeletedAt } from '../src/database/documents/reviews.ts';
import { createServiceStore } from '../src/services/services.store.ts';
import { bearer } from './support/bearer.ts';
import { blankService } from './support/blank-service.ts';
import { createTestApp, type TestApp, type TestCustomer } from './support/test-app.ts';

const env = { RATE_LIMITS: 'on', JWT_SECRETS: `a:${randomBytes(32).toString('base64')}` };
const one = await createTestApp({ env });
const other = await createTestApp({ env: { ...env, MONGODB_DATABASE: one.config.mongodbDatabase } });
const { api, db, signUp, readMetrics } = one;
const { services, reviews, quotas } = getCollections(db);

let lena: TestCustomer;
beforeEach(async () => {
  lena = await signUp({ name: 'Lena' });
});

const addService = (author: TestCustomer, { api }: TestApp = one) =>
  api.post('/services').set(bearer(author)).send({ title: 'Hood repair' });
const addUnlimitedService = async () => {
  const input = { ...blankService, title: 'Hood repair' };
  return (await createServiceStore(getCollections(db)).insert({ uid: 'lister', name: 'Lister' }, input)).insertedId;
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
const remove = (author: TestCustomer, id: string) => api.delete(`/review/${id}`).set(bearer(author));
const restore = (author: TestCustomer, id: string) => api.post(`/review/${id}/restore`).set(bearer(author));
const countLiveReviews = (author: TestCustomer, serviceId: string) =>
  reviews.countDocuments({ uid: author.uid, serviceId: new ObjectId(serviceId), deletedAt: null });
const count = (responses: { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

/** These tests send many writes, so the limit of writes per minute is reset. */
const resetRateLimit = () => db.collection('limits').deleteMany({});

/**
 * Moves the times of all reservations this many milliseconds into the past. A reservation is the entry of one counted
 * write in a quota.
 */
const ageReservations = (ms: number, field: 'claims' | 'recent' = 'claims') => {
  const aged = { $mergeObjects: ['$$row', { at: { $subtract: ['$$row.at', ms] } }] };
  return quotas.updateMany({ [field]: { $exists: true } }, [
    { $set: { [field]: { $map: { input: `$${field}`, as: 'row', in: aged } } } },
  ]);
};

describe('the quotas of a customer for 24 hours', () => {
  it('allow 300 edits of the title or the description of services, and any number of other edits', async () => {
    const { insertedId } = (await addService(lena).expect(201)).body;
    const edit = (body: object) => one.api.patch(`/services/${insertedId}`).set(bearer(lena)).send(body);
    await edit({ title: 'First' }).expect(200);
    const reserved = await quotas.findOne({ _id: `edits:${lena.uid}` });
    assert(reserved);
    const more = Array.from({ length: 299 }, () => ({ id: new ObjectId(), at: new Date() }));
    await quotas.updateOne({ _id: reserved._id }, { $set: { claims: [...reserved.claims, ...more] } });
    const { body, headers } = await edit({ description: 'Too much' }).expect(429);
    expect(body).toMatchObject({ limit: 'edits-per-day', detail: expect.stringContaining('300 edits') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
    await edit({ title: 'First', price: '$40' }).expect(200);
  });

  it('allow 20 reports, and a report that replaces another counts too', async () => {
    const serviceId = await addUnlimitedService();
    const report = () => api.post(`/services/${serviceId}/report`).set(bearer(lena)).send({ reason: 'spam' });
    const responses = await Promise.all(Array.from({ length: 22 }, report));
    expect([count(responses, 200) + count(responses, 201), count(responses, 429)]).toEqual([20, 2]);
    const { body, headers } = await report().expect(429);
    expect(body).toMatchObject({ limit: 'reports-per-day', detail: expect.stringContaining('20 reports') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
    await api
      .post(`/services/${serviceId}/report`)
      .set(bearer(await signUp()))
      .send({ reason: 'spam' })
      .expect(201);
    await ageReservations(24 * 3_600_000);
    await report().expect(200);
  });

  it('allow exactly 100 services, even with 22 concurrent requests to two instances, and do not affect other customers', async () => {
    const responses: { status: number }[] = [];
    while (responses.length < 110)
      responses.push(
        ...(await Promise.all(Array.from({ length: 22 }, (_, index) => addService(lena, index % 2 ? one : other)))),
      );
    expect([count(responses, 201), count(responses, 429)]).toEqual([100, 10]);
    expect(await services.countDocuments({ createdBy: lena.uid })).toBe(100);
    const { body, headers } = await addService(lena).expect(429);
    expect(body).toMatchObject({ limit: 'services-per-day', detail: expect.stringContaining('100 services') });
    expect(body.detail).toContain('in 24 hours');
    expect(Number(headers['retry-after'])).toBeGreaterThan(23 * 3600);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(24 * 3600);
    await addService(await signUp()).expect(201);
    expect(await readMetrics()).toMatch(/rate_limit_rejections_total\{limit="services-per-day"\} \d+\n/);

    await ageReservations(23 * 3_600_000);
    const later = await addService(lena).expect(429);
    expect(Number(later.headers['retry-after'])).toBeLessThanOrEqual(3600);
    expect(later.body.detail).toMatch(/in \d+ minutes\.$/);
    await ageReservations(3_600_000);
    await addService(lena).expect(201);
  });

  it('allow 300 reviews: a deleted review counts too, but a repeated request does not', async () => {
    const serviceIds = await Promise.all(Array.from({ length: 31 }, addUnlimitedService));
    const responses: { status: number; body: { insertedId: string } }[] = [];
    for (const serviceId of serviceIds.slice(0, 30)) {
      responses.push(
        ...(await Promise.all(Array.from({ length: 10 }, (_, n) => write(lena, serviceId, { key: `key ${n}` })))),
      );
      if (responses.length % 100 === 0) await resetRateLimit();
    }
    expect(count(responses, 201)).toBe(300);
    const [first = '', last = ''] = serviceIds;
    const spare = serviceIds.at(-1) ?? assert.fail();
    const { body, headers } = await write(lena, spare, { key: 'new' }).expect(429);
    expect(body).toMatchObject({ limit: 'reviews-per-day', detail: expect.stringContaining('300 reviews') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(23 * 3600);

    const id = responses[0]?.body.insertedId ?? assert.fail();
    expect((await write(lena, first, { key: 'key 0' }).expect(201)).body.insertedId).toBe(id);
    await write(lena, first, { key: 'key 0', review: 'Other words' }).expect(422);
    await remove(lena, id).expect(200);
    await write(lena, last, { key: 'another' }).expect(429);
    await restore(lena, id).expect(200);
    await addService(lena).expect(201);
    await write(await signUp(), spare).expect(201);

    await ageReservations(24 * 3_600_000);
    await write(lena, spare, { key: 'new' }).expect(201);
  });

  it('count neither repeated requests, nor rejected requests, nor the retry of a failed write', async () => {
    const serviceId = await addUnlimitedService();
    const reservationCount = async () => (await quotas.findOne({ _id: `reviews:${lena.uid}` }))?.claims.length;
    const responses = await Promise.all(Array.from({ length: 30 }, () => write(lena, serviceId, { key: 'draft' })));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await reservationCount()).toBe(1);
    await write(lena, serviceId, { key: 'draft', review: 'Other words' }).expect(422);
    await write(lena, new ObjectId().toHexString()).expect(404);
    for (let n = 0; n < 9; n += 1) await write(lena, serviceId).expect(201);
    await write(lena, serviceId).expect(429);
    expect(await reservationCount()).toBe(10);
    // Simulates a write that was counted in the quota, but whose review was not stored. A retry is not counted again.
    await reviews.deleteOne({ uid: lena.uid, requestHash: { $ne: null } });
    await write(lena, serviceId, { key: 'draft' }).expect(201);
    expect(await reservationCount()).toBe(10);
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

  it('allows exactly 10 reviews, even with 25 concurrent requests to two instances of the API', async () => {
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, index) => write(lena, serviceId, {}, index % 2 ? one : other)),
    );
    expect([count(responses, 201), count(responses, 429)]).toEqual([10, 15]);
    expect(await countLiveReviews(lena, serviceId)).toBe(10);
  });

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

  it('is not exceeded when reviews are restored and added at the same time', async () => {
    const [first = '', second = ''] = await fillQuota();
    await remove(lena, first).expect(200);
    await remove(lena, second).expect(200);
    const responses = await Promise.all([
      restore(lena, first),
      restore(lena, second),
      write(lena, serviceId),
      write(lena, serviceId, {}, other),
    ]);
    expect([responses.filter(({ status }) => status < 300).length, count(responses, 429)]).toEqual([2, 2]);
    expect(await countLiveReviews(lena, serviceId)).toBe(10);
  });

  it('counts a reservation that is 55 s old even if its review is not stored, but not one that is 65 s old', async () => {
    const [id = ''] = await fillQuota();
    // Simulates a concurrent request that is already counted in the quota, but has not inserted its review yet.
    await reviews.deleteOne({ _id: new ObjectId(id) });
    await ageReservations(55_000, 'recent');
    await write(lena, serviceId).expect(429);
    await ageReservations(10_000, 'recent');
    await write(lena, serviceId).expect(201);
  });

  it('counts reviews that an operator has hidden', async () => {
    const [id = ''] = await fillQuota();
    const hidden = { at: new Date(), reason: 'spam', deletedAt: null };
    await reviews.updateOne({ _id: new ObjectId(id) }, { $set: { hidden, deletedAt: hiddenDeletedAt } });
    await write(lena, serviceId).expect(429);
    // Remove the reservations, so that only the stored reviews count.
    await quotas.deleteMany({});
    await write(lena, serviceId).expect(429);
  });

  it('counts reviews that were added before the quota existed, even if they exceed the quota', async () => {
    await write(lena, serviceId).expect(201);
    const { _id: _, ...row } = (await reviews.findOne({ uid: lena.uid })) ?? assert.fail();
    await reviews.insertMany(Array.from({ length: 11 }, () => ({ ...row, _id: new ObjectId() })));
    await quotas.deleteMany({});
    await write(lena, serviceId).expect(429);
    const [{ _id } = assert.fail()] = await reviews.find({ uid: lena.uid }).toArray();
    await restore(lena, _id.toHexString()).expect(200);
  });
});
