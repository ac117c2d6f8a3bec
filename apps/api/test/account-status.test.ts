import { randomBytes, randomUUID } from 'node:crypto';
import { type ContractEntry, contract } from '@rtr/shared';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { bearer } from './support/bearer.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const minute = 60_000;
let clock = Date.now();

const firebase = await startTcpProxy(inject('authEmulatorHost'));
const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;
const { api, config, signUp, refreshIdToken, callFirebase, callFirebaseAsAdmin, takeWarnings } = await createTestApp({
  env: { JWT_SECRETS },
  authEmulatorHost: firebase.host,
  now: () => clock,
});

const getOwnReviews = ({ email, jwt }: Pick<TestCustomer, 'email' | 'jwt'>) =>
  api.get(`/review?email=${email}`).set(bearer(jwt));
const requestToken = (idToken: string, email: string) => api.post('/jwt').set(bearer(idToken)).send({ email });

const bearerRoutes = Object.entries<ContractEntry>(contract).flatMap(([route, { access }]) => {
  const [method = '', path = ''] = route.split(' ');
  const isOpen = access === 'public' || access === 'firebase';
  return isOpen ? [] : [{ verb: method.toLowerCase() as 'get', path: path.replace(':id', 'f'.repeat(24)) }];
});

async function expectRejectedByAllRoutes(token: string) {
  for (const { verb, path } of bearerRoutes) {
    const { headers, body } = await api[verb](path).set(bearer(token)).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(body.detail).toContain('POST /jwt');
  }
}

describe('the access token of a customer', () => {
  test.for<[string, (localId: string) => Promise<void>]>([
    ['was disabled', (localId) => callFirebaseAsAdmin('update', { localId, disableUser: true })],
    ['was deleted', (localId) => callFirebaseAsAdmin('delete', { localId })],
  ])('is rejected by every route that checks it, within 60 s after the account %s', async ([, change]) => {
    const customer = await signUp();
    await getOwnReviews(customer).expect(200);
    await change(customer.uid);
    clock += minute;
    await expectRejectedByAllRoutes(customer.jwt);
  });

  test('is accepted again after an operator has enabled the account again', async () => {
    const customer = await signUp();
    await callFirebaseAsAdmin('update', { localId: customer.uid, disableUser: true });
    clock += minute;
    await getOwnReviews(customer).expect(401);
    await callFirebaseAsAdmin('update', { localId: customer.uid, disableUser: false });
    clock += minute;
    await getOwnReviews(customer).expect(200);
  });
});

test('after a password change, POST /jwt rejects older sessions at once, and other routes reject them within 60 s', async () => {
  const { uid, email, refreshToken } = await signUp();
  const loggedInAt = Date.now() - 10_000;
  const times = { lastLoginAt: String(loggedInAt), validSince: String(Math.floor(loggedInAt / 1000)) };
  await callFirebaseAsAdmin('update', { localId: uid, ...times });
  const idToken = await refreshIdToken(refreshToken);
  const { body } = await requestToken(idToken, email).expect(200);
  await getOwnReviews({ email, jwt: body.token }).expect(200);

  await callFirebase('update', { idToken, password: randomUUID() });
  await requestToken(idToken, email).expect(401);
  await requestToken(await refreshIdToken(refreshToken), email).expect(401);
  clock += minute;
  await expectRejectedByAllRoutes(body.token);
});

describe('sign-in providers', () => {
  const logInWithGoogle = (email: string) => {
    const google = JSON.stringify({ sub: `google-${email}`, email, email_verified: true });
    const postBody = new URLSearchParams({ id_token: google, providerId: 'google.com' }).toString();
    return callFirebase('signInWithIdp', { requestUri: 'http://localhost', postBody, returnSecureToken: true });
  };

  test('the session of a stranger who signed up with somebody’s email address ends when the owner of the address signs in with Google', async () => {
    const intruder = await signUp();
    const { email } = intruder;
    await getOwnReviews(intruder).expect(200);
    clock += 1000;
    const owner = await logInWithGoogle(email);
    expect(owner.localId).toBe(intruder.uid);

    const idToken = await refreshIdToken(intruder.refreshToken);
    const { headers, body } = await requestToken(idToken, email).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(body.detail).toContain('Log in again');
    await requestToken(intruder.idToken, email).expect(401);
    await api.delete('/account').set(bearer(idToken)).expect(401);
    clock += minute;
    await expectRejectedByAllRoutes(intruder.jwt);
    const { body: response } = await requestToken(owner.idToken, email).expect(200);
    await getOwnReviews({ email, jwt: response.token }).expect(200);
  });

  test('a session ends within 60 s after its provider was unlinked from the account, and sessions of other providers continue', async () => {
    const customer = await signUp();
    const { uid, email } = customer;
    await callFirebaseAsAdmin('update', { localId: uid, emailVerified: true });
    const { idToken } = await logInWithGoogle(email);
    const { body } = await requestToken(idToken, email).expect(200);
    await callFirebaseAsAdmin('update', { localId: uid, deleteProvider: ['google.com'] });
    clock += minute;
    await expectRejectedByAllRoutes(body.token);
    await requestToken(idToken, email).expect(401);
    await getOwnReviews(customer).expect(200);
  });

  test('a session is accepted at once, even if its provider was linked to the account after the API had cached the account status', async () => {
    const other = await createTestApp({
      env: { JWT_SECRETS, MONGODB_DATABASE: config.mongodbDatabase },
      now: () => clock,
    });
    const customer = await signUp();
    const { uid, email } = customer;
    await callFirebaseAsAdmin('update', { localId: uid, emailVerified: true });
    await getOwnReviews(customer).expect(200);
    clock += 1000;
    const { idToken } = await logInWithGoogle(email);
    const { body } = await other.api.post('/jwt').set(bearer(idToken)).send({ email }).expect(200);
    await getOwnReviews({ email, jwt: body.token }).expect(200);
  });

  test("ID tokens of the providers 'anonymous' and 'custom' are rejected, because these providers are never linked to an account", async () => {
    const { uid, email } = await signUp();
    const custom = await callFirebase('signInWithCustomToken', {
      token: JSON.stringify({ uid }),
      returnSecureToken: true,
    });
    await requestToken(custom.idToken, email).expect(401);

    const anonymous = await callFirebase('signUp', { returnSecureToken: true });
    const login = { email: `${randomUUID()}@kitchen.example`, password: randomUUID(), returnSecureToken: true };
    const linked = await callFirebase('signUp', { idToken: anonymous.idToken, ...login });
    await requestToken(linked.idToken, login.email).expect(200);
    await requestToken(await refreshIdToken(anonymous.refreshToken), login.email).expect(401);
  });
});

describe('clock differences', () => {
  test('the API accepts a new customer when the clock of the API is 3 s behind the clock of Firebase', async () => {
    const behind = await createTestApp({ now: () => Date.now() - 3000 });
    const { email, jwt } = await behind.signUp();
    await behind.api.get(`/review?email=${email}`).set(bearer(jwt)).expect(200);
  });

  test('the API rejects an ended session when the clock of the API is 3 s ahead of the clock of Firebase', async () => {
    let aheadMs = 3000;
    const ahead = await createTestApp({ now: () => Date.now() + aheadMs });
    const { uid, email, jwt } = await ahead.signUp();
    await ahead.callFirebaseAsAdmin('update', { localId: uid, validSince: String(Math.floor(Date.now() / 1000) + 1) });
    aheadMs += minute;
    await ahead.api.get(`/review?email=${email}`).set(bearer(jwt)).expect(401);
  });
});

test('a disabled customer is rejected after 60 s, even if the clock of the API is set back by an hour during this time', async () => {
  let [wallClock, monotonicClock] = [Date.now(), 0];
  const app = await createTestApp({ now: () => wallClock, monotonicNow: () => monotonicClock });
  const { uid, email, jwt } = await app.signUp();
  const read = () => app.api.get(`/review?email=${email}`).set(bearer(jwt));
  await read().expect(200);
  await app.callFirebaseAsAdmin('update', { localId: uid, disableUser: true });
  wallClock -= 60 * minute;
  await read().expect(200);
  monotonicClock += minute;
  const { body } = await read().expect(401);
  expect(body.detail).toContain('This account is disabled.');
});

describe('while Firebase is unavailable', () => {
  let cachedCustomer: TestCustomer;
  let uncachedCustomer: TestCustomer;

  beforeEach(async () => {
    uncachedCustomer = await signUp();
    clock += 15 * minute; // The cached account status of `uncachedCustomer` is now too old to be used.
    cachedCustomer = await signUp();
    await getOwnReviews(cachedCustomer).expect(200);
  });
  afterEach(() => firebase.reconnect());

  test('the API uses a cached account status for 15 minutes, and then returns 503 until Firebase is available again', async () => {
    await firebase.disconnect();
    clock += 14 * minute;
    await getOwnReviews(cachedCustomer).expect(200);
    clock += minute;
    await getOwnReviews(cachedCustomer).expect(503);
    expect(takeWarnings()).toHaveLength(1);

    await firebase.reconnect();
    await getOwnReviews(cachedCustomer).expect(200);
  });

  test('the API accepts a moderator for 60 s after the account was last read from Firebase, and then returns 503 on the routes for moderators', async () => {
    await callFirebaseAsAdmin('update', { localId: cachedCustomer.uid, customAttributes: '{"moderator":true}' });
    clock += minute;
    const readCases = () => api.get('/moderation').set(bearer(cachedCustomer));
    await readCases().expect(200);
    await firebase.disconnect();
    clock += minute - 1000;
    await readCases().expect(200);
    clock += 1000;
    await readCases().expect(503);
    await getOwnReviews(cachedCustomer).expect(200);
    expect(takeWarnings()).toHaveLength(1);
  });

  test('the API returns 503, and not 401, for a customer whose account status is not cached', async () => {
    await firebase.disconnect();
    const { body } = await getOwnReviews(uncachedCustomer).expect(503);
    expect(body.detail).toContain('login service does not respond');
    await requestToken(uncachedCustomer.idToken, uncachedCustomer.email).expect(503);
    expect(takeWarnings()).toHaveLength(2);
  });

  test('a request waits for Firebase for a limited time, and the next request with a cached account status does not wait', async () => {
    firebase.stall();
    clock += 2 * minute;
    const timed = async (call: PromiseLike<unknown>) => {
      const started = performance.now();
      await call;
      return performance.now() - started;
    };
    const durations = await Promise.all([
      timed(getOwnReviews(cachedCustomer).expect(200)),
      timed(getOwnReviews(uncachedCustomer).expect(503)),
      timed(requestToken(uncachedCustomer.idToken, uncachedCustomer.email).expect(503)),
    ]);
    for (const duration of durations) expect(duration).toBeLessThan(10_000);
    expect(await timed(getOwnReviews(cachedCustomer).expect(200))).toBeLessThan(3000);
    expect(takeWarnings()).toHaveLength(2);
  });
});
