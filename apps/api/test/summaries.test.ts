import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Db, ObjectId } from 'mongodb';
import { pino } from 'pino';
import { afterEach, assert, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { createMetrics } from '../src/operations/metrics.ts';
import { createSummaryStore } from '../src/reviews/summaries.store.ts';
import { bearer } from './support/bearer.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, db, config, identity, stores, signUp } = await createTestApp();
const { services, reviews } = getCollections(db);
const summary = createSummaryStore({ services, reviews });

let customers: TestCustomer[];
beforeAll(async () => {
  customers = await Promise.all(Array.from({ length: 20 }, () => signUp()));
});

let serviceId: string;
beforeEach(async () => {
  const input = { ...blankService, title: 'Hood repair' };
  serviceId = (await stores.services.insert(someLister, input)).insertedId;
});

const customer = (index: number) => customers[index] ?? assert.fail(`no customer ${index}`);
const write = (author: TestCustomer, rating?: number) =>
  api
    .post('/review')
    .set(bearer(author))
    .send({ serviceId, review: 'x', ...(rating && { rating }) })
    .expect(201);
const service = async () => (await api.get(`/services/${serviceId}`).expect(200)).body;
const stored = () => services.findOne({ _id: new ObjectId(serviceId) });

it('the review count of a service includes all reviews, but its stars include only the newest rating of each customer', async () => {
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

it('the stars of a service include the previous rating of a customer when their newest review is deleted', async () => {
  await write(customer(0), 1);
  const { body } = await write(customer(0), 4);
  await api
    .delete(`/review/${body.insertedId}`)
    .set(bearer(customer(0)))
    .expect(200);
  expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 1 });
});

it('the average rating of a service is rounded to two decimals', async () => {
  for (const [index, rating] of [5, 5, 4].entries()) await write(customer(index), rating);
  expect((await service()).averageRating).toBe(4.67);
});

it('the review count and stars of a service are the same when its reviews are read with several database commands', async () => {
  for (const [index, rating] of [5, 3, undefined, 1, 4, 4, undefined, 2, 5, 1, 3, 3].entries())
    await write(customer((index * 5) % 7), rating);
  const whole = await service();
  expect(whole).toMatchObject({ reviewCount: 12, ratingCount: 6 });
  for (const reviewsPerRead of [1, 2, 5]) {
    await services.updateMany({}, { $set: { reviewCount: 0, ratingCount: 0, distribution: [0, 0, 0, 0, 0] } });
    await createSummaryStore({ services, reviews }, { reviewsPerRead: reviewsPerRead }).refresh(
      new ObjectId(serviceId),
    );
    expect(await service()).toEqual(whole);
  }
});

it('the review counts and stars of several services are correct after they are recomputed together, with any number of reviews per database command', async () => {
  const ids = [serviceId];
  for (const stars of [[5], [], [4, 1, 3, 3, 2], [undefined, 2]]) {
    const input = { ...blankService, title: 'Another' };
    serviceId = (await stores.services.insert(someLister, input)).insertedId;
    ids.push(serviceId);
    for (const [index, rating] of stars.entries()) await write(customer(index), rating);
  }
  const all = async () => (await api.get('/services').expect(200)).body;
  const right = await all();
  expect(right.map((row: { reviewCount: number }) => row.reviewCount)).toEqual(expect.arrayContaining([2, 5, 0, 1]));
  for (const reviewsPerRead of [1, 2, 3, 6, 20_000]) {
    await services.updateMany({}, { $set: { reviewCount: 9, ratingCount: 9, distribution: [0, 0, 0, 0, 9] } });
    const together = ids.map((id) => new ObjectId(id));
    await createSummaryStore({ services, reviews }, { reviewsPerRead: reviewsPerRead }).recompute([
      ...together,
      new ObjectId(),
    ]);
    expect((await all()).filter(({ _id }: { _id: string }) => ids.includes(_id))).toEqual(
      right.filter(({ _id }: { _id: string }) => ids.includes(_id)),
    );
  }
});

it('the review count and stars of a service are correct after 20 concurrent writes of reviews and a sweep', async () => {
  await Promise.all(customers.map((author, index) => write(author, (index % 5) + 1)));
  const right = { reviewCount: 20, ratingCount: 20, averageRating: 3, distribution: { 1: 4, 2: 4, 3: 4, 4: 4, 5: 4 } };
  await summary.sweep();
  expect(await service()).toMatchObject(right);
});

it('the review count of a service includes a new review as soon as its author gets the response, even with concurrent writes', async () => {
  const counts = await Promise.all(
    customers.slice(0, 6).map(async (author) => {
      await write(author, 5);
      return (await service()).reviewCount as number;
    }),
  );
  expect(counts.every((count) => count >= 1)).toBe(true);
  expect((await service()).reviewCount).toBe(6);
});

it('the review count and stars of a service are correct after concurrent writes to two instances of the API, even without a regular sweep', async () => {
  const writeThere = await startOtherInstance({ crashes: false });
  await Promise.all(customers.map((author, index) => (index % 2 ? write(author, 2) : writeThere(author, 4))));
  await expect.poll(service).toMatchObject({ reviewCount: 20, ratingCount: 20, averageRating: 3 });
});

it('20 concurrent calls recompute the review count and stars of a service at most twice', async () => {
  const aggregate = vi.spyOn(reviews, 'aggregate');
  await Promise.all(Array.from({ length: 20 }, () => summary.refresh(new ObjectId(serviceId))));
  expect(aggregate.mock.calls.length).toBeLessThanOrEqual(2);
});

it('the review count and stars of a service are not overwritten by a slower recomputation that started earlier', async () => {
  await write(customer(0), 5);
  const { summary, hasCounted, resume } = createPausingStore();
  const older = summary.refresh(new ObjectId(serviceId));
  await hasCounted;
  await write(customer(1), 1);
  resume();
  await older;
  expect(await service()).toMatchObject({ reviewCount: 2, averageRating: 3 });
});

it('a recomputation that counted the reviews before a new review was saved does not overwrite the newer review count of the service', async () => {
  const { summary, hasCounted, resume } = createPausingStore();
  let older: Promise<void> | undefined;
  const writeThere = await startOtherInstance({
    crashes: false,
    beforeInsert: () => {
      older = summary.refresh(new ObjectId(serviceId));
      return hasCounted;
    },
  });
  expect(await writeThere(customer(0), 4)).toBe(201);
  resume();
  await older;
  expect(await service()).toMatchObject({ reviewCount: 1, averageRating: 4 });
});

it('when the first of two concurrent calls fails to recompute the review count of a service, the second call still recomputes it', async () => {
  const failing = getCollections(db).reviews;
  vi.spyOn(failing, 'aggregate').mockImplementationOnce(() => {
    throw new Error('unavailable');
  });
  const summary = createSummaryStore({ services, reviews: failing });
  const id = new ObjectId(serviceId);
  await write(customer(0), 5);
  await services.updateOne({ _id: id }, { $set: { reviewCount: 99 } });
  const [first, second] = await Promise.allSettled([summary.refresh(id), summary.refresh(id)]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  expect((await service()).reviewCount).toBe(1);
});

it('a review is saved even if the review count and stars of its service cannot be recomputed', async () => {
  const summaryStore = createSummaryStore({ services, reviews });
  vi.spyOn(reviews, 'aggregate').mockImplementationOnce(() => {
    throw new Error('unavailable');
  });
  expect(await summaryStore.writeAndUpdate(new ObjectId(serviceId), async () => 'saved')).toBe('saved');
  const { summaryVersion, summarisedVersion } = (await stored()) ?? assert.fail();
  expect(summarisedVersion).not.toBe(summaryVersion);
});

it('if recomputing the review count and stars of a service takes too long, the request that adds a review does not wait until this is finished', async () => {
  const { summary, hasCounted, resume } = createPausingStore({ summaryWaitMs: 20 });
  expect(await summary.writeAndUpdate(new ObjectId(serviceId), async () => 'saved')).toBe('saved');
  await hasCounted;
  expect((await stored())?.summarisedVersion).toBe(0);
  resume();
  await expect.poll(async () => (await stored())?.summarisedVersion).toBe(1);
});

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of cleanups.splice(0)) close();
});

/** Starts another API instance. If `crashes` is true, the instance stops writing as soon as it has saved a review. */
async function startOtherInstance({
  crashes,
  beforeInsert,
}: {
  crashes: boolean;
  beforeInsert?: () => Promise<unknown>;
}) {
  const own = getCollections(db);
  const insert = own.reviews.insertOne.bind(own.reviews);
  vi.spyOn(own.reviews, 'insertOne').mockImplementation(async (row, options) => {
    await beforeInsert?.();
    if (crashes) vi.spyOn(own.services, 'bulkWrite').mockImplementation(() => new Promise(() => {}));
    return insert(row, options);
  });
  const collections: Record<string, unknown> = { ...own };
  const seen = { collection: (name: string) => collections[name] ?? db.collection(name) } as unknown as Db;
  const metrics = createMetrics(db.client);
  const app = createApp({ config, db: seen, identity, logger: pino({ level: 'silent' }), metrics });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (author: TestCustomer, rating: number) =>
    fetch(`${origin}/review`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${author.jwt}` },
      body: JSON.stringify({ serviceId, review: 'Saved before the crash', rating }),
    }).then(
      ({ status }) => status,
      () => undefined, // A crashed instance sends no response.
    );
}

/**
 * Creates a summary store. Its first recomputation pauses after it has counted the reviews, until `resume` is called.
 */
function createPausingStore(options?: { summaryWaitMs: number }) {
  const pausing = getCollections(db).reviews;
  const real = pausing.aggregate.bind(pausing);
  const hasCounted = Promise.withResolvers<void>();
  const mayResume = Promise.withResolvers<void>();
  vi.spyOn(pausing, 'aggregate').mockImplementationOnce((pipeline, options) => {
    const cursor = real(pipeline, options);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      const result = await toArray();
      hasCounted.resolve();
      await mayResume.promise;
      return result;
    };
    return cursor;
  });
  const summary = createSummaryStore({ services, reviews: pausing }, options);
  return { summary, hasCounted: hasCounted.promise, resume: mayResume.resolve };
}

const expectReviewSaved = async () => {
  await expect.poll(() => reviews.countDocuments({ review: 'Saved before the crash' })).toBe(1);
};

beforeEach(async () => {
  await reviews.deleteMany();
});

/** Returns a time after `recheckAt` of all new reviews. A sweep at this time recomputes the summaries of their services. */
const recheckTime = () => new Date(Date.now() + 11_000);

it('the review count and stars of a service are correct after a regular sweep, even if one of 20 concurrent writers crashed right after saving its review', async () => {
  const writeAndCrash = await startOtherInstance({ crashes: true });
  void writeAndCrash(customer(19), 1);
  await Promise.all(customers.slice(0, 19).map((author) => write(author, 5)));
  await expectReviewSaved();
  await summary.sweep(recheckTime());
  expect(await service()).toMatchObject({ reviewCount: 20, ratingCount: 20, averageRating: 4.8 });
});

it('when an API instance crashes after saving a review, a regular sweep recomputes the review count and stars of the service 10 s later, even if another request updated them shortly before the crash', async () => {
  const writeAndCrash = await startOtherInstance({ crashes: true, beforeInsert: () => write(customer(1), 5) });
  void writeAndCrash(customer(0), 1);
  await expectReviewSaved();
  expect((await service()).reviewCount).toBe(1);
  await summary.sweep(recheckTime());
  expect(await service()).toMatchObject({ reviewCount: 2, averageRating: 3 });
  expect(await reviews.countDocuments({ recheckAt: { $exists: true } })).toBe(0);
});

it('a regular sweep recomputes the review count and stars of a service at most once after a write', async () => {
  await write(customer(0), 5);
  await summary.sweep(recheckTime());
  const { summaryVersion } = (await stored()) ?? assert.fail();
  await summary.sweep(recheckTime());
  expect((await stored())?.summaryVersion).toBe(summaryVersion);
});

it('a regular sweep recomputes the review count and stars of a service even if this fails for another service', async () => {
  const invalidId = new ObjectId(serviceId);
  await write(customer(0), 5);
  serviceId = (await stores.services.insert(someLister, blankService)).insertedId;
  await write(customer(1), 4);
  await services.updateMany({}, { $set: { reviewCount: 99, recheckAt: new Date() }, $inc: { summaryVersion: 1 } });
  // Makes the document invalid, so that the database rejects an update of its summary.
  await services.updateOne({ _id: invalidId }, { $unset: { title: '' } }, { bypassDocumentValidation: true });
  await expect(summary.sweep()).rejects.toThrow('summaries could not be recomputed');
  expect((await service()).reviewCount).toBe(1);
  await services.updateOne({ _id: invalidId }, { $set: { title: '' } });
  await summary.sweep();
  expect(await services.countDocuments({ reviewCount: 1, _id: { $in: [invalidId, new ObjectId(serviceId)] } })).toBe(2);
});
