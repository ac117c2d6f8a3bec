import { type ContractEntry, contract } from '@rtr/shared';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { firebaseIdentity } from '../src/auth/identity.ts';
import { cuttableLine } from './support/cuttable.ts';
import { type TestCustomer, testApp } from './support/test-app.ts';

const minute = 60_000;
let clock = Date.now();

const firebase = await cuttableLine(inject('authEmulatorHost'));
const { api, signUp, asOperator, takeLogged } = await testApp({
  authEmulatorHost: firebase.host,
  identity: (config) => firebaseIdentity(config.auth, { now: () => clock }),
});

const own = ({ email, jwt }: TestCustomer) => api.get(`/review?email=${email}`).set('Authorization', `Bearer ${jwt}`);

/** Every route that heeds our token. */
const bearerRoutes = Object.entries<ContractEntry>(contract).flatMap(([route, { access }]) => {
  const [method = '', path = ''] = route.split(' ');
  const isOpen = access === 'public' || access === 'firebase';
  return isOpen ? [] : [{ verb: method.toLowerCase() as 'get', path: path.replace(':id', 'f'.repeat(24)) }];
});

describe('a customer who loses their account after they were given a token', () => {
  test.for<[string, (localId: string) => Promise<void>]>([
    ['by being disabled', (localId) => asOperator('update', { localId, disableUser: true })],
    ['by its deletion', (localId) => asOperator('delete', { localId })],
    [
      'or whose sessions were ended',
      (localId) => asOperator('update', { localId, validSince: String(Math.ceil(Date.now() / 1000) + 1) }),
    ],
  ])('%s, is out of every route within 60 s', async ([, lose]) => {
    const customer = await signUp();
    await own(customer).expect(200);
    await lose(customer.uid);
    clock += minute;
    for (const { verb, path } of bearerRoutes) {
      const { headers, body } = await api[verb](path).set('Authorization', `Bearer ${customer.jwt}`).expect(401);
      expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(body.detail).toContain('POST /jwt');
    }
  });

  test('may come back once the operator lets them', async () => {
    const customer = await signUp();
    await asOperator('update', { localId: customer.uid, disableUser: true });
    await own(customer).expect(401);
    await asOperator('update', { localId: customer.uid, disableUser: false });
    clock += minute;
    await own(customer).expect(200);
  });
});

describe('while Firebase is away', () => {
  let known: TestCustomer;
  let unknown: TestCustomer;
  const trade = ({ idToken, email }: TestCustomer) =>
    api.post('/jwt').set('Authorization', `Bearer ${idToken}`).send({ email });

  beforeEach(async () => {
    [known, unknown] = [await signUp(), await signUp()];
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
    await trade(unknown).expect(503);
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
      timed(trade(unknown).expect(503)),
    ]);
    for (const wait of waits) expect(wait).toBeLessThan(10_000);
    expect(await timed(own(known).expect(200))).toBeLessThan(3000);
    expect(takeLogged()).toHaveLength(2);
  });
});
