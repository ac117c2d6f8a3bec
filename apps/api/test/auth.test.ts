import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { type ContractEntry, contract } from '@rtr/shared';
import jwt from 'jsonwebtoken';
import { describe, expect, test } from 'vitest';
import { type TestCustomer, testApp } from './support/test-app.ts';

const { api, config, signUp, signIn, asOperator } = await testApp();
const customer = await signUp({ name: 'Amira Haddad', picture: 'https://pictures.example/amira.png' });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
const now = seconds();

/** An ID token as the emulator takes it: unsigned, so that a test can write any. */
function idTokenOf({ idToken }: TestCustomer, changes: Record<string, unknown>): string {
  const payload = { ...(jwt.decode(idToken) as jwt.JwtPayload), ...changes };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.`;
}

describe('POST /jwt', () => {
  test('trades a Firebase ID token for an access token of one hour that says who the customer is', async () => {
    const { body } = await api.post('/jwt').set(bearer(customer.idToken)).send({ email: customer.email }).expect(200);
    const { header, payload } = jwt.decode(body.token, { complete: true }) ?? {};
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: config.jwtSecrets[0].kid });
    expect(payload).toEqual({
      iss: `rtr-cloud-kitchen/${config.auth.projectId}`,
      aud: 'rtr-cloud-kitchen-api',
      sub: customer.uid,
      email: customer.email,
      name: 'Amira Haddad',
      picture: 'https://pictures.example/amira.png',
      auth_time: (jwt.decode(customer.idToken) as jwt.JwtPayload).auth_time,
      sign_in_provider: 'password',
      iat: expect.toSatisfy((iat: number) => Math.abs(iat - seconds()) < 60),
      exp: expect.toSatisfy((exp: number) => Math.abs(exp - 3600 - seconds()) < 60),
      jti: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  test('an email is compared trimmed and in lower case', async () => {
    const email = `  ${customer.email.toUpperCase()} `;
    await api.post('/jwt').set(bearer(customer.idToken)).send({ email }).expect(200);
  });

  test('nobody gets a token for somebody else’s email', async () => {
    const other = await signUp();
    const answer = await api.post('/jwt').set(bearer(customer.idToken)).send({ email: other.email }).expect(403);
    expect(answer.body).not.toHaveProperty('token');
  });

  test('a customer for whom Firebase holds no email gets no token, not even for an empty one', async () => {
    const idToken = idTokenOf(customer, { email: undefined });
    for (const email of [customer.email, ' ']) await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(403);
  });

  test('without a token it says which one to send', async () => {
    const { headers, body } = await api.post('/jwt').send({ email: customer.email }).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(body.detail).toContain('Firebase ID token');
  });

  test.for<[string, () => string]>([
    ['is no token at all', () => 'made-up'],
    ['has a payload that is not JSON', () => `${encode({ alg: 'none', typ: 'JWT' })}.bm90IGpzb24.`],
    ['is our own access token', () => customer.jwt],
    ['belongs to another project', () => idTokenOf(customer, { aud: 'demo-other' })],
    [
      'was issued by somebody else',
      () => idTokenOf(customer, { iss: 'https://issuer.example/demo-rtr-cloud-kitchen' }),
    ],
    ['has expired', () => idTokenOf(customer, { iat: now - 7200, exp: now - 3600 })],
    ['has no subject', () => idTokenOf(customer, { sub: '' })],
    ['does not say how its customer logged in', () => idTokenOf(customer, { firebase: undefined })],
    ['names a customer who never was', () => idTokenOf(customer, { sub: 'never-was' })],
  ])('an ID token that %s is refused', async ([, token]) => {
    const answer = await api.post('/jwt').set(bearer(token())).send({ email: customer.email }).expect(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(answer.body.detail).toContain('Firebase ID token');
  });

  test('a customer who was disabled, deleted or signed out everywhere gets no more tokens', async () => {
    const [disabled, deleted, revoked] = [await signUp(), await signUp(), await signUp()];
    await asOperator('update', { localId: disabled.uid, disableUser: true });
    await asOperator('delete', { localId: deleted.uid });
    await asOperator('update', { localId: revoked.uid, validSince: String(seconds() + 1) });
    for (const [{ idToken, email }, why] of [
      [disabled, 'disabled'],
      [deleted, 'does not exist'],
      [revoked, 'Log in again'],
    ] as const) {
      const { body } = await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(401);
      expect(body.detail).toContain(why);
    }
  });

  test.for<[string, { name?: string; picture?: string }, { name: string; picture?: string }]>([
    ['no name and no photo', {}, { name: 'Customer' }],
    ['a name of blanks', { name: '   ' }, { name: 'Customer' }],
    ['a name of 80 characters', { name: 'n'.repeat(80) }, { name: 'n'.repeat(80) }],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, { name: 'Customer' }],
    ['a name with control and format characters', { name: '\u202eAmi\u0007ra\u200b' }, { name: 'Amira' }],
    ['a name of format characters alone', { name: '\u202e\u200b\u2066' }, { name: 'Customer' }],
    ['the product’s own name', { name: 'R.T.R. cloud kitchen' }, { name: 'Customer' }],
    ['a photo that is a script', { name: 'A', picture: 'javascript:alert(1)' }, { name: 'A' }],
    ['a photo on a private network', { name: 'A', picture: 'http://192.168.1.1/reboot' }, { name: 'A' }],
    ['a photo within the address', { name: 'A', picture: 'data:image/png;base64,AA==' }, { name: 'A' }],
    [
      'a photo with too long an address',
      { name: 'A', picture: `https://p.example/${'p'.repeat(2048)}` },
      { name: 'A' },
    ],
  ])('%s', async ([, profile, expected]) => {
    const { email } = customer;
    const idToken = idTokenOf(customer, { name: undefined, picture: undefined, ...profile });
    const { body } = await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(200);
    const { name, picture } = jwt.decode(body.token) as jwt.JwtPayload;
    expect({ name, picture }).toEqual({ picture: undefined, ...expected });
    await api.get(`/review?email=${email}`).set(bearer(body.token)).expect(200, []);
  });

  test('two tokens of one customer differ', async () => {
    const idToken = await signIn(customer);
    const tokens = await Promise.all(
      [1, 2].map(() => api.post('/jwt').set(bearer(idToken)).send({ email: customer.email })),
    );
    expect(new Set(tokens.map(({ body }) => body.token)).size).toBe(2);
  });
});

describe('an access token', () => {
  const genuine = jwt.decode(customer.jwt, { complete: true }) as { header: jwt.JwtHeader; payload: jwt.JwtPayload };
  const [{ key }] = config.jwtSecrets;

  interface Forgery {
    claims?: Record<string, unknown>;
    header?: Partial<jwt.JwtHeader>;
    secret?: typeof key;
  }

  /** What the API would sign, but for the changes. */
  function forged({ claims, header, secret = key }: Forgery): string {
    const merged = { ...genuine.header, ...header };
    const signed = `${encode(merged)}.${encode({ ...genuine.payload, ...claims })}`;
    const hash = merged.alg.replace('HS', 'sha');
    return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
  }

  const own = (token: string) => api.get(`/review?email=${customer.email}`).set(bearer(token));

  test('opens what is its customer’s', async () => {
    await own(customer.jwt).expect(200, []);
    await own(forged({})).expect(200, []);
  });

  test.for<[string, () => string]>([
    ['is no token at all', () => 'made-up'],
    ['is three dots', () => '...'],
    ['lacks its signature', () => customer.jwt.split('.').slice(0, 2).join('.')],
    ['has another signature', () => `${customer.jwt.slice(0, -3)}AAA`],
    ['has other claims under its signature', () => customer.jwt.replace(/\.\w+/, `.${encode({ sub: 'other' })}`)],
    ['is unsigned (alg: none)', () => `${encode({ ...genuine.header, alg: 'none' })}.${encode(genuine.payload)}.`],
    ['is signed by HS512 with our secret', () => forged({ header: { alg: 'HS512' } })],
    ['is signed by HS384 with our secret', () => forged({ header: { alg: 'HS384' } })],
    ['is signed by another secret', () => forged({ secret: createSecretKey(randomBytes(32)) })],
    ['names an unknown kid', () => forged({ header: { kid: 'unknown' } })],
    ['names no kid', () => forged({ header: { kid: undefined } })],
    ['is of another type', () => forged({ header: { typ: 'JWT' } })],
    ['was issued by somebody else', () => forged({ claims: { iss: 'rtr-cloud-kitchen/demo-other' } })],
    ['is for another audience', () => forged({ claims: { aud: 'somebody-else' } })],
    ['never expires', () => forged({ claims: { exp: undefined } })],
    ['expired 10 s ago', () => forged({ claims: { exp: now - 10 } })],
    ['does not say when it was issued', () => forged({ claims: { iat: undefined } })],
    ['does not say when its customer logged in', () => forged({ claims: { auth_time: undefined } })],
    ['does not say how its customer logged in', () => forged({ claims: { sign_in_provider: undefined } })],
    ['was issued 2 minutes in the future', () => forged({ claims: { iat: seconds() + 120, exp: now + 3600 } })],
    ['names nobody', () => forged({ claims: { sub: '' } })],
    ['is a Firebase ID token', () => customer.idToken],
  ])('that %s opens nothing', async ([, token]) => {
    const { headers, body } = await own(token()).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(body.detail).toContain('POST /jwt');
    expect(JSON.stringify(body)).not.toContain(token());
  });

  test('may come from a clock that is 50 s ahead, and end 3 s ago', async () => {
    await own(forged({ claims: { iat: seconds() + 50, exp: now + 3600 } })).expect(200);
    await own(forged({ claims: { exp: seconds() - 3 } })).expect(200);
  });

  test.for(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Token abc', ''])(
    'sent as %j is not one',
    async (authorization) => {
      await api.get(`/review?email=${customer.email}`).set({ Authorization: authorization }).expect(401);
    },
  );

  test('is needed on every route that says so, and none but a good one will do', async () => {
    const routes = Object.entries<ContractEntry>(contract).filter(([, { access }]) => access === 'customer');
    expect(routes.length).toBeGreaterThan(5);
    for (const [route] of routes) {
      const [method = '', path = ''] = route.split(' ');
      const call = () => api[method.toLowerCase() as 'get'](path.replace(':id', 'f'.repeat(24)));
      const { headers, body } = await call().expect(401);
      expect(headers['www-authenticate'], route).toBe('Bearer');
      expect(body.detail, route).toContain('POST /jwt');
      await call().set(bearer(customer.idToken)).expect(401);
    }
  });

  test('that is bad is refused even where none is needed', async () => {
    await api.get(`/review/${'f'.repeat(24)}`).expect(404);
    await api
      .get(`/review/${'f'.repeat(24)}`)
      .set(bearer('made-up'))
      .expect(401);
  });
});

test('an address that is registered again inherits nothing from who had it before', async () => {
  const { email, jwt: token, uid } = await signUp();
  const { body } = await api.post('/services').set(bearer(token)).send({ title: 'Hood repair' }).expect(201);
  const review = { serviceId: body.insertedId, review: 'Mine alone' };
  const written = await api.post('/review').set(bearer(token)).send(review).expect(201);
  await asOperator('delete', { localId: uid });

  const again = await signUp({ email });
  expect(again.uid).not.toBe(uid);
  await api.get(`/review?email=${email}`).set(bearer(again.jwt)).expect(200, []);
  await api.patch(`/review/${written.body.insertedId}`).set(bearer(again.jwt)).send({ review: 'Taken' }).expect(403);
});
