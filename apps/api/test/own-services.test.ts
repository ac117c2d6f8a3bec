import type { OwnReview, OwnService, Service } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { beforeNext } from './support/before-next.ts';
import { minutesAgo } from './support/minutes-ago.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, db, operate, signUp, signIn } = await createTestApp();
const { reviews, services } = getCollections(db);

let lister: TestCustomer;
let other: TestCustomer;
let id: string;
beforeAll(async () => {
  lister = await signUp({ name: 'Mina Duct' });
  other = await signUp({ name: 'Omar' });
});
beforeEach(async () => {
  await Promise.all([services.deleteMany(), reviews.deleteMany()]);
  id = await add({ title: 'Hood repair', price: 'from $90', description: 'Grease leaks' });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const unknownId = '0'.repeat(24);
const as = ({ jwt }: TestCustomer) => bearer(jwt);

async function add(body: object, customer = lister): Promise<string> {
  return (await api.post('/services').set(as(customer)).send(body).expect(201)).body.insertedId;
}
const read = async (of = id): Promise<Service> => (await api.get(`/services/${of}`).expect(200)).body;
const edit = (body: object, { customer = lister, of = id, headers = {} } = {}) =>
  api
    .patch(`/services/${of}`)
    .set({ ...as(customer), ...headers })
    .send(body);
const withdraw = (customer = lister, of = id) => api.delete(`/services/${of}`).set(as(customer));
const restore = (customer = lister, of = id) => api.post(`/services/${of}/restore`).set(as(customer));
const own = async (customer = lister): Promise<OwnService[]> =>
  (await api.get('/account/services').set(as(customer)).expect(200)).body;
const etagOf = async (path: string, headers = {}) => (await api.get(path).set(headers).expect(200)).headers.etag ?? '';

const contact = { phone: '+1 (555) 010-0199', website: 'https://ducts.example/', area: 'Brooklyn and Queens' };
const facts = { hours: 'Mon to Fri, 8:00 to 18:00', licence: 'Gas 4711', insured: 'yes' };

describe('the contact fields and the facts of a service', () => {
  it('are stored as sent, and the list and the details of services return them with the name of the lister', async () => {
    const of = await add({ title: 'Ducts', ...contact, ...facts });
    const expected = { ...contact, ...facts, listerName: 'Mina Duct' };
    expect(await read(of)).toMatchObject(expected);
    expect((await api.get('/services?limit=1').expect(200)).body).toMatchObject([expected]);
    expect((await api.get('/services').expect(200)).body[0]).toMatchObject(expected);
  });

  it.each([
    ['phone', '5'.repeat(41)],
    ['phone', 'call 1-2-3-4'],
    ['area', 'x'.repeat(121)],
    ['website', 'javascript:alert(1)'],
    ['website', 'ftp://ducts.example/'],
    ['website', 'https://bank.example@ducts.example/'],
    ['website', `https://ducts.example/${'x'.repeat(2048)}`],
    ['website', 'ducts.example'],
    ['hours', 'x'.repeat(121)],
    ['licence', 'x'.repeat(121)],
    ['insured', 'maybe'],
  ])('are rejected with 400 if `%s` is invalid: %.50s', async (field, value) => {
    for (const response of [
      await api
        .post('/services')
        .set(as(lister))
        .send({ [field]: value })
        .expect(400),
      await edit({ [field]: value }).expect(400),
    ])
      expect(response.body.errors).toMatchObject([{ path: `body.${field}` }]);
  });

  it('are removed, like the name of the customer, when the customer deletes their account, but the area stays', async () => {
    const leaving = await signUp({ name: 'Leaving' });
    const of = await add({ title: 'Ducts', ...contact, ...facts }, leaving);
    const idToken = await signIn(leaving);
    await api.delete('/account').set(bearer(idToken)).expect(200);
    expect(await read(of)).toMatchObject({
      title: 'Ducts',
      phone: '',
      website: '',
      hours: '',
      licence: '',
      insured: '',
      listerName: '',
      area: contact.area,
    });
  });
});

describe('PATCH /services/:id', () => {
  it('changes only the given fields, and updates the search and the order by price', async () => {
    const before = await read();
    const { body } = await edit({ title: 'Fan repair', price: '$40' }).expect(200);
    expect(body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    const after = await read();
    expect(after).toEqual({ ...before, title: 'Fan repair', price: '$40', updatedAt: expect.any(String) });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const found = async (q: string) => (await api.get(`/services?q=${q}`).expect(200)).body.length;
    expect([await found('fan'), await found('grease'), await found('hood')]).toEqual([1, 1, 0]);
    await add({ title: 'Dear', price: '$60' });
    const { body: byPrice } = await api.get('/services?sort=price').expect(200);
    expect(byPrice.map(({ price }: Service) => price)).toEqual(['$40', '$60']);
  });

  it('returns 403 for a customer who is not the lister, and changes nothing', async () => {
    await edit({ title: 'Taken over' }, { customer: other }).expect(403);
    expect(await read()).toMatchObject({ title: 'Hood repair' });
  });

  it('returns 404 for a service that does not exist or is withdrawn', async () => {
    await edit({ title: 'x' }, { of: unknownId }).expect(404);
    await withdraw().expect(200);
    await edit({ title: 'x' }).expect(404);
    await edit({ title: 'x' }, { customer: other }).expect(404);
  });

  it.each([
    [{}],
    [{ createdBy: 'somebody' }],
    [{ listerName: 'Somebody' }],
    [{ title: { $gt: '' } }],
    [{ title: 'x'.repeat(121) }],
    [{ img: 'http://127.0.0.1/a.png' }],
  ])('returns 400 for the invalid edit %j', async (body) => {
    await edit(body).expect(400);
    expect(await read()).toMatchObject({ title: 'Hood repair', listerName: 'Mina Duct' });
  });

  it('returns 412 with the current service if it was edited after the version in If-Match', async () => {
    const headers = { 'If-Match': await etagOf(`/services/${id}`) };
    await edit({ title: 'First edit' }, { headers }).expect(200);
    const { body } = await edit({ title: 'Second edit' }, { headers }).expect(412);
    expect(body.current).toEqual({ ...(await read()), distribution: undefined });
    expect(await read()).toMatchObject({ title: 'First edit' });
    await edit({ title: 'Second edit' }, { headers: { 'If-Match': await etagOf(`/services/${id}`) } }).expect(200);
  });

  it('ignores new reviews when it compares If-Match, because only edits conflict with an edit', async () => {
    const headers = { 'If-Match': await etagOf(`/services/${id}`) };
    await api.post('/review').set(as(other)).send({ serviceId: id, review: 'Fine', rating: 5 }).expect(201);
    expect(await etagOf(`/services/${id}`)).not.toBe(headers['If-Match']);
    await edit({ title: 'Edited' }, { headers }).expect(200);
  });

  it.each(['"unknown"', 'W/"x"', 'nonsense', ''])('returns 412 for the If-Match value `%s`', async (tag) => {
    await edit({ title: 'x' }, { headers: { 'If-Match': tag } }).expect(412);
  });

  it('edits the service if If-Match is * or a weak ETag of the current version', async () => {
    await edit({ title: 'Any' }, { headers: { 'If-Match': '*' } }).expect(200);
    await edit({ title: 'Weak' }, { headers: { 'If-Match': `W/${await etagOf(`/services/${id}`)}` } }).expect(200);
  });

  it('returns 412 if another edit is saved between the check of the version and the write', async () => {
    const headers = { 'If-Match': await etagOf(`/services/${id}`) };
    beforeNext('updateOne', () =>
      services.updateOne({ _id: new ObjectId(id) }, { $set: { title: 'Theirs', updatedAt: new Date() } }),
    );
    await edit({ title: 'Mine' }, { headers }).expect(412);
    expect(await read()).toMatchObject({ title: 'Theirs' });
  });

  it('without If-Match, keeps the changes of another edit that is saved at the same time', async () => {
    beforeNext('updateOne', () =>
      services.updateOne({ _id: new ObjectId(id) }, { $set: { title: 'Theirs', updatedAt: new Date() } }),
    );
    await edit({ description: 'Mine' }).expect(200);
    expect(await read()).toMatchObject({ title: 'Theirs', description: 'Mine' });
    expect((await api.get('/services?q=theirs%20mine').expect(200)).body).toHaveLength(1);
  });
});

describe('DELETE /services/:id', () => {
  let review: string;
  beforeEach(async () => {
    const input = { serviceId: id, review: 'Came on time', rating: 4 };
    review = (await api.post('/review').set(as(other)).send(input).expect(201)).body.insertedId;
  });

  it('removes the service and its reviews from all public responses, and the service accepts no new reviews', async () => {
    expect((await withdraw().expect(200)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    await api.get(`/services/${id}`).expect(404);
    for (const path of ['/services', '/services?limit=5', '/services?q=hood', `/allreview?serviceId=${id}`])
      expect((await api.get(path).expect(200)).body).toEqual([]);
    await api.get(`/review/${review}`).expect(404);
    expect((await api.get('/sitemap.xml').expect(200)).text).not.toContain(id);
    await api.post('/review').set(as(other)).send({ serviceId: id, review: 'Late' }).expect(404);
    expect(await own()).toEqual([]);
  });

  it('keeps the service for its lister in the list of withdrawn services', async () => {
    const stillListed = await add({ title: 'Listed' });
    await withdraw().expect(200);
    const withdrawn = async (serviceId: string, customer = lister): Promise<OwnService[]> =>
      (await api.get(`/account/services?withdrawn=true&serviceId=${serviceId}`).set(as(customer)).expect(200)).body;
    expect(await withdrawn(id)).toMatchObject([{ _id: id, title: 'Hood repair' }]);
    expect(await withdrawn(stillListed)).toEqual([]);
    expect(await withdrawn(id, other)).toEqual([]);
  });

  it('keeps each review for its author, marks it as unlisted, and lets the author delete it', async () => {
    const ownReviews = async (query = ''): Promise<OwnReview[]> =>
      (await api.get(`/review?email=${other.email}${query}`).set(as(other)).expect(200)).body;
    expect((await ownReviews())[0]).not.toHaveProperty('isUnlisted');
    await withdraw().expect(200);
    const marked = { _id: review, isUnlisted: true, serviceName: 'Hood repair', price: 'from $90' };
    expect(await ownReviews()).toMatchObject([marked]);
    expect(await ownReviews('&limit=5')).toMatchObject([marked]);
    expect((await api.get(`/review/${review}`).set(as(other)).expect(200)).body).toMatchObject(marked);
    await api.delete(`/review/${review}`).set(as(other)).expect(200);
    await restore().expect(200);
    expect(await read()).toMatchObject({ reviewCount: 0 });
  });

  it('keeps each review for its author after the database has erased the service', async () => {
    await withdraw().expect(200);
    await services.deleteMany({});
    const path = `/review?email=${other.email}`;
    expect((await api.get(path).set(as(other)).expect(200)).body).toMatchObject([{ _id: review, isUnlisted: true }]);
    await api.delete(`/review/${review}`).set(as(other)).expect(200);
  });

  it('returns 403 for another customer, 404 for an unknown service, and 404 when repeated', async () => {
    await withdraw(other).expect(403);
    await read();
    await withdraw(lister, unknownId).expect(404);
    await withdraw().expect(200);
    await withdraw().expect(404);
    await withdraw(other).expect(404);
  });

  it('returns 404 when another request withdraws the service at the same time', async () => {
    beforeNext('updateOne', () => withdraw().expect(200));
    await withdraw().expect(404);
  });
});

describe('POST /services/:id/restore', () => {
  it('restores the service and its place in the search, and can be repeated', async () => {
    const before = await read();
    await withdraw().expect(200);
    for (let call = 0; call < 2; call += 1) await restore().expect(200);
    expect(await read()).toEqual(before);
    expect((await api.get('/services?q=grease').expect(200)).body).toHaveLength(1);
  });

  it('adds the words of the service to the vocabulary again, so that the start of a word finds the service', async () => {
    await withdraw().expect(200);
    await getCollections(db).vocabulary.deleteMany();
    await restore().expect(200);
    expect((await api.get('/services?q=greas').expect(200)).body).toHaveLength(1);
  });

  it('returns 404 more than 30 days after the withdrawal, and 403 for another customer', async () => {
    await withdraw().expect(200);
    await restore(other).expect(403);
    const withdrawnDaysAgo = (days: number) => {
      const at = minutesAgo(days * 24 * 60);
      return services.updateOne({ _id: new ObjectId(id) }, { $set: { withdrawnAt: at, hiddenAt: at } });
    };
    await withdrawnDaysAgo(29);
    await restore().expect(200);
    await withdrawnDaysAgo(31);
    await restore().expect(404);
    await restore(other).expect(404);
  });

  it('does not make a service public while it is hidden by an operator', async () => {
    await operate('hide', 'service', id);
    expect(await own()).toMatchObject([{ _id: id, hidden: { reason: 'reported' } }]);
    await edit({ title: 'x' }).expect(403);
    await withdraw(other).expect(404);
    await withdraw().expect(200);
    await restore().expect(200);
    await api.get(`/services/${id}`).expect(404);
    expect((await api.get('/services?q=hood').expect(200)).body).toEqual([]);
    await operate('restore', 'service', id);
    await read();
  });
});

describe('a withdrawn service', () => {
  it('stays withdrawn when an operator hides it and restores it, and its lister can still undo the withdrawal', async () => {
    await withdraw().expect(200);
    await operate('hide', 'service', id);
    await operate('restore', 'service', id);
    await api.get(`/services/${id}`).expect(404);
    expect((await api.get('/services?q=hood').expect(200)).body).toEqual([]);
    await restore().expect(200);
    await read();
  });

  it('is public and can be found again if its lister and an operator restore it at the same time', async () => {
    await operate('hide', 'service', id);
    await withdraw().expect(200);
    beforeNext('updateOne', () => restore().expect(200));
    await operate('restore', 'service', id);
    await read();
    expect((await api.get('/services?q=hood').expect(200)).body).toHaveLength(1);
  });

  it('stays withdrawn if its lister withdraws it while an operator restores it', async () => {
    await operate('hide', 'service', id);
    beforeNext('updateOne', () => withdraw().expect(200));
    await operate('restore', 'service', id);
    await api.get(`/services/${id}`).expect(404);
    await restore().expect(200);
    await read();
  });
});

describe('GET /account/services', () => {
  it('returns the services of the caller, newest first, in pages', async () => {
    await add({ title: 'Of another' }, other);
    for (const title of ['Second', 'Third']) await add({ title });
    const pages = await readAllPages<OwnService>(
      { ...api, get: (path) => api.get(path).set(as(lister)) },
      '/account/services?limit=2',
    );
    expect(pages.map((page) => page.map(({ title }) => title))).toEqual([['Third', 'Second'], ['Hood repair']]);
    expect((await api.get('/account/services?limit=2').set(as(lister)).expect(200)).headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-total-count': '3',
    });
  });

  it('returns 400 for unknown parameters', async () => {
    await api.get('/account/services?email=x').set(as(lister)).expect(400);
  });
});

describe('PATCH /review/:id with If-Match', () => {
  it('returns 412 with the current review if it was edited after the version in If-Match', async () => {
    const input = { serviceId: id, review: 'Came on time', rating: 4 };
    const { insertedId } = (await api.post('/review').set(as(other)).send(input).expect(201)).body;
    const path = `/review/${insertedId}`;
    const headers = { ...as(other), 'If-Match': await etagOf(path, as(other)) };
    await api.patch(path).set(headers).send({ review: 'First' }).expect(200);
    const { body } = await api.patch(path).set(headers).send({ review: 'Second' }).expect(412);
    expect(body.current).toMatchObject({ review: 'First', email: other.email });
    const current = { ...headers, 'If-Match': await etagOf(path, as(other)) };
    await api.patch(path).set(current).send({ review: 'Second', rating: 1 }).expect(200);
    expect((await api.get(path).expect(200)).body).toMatchObject({ review: 'Second', rating: 1 });
  });

  it('returns 412 if another edit is saved between the check of the version and the write', async () => {
    const input = { serviceId: id, review: 'Came on time', rating: 4 };
    const { insertedId } = (await api.post('/review').set(as(other)).send(input).expect(201)).body;
    const path = `/review/${insertedId}`;
    const headers = { ...as(other), 'If-Match': await etagOf(path, as(other)) };
    beforeNext('updateOne', () =>
      reviews.updateOne({ _id: new ObjectId(insertedId) }, { $set: { review: 'Theirs', updatedAt: new Date() } }),
    );
    const { body } = await api.patch(path).set(headers).send({ review: 'Mine' }).expect(412);
    expect(body.current).toMatchObject({ review: 'Theirs' });
  });
});
