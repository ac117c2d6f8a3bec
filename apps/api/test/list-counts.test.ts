import { Collection, MongoServerError } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, db, signUp } = await createTestApp();
let lister: TestCustomer;
let author: TestCustomer;
let serviceId = '';

beforeEach(async () => {
  lister = await signUp();
  author = await signUp();
  const service = await api.post('/services').set(bearer(lister)).send({ title: 'Hood' }).expect(201);
  serviceId = service.body.insertedId;
  for (const review of ['Quick', 'Clean']) {
    const { body } = await api.post('/review').set(bearer(author)).send({ serviceId, review, rating: 5 }).expect(201);
    const path = `/review/${body.insertedId}`;
    await api.put(`${path}/reply`).set(bearer(lister)).send({ text: 'Thank you' }).expect(200);
    await api.put(`${path}/useful`).set(bearer(lister)).expect(200);
    await api.post(`${path}/report`).set(bearer(lister)).send({ about: 'review', reason: 'spam' }).expect(201);
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ['the reviews of a customer', () => `/review?email=${author.email}`, () => author],
  [
    'the reviews of a customer for one service',
    () => `/review?email=${author.email}&serviceId=${serviceId}`,
    () => author,
  ],
  ['the reviews of a service with five stars', () => `/allreview?serviceId=${serviceId}&rating=5`, () => author],
  ['the replies of a lister', () => '/account/replies', () => lister],
  ['the votes of a customer', () => '/account/votes', () => lister],
  ['the reports of a customer', () => '/account/reports', () => lister],
])(
  'a page of %s is returned without a total while counting takes too long, instead of being rejected with 503',
  async (_, path, caller) => {
    const first = () => {
      const url = path();
      return api
        .get(`${url}${url.includes('?') ? '&' : '?'}limit=1`)
        .set(bearer(caller()))
        .expect(200);
    };
    expect((await first()).headers['x-total-count']).toBe('2');
    // Simulate a count that exceeds its timeout because the database is busy.
    vi.spyOn(Collection.prototype, 'countDocuments').mockRejectedValue(
      new MongoServerError({ message: 'operation exceeded time limit', code: 50 }),
    );
    const { headers, body } = await first();
    expect(body).toHaveLength(1);
    expect(headers.link).toContain('rel="next"');
    expect(headers['x-total-count']).toBeUndefined();
    vi.restoreAllMocks();
    expect((await first()).headers['x-total-count']).toBe('2');
  },
);

/** Simulates a list with so many rows. */
const simulateRows = (total: number) =>
  vi
    .spyOn(Collection.prototype, 'countDocuments')
    .mockImplementation(async (_, options) => Math.min(total, options?.limit ?? total));

const readTotal = async (path: string) => {
  const { headers } = await api.get(`${path}&limit=1`).set(bearer(author)).expect(200);
  return headers['x-total-count'];
};

test.each([
  ['a customer', () => `/review?email=${author.email}`],
  ['a service with five stars', () => `/allreview?serviceId=${serviceId}&rating=5`],
])('each page of the reviews of %s has the current total, even if there are 9,999 reviews', async (_, path) => {
  for (const total of [9999, 10_000]) {
    simulateRows(total);
    expect(await readTotal(path())).toBe(String(total));
  }
});

test('if a service has more than 10,000 reviews, only the list of all its reviews has a total', async () => {
  await getCollections(db).services.updateMany({}, { $set: { reviewCount: 10_006 } });
  const count = simulateRows(20_000);
  const path = `/allreview?serviceId=${serviceId}`;
  for (const query of ['', '&sort=lowest']) expect(await readTotal(path + query)).toBe('10006');
  expect(count).not.toHaveBeenCalled();
  expect(await readTotal(`${path}&rating=5`)).toBeUndefined();
});

test('if a service has more than 10,000 reviews with five stars, they are counted only once for several requests', async () => {
  const count = simulateRows(10_001);
  const path = `/allreview?serviceId=${serviceId}&rating=5`;
  for (let page = 0; page < 3; page += 1) expect(await readTotal(path)).toBeUndefined();
  expect(count).toHaveBeenCalledTimes(1);
});
