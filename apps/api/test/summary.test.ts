import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Db, ObjectId } from 'mongodb';
import { pino } from 'pino';
import { afterEach, assert, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { getCollections } from '../src/database/documents.ts';
import { createMetrics } from '../src/operations/metrics.ts';
import { createSummaryStore } from '../src/reviews/summaries.store.ts';
import { createServiceStore } from '../src/services/services.store.ts';
import { type TestCustomer, testApp } from './support/test-app.ts';

const { api, db, config, identity, signUp } = await testApp();
const { services, reviews } = getCollections(db);
const summary = createSummaryStore({ services, reviews });

let customers: TestCustomer[];
beforeAll(async () => {
  customers = await Promise.all(Array.from({ length: 20 }, () => signUp()));
});

let serviceId: string;
beforeEach(async () => {
  const input = { title: 'Hood repair', ratting: '', img: '', price: '', description: '' };
  serviceId = (await createServiceStore({ services }).insert('lister', input)).insertedId;
});

const customer = (index: number) => customers[index] ?? assert.fail(`no customer ${index}`);
const write = (who: TestCustomer, rating?: number) =>
  api
    .post('/review')
    .set('Authorization', `Bearer ${who.jwt}`)
    .send({ serviceId, review: 'x', ...(rating && { rating }) })
    .expect(201);
const service = async () => (await api.get(`/services/${serviceId}`).expect(200)).body;
const stored = () => services.findOne({ _id: new ObjectId(serviceId) });

it('counts each customer’s newest rated review once, and every review as a review', async () => {
  await write(customer(0), 1);
  await write(customer(0), 3);
  await write(customer(0));
  await write(customer(1), 5);
  await write(customer(2));
  expect(await service()).toMatchObject({
    reviewCount: 5,
    ratingCount: 2,
    averageRating: 4,
    distribution: { 1: 0, 2: 0, 3: 1, 4: 0, 5: 1 },
  });
});

it('falls back to the customer’s rating before, when the newest is deleted', async () => {
  await write(customer(0), 1);
  const { body } = await write(customer(0), 4);
  await api
    .delete(`/review/${body.insertedId}`)
    .set('Authorization', `Bearer ${customer(0).jwt}`)
    .expect(200);
  expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 1 });
});

it('gives the average to two decimals', async () => {
  for (const [index, rating] of [5, 5, 4].entries()) await write(customer(index), rating);
  expect((await service()).averageRating).toBe(4.67);
});

it('is the same when the customers are read some at a time', async () => {
  for (const [index, rating] of [5, 3, undefined, 1, 4, 4, undefined, 2, 5, 1, 3, 3].entries())
    await write(customer((index * 5) % 7), rating);
  const whole = await service();
  expect(whole).toMatchObject({ reviewCount: 12, ratingCount: 6 });
  for (const recountedAtOnce of [1, 2, 5]) {
    await services.updateMany({}, { $set: { reviewCount: 0, ratingCount: 0, distribution: [0, 0, 0, 0, 0] } });
    await createSummaryStore({ services, reviews }, { reviewsPerRead: recountedAtOnce }).refresh(
      new ObjectId(serviceId),
    );
    expect(await service()).toEqual(whole);
  }
});

it('is the same when many services are counted together, however their reviews lie on commands', async () => {
  const ids = [serviceId];
  for (const stars of [[5], [], [4, 1, 3, 3, 2], [undefined, 2]]) {
    const input = { title: 'Another', ratting: '', img: '', price: '', description: '' };
    serviceId = (await createServiceStore({ services }).insert('lister', input)).insertedId;
    ids.push(serviceId);
    for (const [index, rating] of stars.entries()) await write(customer(index), rating);
  }
  const all = async () => (await api.get('/services').expect(200)).body;
  const right = await all();
  expect(right.map((row: { reviewCount: number }) => row.reviewCount)).toEqual(expect.arrayContaining([2, 5, 0, 1]));
  for (const recountedAtOnce of [1, 2, 3, 6, 20_000]) {
    await services.updateMany({}, { $set: { reviewCount: 9, ratingCount: 9, distribution: [0, 0, 0, 0, 9] } });
    const together = ids.map((id) => new ObjectId(id));
    await createSummaryStore({ services, reviews }, { reviewsPerRead: recountedAtOnce }).recompute([
      ...together,
      new ObjectId(),
    ]);
    expect((await all()).filter(({ _id }: { _id: string }) => ids.includes(_id))).toEqual(
      right.filter(({ _id }: { _id: string }) => ids.includes(_id)),
    );
  }
});

it('ends right after 20 writers at once', async () => {
  await Promise.all(customers.map((who, index) => write(who, (index % 5) + 1)));
  const right = { reviewCount: 20, ratingCount: 20, averageRating: 3, distribution: { 1: 4, 2: 4, 3: 4, 4: 4, 5: 4 } };
  await summary.sweep();
  expect(await service()).toMatchObject(right);
});

it('is right for whoever just wrote, though others write too', async () => {
  const counts = await Promise.all(
    customers.slice(0, 6).map(async (who) => {
      await write(who, 5);
      return (await service()).reviewCount as number;
    }),
  );
  expect(counts.every((count) => count >= 1)).toBe(true);
  expect((await service()).reviewCount).toBe(6);
});

it('is recounted once, not 20 times, for callers that come at once', async () => {
  const aggregate = vi.spyOn(reviews, 'aggregate');
  await Promise.all(Array.from({ length: 20 }, () => summary.refresh(new ObjectId(serviceId))));
  expect(aggregate.mock.calls.length).toBeLessThanOrEqual(2);
});

it('never lets an older result win', async () => {
  await write(customer(0), 5);
  const { summary, hasCounted, goOn } = slowSummaries();
  const older = summary.refresh(new ObjectId(serviceId));
  await hasCounted;
  await write(customer(1), 1);
  goOn();
  await older;
  expect(await service()).toMatchObject({ reviewCount: 2, averageRating: 3 });
});

it('never lets a result win that was counted between a writer’s first sign and its review', async () => {
  const { summary, hasCounted, goOn } = slowSummaries();
  let older: Promise<void> | undefined;
  const writeThere = await otherInstance({
    dies: false,
    beforeInsert: () => {
      older = summary.refresh(new ObjectId(serviceId));
      return hasCounted;
    },
  });
  expect(await writeThere(customer(0), 4)).toBe(201);
  goOn();
  await older;
  expect(await service()).toMatchObject({ reviewCount: 1, averageRating: 4 });
});

it('goes on though one recount fails', async () => {
  const failing = getCollections(db).reviews;
  vi.spyOn(failing, 'aggregate').mockImplementationOnce(() => {
    throw new Error('away');
  });
  const summary = createSummaryStore({ services, reviews: failing });
  const id = new ObjectId(serviceId);
  await write(customer(0), 5);
  await services.updateOne({ _id: id }, { $set: { reviewCount: 99 } });
  const [first, second] = await Promise.allSettled([summary.refresh(id), summary.refresh(id)]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  expect((await service()).reviewCount).toBe(1);
});

it('a review that was saved is answered so, though its service could not be recounted', async () => {
  const around = createSummaryStore({ services, reviews });
  vi.spyOn(reviews, 'aggregate').mockImplementationOnce(() => {
    throw new Error('away');
  });
  expect(await around.writeAndUpdate(new ObjectId(serviceId), async () => 'saved')).toBe('saved');
  const { summaryVersion, summarisedVersion } = (await stored()) ?? assert.fail();
  expect(summarisedVersion).not.toBe(summaryVersion);
});

it('is not waited for longer than a writer’s patience, and comes all the same', async () => {
  const { summary, hasCounted, goOn } = slowSummaries({ summaryWaitMs: 20 });
  expect(await summary.writeAndUpdate(new ObjectId(serviceId), async () => 'saved')).toBe('saved');
  await hasCounted;
  expect((await stored())?.summarisedVersion).toBe(0);
  goOn();
  await expect.poll(async () => (await stored())?.summarisedVersion).toBe(2);
});

const closers: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0)) close();
});

/** Another instance of the API; may die, as far as the world can see, as soon as it has saved a review. */
async function otherInstance({ dies, beforeInsert }: { dies: boolean; beforeInsert?: () => Promise<unknown> }) {
  const own = getCollections(db);
  const insert = own.reviews.insertOne.bind(own.reviews);
  vi.spyOn(own.reviews, 'insertOne').mockImplementation(async (row, options) => {
    await beforeInsert?.();
    if (dies) vi.spyOn(own.services, 'bulkWrite').mockImplementation(() => new Promise(() => {}));
    return insert(row, options);
  });
  const collections: Record<string, unknown> = { ...own };
  const seen = { collection: (name: string) => collections[name] ?? db.collection(name) } as unknown as Db;
  const metrics = createMetrics(db.client);
  const app = createApp({ config, db: seen, identity, logger: pino({ level: 'silent' }), metrics });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (who: TestCustomer, rating: number) =>
    fetch(`${origin}/review`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${who.jwt}` },
      body: JSON.stringify({ serviceId, review: 'the last words', rating }),
    }).then(
      ({ status }) => status,
      () => undefined, // the dead never answer
    );
}

/** Summaries whose next recount waits, once it has counted, until it may go on. */
function slowSummaries(options?: { summaryWaitMs: number }) {
  const hasCounted = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const slow = getCollections(db).reviews;
  const real = slow.aggregate.bind(slow);
  vi.spyOn(slow, 'aggregate').mockImplementationOnce((pipeline, options) => {
    const cursor = real(pipeline, options);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      const result = await toArray();
      hasCounted.resolve();
      await mayGoOn.promise;
      return result;
    };
    return cursor;
  });
  const summary = createSummaryStore({ services, reviews: slow }, options);
  return { summary, hasCounted: hasCounted.promise, goOn: mayGoOn.resolve };
}

const lastWordsSaved = async () => {
  await expect.poll(() => reviews.countDocuments({ review: 'the last words' })).toBe(1);
};

beforeEach(async () => {
  await reviews.deleteMany();
});

it('ends right after 20 writers at once, one of them killed between its writes', async () => {
  const writeAndDie = await otherInstance({ dies: true });
  void writeAndDie(customer(19), 1);
  await Promise.all(customers.slice(0, 19).map((who) => write(who, 5)));
  await lastWordsSaved();
  await summary.sweep();
  expect(await service()).toMatchObject({ reviewCount: 20, ratingCount: 20, averageRating: 4.8 });
});

it('is mended by the next sweep when its only writer was killed between its writes', async () => {
  const writeAndDie = await otherInstance({ dies: true });
  void writeAndDie(customer(0), 2);
  await lastWordsSaved();
  expect((await service()).reviewCount).toBe(0);
  await summary.sweep();
  expect(await service()).toMatchObject({ reviewCount: 1, averageRating: 2 });
});

it('is mended a minute later when a recount for others fell between the killed writer’s first sign and its review', async () => {
  const writeAndDie = await otherInstance({ dies: true, beforeInsert: () => write(customer(1), 5) });
  void writeAndDie(customer(0), 1);
  await lastWordsSaved();
  expect((await service()).reviewCount).toBe(1);
  await summary.sweep(new Date(Date.now() + 61_000));
  expect(await service()).toMatchObject({ reviewCount: 2, averageRating: 3 });
  expect((await stored())?.recheckAt).toBeNull();
});

it('is not recounted again by later sweeps once it is right', async () => {
  await write(customer(0), 5);
  const later = new Date(Date.now() + 61_000);
  await summary.sweep(later);
  const aggregate = vi.spyOn(reviews, 'aggregate');
  await summary.sweep(later);
  expect(aggregate).not.toHaveBeenCalled();
});

it('of every service is swept, though one of them fails', async () => {
  const poisoned = new ObjectId(serviceId);
  await write(customer(0), 5);
  serviceId = (
    await createServiceStore({ services }).insert('lister', {
      title: '',
      ratting: '',
      img: '',
      price: '',
      description: '',
    })
  ).insertedId;
  await write(customer(1), 4);
  await services.updateMany({}, { $set: { reviewCount: 99 }, $inc: { summaryVersion: 1 } });
  // What no version of ours stores: the database refuses every write of it.
  await services.updateOne({ _id: poisoned }, { $unset: { title: '' } }, { bypassDocumentValidation: true });
  await expect(summary.sweep()).rejects.toThrow('summaries could not be recomputed');
  expect((await service()).reviewCount).toBe(1);
  await services.updateOne({ _id: poisoned }, { $set: { title: '' } });
  await summary.sweep();
  expect(await services.countDocuments({ reviewCount: 1, _id: { $in: [poisoned, new ObjectId(serviceId)] } })).toBe(2);
});
