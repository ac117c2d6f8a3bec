import { randomBytes, randomUUID } from 'node:crypto';
import { type ContractEntry, contract } from '@rtr/shared';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { cuttableLine } from './support/cuttable.ts';
import { type TestCustomer, testApp } from './support/test-app.ts';

const minute = 60_000;
let clock = Date.now();

const firebase = await cuttableLine(inject('authEmulatorHost'));
const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;
const { api, config, signUp, refresh, askFirebase, asOperator, takeLogged } = await testApp({
  env: { JWT_SECRETS },
  authEmulatorHost: firebase.host,
  now: () => clock,
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const own = ({ email, jwt }: Pick<TestCustomer, 'email' | 'jwt'>) => api.get(`/review?email=${email}`).set(bearer(jwt));
const trade = (idToken: string, email: string) => api.post('/jwt').set(bearer(idToken)).send({ email });

/** Every route that heeds our token. */
const bearerRoutes = Object.entries<ContractEntry>(contract).flatMap(([route, { access }]) => {
  const [method = '', path = ''] = route.split(' ');
  const isOpen = access === 'public' || access === 'firebase';
  return isOpen ? [] : [{ verb: method.toLowerCase() as 'get', path: path.replace(':id', 'f'.repeat(24)) }];
});

async function expectRefusedEverywhere(token: string) {
  for (const { verb, path } of bearerRoutes) {
    const { headers, body } = await api[verb](path).set(bearer(token)).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(body.detail).toContain('POST /jwt');
  }
}

describe('a customer who loses their account after they were given a token', () => {
  test.for<[string, (localId: string) => Promise<void>]>([
    ['by being disabled', (localId) => asOperator('update', { localId, disableUser: true })],
    ['by its deletion', (localId) => asOperator('delete', { localId })],
  ])('%s, is out of every route within 60 s', async ([, lose]) => {
    const customer = await signUp();
    await own(customer).expect(200);
    await lose(customer.uid);
    clock += minute;
    await expectRefusedEverywhere(customer.jwt);
  });

  test('may come back once the operator lets them', async () => {
    const customer = await signUp();
    await asOperator('update', { localId: customer.uid, disableUser: true });
    clock += minute;
    await own(customer).expect(401);
    await asOperator('update', { localId: customer.uid, disableUser: false });
    clock += minute;
    await own(customer).expect(200);
  });
});

test('a password change ends an older session: at once on /jwt, and within 60 s elsewhere, even with a token of that second', async () => {
  const { uid, email, refreshToken } = await signUp();
  const loggedInAt = Date.now() - 10_000;
  const times = { lastLoginAt: String(loggedInAt), validSince: String(Math.floor(loggedInAt / 1000)) };
  await asOperator('update', { localId: uid, ...times });
  const idToken = await refresh(refreshToken);
  const { body } = await trade(idToken, email).expect(200);
  await own({ email, jwt: body.token }).expect(200);

  await askFirebase('update', { idToken, password: randomUUID() });
  await trade(idToken, email).expect(401);
  await trade(await refresh(refreshToken), email).expect(401);
  clock += minute;
  await expectRefusedEverywhere(body.token);
});

describe('sign-in providers', () => {
  const logInWithGoogle = (email: string) => {
    const google = JSON.stringify({ sub: `google-${email}`, email, email_verified: true });
    const postBody = new URLSearchParams({ id_token: google, providerId: 'google.com' }).toString();
    return askFirebase('signInWithIdp', { requestUri: 'http://localhost', postBody, returnSecureToken: true });
  };

  test('a session of somebody who registered another’s address ends once its owner signs in with Google', async () => {
    const squatter = await signUp();
    const { email } = squatter;
    await own(squatter).expect(200);
    clock += 1000;
    const owner = await logInWithGoogle(email);
    expect(owner.localId).toBe(squatter.uid);

    const idToken = await refresh(squatter.refreshToken);
    const { headers, body } = await trade(idToken, email).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(body.detail).toContain('Log in again');
    await trade(squatter.idToken, email).expect(401);
    await api.delete('/account').set(bearer(idToken)).expect(401);
    clock += minute;
    await expectRefusedEverywhere(squatter.jwt);
    const { body: answer } = await trade(owner.idToken, email).expect(200);
    await own({ email, jwt: answer.token }).expect(200);
  });

  test('a session ends within 60 s after its provider was unlinked, and sessions of the other providers go on', async () => {
    const customer = await signUp();
    const { uid, email } = customer;
    await asOperator('update', { localId: uid, emailVerified: true });
    const { idToken } = await logInWithGoogle(email);
    const { body } = await trade(idToken, email).expect(200);
    await asOperator('update', { localId: uid, deleteProvider: ['google.com'] });
    clock += minute;
    await expectRefusedEverywhere(body.token);
    await trade(idToken, email).expect(401);
    await own(customer).expect(200);
  });

  test('a session is accepted at once when its provider was linked after this instance last asked Firebase', async () => {
    const other = await testApp({ env: { JWT_SECRETS, MONGODB_DATABASE: config.mongodbDatabase }, now: () => clock });
    const customer = await signUp();
    const { uid, email } = customer;
    await asOperator('update', { localId: uid, emailVerified: true });
    await own(customer).expect(200);
    clock += 1000;
    const { idToken } = await logInWithGoogle(email);
    const { body } = await other.api.post('/jwt').set(bearer(idToken)).send({ email }).expect(200);
    await own({ email, jwt: body.token }).expect(200);
  });

  test('an ID token of a provider that is never linked, anonymous or custom, is refused', async () => {
    const { uid, email } = await signUp();
    const custom = await askFirebase('signInWithCustomToken', {
      token: JSON.stringify({ uid }),
      returnSecureToken: true,
    });
    await trade(custom.idToken, email).expect(401);

    const anonymous = await askFirebase('signUp', { returnSecureToken: true });
    const login = { email: `${randomUUID()}@kitchen.example`, password: randomUUID(), returnSecureToken: true };
    const linked = await askFirebase('signUp', { idToken: anonymous.idToken, ...login });
    await trade(linked.idToken, login.email).expect(200);
    await trade(await refresh(anonymous.refreshToken), login.email).expect(401);
  });
});

describe('an API whose clock differs from Firebase’s', () => {
  test('an API whose clock is 3 s behind lets a new customer in', async () => {
    const behind = await testApp({ now: () => Date.now() - 3000 });
    const { email, jwt } = await behind.signUp();
    await behind.api.get(`/review?email=${email}`).set(bearer(jwt)).expect(200);
  });

  test('an API whose clock is 3 s ahead refuses a session that was ended', async () => {
    let aheadMs = 3000;
    const ahead = await testApp({ now: () => Date.now() + aheadMs });
    const { uid, email, jwt } = await ahead.signUp();
    await ahead.asOperator('update', { localId: uid, validSince: String(Math.floor(Date.now() / 1000) + 1) });
    aheadMs += minute;
    await ahead.api.get(`/review?email=${email}`).set(bearer(jwt)).expect(401);
  });
});

describe('while Firebase is away', () => {
  let known: TestCustomer;
  let unknown: TestCustomer;

  beforeEach(async () => {
    unknown = await signUp();
    clock += 15 * minute; // after which the status that their login left is not used any more
    known = await signUp();
    await own(known).expect(200);
  });
  afterEach(() => firebase.mend());

  test('its last answer serves for 15 minutes, then the API answers 503, until Firebase is back', async () => {
    await firebase.cut();
    clock += 14 * minute;
    await own(known).expect(200);
    clock += minute;
    await own(known).expect(503);
    expect(takeLogged()).toHaveLength(1);

    await firebase.mend();
    await own(known).expect(200);
  });

  test('a customer of whom nothing is known is neither let in nor told that their token is bad', async () => {
    await firebase.cut();
    const { body } = await own(unknown).expect(503);
    expect(body.detail).toContain('Try again');
    await trade(unknown.idToken, unknown.email).expect(503);
    expect(takeLogged()).toHaveLength(2);
  });

  test('nobody waits longer than 4 s, and where an older answer serves only the first one does', async () => {
    firebase.silence();
    clock += 2 * minute;
    const timed = async (call: PromiseLike<unknown>) => {
      const started = performance.now();
      await call;
      return performance.now() - started;
    };
    const waits = await Promise.all([
      timed(own(known).expect(200)),
      timed(own(unknown).expect(503)),
      timed(trade(unknown.idToken, unknown.email).expect(503)),
    ]);
    for (const wait of waits) expect(wait).toBeLessThan(10_000);
    expect(await timed(own(known).expect(200))).toBeLessThan(3000);
    expect(takeLogged()).toHaveLength(2);
  });
});
