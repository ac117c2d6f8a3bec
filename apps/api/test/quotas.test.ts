import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { assert, beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/documents.ts';
import { createServiceStore } from '../src/services/services.store.ts';
import { type TestApp, type TestCustomer, testApp } from './support/test-app.ts';

const env = { RATE_LIMITS: 'on', JWT_SECRETS: `a:${randomBytes(32).toString('base64')}` };
const one = await testApp({ env });
const other = await testApp({ env: { ...env, MONGODB_DATABASE: one.config.mongodbDatabase } });
const { api, db, signUp, scrape } = one;
const { services, reviews, quotas } = getCollections(db);

let lena: TestCustomer;
beforeEach(async () => {
  lena = await signUp({ name: 'Lena' });
});

const bearer = ({ jwt }: TestCustomer) => ({ Authorization: `Bearer ${jwt}` });
const addService = (who: TestCustomer, { api }: TestApp = one) =>
  api.post('/services').set(bearer(who)).send({ title: 'Hood repair' });
const listed = async () => {
  const input = { title: 'Hood repair', ratting: '', img: '', price: '', description: '' };
  return (await createServiceStore({ services }).insert('lister', input)).insertedId;
};
const write = (who: TestCustomer, serviceId: string, { review = 'Well done', key = '' } = {}, { api }: TestApp = one) =>
  api
    .post('/review')
    .set({ ...bearer(who), ...(key && { 'Idempotency-Key': key }) })
    .send({ serviceId, review });
const remove = (who: TestCustomer, id: string) => api.delete(`/review/${id}`).set(bearer(who));
const restore = (who: TestCustomer, id: string) => api.post(`/review/${id}/restore`).set(bearer(who));
const live = (who: TestCustomer, serviceId: string) =>
  reviews.countDocuments({ uid: who.uid, serviceId: new ObjectId(serviceId), deletedAt: null });
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** The limit of a minute is not what is tried here. */
const forgetMinute = () => db.collection('limits').deleteMany({});

/** Makes all that was written so far some time older, for the limits of a day. */
const letPass = (ms: number) =>
  quotas.updateMany({}, [
    {
      $set: {
        claims: {
          $map: { input: '$claims', as: 'claim', in: { id: '$$claim.id', at: { $subtract: ['$$claim.at', ms] } } },
        },
      },
    },
  ]);

describe('one customer in a day', () => {
  it('adds 100 services, also with 22 requests at once on two instances, while others go on', async () => {
    const answers: { status: number }[] = [];
    while (answers.length < 110)
      answers.push(
        ...(await Promise.all(Array.from({ length: 22 }, (_, index) => addService(lena, index % 2 ? one : other)))),
      );
    expect([count(answers, 201), count(answers, 429)]).toEqual([100, 10]);
    expect(await services.countDocuments({ createdBy: lena.uid })).toBe(100);
    const { body, headers } = await addService(lena).expect(429);
    expect(body).toMatchObject({ limit: 'services-per-day', detail: expect.stringContaining('100 services') });
    expect(body.detail).toContain('in 24 hours');
    expect(Number(headers['retry-after'])).toBeGreaterThan(23 * 3600);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(24 * 3600);
    await addService(await signUp()).expect(201);
    expect(await scrape()).toMatch(/rate_limit_refusals_total\{limit="services-per-day"\} \d+\n/);

    await letPass(23 * 3_600_000);
    const later = await addService(lena).expect(429);
    expect(Number(later.headers['retry-after'])).toBeLessThanOrEqual(3600);
    expect(later.body.detail).toMatch(/in \d+ minutes\.$/);
    await letPass(3_600_000);
    await addService(lena).expect(201);
  });

  it('writes 300 reviews, deleted ones included, and a repeat is not a new one', async () => {
    const serviceIds = await Promise.all(Array.from({ length: 31 }, listed));
    const answers: { status: number; body: { insertedId: string } }[] = [];
    for (const serviceId of serviceIds.slice(0, 30)) {
      answers.push(
        ...(await Promise.all(Array.from({ length: 10 }, (_, n) => write(lena, serviceId, { key: `key ${n}` })))),
      );
      if (answers.length % 100 === 0) await forgetMinute();
    }
    expect(count(answers, 201)).toBe(300);
    const [first = '', last = ''] = serviceIds;
    const spare = serviceIds.at(-1) ?? assert.fail();
    const { body, headers } = await write(lena, spare, { key: 'new' }).expect(429);
    expect(body).toMatchObject({ limit: 'reviews-per-day', detail: expect.stringContaining('300 reviews') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(23 * 3600);

    const id = answers[0]?.body.insertedId ?? assert.fail();
    expect((await write(lena, first, { key: 'key 0' }).expect(201)).body.insertedId).toBe(id);
    await write(lena, first, { key: 'key 0', review: 'Other words' }).expect(422);
    await remove(lena, id).expect(200);
    await write(lena, last, { key: 'another' }).expect(429);
    await restore(lena, id).expect(200);
    await addService(lena).expect(201);
    await write(await signUp(), spare).expect(201);

    await letPass(24 * 3_600_000);
    await write(lena, spare, { key: 'new' }).expect(201);
  });

  it('spends nothing on repeats, on refusals, and on a failed write that is sent again', async () => {
    const serviceId = await listed();
    const claimed = async () => (await quotas.findOne({ _id: `reviews:${lena.uid}` }))?.claims.length;
    const answers = await Promise.all(Array.from({ length: 30 }, () => write(lena, serviceId, { key: 'draft' })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await claimed()).toBe(1);
    await write(lena, serviceId, { key: 'draft', review: 'Other words' }).expect(422);
    await write(lena, new ObjectId().toHexString()).expect(404);
    for (let n = 0; n < 9; n += 1) await write(lena, serviceId).expect(201);
    await write(lena, serviceId).expect(429);
    expect(await claimed()).toBe(10);
    // A write that was claimed and never stored, as when the database goes away: sent again, it has its place.
    await reviews.deleteOne({ uid: lena.uid, requestHash: { $ne: null } });
    await write(lena, serviceId, { key: 'draft' }).expect(201);
    expect(await claimed()).toBe(10);
  });
});

describe('live reviews of one service by one customer', () => {
  let serviceId: string;
  beforeEach(async () => {
    serviceId = await listed();
  });

  async function fill(): Promise<string[]> {
    const answers = await Promise.all(Array.from({ length: 10 }, () => write(lena, serviceId).expect(201)));
    return answers.map(({ body }) => body.insertedId as string);
  }

  it('are 10 after 25 requests at once on two instances', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => write(lena, serviceId, {}, index % 2 ? one : other)),
    );
    expect([count(answers, 201), count(answers, 429)]).toEqual([10, 15]);
    expect(await live(lena, serviceId)).toBe(10);
  });

  it('are refused beyond 10 with a 429 that says what to do, while other services and customers are open', async () => {
    const [id = ''] = await fill();
    const { body, headers } = await write(lena, serviceId).expect(429);
    expect(body).toMatchObject({ limit: 'reviews-per-service', detail: expect.stringContaining('Delete one of them') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await scrape()).toMatch(/rate_limit_refusals_total\{limit="reviews-per-service"\} \d+\n/);
    await write(lena, await listed()).expect(201);
    await write(await signUp(), serviceId).expect(201);
    await api.patch(`/review/${id}`).set(bearer(lena)).send({ rating: 4 }).expect(200);
  });

  it('make room when one is deleted, at once, and exactly for one', async () => {
    const [id = ''] = await fill();
    await remove(lena, id).expect(200);
    await write(lena, serviceId).expect(201);
    await write(lena, serviceId).expect(429);
    expect(await live(lena, serviceId)).toBe(10);
  });

  it('are not exceeded by restoring a deleted one, which can be restored once there is room', async () => {
    const [first = '', second = ''] = await fill();
    await remove(lena, first).expect(200);
    await write(lena, serviceId).expect(201);
    const { body } = await restore(lena, first).expect(429);
    expect(body).toMatchObject({
      limit: 'reviews-per-service',
      detail: expect.stringContaining('restore this one'),
    });
    expect(await live(lena, serviceId)).toBe(10);
    await remove(lena, second).expect(200);
    await restore(lena, first).expect(200);
    await restore(lena, first).expect(200); // asked again, since the first answer was lost
    expect(await live(lena, serviceId)).toBe(10);
  });

  it('are not exceeded by restoring and writing at once', async () => {
    const [first = '', second = ''] = await fill();
    await remove(lena, first).expect(200);
    await remove(lena, second).expect(200);
    const answers = await Promise.all([
      restore(lena, first),
      restore(lena, second),
      write(lena, serviceId),
      write(lena, serviceId, {}, other),
    ]);
    expect([answers.filter(({ status }) => status < 300).length, count(answers, 429)]).toEqual([2, 2]);
    expect(await live(lena, serviceId)).toBe(10);
  });

  it('count those from before the limit was there, by which it may be exceeded already', async () => {
    await write(lena, serviceId).expect(201);
    const { _id: _, ...row } = (await reviews.findOne({ uid: lena.uid })) ?? assert.fail();
    await reviews.insertMany(Array.from({ length: 11 }, () => ({ ...row, _id: new ObjectId() })));
    await quotas.deleteMany({});
    await write(lena, serviceId).expect(429);
    const [{ _id } = assert.fail()] = await reviews.find({ uid: lena.uid }).toArray();
    await restore(lena, _id.toHexString()).expect(200);
  });
});
