import jwt from 'jsonwebtoken';
import { ObjectId } from 'mongodb';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { UnavailableError } from '../src/errors.ts';
import { bearer } from './support/bearer.ts';
import { startMongodbProxy, startTcpProxy } from './support/tcp-proxy.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const [firebase, mongodb] = await Promise.all([
  startTcpProxy(inject('authEmulatorHost')),
  startMongodbProxy(inject('mongodbUri')),
]);
const app = await createTestApp({ authEmulatorHost: firebase.host, mongodbUri: mongodb.uri });
const { api, apiClient, config, db, identity, signUp, signIn, callFirebaseAsAdmin, takeWarnings } = app;

const deleteAccount = (idToken: string) => api.delete('/account').set(bearer(idToken));

/** Creates a customer who has added a service and written two reviews of another service. One of the reviews is deleted. */
async function createCustomerWithContent() {
  const [customer, other] = [await signUp({ name: 'Leaving' }), await signUp({ name: 'Staying' })];
  const add = (author: TestCustomer, title: string) =>
    api.post('/services').set(bearer(author)).send({ title }).expect(201);
  const write = (author: TestCustomer, serviceId: string, rating: number) =>
    api.post('/review').set(bearer(author)).send({ serviceId, review: 'Said', rating }).expect(201);

  const { body: own } = await add(customer, 'Of the customer');
  const { body: theirs } = await add(await signUp(), 'Of another lister');
  const { body: review } = await write(customer, theirs.insertedId, 1);
  const { body: withdrawn } = await write(customer, theirs.insertedId, 2);
  await api.delete(`/review/${withdrawn.insertedId}`).set(bearer(customer)).expect(200);
  const { body: remaining } = await write(other, theirs.insertedId, 5);
  return { customer, other, own: own.insertedId, theirs: theirs.insertedId, review: review.insertedId, remaining };
}

/** Runs all sweeps as if `minutesLater` minutes had passed. */
async function sweep(minutesLater = 0): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutesLater * 60_000 });
  try {
    for (const sweepOnce of createSweeps(db, identity, config.webOrigins)) await sweepOnce();
  } finally {
    vi.useRealTimers();
  }
}

async function expectDeleted({
  customer,
  own,
  theirs,
  review,
  remaining,
}: Awaited<ReturnType<typeof createCustomerWithContent>>) {
  expect(await db.collection('reviews').countDocuments({ uid: customer.uid })).toBe(0);
  await api.get(`/review/${review}`).expect(404);
  await api.get(`/review/${remaining.insertedId}`).expect(200);
  const { body: service } = await api.get(`/services/${theirs}`).expect(200);
  expect(service).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 5 });
  await api.get(`/services/${own}`).expect(200);
  expect(await db.collection('services').countDocuments({ createdBy: customer.uid })).toBe(0);
  await expect(signIn(customer)).rejects.toThrow('EMAIL_NOT_FOUND');
  await api.get(`/review?email=${customer.email}`).set(bearer(customer)).expect(401);
}

describe('DELETE /account', () => {
  test('deletes the reviews and the login of the customer at once, and keeps the services of the customer, but removes their lister', async () => {
    const content = await createCustomerWithContent();
    await deleteAccount(content.customer.idToken).expect(200, { acknowledged: true, deletedCount: 1 });
    await expectDeleted(content);
    await deleteAccount(content.customer.idToken).expect(401);
    await api.post('/jwt').set(bearer(content.customer.idToken)).send({ email: content.customer.email }).expect(401);
    await api.post('/services').set(bearer(content.customer)).send({ title: 'Too late' }).expect(401);
  });

  test('deletes the account and returns 200 to at least one request when it receives two requests at the same time', async () => {
    const content = await createCustomerWithContent();
    const responses = await Promise.all([1, 2].map(() => deleteAccount(content.customer.idToken)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectDeleted(content);
  });

  test('does not change the reviews of other customers', async () => {
    const { customer, other, remaining } = await createCustomerWithContent();
    await deleteAccount(customer.idToken).expect(200);
    const { body } = await api.get(`/review?email=${other.email}`).set(bearer(other)).expect(200);
    expect(body).toEqual([expect.objectContaining({ _id: remaining.insertedId })]);
  });

  test('sends far fewer database commands than the customer has reviews', async () => {
    const content = await createCustomerWithContent();
    const [template, service] = await Promise.all([
      db.collection('reviews').findOne({ uid: content.customer.uid, deletedAt: null }),
      db.collection('services').findOne({ _id: new ObjectId(content.theirs) }),
    ]);
    const ids = Array.from({ length: 250 }, () => new ObjectId());
    await db.collection('services').insertMany(ids.map((_id) => ({ ...service, _id, recheckAt: null })));
    for (const { uid } of [content.customer, content.other])
      await db
        .collection('reviews')
        .insertMany(ids.map((serviceId) => ({ ...template, _id: new ObjectId(), serviceId, uid })));

    let commands = 0;
    apiClient.on('commandStarted', () => {
      commands += 1;
    });
    await deleteAccount(content.customer.idToken).expect(200);
    apiClient.removeAllListeners('commandStarted');
    expect(commands).toBeLessThan(40);
    await expectDeleted(content);
    expect(await db.collection('reviews').countDocuments({ serviceId: { $in: ids } })).toBe(250);
    expect(await db.collection('services').countDocuments({ _id: { $in: ids }, reviewCount: 1 })).toBe(250);
  });

  test('returns 401 without a token or with an access token of the API, because the route requires a Firebase ID token', async () => {
    const customer = await signUp();
    const { body } = await api.delete('/account').expect(401);
    expect(body.detail).toContain('Firebase ID token');
    await deleteAccount(customer.jwt).expect(401);
    await api.get(`/review?email=${customer.email}`).set(bearer(customer)).expect(200);
  });

  test('returns 403 if the last login was 5 minutes ago, and tells the customer to log in again', async () => {
    const customer = await signUp();
    // The Auth emulator accepts unsigned tokens, so the test can create a token with an earlier login time.
    const createToken = (minutesAgo: number) => {
      const authTime = Math.floor(Date.now() / 1000) - minutesAgo * 60;
      const payload = { ...(jwt.decode(customer.idToken) as jwt.JwtPayload), auth_time: authTime };
      const [head = ''] = customer.idToken.split('.');
      return `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.`;
    };
    await callFirebaseAsAdmin('update', { localId: customer.uid, validSince: '1' });
    const { body } = await deleteAccount(createToken(5)).expect(403);
    expect(body.detail).toContain('log in again');
    await api.get(`/review?email=${customer.email}`).set(bearer(customer)).expect(200);
    await deleteAccount(createToken(4)).expect(200);
  });
});

describe('an interrupted account deletion', () => {
  /**
   * Calls `interrupt` as soon as the command `name` on `collection` has succeeded, before the API sends its next command.
   */
  function afterCommand(name: string, collection: string, interrupt: () => unknown): void {
    const started = new Set<number>();
    apiClient.on('commandStarted', ({ requestId, command }) => {
      if (command[name] === collection) started.add(requestId);
    });
    apiClient.on('commandSucceeded', ({ requestId }) => {
      if (started.delete(requestId)) interrupt();
    });
  }

  test.for<[string, () => void]>([
    ['the reviews were erased', () => afterCommand('delete', 'reviews', mongodb.disconnect)],
    ['the owner of the services was removed', () => afterCommand('update', 'services', firebase.disconnect)],
  ])('is finished by a sweep if it failed after %s', async ([, interrupt]) => {
    const content = await createCustomerWithContent();
    interrupt();
    const { body } = await deleteAccount(content.customer.idToken).expect(503);
    expect(body.detail).toContain('Your account is closed');
    expect(takeWarnings()).toHaveLength(1);
    apiClient.removeAllListeners('commandStarted').removeAllListeners('commandSucceeded');
    await Promise.all([mongodb.reconnect(), firebase.reconnect()]);

    // The API rejects the customer even before the deletion is finished.
    await expect.poll(async () => (await api.get(`/review?email=a`).set(bearer(content.customer))).status).toBe(401);
    takeWarnings();
    const { idToken, email } = content.customer;
    await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(401);
    await deleteAccount(idToken).expect(401);
    await sweep();
    await expectDeleted(content);
    await sweep();
    await expectDeleted(content);
  });

  test('has changed nothing if it failed before the tombstone was written', async () => {
    const content = await createCustomerWithContent();
    await mongodb.disconnect();
    await deleteAccount(content.customer.idToken).expect(503);
    expect(takeWarnings()).toHaveLength(1);
    await mongodb.reconnect();
    await expect
      .poll(async () => (await api.get(`/review/${content.review}`).set(bearer(content.customer))).status)
      .toBe(200);
    takeWarnings();
    await sweep();
    await api.get(`/review/${content.review}`).set(bearer(content.customer)).expect(200);
  });
});

test('while Firebase does not respond, the sweep that finishes account deletions calls it only once, but erases the content of all accounts that are being deleted', async () => {
  const customers = await Promise.all([signUp(), signUp()]);
  const { body } = await api
    .post('/services')
    .set(bearer(await signUp()))
    .send({ title: 'Hood repair' })
    .expect(201);
  for (const customer of customers) {
    const review = { serviceId: body.insertedId, review: 'Said' };
    await api.post('/review').set(bearer(customer)).send(review).expect(201);
  }
  const uids = customers.map(({ uid }) => uid);
  const { accounts, reviews } = getCollections(db);
  // Earlier tests leave deletions that the sweep would finish too.
  await accounts.deleteMany();
  await accounts.insertMany(uids.map((_id) => ({ _id, deletedAt: new Date(0), finishedAt: null })));
  const [sweepAccounts] = createSweeps(db, identity, config.webOrigins);
  firebase.stall();
  onTestFinished(() => firebase.reconnect());
  await expect(sweepAccounts?.()).rejects.toHaveProperty('errors', [expect.any(UnavailableError)]);
  expect(await reviews.countDocuments({ uid: { $in: uids } })).toBe(0);
  await firebase.reconnect();
  await sweepAccounts?.();
  expect(await accounts.countDocuments({ finishedAt: null })).toBe(0);
  for (const customer of customers) await expect(signIn(customer)).rejects.toThrow('EMAIL_NOT_FOUND');
});

test('if a concurrent request saves a review after the account deletion, the sweep that finishes account deletions erases the review two minutes later', async () => {
  const content = await createCustomerWithContent();
  const late = await db.collection('reviews').findOne({ uid: content.customer.uid });
  await deleteAccount(content.customer.idToken).expect(200);
  await db.collection('reviews').insertOne(late ?? {});
  await sweep(2);
  await expectDeleted(content);
  expect(await db.collection('accounts').countDocuments({ finishedAt: null })).toBe(0);
});
