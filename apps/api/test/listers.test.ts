import type { Lister, Review, Service } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, apiClient, db, operate, signUp, signIn } = await createTestApp();
const { listers, reviews, services } = getCollections(db);

const picture = 'https://pictures.kitchen-photos.com/mina.jpg';
let mina: TestCustomer;
let omar: TestCustomer;
let reviewer: TestCustomer;
beforeAll(async () => {
  [mina, omar, reviewer] = await Promise.all([
    signUp({ name: 'Mina Duct', picture }),
    signUp({ name: 'Omar' }),
    signUp({ name: 'Reviewer' }),
  ]);
});
beforeEach(async () => {
  await Promise.all([services.deleteMany(), reviews.deleteMany(), listers.deleteMany()]);
});

const as = ({ jwt }: TestCustomer) => bearer(jwt);
const add = async (body: object = {}, lister = mina): Promise<string> =>
  (await api.post('/services').set(as(lister)).send(body).expect(201)).body.insertedId;
const review = async (serviceId: string, body: object = {}, author = reviewer): Promise<string> =>
  (
    await api
      .post('/review')
      .set(as(author))
      .send({ serviceId, ...body })
      .expect(201)
  ).body.insertedId;
const reply = (id: string) => api.put(`/review/${id}/reply`).set(as(mina)).send({ text: 'Thanks' }).expect(200);
const listerIdOf = async (id: string): Promise<string> => (await api.get(`/services/${id}`).expect(200)).body.listerId;
const read = async (id: string): Promise<Lister> => (await api.get(`/listers/${id}`).expect(200)).body;
const idsIn = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id);
const listIds = async (path: string) => idsIn((await api.get(path).expect(200)).body);

describe('a lister', () => {
  it('gets a random public id with the first service, which all their services carry', async () => {
    const [first, second, ofOmar] = [await add(), await add(), await add({}, omar)];
    const id = await listerIdOf(first);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(await listerIdOf(second)).toBe(id);
    expect(await listerIdOf(ofOmar)).not.toBe(id);
    // The first 4 bytes of other ids are their time in seconds.
    expect(Math.abs(new ObjectId(id).getTimestamp().getTime() - Date.now())).toBeGreaterThan(1000);
  });

  it('gets one id if their first services are added at the same time', async () => {
    const added = await Promise.all(Array.from({ length: 5 }, () => add()));
    expect(new Set(await Promise.all(added.map(listerIdOf))).size).toBe(1);
  });

  it('has a name, a picture and the time of the first service, but neither the uid nor the email address', async () => {
    const first = await add();
    const { createdAt } = (await api.get(`/services/${first}`).expect(200)).body as Service;
    await add();
    await review(first, { rating: 5 });
    const id = await listerIdOf(first);
    expect(await read(id)).toMatchObject({ _id: id, name: 'Mina Duct', picture, createdAt });
    for (const path of ['', '/services', '/reviews']) {
      const { text } = await api.get(`/listers/${id}${path}`).expect(200);
      for (const secret of [mina.uid, mina.email, reviewer.uid, reviewer.email]) expect(text).not.toContain(secret);
    }
  });

  it('has the joint stars of all services, and the share of reviews with a reply', async () => {
    const [hood, duct] = [await add({ title: 'Hood' }), await add({ title: 'Duct' })];
    const id = await listerIdOf(hood);
    expect(await read(id)).toMatchObject({ reviewCount: 0, ratingCount: 0, averageRating: null, replyShare: null });
    const replied = await review(hood, { rating: 5 });
    await review(hood, { rating: 4 }, omar);
    await review(duct, { rating: 2 });
    // A review by the lister counts neither in the stars nor in the share.
    await review(duct, { rating: 5 }, mina);
    await reply(replied);
    await review(await add({}, omar), { rating: 1 });
    expect(await read(id)).toMatchObject({ reviewCount: 4, ratingCount: 3, averageRating: 3.67, replyShare: 1 / 3 });
  });
});

describe('the services and reviews of a lister', () => {
  it('are listed in pages, newest first, without gaps and without those of others', async () => {
    const added: string[] = [];
    for (const title of ['A', 'B', 'C']) added.unshift(await add({ title }));
    const ofOmar = await add({}, omar);
    await review(ofOmar);
    const written: string[] = [];
    for (const serviceId of [...added, ...added]) written.unshift(await review(serviceId, { review: 'Good' }));
    const id = await listerIdOf(added[0] ?? '');
    const servicePages = await readAllPages<Service>(api, `/listers/${id}/services?limit=2`);
    expect(servicePages.map((page) => page.length)).toEqual([2, 1]);
    expect(idsIn(servicePages.flat())).toEqual(added);
    const reviewPages = await readAllPages<Review>(api, `/listers/${id}/reviews?limit=2`);
    expect(reviewPages.map((page) => page.length)).toEqual([2, 2, 2]);
    expect(idsIn(reviewPages.flat())).toEqual(written);
    for (const [path, count] of [
      ['services', 3],
      ['reviews', 6],
    ] as const) {
      const { headers } = await api.get(`/listers/${id}/${path}?limit=1`).expect(200);
      expect(headers['x-total-count']).toBe(String(count));
      const cursor = new URLSearchParams(headers.link?.split(/[?>]/)[1]).get('after') ?? '';
      const ofOther = await listerIdOf(ofOmar);
      await api.get(`/listers/${ofOther}/${path}?after=${cursor}`).expect(400);
    }
  });

  it('do not contain hidden and withdrawn services, their reviews, and hidden reviews', async () => {
    const [shown, hidden, withdrawn] = [await add({ title: 'Shown' }), await add(), await add()];
    const id = await listerIdOf(shown);
    const [seen, hiddenReview] = [await review(shown, { rating: 3 }), await review(shown, {}, omar)];
    await review(hidden, { rating: 1 });
    await review(withdrawn, { rating: 1 });
    await operate('hide', 'service', hidden);
    await operate('hide', 'review', hiddenReview);
    await api.delete(`/services/${withdrawn}`).set(as(mina)).expect(200);
    expect(await listIds(`/listers/${id}/services`)).toEqual([shown]);
    expect(await listIds(`/listers/${id}/reviews`)).toEqual([seen]);
    expect(await read(id)).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 3, replyShare: 0 });
  });

  it('are found with an index that contains their order', async () => {
    const commands: { find?: string; filter?: object; sort?: object; limit?: number; hint?: string }[] = [];
    apiClient.on('commandStarted', ({ command }) => commands.push(command as object));
    const serviceId = await add();
    await add();
    await review(serviceId);
    await review(serviceId);
    const id = await listerIdOf(serviceId);
    commands.length = 0;
    for (const path of ['services', 'reviews']) await readAllPages(api, `/listers/${id}/${path}?limit=1`);
    const lists = commands.filter(({ find, sort }) => sort && (find === 'services' || find === 'reviews'));
    expect(lists.length).toBeGreaterThanOrEqual(4);
    for (const { find, filter, sort, limit, hint } of lists) {
      const plan = await db.command({
        explain: { find, filter, sort, limit, ...(hint && { hint }) },
        verbosity: 'queryPlanner',
      });
      const stages = JSON.stringify(plan.queryPlanner.winningPlan);
      expect(stages).toMatch(/"indexName":"(lister|newest)"/);
      expect(stages).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
    }
    apiClient.removeAllListeners('commandStarted');
  });
});

describe('a page of a lister', () => {
  it.each(['0'.repeat(24), 'x'])('does not exist for the id %s', async (id) => {
    for (const path of ['', '/services', '/reviews']) await api.get(`/listers/${id}${path}`).expect(404);
  });

  it('does not exist while none of their services is listed', async () => {
    const service = await add();
    const id = await listerIdOf(service);
    await api.delete(`/services/${service}`).set(as(mina)).expect(200);
    for (const path of ['', '/services', '/reviews']) await api.get(`/listers/${id}${path}`).expect(404);
    await api.post(`/services/${service}/restore`).set(as(mina)).expect(200);
    await read(id);
  });

  it('does not exist after the lister has deleted their account, and their services do not carry its id', async () => {
    const leaving = await signUp({ name: 'Leaving' });
    const service = await add({ title: 'Ducts' }, leaving);
    const id = await listerIdOf(service);
    const idToken = await signIn(leaving);
    await api.delete('/account').set(bearer(idToken)).expect(200);
    for (const path of ['', '/services', '/reviews']) await api.get(`/listers/${id}${path}`).expect(404);
    expect(await listerIdOf(service)).toBe('');
    expect(await listers.countDocuments()).toBe(0);
  });
});
