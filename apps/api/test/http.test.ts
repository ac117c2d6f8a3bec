import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createTestApp } from './support/test-app.ts';

const { api, signUp, log, config } = await createTestApp({
  env: { WEB_ORIGINS: 'https://kitchen.example' },
  isCached: true,
});
const customer = await signUp();
const bearer = { Authorization: `Bearer ${customer.jwt}` };
const service = await api.post('/services').set(bearer).send({ title: 'Hood repair' }).expect(201);
const review = await api.post('/review').set(bearer).send({ serviceId: service.body.insertedId }).expect(201);

describe('a request with a body', () => {
  const post = (body: string, type = 'application/json') =>
    api.post('/services').set(bearer).set('Content-Type', type).send(body);

  test.for<[string, string]>([
    ['is not JSON', '{"title":'],
    ['is an array', '[]'],
    ['is a string', '"title"'],
    ['is null', 'null'],
    ['has 2,600 nested levels', `{"title":${'['.repeat(2600)}${']'.repeat(2600)}}`],
    ['has an unknown field', '{"titel":"Hood repair"}'],
    ['sets _id', '{"_id":"ffffffffffffffffffffffff"}'],
    ['sets uid', '{"uid":"somebody"}'],
    ['sets createdBy', '{"createdBy":"somebody"}'],
    ['sets __proto__', '{"__proto__":{"title":"Hood repair"}}'],
    ['sets constructor', '{"constructor":{"prototype":{"title":"Hood repair"}}}'],
    ['has an operator instead of a text', '{"title":{"$ne":null}}'],
  ])('returns 400 when the body %s', async ([, body]) => {
    await post(body).expect(400);
  });

  test('returns 400 with the path and the problem of each invalid value', async () => {
    const { body } = await post('{"title":7,"img":"javascript:alert(1)"}').expect(400);
    expect(body.errors).toEqual([
      { path: 'body.title', message: expect.stringContaining('expected string') },
      { path: 'body.img', message: 'must be an http or https URL, or empty' },
    ]);
  });

  test('returns 413 when the body is larger than 32 KB', async () => {
    const padded = (bytes: number) => `{"title":"Hood repair"}${' '.repeat(bytes - 23)}`;
    await post(padded(32 * 1024)).expect(201);
    await post(padded(33 * 1024)).expect(413);
  });

  test.for(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=klingon'])(
    'returns 415 when the content type is %s',
    async (type) => {
      await post('{"title":"Hood repair"}', type).expect(415);
    },
  );

  test('returns 415 without a content type, and names the expected content type', async () => {
    const { body } = await api.post('/services').set(bearer).expect(415);
    expect(body.detail).toContain('application/json');
  });

  test('returns 401 without a token, before the body is parsed', async () => {
    await api.post('/services').set('Content-Type', 'application/json').send('{"title":').expect(401);
  });
});

describe('the API', () => {
  test.for([
    '/review?email[$ne]=',
    '/review?email[]=a',
    '/review?email=a&email=b',
    '/review?email=a&__proto__=b',
    '/review?email=a&constructor=b',
    '/review?email=a&sort=newest',
    '/review?email=%E0%A4%A',
    '/review?email=%',
    '/services?limit=3&limit=3',
    '/services?limit[$gt]=3',
    '/services?unknown=',
    '/services/%E0%A4%A',
    '/%',
    `/services/${service.body.insertedId}?unknown=1`,
  ])('returns 400 for the invalid request GET %s', async (path) => {
    await api.get(path).set(bearer).expect(400);
  });

  test.for(['/services/1', '/services/not-an-id', `/review/${'g'.repeat(24)}`, '/unknown', '/', '/services/a/b'])(
    'returns 404 for the unknown path %s',
    async (path) => {
      await api.get(path).expect(404);
    },
  );

  test('returns 405 with the allowed methods for an unsupported method', async () => {
    expect((await api.put('/services').expect(405)).headers.allow).toBe('GET, HEAD, POST');
    expect((await api.patch('/jwt').expect(405)).headers.allow).toBe('POST');
    expect((await api.post(`/review/${review.body.insertedId}`).expect(405)).headers.allow).toBe(
      'GET, HEAD, PATCH, DELETE',
    );
    expect((await api.get('/account').expect(405)).headers.allow).toBe('DELETE');
    expect((await api.post('/healthz').expect(405)).headers.allow).toBe('GET, HEAD');
  });

  test('accepts a path with a trailing slash', async () => {
    await api.get('/services/').expect(200);
    await api.post('/services/').set(bearer).send({}).expect(201);
  });

  test('responds to the method HEAD with an ETag and no body', async () => {
    const { headers, text } = await api.head(`/services/${service.body.insertedId}`).expect(200);
    expect(headers.etag).toBeTruthy();
    expect(text).toBeFalsy();
  });
});

describe('a response', () => {
  test('to a request without a token may be cached, but must be revalidated with its ETag', async () => {
    const path = `/services/${service.body.insertedId}`;
    const { headers } = await api.get(path).expect(200);
    expect(headers['cache-control']).toBe('no-cache');
    await api.get(path).set('If-None-Match', String(headers.etag)).expect(304);
  });

  test('to a request with a token is not stored by caches', async () => {
    const path = `/review/${review.body.insertedId}`;
    expect((await api.get(path).set(bearer)).headers).toMatchObject({
      'cache-control': 'private, no-store',
      vary: expect.stringContaining('Authorization'),
    });
    expect((await api.get(path)).headers).toMatchObject({
      'cache-control': 'no-cache',
      vary: expect.stringContaining('Authorization'),
    });
    const list = `/allreview?serviceId=${service.body.insertedId}`;
    for (const page of [list, `${list}&limit=1`]) {
      expect((await api.get(page).set(bearer)).headers).toMatchObject({
        'cache-control': 'private, no-store',
        vary: expect.stringContaining('Authorization'),
      });
      expect((await api.get(page)).headers).toMatchObject({
        'cache-control': 'no-cache',
        vary: expect.stringContaining('Authorization'),
      });
    }
    const own = await api.get(`/review?email=${customer.email}`).set(bearer).expect(200);
    expect(own.headers['cache-control']).toBe('private, no-store');
  });

  test('with an error status is not stored by caches', async () => {
    expect((await api.get('/unknown').expect(404)).headers['cache-control']).toBe('no-store');
  });

  test('has headers that forbid browsers to run scripts, load resources and show the response in a frame', async () => {
    const { headers } = await api.get('/services').expect(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test('has the request id that the client sent if that id is valid, and otherwise a new request id', async () => {
    const id = async (sent?: string) =>
      (await api.get('/services').set(sent === undefined ? {} : { 'X-Request-Id': sent })).headers['x-request-id'];
    expect(await id('trace-7.a_B')).toBe('trace-7.a_B');
    expect(await id()).toMatch(/^[\w-]{36}$/);
    for (const odd of ['with blank', '{"a":1}', 'x'.repeat(65), '${jndi:x}']) expect(await id(odd)).not.toBe(odd);
    const { body } = await api.get('/unknown').set('X-Request-Id', 'mine').expect(404);
    expect(body.instance).toBe('mine');
  });
});

describe('CORS', () => {
  const from = (origin: string) => api.get('/services?limit=1').set('Origin', origin).expect(200);

  test('allows pages of the web app to read responses and the headers that the web app needs, but does not allow credentials, such as cookies', async () => {
    const { headers } = await from('https://kitchen.example');
    expect(headers['access-control-allow-origin']).toBe('https://kitchen.example');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers.vary).toContain('Origin');
    expect(String(headers['access-control-expose-headers']).split(',').toSorted()).toEqual(
      [
        'ETag',
        'Link',
        'Location',
        'Retry-After',
        'WWW-Authenticate',
        'X-Request-Id',
        'X-Searched-For',
        'X-Left-Out',
        'X-Unknown-Words',
        'X-Total-Count',
      ].toSorted(),
    );
  });

  test.for(['https://evil.example', 'https://kitchen.example.evil.example', 'http://kitchen.example', 'null'])(
    'does not allow pages of %s to read responses',
    async (origin) => {
      const { headers } = await from(origin);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers.vary).toContain('Origin');
    },
  );

  test('returns the allowed headers and methods to a preflight request', async () => {
    const { headers } = await api
      .options('/review')
      .set('Origin', 'https://kitchen.example')
      .set('Access-Control-Request-Method', 'POST')
      .expect(204);
    expect(String(headers['access-control-allow-headers']).split(',').toSorted()).toEqual(
      ['Authorization', 'Cache-Control', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'].toSorted(),
    );
    expect(headers['access-control-allow-methods']).toBe('GET,POST,PUT,PATCH,DELETE');
  });

  test('allows pages of the web app to read error responses', async () => {
    const { headers } = await api.get('/unknown').set('Origin', 'https://kitchen.example').expect(404);
    expect(headers['access-control-allow-origin']).toBe('https://kitchen.example');
  });
});

describe('the log', () => {
  test.for(['process.exit(1)', 'null.x'])(
    'contains all lines in order when the process ends with `%s`',
    async (end) => {
      const logging = new URL('../src/http/logging.ts', import.meta.url).href;
      const script = `import { createLogger } from '${logging}'; const logger = createLogger('info');
      for (let line = 0; line < 500; line += 1) logger.info(String(line)); ${end}`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
      const lines = (await text(child.stdout)).trimEnd().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
        Array.from({ length: 500 }, (_, n) => String(n)),
      );
    },
  );

  test('has one line per request, without the token, the email address and the query values', async () => {
    const before = log.length;
    await api.get(`/review?email=${customer.email}`).set(bearer).set('X-Request-Id', 'to-be-found').expect(200);
    await expect.poll(() => log.slice(before)).toHaveLength(1);
    const line = JSON.parse(log[before] ?? '') as object;
    expect(line).toMatchObject({
      req: { id: 'to-be-found', method: 'GET', path: '/review' },
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
    });
    expect(log.join('')).not.toContain(customer.email);
    expect(log.join('')).not.toContain(customer.jwt);
  });

  test('masks tokens and email addresses in the path of a request', async () => {
    const before = log.length;
    for (const segment of [customer.jwt, customer.email, encodeURIComponent(customer.email)])
      await api.get(`/review/${segment}`).expect(404);
    await expect.poll(() => log.slice(before)).toHaveLength(3);
    const paths = log.slice(before).map((line) => (JSON.parse(line) as { req: { path: string } }).req.path);
    expect(paths).toEqual(['/review/[token]…', '/review/[email]', '/review/[email]']);
  });

  test.for<[string, string]>([
    ['a path of 15,000 letters', 'a'.repeat(15_000)],
    ['a path of 3,800 starts of a token', 'eyJ-'.repeat(3800)],
    ['a path of 2,500 escaped letters', '%C3%A9'.repeat(2500)],
    ['a path of 2,500 starts of an email', 'a@a%40'.repeat(2500)],
    ['a path with an email address across the limit', `${'a/'.repeat(120)}nadia@kitchen.example`],
  ])('shortens %s to 256 characters in less than 50 ms of CPU time', async ([, path]) => {
    const before = log.length;
    expect(await measureCpuMs(() => api.get(`/${path}`).expect(404))).toBeLessThan(50);
    await expect.poll(() => log.slice(before)).not.toEqual([]);
    const logged = (JSON.parse(log[before] ?? '') as { req: { path: string } }).req.path;
    expect(logged.length).toBeLessThanOrEqual(257);
    expect(logged.at(-1)).toBe('…');
    expect(logged).not.toContain('nadia');
  });

  test('has no line for a health check', async () => {
    const before = log.length;
    await api.get('/healthz').expect(200);
    await api.get('/services?limit=1').expect(200);
    await expect.poll(() => log.length).toBeGreaterThan(before);
    expect(log.slice(before).join('')).not.toContain('/healthz');
  });

  describe('for an error', async () => {
    let failure = new Error();
    const failingApp = await createTestApp({
      identity: () => ({
        verifyIdToken: () => Promise.reject(failure),
        findSessionEnd: async () => undefined,
        isModerator: async () => false,
        findPicture: async () => '',
        findVerifiedEmail: async () => undefined,
        deleteUser: async () => {},
        close: async () => {},
      }),
    });
    const fail = () =>
      failingApp.api
        .post('/jwt')
        .set('Authorization', `Bearer ${customer.idToken}`)
        .send({ email: customer.email })
        .expect(500);
    const errorOf = (line = '') =>
      (JSON.parse(line) as { err: { message: string; stack: string; parts?: string[] } }).err;

    test('masks tokens and email addresses, and the response does not contain the error', async () => {
      failure = new Error(`${config.auth.projectId} broke for ${customer.email}, ${customer.idToken}`);
      const response = await fail();
      expect(JSON.stringify(response.body)).not.toContain('broke for');
      const [line = ''] = failingApp.takeWarnings();
      expect(errorOf(line).message).toBe(`${config.auth.projectId} broke for [email], [token]`);
      expect(line).not.toContain(customer.email);
      expect(line).not.toContain(customer.idToken);
    });

    test('does not mask package versions in a stack trace', async () => {
      failure = new Error('broke');
      failure.stack =
        'Error: broke\n    at send (/app/node_modules/.pnpm/@scope+pkg@1.2.3/node_modules/pkg/index.js:1:2)';
      await fail();
      expect(errorOf(failingApp.takeWarnings()[0]).stack).toBe(failure.stack);
    });

    test.for<[string, string]>([
      ['letters', 'a'],
      ['starts of a token', 'eyJ-'],
      ['starts of an email', 'a@'],
      ['email addresses', 'nadia@kitchen.example '],
    ])('shortens a message with 100 KB of %s in less than 50 ms of CPU time', async ([, text]) => {
      failure = new AggregateError(
        Array.from({ length: 12 }, () => new Error(text.repeat(8_000 / text.length))),
        text.repeat(100_000 / text.length),
      );
      expect(await measureCpuMs(fail)).toBeLessThan(50);
      const [line = ''] = failingApp.takeWarnings();
      const { message, stack, parts = [] } = errorOf(line);
      expect(message.length).toBeLessThanOrEqual(1001);
      expect(stack.length).toBeLessThanOrEqual(8001);
      expect(parts).toHaveLength(10);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(1001);
      expect(line).not.toContain('nadia');
    });

    test.for([
      [990, '…'],
      [996, '…'],
      [985, '[email]…'],
    ] as const)(
      'contains no part of an email address that follows %i other characters, even if the length limit cuts the address',
      async ([length, shown]) => {
        failure = new Error(`${'-'.repeat(length)} nadia.rahman@kitchen.example is too long`);
        await fail();
        expect(errorOf(failingApp.takeWarnings()[0]).message).toBe(`${'-'.repeat(length)} ${shown}`);
      },
    );
  });
});

test('the API returns 400 for an invalid HTTP request line, and closes the connection', async () => {
  const { port } = new URL((await api.get('/services')).request.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
});

/** Measures up to five runs and returns the lowest CPU time, because other programs can increase the CPU time of a run. */
async function measureCpuMs(call: () => PromiseLike<unknown>): Promise<number> {
  let lowestMs = Infinity;
  for (let run = 0; run < 5 && lowestMs > 20; run += 1) {
    const before = process.threadCpuUsage();
    await call();
    const { user, system } = process.threadCpuUsage(before);
    const costMs = (user + system) / 1000;
    // The measured call probably needs quadratic time. Stop here, because more runs could take minutes.
    if (costMs > 2000) return costMs;
    lowestMs = Math.min(lowestMs, costMs);
  }
  return lowestMs;
}
