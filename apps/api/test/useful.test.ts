import { limits, type Review } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { assert, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { nextPagePath } from './support/references.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, config, db, identity, stores, signUp } = await createTestApp();
const collections = getCollections(db);
const { reviews } = collections;
const { services, serviceModeration, reviewModeration } = stores;

let author: TestCustomer;
let lena: TestCustomer;
let omar: TestCustomer;
let lister: TestCustomer;
beforeAll(async () => {
  [author, lena, omar, lister] = await Promise.all([signUp(), signUp(), signUp(), signUp()]);
});

let serviceId: string;
let reviewId: string;
beforeEach(async () => {
  const { body } = await api.post('/services').set(bearer(lister)).send({ title: 'Hood repair' }).expect(201);
  serviceId = body.insertedId;
  reviewId = await write();
});

async function write(fields: object = {}): Promise<string> {
  const review = { serviceId, review: 'Well done', ...fields };
  return (await api.post('/review').set(bearer(author)).send(review).expect(201)).body.insertedId;
}

/** The time and the reason with which an operator hides content in these tests. */
const spam = { at: new Date(), reason: 'spam' };

const vote = (voter: TestCustomer, id = reviewId) => api.put(`/review/${id}/useful`).set(bearer(voter));
const unvote = (voter: TestCustomer, id = reviewId) => api.delete(`/review/${id}/useful`).set(bearer(voter));
const stored = (id = reviewId) => reviews.findOne({ _id: new ObjectId(id) });
const read = async (reader?: TestCustomer) => {
  const request = api.get(`/review/${reviewId}`);
  return (await (reader ? request.set(bearer(reader)) : request).expect(200)).body as Review;
};

describe('PUT and DELETE /review/:id/useful', () => {
  it('count each customer once, and remove only their own vote', async () => {
    await vote(lena).expect(200, { usefulCount: 1, isUsefulToMe: true });
    await vote(lena).expect(200, { usefulCount: 1, isUsefulToMe: true });
    await vote(omar).expect(200, { usefulCount: 2, isUsefulToMe: true });
    await unvote(lena).expect(200, { usefulCount: 1, isUsefulToMe: false });
    await unvote(lena).expect(200, { usefulCount: 1, isUsefulToMe: false });
    expect(await stored()).toMatchObject({ usefulBy: [omar.uid], usefulCount: 1 });
  });

  it('count a customer once, even if the same vote arrives 20 times at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => vote(lena).expect(200)));
    expect(await stored()).toMatchObject({ usefulBy: [lena.uid], usefulCount: 1 });
  });

  it('count every vote when different customers vote at the same time', async () => {
    const voters = [lena, omar, lister];
    await Promise.all(voters.flatMap((voter) => [vote(voter).expect(200), vote(voter).expect(200)]));
    const review = await stored();
    expect(review?.usefulCount).toBe(3);
    expect(new Set(review?.usefulBy)).toEqual(new Set(voters.map(({ uid }) => uid)));
  });

  it('keep the count equal to the number of voters when votes are added and removed at the same time', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        Promise.all([vote(lena), index % 2 ? vote(omar) : unvote(omar)].map((request) => request.expect(200))),
      ),
    );
    const review = await stored();
    expect(review?.usefulBy).toContain(lena.uid);
    expect(review?.usefulCount).toBe(review?.usefulBy?.length);
  });

  it('return 403 to the author of the review', async () => {
    const { body } = await vote(author).expect(403);
    expect(body.detail).toBe('This is your own review. You can mark only the reviews of other customers as useful.');
    await unvote(author).expect(403);
    expect((await read()).usefulCount).toBe(0);
  });

  it('return 404 for an unknown, deleted or hidden review, and for a review of a withdrawn or hidden service', async () => {
    const expectMissing = async (id = reviewId) => {
      await vote(lena, id).expect(404);
      await unvote(lena, id).expect(404);
    };
    await expectMissing(new ObjectId().toHexString());
    await expectMissing('not-an-id');
    await reviewModeration.setHidden(reviewId, spam);
    await expectMissing();
    await reviewModeration.setHidden(reviewId, null);
    await serviceModeration.setHidden(serviceId, spam);
    await expectMissing();
    await serviceModeration.setHidden(serviceId, null);
    await services.withdraw(serviceId, lister.uid);
    await expectMissing();
    await services.restore(serviceId, lister.uid);
    await api.delete(`/review/${reviewId}`).set(bearer(author)).expect(200);
    await expectMissing();
    expect(await stored()).not.toHaveProperty('usefulBy');
  });

  it('let a customer remove their vote even after the review or its service was hidden, or the service was withdrawn', async () => {
    const cannotRead: (() => Promise<unknown>)[] = [
      () => reviewModeration.setHidden(reviewId, spam),
      () => serviceModeration.setHidden(serviceId, spam),
      () => services.withdraw(serviceId, lister.uid),
    ];
    for (const hide of cannotRead) {
      for (const voter of [lena, omar]) await vote(voter).expect(200);
      await hide();
      expect((await unvote(lena).expect(200)).body).toEqual({ usefulCount: 1, isUsefulToMe: false });
      expect(await stored()).toMatchObject({ usefulBy: [omar.uid] });
      await unvote(lena).expect(404);
      await unvote(omar).expect(200);
      await reviewModeration.setHidden(reviewId, null);
      await serviceModeration.setHidden(serviceId, null);
    }
  });

  it('return 400 for query parameters', async () => {
    await api.put(`/review/${reviewId}/useful?uid=${omar.uid}`).set(bearer(lena)).expect(400);
    await api.delete(`/review/${reviewId}/useful?uid=${omar.uid}`).set(bearer(lena)).expect(400);
    expect((await read()).usefulCount).toBe(0);
  });

  it('ignore a body', async () => {
    await vote(lena).send({ uid: omar.uid, usefulCount: 99 }).expect(200, { usefulCount: 1, isUsefulToMe: true });
    expect((await stored())?.usefulBy).toEqual([lena.uid]);
    await unvote(lena).send({ uid: omar.uid, usefulCount: 99 }).expect(200, { usefulCount: 0, isUsefulToMe: false });
  });

  it('accept a customer whose uid looks like the name of a field of the review', async () => {
    expect(await stores.votes.setUseful(reviewId, '$uid', true)).toEqual({ usefulCount: 1, isUsefulToMe: true });
    expect((await stored())?.usefulBy).toEqual(['$uid']);
    expect(await stores.votes.setUseful(reviewId, '$uid', false)).toEqual({ usefulCount: 0, isUsefulToMe: false });
  });

  it('return 429 for a review with 10,000 votes, except to a customer who has already voted', async () => {
    const usefulBy = [
      lena.uid,
      ...Array.from({ length: limits.usefulVotesPerReview - 1 }, (_, index) => `uid${index}`),
    ];
    const usefulCount = usefulBy.length;
    await reviews.updateOne({ _id: new ObjectId(reviewId) }, { $set: { usefulBy, usefulCount } });
    const { body } = await vote(omar).expect(429).expect('Retry-After', '3600');
    expect(body).toMatchObject({
      limit: 'votes-per-review',
      detail: '10,000 customers have marked this review as useful. This is the limit for one review.',
    });
    await vote(lena).expect(200, { usefulCount, isUsefulToMe: true });
    await unvote(lena).expect(200, { usefulCount: usefulCount - 1, isUsefulToMe: false });
    await vote(omar).expect(200, { usefulCount, isUsefulToMe: true });
  });

  it('leave `updatedAt` of the review unchanged, so that an edit by its author succeeds', async () => {
    const before = await api.get(`/review/${reviewId}`).set(bearer(author)).expect(200);
    await vote(lena).expect(200);
    const after = await api.get(`/review/${reviewId}`).set(bearer(author)).expect(200);
    expect(after.body.updatedAt).toBe(before.body.updatedAt);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const edit = api.patch(`/review/${reviewId}`).set(bearer(author)).set('If-Match', String(before.headers.etag));
    await edit.send({ review: 'Edited' }).expect(200);
    expect(await read()).toMatchObject({ review: 'Edited', usefulCount: 1 });
  });
});

describe('a review', () => {
  it('keeps its votes when its author deletes and restores it', async () => {
    await vote(lena).expect(200);
    await api.delete(`/review/${reviewId}`).set(bearer(author)).expect(200);
    await api.post(`/review/${reviewId}/restore`).set(bearer(author)).expect(200);
    expect(await read(lena)).toMatchObject({ usefulCount: 1, isUsefulToMe: true });
  });

  it('contains its number of votes, and in GET /allreview and GET /review/:id with a token also whether the customer has voted for it', async () => {
    const other = await write({ review: 'Another one' });
    await vote(lena).expect(200);
    const list = `/allreview?serviceId=${serviceId}`;
    for (const path of [list, `${list}&limit=5`, `${list}&sort=useful`]) {
      const votesFor = async (reader?: TestCustomer) => {
        const { body } = await (reader ? api.get(path).set(bearer(reader)) : api.get(path)).expect(200);
        expect(JSON.stringify(body)).not.toContain(lena.uid);
        return Object.fromEntries(
          (body as Review[]).map(({ _id, usefulCount, isUsefulToMe }) => [_id, [usefulCount, isUsefulToMe]]),
        );
      };
      expect(await votesFor()).toEqual({ [reviewId]: [1, undefined], [other]: [0, undefined] });
      expect(await votesFor(lena)).toEqual({ [reviewId]: [1, true], [other]: [0, false] });
      expect(await votesFor(omar)).toEqual({ [reviewId]: [1, false], [other]: [0, false] });
    }
    expect(await read()).not.toHaveProperty('isUsefulToMe');
    expect(await read(lena)).toMatchObject({ usefulCount: 1, isUsefulToMe: true });
    const { body: own } = await api.get(`/review?email=${author.email}`).set(bearer(author)).expect(200);
    expect(own).toMatchObject(expect.arrayContaining([expect.objectContaining({ _id: reviewId, usefulCount: 1 })]));
    expect(JSON.stringify(own)).not.toContain(lena.uid);
  });

  it('contains whether the customer has voted for it, even in a streamed list of more than 100 reviews', async () => {
    const document = (await stored()) ?? assert.fail();
    const copies = Array.from({ length: 120 }, (_, index) => ({
      ...document,
      _id: new ObjectId(),
      usefulBy: index % 2 ? [lena.uid] : [],
    }));
    await reviews.insertMany(copies);
    const { body } = await api.get(`/allreview?serviceId=${serviceId}`).set(bearer(lena)).expect(200);
    expect(body).toHaveLength(121);
    expect(body.filter(({ isUsefulToMe }: Review) => isUsefulToMe)).toHaveLength(60);
  });

  it('is not returned if the token of the request is invalid (401)', async () => {
    await api.get(`/allreview?serviceId=${serviceId}`).set(bearer(lena.idToken)).expect(401);
  });
});

describe('GET /allreview?sort=useful', () => {
  it('returns pages of reviews, those with the most votes first, and reviews with the same number of votes newest first', async () => {
    const ids = [reviewId, ...(await writeInOrder(['1', '2', '3', '4']))];
    const counts = [2, 0, 3, 2, 0];
    for (const [index, id] of ids.entries())
      for (const voter of [lena, omar, lister].slice(0, counts[index])) await vote(voter, id).expect(200);
    const pages = await readAllPages<Review>(api, `/allreview?serviceId=${serviceId}&sort=useful&limit=2`);
    expect(pages.flat().map(({ _id }) => ids.indexOf(_id))).toEqual([2, 3, 0, 4, 1]);
  });

  it('returns the reviews with the most votes first even in a list that is filtered by stars', async () => {
    const [first = '', second = '', third = ''] = await writeInOrder(['1', '2', '3'], { rating: 4 });
    await vote(lena, first).expect(200);
    const path = `/allreview?serviceId=${serviceId}&sort=useful&rating=4`;
    const pages = await readAllPages<Review>(api, `${path}&limit=1`);
    expect(pages.flat().map(({ _id }) => _id)).toEqual([first, third, second]);
  });

  async function writeInOrder(texts: string[], fields: object = {}): Promise<string[]> {
    const ids: string[] = [];
    for (const review of texts) ids.push(await write({ review, ...fields }));
    return ids;
  }
});

describe('GET /account/votes', () => {
  it('lists only the reviews that this customer marked as useful, the newest review first', async () => {
    const voter = await signUp();
    const [second, third] = [await write({ review: 'second' }), await write({ review: 'third' })];
    for (const id of [third, reviewId]) await vote(voter, id).expect(200);
    await vote(lena, second).expect(200);
    const votesOf = async (query: string) =>
      (await api.get(`/account/votes${query}`).set(bearer(voter)).expect(200)).body as object[];
    const vote1 = { reviewId: third, serviceId, serviceName: 'Hood repair' };
    const vote2 = { ...vote1, reviewId };
    expect(await votesOf('')).toEqual([vote1, vote2]);
    const first = await api.get('/account/votes?limit=1').set(bearer(voter)).expect(200);
    expect(first.body).toEqual([vote1]);
    expect(first.headers).toMatchObject({ 'x-total-count': '2', 'cache-control': 'private, no-store' });
    const next = nextPagePath('/account/votes', first.headers) ?? '';
    expect((await api.get(next).set(bearer(voter)).expect(200)).body).toEqual([vote2]);
    await api.get(next).set(bearer(lena)).expect(400);
    await services.withdraw(serviceId, lister.uid);
    expect(await votesOf('')).toEqual([vote1, vote2]);
    await reviewModeration.setHidden(third, spam);
    expect(await votesOf('')).toEqual([vote1, vote2]);
  });

  it('returns 400 for unknown parameters', async () => {
    await api.get('/account/votes?uid=x').set(bearer(lena)).expect(400);
  });
});

describe('the deletion of an account', () => {
  it('removes all votes of the customer, even those for deleted and hidden reviews', async () => {
    const leaver = await signUp();
    const [deleted, hidden] = [await write({ review: 'deleted' }), await write({ review: 'hidden' })];
    for (const id of [reviewId, deleted, hidden]) {
      await vote(leaver, id).expect(200);
      await vote(lena, id).expect(200);
    }
    await api.delete(`/review/${deleted}`).set(bearer(author)).expect(200);
    await reviewModeration.setHidden(hidden, spam);
    await api.delete('/account').set(bearer(leaver.idToken)).expect(200);
    for (const id of [reviewId, deleted, hidden])
      expect(await stored(id)).toMatchObject({ usefulBy: [lena.uid], usefulCount: 1 });
    expect((await read()).usefulCount).toBe(1);
  });

  it('removes even a vote that was saved while the account was being deleted', async () => {
    const leaver = await signUp();
    await api.delete('/account').set(bearer(leaver.idToken)).expect(200);
    await reviews.updateOne({ _id: new ObjectId(reviewId) }, { $set: { usefulBy: [leaver.uid], usefulCount: 1 } });
    for (const sweep of createSweeps(db, identity, config.webOrigins)) await sweep();
    expect(await stored()).toMatchObject({ usefulBy: [], usefulCount: 0 });
  });
});
