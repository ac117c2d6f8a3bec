import jwt from 'jsonwebtoken';
import { type Db, MongoClient, ObjectId } from 'mongodb';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { mongoClientOptions } from '../src/database/client.ts';
import { cuttableLine, cuttableMongodb } from './support/cuttable.ts';
import { type TestCustomer, testApp } from './support/test-app.ts';

const [firebase, mongodb] = await Promise.all([
  cuttableLine(inject('authEmulatorHost')),
  cuttableMongodb(inject('mongodbUri')),
]);
const app = await testApp({ authEmulatorHost: firebase.host, mongodbUri: mongodb.uri });
const { api, config, db, identity, signUp, signIn, asOperator, takeLogged } = app;

/** The same database over a line that nobody cuts. */
const client = new MongoClient(inject('mongodbUri'), mongoClientOptions);
const direct: Db = client.db(config.mongodbDatabase);
afterAll(() => client.close());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const deleteAccount = (idToken: string) => api.delete('/account').set(bearer(idToken));

/** A customer with a service of their own, two reviews of somebody else's, one of them deleted. */
async function settled() {
  const [customer, other] = [await signUp({ name: 'Leaving' }), await signUp({ name: 'Staying' })];
  const add = (who: TestCustomer, title: string) =>
    api.post('/services').set(bearer(who.jwt)).send({ title }).expect(201);
  const write = (who: TestCustomer, serviceId: string, rating: number) =>
    api.post('/review').set(bearer(who.jwt)).send({ serviceId, review: 'Said', rating }).expect(201);

  const { body: own } = await add(customer, 'Listed by who leaves');
  const { body: theirs } = await add(await signUp(), 'Listed by who stays');
  const { body: review } = await write(customer, theirs.insertedId, 1);
  const { body: withdrawn } = await write(customer, theirs.insertedId, 2);
  await api.delete(`/review/${withdrawn.insertedId}`).set(bearer(customer.jwt)).expect(200);
  const { body: kept } = await write(other, theirs.insertedId, 5);
  return { customer, other, own: own.insertedId, theirs: theirs.insertedId, review: review.insertedId, kept };
}

/** What the sweep of any instance does, `minutes` later. */
async function sweep(minutes = 0): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  try {
    for (const sweepOnce of createSweeps(direct, identity)) await sweepOnce();
  } finally {
    vi.useRealTimers();
  }
}

async function expectGone({ customer, own, theirs, review, kept }: Awaited<ReturnType<typeof settled>>) {
  expect(await direct.collection('reviews').countDocuments({ uid: customer.uid })).toBe(0);
  await api.get(`/review/${review}`).expect(404);
  await api.get(`/review/${kept.insertedId}`).expect(200);
  const { body: service } = await api.get(`/services/${theirs}`).expect(200);
  expect(service).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 5 });
  await api.get(`/services/${own}`).expect(200);
  expect(await direct.collection('services').countDocuments({ createdBy: customer.uid })).toBe(0);
  await expect(signIn(customer)).rejects.toThrow('EMAIL_NOT_FOUND');
  await api.get(`/review?email=${customer.email}`).set(bearer(customer.jwt)).expect(401);
}

describe('DELETE /account', () => {
  test('takes the customer’s reviews and login away at once; their service stays, without owner', async () => {
    const life = await settled();
    await deleteAccount(life.customer.idToken).expect(200, { acknowledged: true, deletedCount: 1 });
    await expectGone(life);
    await deleteAccount(life.customer.idToken).expect(401);
    await api.post('/jwt').set(bearer(life.customer.idToken)).send({ email: life.customer.email }).expect(401);
    await api.post('/services').set(bearer(life.customer.jwt)).send({ title: 'Too late' }).expect(401);
  });

  test('asked for twice at once is done once', async () => {
    const life = await settled();
    const answers = await Promise.all([1, 2].map(() => deleteAccount(life.customer.idToken)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectGone(life);
  });

  test('touches nobody else', async () => {
    const { customer, other, kept } = await settled();
    await deleteAccount(customer.idToken).expect(200);
    const { body } = await api.get(`/review?email=${other.email}`).set(bearer(other.jwt)).expect(200);
    expect(body).toEqual([expect.objectContaining({ _id: kept.insertedId })]);
  });

  test('of who reviewed very much asks the database a few times for every hundred reviews, not for each', async () => {
    const life = await settled();
    const [template, service] = await Promise.all([
      direct.collection('reviews').findOne({ uid: life.customer.uid, deletedAt: null }),
      direct.collection('services').findOne({ _id: new ObjectId(life.theirs) }),
    ]);
    const ids = Array.from({ length: 250 }, () => new ObjectId());
    await direct.collection('services').insertMany(ids.map((_id) => ({ ...service, _id, recheckAt: null })));
    for (const { uid } of [life.customer, life.other])
      await direct
        .collection('reviews')
        .insertMany(ids.map((serviceId) => ({ ...template, _id: new ObjectId(), serviceId, uid })));

    let commands = 0;
    db.client.on('commandStarted', () => {
      commands += 1;
    });
    await deleteAccount(life.customer.idToken).expect(200);
    db.client.removeAllListeners('commandStarted');
    expect(commands).toBeLessThan(40);
    await expectGone(life);
    expect(await direct.collection('reviews').countDocuments({ serviceId: { $in: ids } })).toBe(250);
    expect(await direct.collection('services').countDocuments({ _id: { $in: ids }, reviewCount: 1 })).toBe(250);
  });

  test('needs a Firebase ID token: no token, and our own, are 401', async () => {
    const customer = await signUp();
    const { body } = await api.delete('/account').expect(401);
    expect(body.detail).toContain('Firebase ID token');
    await deleteAccount(customer.jwt).expect(401);
    await api.get(`/review?email=${customer.email}`).set(bearer(customer.jwt)).expect(200);
  });

  test('needs a login of the last 5 minutes, and otherwise says to log in again', async () => {
    const customer = await signUp();
    // The emulator takes unsigned tokens, so this one can say that its login was earlier.
    const loggedIn = (minutesAgo: number) => {
      const authTime = Math.floor(Date.now() / 1000) - minutesAgo * 60;
      const payload = { ...(jwt.decode(customer.idToken) as jwt.JwtPayload), auth_time: authTime };
      const [head = ''] = customer.idToken.split('.');
      return `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.`;
    };
    await asOperator('update', { localId: customer.uid, validSince: '1' });
    const { body } = await deleteAccount(loggedIn(5)).expect(403);
    expect(body.detail).toContain('log in again');
    await api.get(`/review?email=${customer.email}`).set(bearer(customer.jwt)).expect(200);
    await deleteAccount(loggedIn(4)).expect(200);
  });
});

describe('a deletion that is interrupted', () => {
  /** Runs `cut` as soon as such a command was carried out, before the next one is sent. */
  function after(name: string, collection: string, cut: () => unknown): void {
    const started = new Set<number>();
    db.client.on('commandStarted', ({ requestId, command }) => {
      if (command[name] === collection) started.add(requestId);
    });
    db.client.on('commandSucceeded', ({ requestId }) => {
      if (started.delete(requestId)) cut();
    });
  }

  test.for<[string, () => void]>([
    ['the tombstone', () => after('update', 'accounts', mongodb.cut)],
    ['the reviews', () => after('delete', 'reviews', mongodb.cut)],
    ['the services', () => after('update', 'services', firebase.cut)],
  ])('after %s is finished by itself', async ([, interrupt]) => {
    const life = await settled();
    interrupt();
    const { body } = await deleteAccount(life.customer.idToken).expect(503);
    expect(body.detail).toContain('Your account is closed');
    expect(takeLogged()).toHaveLength(1);
    db.client.removeAllListeners('commandStarted').removeAllListeners('commandSucceeded');
    await Promise.all([mongodb.mend(), firebase.mend()]);

    // Whatever is unfinished, every door is shut already.
    await expect.poll(async () => (await api.get(`/review?email=a`).set(bearer(life.customer.jwt))).status).toBe(401);
    takeLogged();
    const { idToken, email } = life.customer;
    await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(401);
    await deleteAccount(idToken).expect(401);
    await sweep();
    await expectGone(life);
    await sweep();
    await expectGone(life);
  });

  test('before its tombstone stood has done nothing', async () => {
    const life = await settled();
    await mongodb.cut();
    await deleteAccount(life.customer.idToken).expect(503);
    expect(takeLogged()).toHaveLength(1);
    await mongodb.mend();
    await expect
      .poll(async () => (await api.get(`/review/${life.review}`).set(bearer(life.customer.jwt))).status)
      .toBe(200);
    takeLogged();
    await sweep();
    await api.get(`/review/${life.review}`).set(bearer(life.customer.jwt)).expect(200);
  });
});

test('a review that lands after the deletion, from a request that was let in before it, is found two minutes later', async () => {
  const life = await settled();
  const late = await direct.collection('reviews').findOne({ uid: life.customer.uid });
  await deleteAccount(life.customer.idToken).expect(200);
  await direct.collection('reviews').insertOne(late ?? {});
  await sweep(2);
  await expectGone(life);
  expect(await direct.collection('accounts').countDocuments({ finishedAt: null })).toBe(0);
});
