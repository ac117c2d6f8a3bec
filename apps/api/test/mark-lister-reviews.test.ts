import { ObjectId, type UpdateFilter } from 'mongodb';
import { assert, beforeEach, expect, inject, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import type { ReviewDocument } from '../src/database/documents/reviews.ts';
import { bearer } from './support/bearer.ts';
import { runProgram } from './support/run-program.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, db, config, signUp } = await createTestApp();
const { services, reviews } = getCollections(db);

async function migrate(): Promise<string> {
  const env = { MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: config.mongodbDatabase };
  return (await runProgram('migrate', [], env)).stdout;
}

const write = async (author: TestCustomer, serviceId: string, input: object) =>
  (
    await api
      .post('/review')
      .set(bearer(author))
      .send({ serviceId, ...input })
      .expect(201)
  ).body.insertedId as string;
const details = async (id: string) => (await api.get(`/services/${id}`).expect(200)).body;

let lister: TestCustomer;
let customer: TestCustomer;
let serviceId: string;
beforeEach(async () => {
  await Promise.all([services.deleteMany(), reviews.deleteMany()]);
  [lister, customer] = await Promise.all([signUp(), signUp()]);
  const { body } = await api.post('/services').set(bearer(lister)).send({ title: 'Hoods' }).expect(201);
  serviceId = body.insertedId;
});

const newerFields = { awaitsReply: 1, usefulCount: 1 };

/**
 * Changes a lister's review and its service to look as an earlier version of the API stored them: the review has no
 * `byLister` and no newer fields, and its stars are included in the average rating of the service.
 */
async function storeAsEarlierVersion(id: string, rating: number): Promise<void> {
  const update = {
    $set: { rating, lowestRating: rating || 6 },
    $unset: { byLister: 1, listerRating: 1, ...newerFields },
  };
  await reviews.updateOne({ _id: new ObjectId(id) }, update as UpdateFilter<ReviewDocument>);
  await services.updateOne(
    { _id: new ObjectId(serviceId) },
    { $set: { ratingCount: 2, averageRating: 3.5, distribution: [0, 1, 0, 0, 1] } },
  );
}

it('the migrate command marks existing reviews that listers wrote about their own services, and removes their stars from the counts', async () => {
  const own = await write(lister, serviceId, { rating: 5, review: 'We are the best' });
  const wordsOnly = await write(lister, serviceId, { review: 'Call us' });
  const foreign = await write(customer, serviceId, { rating: 2 });
  await storeAsEarlierVersion(own, 5);
  await storeAsEarlierVersion(wordsOnly, 0);
  expect(await details(serviceId)).toMatchObject({ ratingCount: 2, averageRating: 3.5 });

  expect(await migrate()).toContain('Marked 2 review');
  expect(await details(serviceId)).toMatchObject({ reviewCount: 3, ratingCount: 1, averageRating: 2 });
  expect((await api.get(`/review/${own}`).expect(200)).body).toMatchObject({ byLister: true, rating: 5 });
  const { body } = await api.get(`/review/${wordsOnly}`).expect(200);
  expect([body.byLister, body.rating]).toEqual([true, undefined]);
  expect((await api.get(`/review/${foreign}`).expect(200)).body).not.toHaveProperty('byLister');

  const before = await reviews.find().sort({ _id: 1 }).toArray();
  expect(await migrate()).not.toContain('Marked');
  expect(await reviews.find().sort({ _id: 1 }).toArray()).toEqual(before);
});

it('if the previous version of the API edits a review by the lister, the next migrate command removes its stars from the counts', async () => {
  const own = await write(lister, serviceId, { rating: 5 });
  await write(customer, serviceId, { rating: 2 });
  // Simulates an edit by the previous version of the API. That version does not know `byLister`, so it stores the stars
  // in `rating` and `lowestRating` as for any other review.
  await reviews.updateOne({ _id: new ObjectId(own) }, { $set: { rating: 4, lowestRating: 4 } });
  expect(await migrate()).toContain('Marked 1 review');
  expect((await api.get(`/review/${own}`).expect(200)).body).toMatchObject({ byLister: true, rating: 4 });
  expect(await details(serviceId)).toMatchObject({ ratingCount: 1, averageRating: 2 });
});

it('the migrate command marks all reviews by listers, even if they do not fit into one batch, and ignores services without a lister', async () => {
  const own = await write(lister, serviceId, { rating: 5 });
  await storeAsEarlierVersion(own, 5);
  const service = (await services.findOne()) ?? assert.fail();
  const review = (await reviews.findOne()) ?? assert.fail();
  const others = Array.from({ length: 250 }, (_, n) => ({
    id: new ObjectId(),
    uid: `lister-${n}`,
    hasLister: n % 2 === 0,
  }));
  await services.insertMany(
    others.map(({ id, uid, hasLister }) => ({ ...service, _id: id, createdBy: hasLister ? uid : null })),
  );
  await reviews.insertMany(others.map(({ id, uid }) => ({ ...review, _id: new ObjectId(), serviceId: id, uid })));
  expect(await migrate()).toContain('Marked 126 reviews');
  expect(await details(serviceId)).toMatchObject({ reviewCount: 1, ratingCount: 0 });
  expect(await reviews.countDocuments({ byLister: true, rating: 0, listerRating: 5, awaitsReply: false })).toBe(126);
  expect(await reviews.countDocuments({ rating: 5, awaitsReply: true, usefulCount: 0 })).toBe(125);
});

it('the migrate command updates all reviews of earlier versions, even if several processes run it at the same time', async () => {
  const own = await write(lister, serviceId, { rating: 5 });
  await write(customer, serviceId, { rating: 2 });
  await storeAsEarlierVersion(own, 5);
  await reviews.updateMany({}, { $unset: newerFields } as UpdateFilter<ReviewDocument>);
  await Promise.all([migrate(), migrate(), migrate()]);
  expect(await details(serviceId)).toMatchObject({ reviewCount: 2, ratingCount: 1, averageRating: 2 });
  expect(await reviews.countDocuments({ awaitsReply: { $exists: true }, usefulCount: 0 })).toBe(2);
});
