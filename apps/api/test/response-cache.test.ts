import { Collection, type CommandStartedEvent } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearer } from './support/bearer.ts';
import { createTestApp } from './support/test-app.ts';

const app = await createTestApp({ env: { WEB_ORIGINS: 'https://kitchen.example' }, isCached: true });
const { api, apiClient, origin } = app;
const other = await createTestApp({ env: { MONGODB_DATABASE: app.config.mongodbDatabase }, isCached: true });
const customer = await app.signUp();

const otherCustomer = await other.signUp();

const add = async (title: string, instance = app, { jwt } = customer): Promise<string> =>
  (await instance.api.post('/services').set(bearer(jwt)).send({ title }).expect(201)).body.insertedId;
const serviceId = await add('Hood repair');

const queries: string[] = [];
apiClient.on('commandStarted', ({ commandName }: CommandStartedEvent) => queries.push(commandName));

/** Empties the cache of the instance by a write that does not change the titles in lists. */
const emptyCache = () =>
  api.patch(`/services/${serviceId}`).set(bearer(customer.jwt)).send({ area: 'Dhaka' }).expect(200);
const titles = async (instance = app, headers = {}) =>
  ((await instance.api.get('/services?limit=5').set(headers).expect(200)).body as { title: string }[]).map(
    ({ title }) => title,
  );
const fresh = { 'Cache-Control': 'no-cache' };

beforeEach(async () => {
  // Freezes the clock, because responses are cached only for one second.
  vi.useFakeTimers({ toFake: ['performance'] });
  await emptyCache();
  queries.length = 0;
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the cache of public responses', () => {
  it('runs only one query for 100 identical requests that arrive while it is running', async () => {
    const names: string[] = [];
    other.apiClient.on('commandStarted', ({ commandName }: CommandStartedEvent) => names.push(commandName));
    const { promise: allArrived, resolve: endQuery } = Promise.withResolvers<void>();
    const { findOne } = Collection.prototype;
    vi.spyOn(Collection.prototype, 'findOne').mockImplementationOnce(async function (this: Collection, ...parameters) {
      await allArrived;
      return findOne.apply(this, parameters);
    });
    const requests = Promise.all(
      Array.from({ length: 100 }, () => other.api.get(`/services/${serviceId}`).expect(200)),
    );
    await expect.poll(() => other.readMetrics()).toContain('response_cache_requests_total{result="shared"} 99\n');
    endQuery();
    expect(new Set((await requests).map(({ text }) => text)).size).toBe(1);
    expect(names.filter((name) => name === 'find')).toHaveLength(1);
  });

  it('stores one response for URLs that differ only in the order or percent-encoding of parameters, or in the letter case of an id', async () => {
    for (const path of [
      '/services?limit=3&sort=title',
      '/services?sort=title&limit=3',
      '/services?sort=t%69tle&limit=%33',
    ])
      await api.get(path).expect(200);
    await api.get(`/services/${serviceId}`).expect(200);
    await api.get(`/services/${serviceId.toUpperCase()}`).expect(200);
    expect(queries.filter((name) => name === 'find')).toHaveLength(2);
  });

  it.for([
    '/services?limit=3&unknown=1',
    '/services?limit=3&limit=3',
    '/services?limit=0',
    `/services/${serviceId}?a=1`,
  ])('is not used for the invalid request %s', async (path) => {
    await api.get(path).expect(400);
    await api.get(path).expect(400);
    expect(await app.readMetrics()).not.toContain('unknown');
  });

  it('is not used for requests with a token', async () => {
    for (let call = 0; call < 2; call += 1) {
      const { headers } = await api.get(`/services/${serviceId}`).set(bearer(customer.jwt)).expect(200);
      expect(headers['cache-control']).toBe('private, no-store');
    }
    expect(queries.filter((name) => name === 'find')).toHaveLength(2);
  });

  it('is emptied by a write of public data through the same API instance', async () => {
    expect(await titles()).not.toContain('Duct cleaning');
    await add('Duct cleaning');
    expect(await titles()).toContain('Duct cleaning');
  });

  it('is not emptied by a report or an upload, because neither changes public data', async () => {
    const reporter = bearer((await app.signUp()).jwt);
    await titles();
    await api.post(`/services/${serviceId}/report`).set(reporter).send({ reason: 'spam' }).expect(201);
    await api.post('/pictures').set(reporter).set('Content-Type', 'image/png').send(Buffer.from('x')).expect(415);
    queries.length = 0;
    await titles();
    expect(queries).toEqual([]);
  });

  it('may return an old response for one second after a write on another API instance, but not to a request with no-cache', async () => {
    await titles();
    await add('Fan rental', other, otherCustomer);
    vi.advanceTimersByTime(999);
    expect(await titles()).not.toContain('Fan rental');
    expect(await titles(app, fresh)).toContain('Fan rental');
    vi.advanceTimersByTime(1);
    expect(await titles()).toContain('Fan rental');
  });

  it('is bypassed by each request with no-cache, even if such requests are concurrent', async () => {
    await Promise.all(Array.from({ length: 3 }, () => api.get(`/services/${serviceId}`).set(fresh).expect(200)));
    expect(queries.filter((name) => name === 'find')).toHaveLength(3);
    expect(await app.readMetrics()).toMatch(/response_cache_requests_total\{result="bypass"\} \d/);
  });

  it('does not store error responses', async () => {
    const missing = 'f'.repeat(24);
    for (let call = 0; call < 2; call += 1) {
      const { headers } = await api.get(`/services/${missing}`).expect(404);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(queries.filter((name) => name === 'find')).toHaveLength(2);
  });
});

describe('a cached response', () => {
  const path = `/services/${serviceId}`;

  it('has the same headers as an uncached response, except for the request id and the date', async () => {
    const [uncached, cached] = [await api.get(path), await api.get(path)];
    const own = { 'x-request-id': expect.any(String) as string, date: expect.any(String) as string };
    expect(cached.headers).toEqual({ ...uncached.headers, ...own });
    expect(cached.headers['x-request-id']).not.toBe(uncached.headers['x-request-id']);
    expect(cached.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.any(String),
      'cache-control': 'no-cache',
      vary: 'Origin, Accept-Encoding, Authorization',
    });
  });

  it('allows only the origin of the web app to read it (CORS)', async () => {
    await api.get(path);
    const allowed = await api.get(path).set('Origin', 'https://kitchen.example');
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://kitchen.example',
      'access-control-expose-headers': expect.stringContaining('X-Total-Count'),
    });
    const forbidden = await api.get(path).set('Origin', 'https://evil.example');
    expect(forbidden.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('has the status 304 and no body if the client sends its ETag, even as a weak ETag or in a list', async () => {
    const etag = String((await api.get(path)).headers.etag);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { text, headers } = await api.get(path).set('If-None-Match', tags).expect(304);
      expect(text).toBe('');
      expect(headers.etag).toBe(etag);
    }
    await api.get(path).set('If-None-Match', '"other"').expect(200);
    expect(queries).toEqual(['find']);
  });

  it('has no body for a HEAD request', async () => {
    const { headers } = await api.get(path);
    const head = await api.head(path).expect(200);
    expect(head.text).toBeFalsy();
    expect(head.headers['content-length']).toBe(headers['content-length']);
  });

  it.for([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['identity', null],
  ] as const)('for a client that accepts %s is compressed with %s', async ([accepted, encoding]) => {
    const long = '/services?limit=3&sort=newest';
    const request = async () => {
      const response = await fetch(origin + long, { headers: { 'Accept-Encoding': accepted } });
      return { text: await response.text(), headers: response.headers };
    };
    await api
      .patch(path)
      .set(bearer(customer.jwt))
      .send({ description: 'Clean '.repeat(200) })
      .expect(200);
    const first = await request();
    const second = await request();
    expect(first.headers.get('content-encoding')).toBeNull();
    expect(second.headers.get('content-encoding')).toBe(encoding);
    expect(second.text).toBe(first.text);
  });

  it.for([600, 4998])('contains a text of %i non-ASCII characters unchanged', async (length) => {
    const description = 'üঘর厨房🍳'.repeat(length / 6);
    await api.patch(path).set(bearer(customer.jwt)).send({ description }).expect(200);
    for (const accepted of ['identity', 'gzip', 'br'])
      for (let call = 0; call < 2; call += 1) {
        const response = await fetch(origin + path, { headers: { 'Accept-Encoding': accepted } });
        expect(await response.json()).toMatchObject({ description });
      }
  });

  it('is logged and measured like other responses', async () => {
    const measured = await createTestApp({ isCached: true });
    for (let call = 0; call < 3; call += 1) await measured.api.get('/services?limit=3').expect(200);
    const metrics = await measured.readMetrics();
    expect(metrics).toContain('response_cache_requests_total{result="hit"} 2\n');
    expect(metrics).toContain('http_requests_total{method="GET",route="/services",status="200"} 3\n');
    expect(measured.log).toHaveLength(3);
    for (const line of measured.log)
      expect(JSON.parse(line)).toMatchObject({ req: { path: '/services' }, res: { statusCode: 200 } });
  });
});
