import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { type ContractEntry, contract } from '@rtr/shared';
import jwt from 'jsonwebtoken';
import { describe, expect, test } from 'vitest';
import { bearer } from './support/bearer.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, config, signUp, signIn, callFirebaseAsAdmin } = await createTestApp();
const customer = await signUp({ name: 'Amira Haddad', picture: 'https://pictures.example/amira.png' });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
const now = seconds();

/** Creates an ID token with changed claims, which the Auth emulator accepts without a signature. */
function createIdToken({ idToken }: TestCustomer, changes: Record<string, unknown>): string {
  const payload = { ...(jwt.decode(idToken) as jwt.JwtPayload), ...changes };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.`;
}

describe('POST /jwt', () => {
  test('returns an access token that is valid for one hour and has the claims of the customer', async () => {
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

  test('ignores case and surrounding spaces of the email address in the body', async () => {
    const email = `  ${customer.email.toUpperCase()} `;
    await api.post('/jwt').set(bearer(customer.idToken)).send({ email }).expect(200);
  });

  test('returns 403 for the email address of another customer', async () => {
    const other = await signUp();
    const response = await api.post('/jwt').set(bearer(customer.idToken)).send({ email: other.email }).expect(403);
    expect(response.body).not.toHaveProperty('token');
  });

  test('returns 403 when the Firebase account has no email address, even if the email address in the body is blank', async () => {
    const idToken = createIdToken(customer, { email: undefined });
    for (const email of [customer.email, ' ']) await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(403);
  });

  test('returns 401 without a token, and says which kind of token to send', async () => {
    const { headers, body } = await api.post('/jwt').send({ email: customer.email }).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(body.detail).toContain('Firebase ID token');
  });

  test.for<[string, () => string]>([
    ['is not a JWT', () => 'made-up'],
    ['has a payload that is not JSON', () => `${encode({ alg: 'none', typ: 'JWT' })}.bm90IGpzb24.`],
    ['is an access token of the API', () => customer.jwt],
    ['belongs to another project', () => createIdToken(customer, { aud: 'demo-other' })],
    ['has another issuer', () => createIdToken(customer, { iss: 'https://issuer.example/demo-rtr-cloud-kitchen' })],
    ['has expired', () => createIdToken(customer, { iat: now - 7200, exp: now - 3600 })],
    ['has no subject', () => createIdToken(customer, { sub: '' })],
    ['has no sign-in provider', () => createIdToken(customer, { firebase: undefined })],
    ['names an unknown customer', () => createIdToken(customer, { sub: 'never-was' })],
    ['has an email address that is not a text', () => createIdToken(customer, { email: [] })],
    ['has a login time that is not a number', () => createIdToken(customer, { auth_time: 'never' })],
    ['has a login time that is an object', () => createIdToken(customer, { auth_time: { toString: 1 } })],
  ])('returns 401 for an ID token that %s', async ([, token]) => {
    const response = await api.post('/jwt').set(bearer(token())).send({ email: customer.email }).expect(401);
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(response.body.detail).toContain('Firebase ID token');
  });

  test('returns 401 for a customer who was disabled, deleted or signed out everywhere', async () => {
    const [disabled, deleted, revoked] = [await signUp(), await signUp(), await signUp()];
    await callFirebaseAsAdmin('update', { localId: disabled.uid, disableUser: true });
    await callFirebaseAsAdmin('delete', { localId: deleted.uid });
    await callFirebaseAsAdmin('update', { localId: revoked.uid, validSince: String(seconds() + 1) });
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
    ['no name and no picture', {}, { name: 'Customer' }],
    ['a name of spaces', { name: '   ' }, { name: 'Customer' }],
    ['a name of 80 characters', { name: 'n'.repeat(80) }, { name: 'n'.repeat(80) }],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, { name: 'Customer' }],
    ['a name with control and format characters', { name: '\u202eAmi\u0007ra\u200b' }, { name: 'Amira' }],
    ['a name of format characters only', { name: '\u202e\u200b\u2066' }, { name: 'Customer' }],
    ['the name of the product', { name: 'R.T.R. cloud kitchen' }, { name: 'Customer' }],
    ['a picture with a javascript: URL', { name: 'A', picture: 'javascript:alert(1)' }, { name: 'A' }],
    ['a picture on a private network', { name: 'A', picture: 'http://192.168.1.1/reboot' }, { name: 'A' }],
    ['a picture with a data: URL', { name: 'A', picture: 'data:image/png;base64,AA==' }, { name: 'A' }],
    [
      'a picture with a URL that is too long',
      { name: 'A', picture: `https://p.example/${'p'.repeat(2048)}` },
      { name: 'A' },
    ],
  ])('returns a token with valid profile data if the customer has %s', async ([, profile, expected]) => {
    const { email } = customer;
    const idToken = createIdToken(customer, { name: undefined, picture: undefined, ...profile });
    const { body } = await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(200);
    const { name, picture } = jwt.decode(body.token) as jwt.JwtPayload;
    expect({ name, picture }).toEqual({ picture: undefined, ...expected });
    await api.get(`/review?email=${email}`).set(bearer(body.token)).expect(200, []);
  });

  test('returns a different token for each request', async () => {
    const idToken = await signIn(customer);
    const tokens = await Promise.all(
      [1, 2].map(() => api.post('/jwt').set(bearer(idToken)).send({ email: customer.email })),
    );
    expect(new Set(tokens.map(({ body }) => body.token)).size).toBe(2);
  });
});

describe('an access token', () => {
  const validToken = jwt.decode(customer.jwt, { complete: true }) as { header: jwt.JwtHeader; payload: jwt.JwtPayload };
  const [{ key }] = config.jwtSecrets;

  interface Forgery {
    claims?: Record<string, unknown>;
    header?: Partial<jwt.JwtHeader>;
    secret?: typeof key;
  }

  /** Creates a forged access token. It is like those of the API, apart from the given changes. */
  function createToken({ claims, header, secret = key }: Forgery): string {
    const merged = { ...validToken.header, ...header };
    const signed = `${encode(merged)}.${encode({ ...validToken.payload, ...claims })}`;
    const hash = merged.alg.replace('HS', 'sha');
    return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
  }

  const own = (token: string) => api.get(`/review?email=${customer.email}`).set(bearer(token));

  test('gives access to the reviews of the customer', async () => {
    await own(customer.jwt).expect(200, []);
    await own(createToken({})).expect(200, []);
  });

  test.for<[string, () => string]>([
    ['is not a JWT', () => 'made-up'],
    ['consists of three dots', () => '...'],
    ['has no signature', () => customer.jwt.split('.').slice(0, 2).join('.')],
    ['has another signature', () => `${customer.jwt.slice(0, -3)}AAA`],
    ['has claims that do not match its signature', () => customer.jwt.replace(/\.\w+/, `.${encode({ sub: 'other' })}`)],
    [
      'is unsigned (alg: none)',
      () => `${encode({ ...validToken.header, alg: 'none' })}.${encode(validToken.payload)}.`,
    ],
    ['is signed by HS512 with the right secret', () => createToken({ header: { alg: 'HS512' } })],
    ['is signed by HS384 with the right secret', () => createToken({ header: { alg: 'HS384' } })],
    ['is signed by another secret', () => createToken({ secret: createSecretKey(randomBytes(32)) })],
    ['has an unknown kid', () => createToken({ header: { kid: 'unknown' } })],
    ['has no kid', () => createToken({ header: { kid: undefined } })],
    ['is of another type', () => createToken({ header: { typ: 'JWT' } })],
    ['has another issuer', () => createToken({ claims: { iss: 'rtr-cloud-kitchen/demo-other' } })],
    ['is for another audience', () => createToken({ claims: { aud: 'somebody-else' } })],
    ['has no expiry', () => createToken({ claims: { exp: undefined } })],
    ['expired 10 s ago', () => createToken({ claims: { exp: now - 10 } })],
    ['has no time of issue', () => createToken({ claims: { iat: undefined } })],
    ['has no login time', () => createToken({ claims: { auth_time: undefined } })],
    ['has no sign-in provider', () => createToken({ claims: { sign_in_provider: undefined } })],
    ['was issued 2 minutes in the future', () => createToken({ claims: { iat: seconds() + 120, exp: now + 3600 } })],
    ['has an empty subject', () => createToken({ claims: { sub: '' } })],
    ['is a Firebase ID token', () => customer.idToken],
  ])('is rejected with 401 when it %s', async ([, token]) => {
    const { headers, body } = await own(token()).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(body.detail).toContain('POST /jwt');
    expect(JSON.stringify(body)).not.toContain(token());
  });

  test('is accepted if it expired 3 s ago, or if the clock of its issuer was 50 s ahead', async () => {
    await own(createToken({ claims: { iat: seconds() + 50, exp: now + 3600 } })).expect(200);
    await own(createToken({ claims: { exp: seconds() - 3 } })).expect(200);
  });

  test.for(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Token abc', ''])(
    'is rejected with 401 when the Authorization header is %j',
    async (authorization) => {
      await api.get(`/review?email=${customer.email}`).set({ Authorization: authorization }).expect(401);
    },
  );

  test('is required by every route with the access `customer` or `moderator`, and a Firebase ID token is rejected', async () => {
    const routes = Object.entries<ContractEntry>(contract).filter(([, { access }]) =>
      ['customer', 'moderator'].includes(access),
    );
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

  test('is rejected with 401 if it is invalid, even on routes where a token is optional', async () => {
    await api.get(`/review/${'f'.repeat(24)}`).expect(404);
    await api
      .get(`/review/${'f'.repeat(24)}`)
      .set(bearer('made-up'))
      .expect(401);
  });
});

test('the reviews of a deleted account do not belong to a new account with the same email address', async () => {
  const { email, jwt: token, uid } = await signUp();
  const { body } = await api.post('/services').set(bearer(token)).send({ title: 'Hood repair' }).expect(201);
  const review = { serviceId: body.insertedId, review: 'Mine alone' };
  const written = await api.post('/review').set(bearer(token)).send(review).expect(201);
  await callFirebaseAsAdmin('delete', { localId: uid });

  const again = await signUp({ email });
  expect(again.uid).not.toBe(uid);
  await api.get(`/review?email=${email}`).set(bearer(again)).expect(200, []);
  await api.patch(`/review/${written.body.insertedId}`).set(bearer(again)).send({ review: 'Taken' }).expect(403);
});
