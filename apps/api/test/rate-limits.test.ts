import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rateLimitKey } from '../src/http/rate-limits.ts';
import { bearer } from './support/bearer.ts';
import { createTestApp, type TestApp } from './support/test-app.ts';

/**
 * Sends one request more than the limit for one client address, up to 20 of them at the same time. Returns the status codes.
 */
async function exceedLimit(
  { origin }: TestApp,
  path: string,
  headers: (call: number) => Record<string, string>,
): Promise<number[]> {
  const statuses: number[] = [];
  let call = 0;
  const worker = async () => {
    while (call <= 1200) {
      const response = await fetch(origin + path, { headers: headers((call += 1)) });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  return statuses;
}

beforeEach(() => {
  // Freezes the clock, so that the minute does not end on a busy machine.
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the limit of requests per address and minute', () => {
  test('returns 429 with Retry-After and the other headers of errors, ignores X-Forwarded-For of a client that is not a trusted proxy, and does not apply to health checks and preflight requests', async () => {
    const origin = 'https://kitchen.example';
    const app = await createTestApp({
      env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '10.0.0.0/8', WEB_ORIGINS: origin },
    });
    const { etag: _, ...expected } = (await app.api.get('/unknown').set('Origin', origin).expect(404)).headers;
    const statuses = await exceedLimit(app, '/unknown', (call) => ({ 'X-Forwarded-For': `203.0.113.${call % 250}` }));
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    const { headers, body } = await app.api.get('/unknown').set('Origin', origin).expect(429);
    expect(body).toMatchObject({ limit: 'requests-per-minute', detail: expect.stringContaining('Try again in') });
    expect(headers).toEqual({
      ...expected,
      'x-request-id': body.instance,
      'content-length': String(JSON.stringify(body).length),
      'retry-after': '60',
      date: expect.any(String) as string,
    });
    const head = await app.api.head('/services?limit=3').expect(429);
    expect(head.headers['content-length']).toBe(headers['content-length']);
    await app.api
      .options('/review')
      .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' })
      .expect(204)
      .expect('Access-Control-Allow-Origin', origin);
    await app.api.get('/healthz').expect(200);
    await app.api.get('/readyz').expect(200);
    const rejectedCount = statuses.filter((status) => status === 429).length + 2;
    expect(await app.readMetrics()).toContain(
      `rate_limit_rejections_total{limit="requests-per-minute"} ${rejectedCount}\n`,
    );
    vi.advanceTimersByTime(60_000);
    await app.api.get('/unknown').expect(404);
  });

  test('counts cached responses too, uses the address that the trusted proxy added, and only the first 56 bits of an IPv6 address', async () => {
    const app = await createTestApp({ env: { RATE_LIMITS: 'on' }, isCached: true });
    const seen = (address: string) => ({ 'X-Forwarded-For': address });
    // A client can write any address at the start of X-Forwarded-For. Here, this address changes with each request, and the
    // API must ignore it.
    const statuses = await exceedLimit(app, '/services?limit=3', (call) =>
      seen(`198.51.100.${call % 250}, 2001:db8:0:1a${call % 10}::${call % 97}`),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await app.api.get('/services').set(seen('2001:db8:0:1ff::1')).expect(429);
    await app.api.get('/services').set(seen('2001:db8:0:2ff::1')).expect(200);
    await app.api.get('/services').set(seen('203.0.113.7')).expect(200);
  });
});

test.for([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2345::1', '2001:db8:1:23'],
  ['2001:0db8:0001:2300:ffff:ffff:ffff:ffff', '2001:db8:1:23'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
] as const)('requests of the address %s are counted under the key %s', ([address, key]) => {
  expect(rateLimitKey(address)).toBe(key);
});

describe('the limit of writes per customer and minute', () => {
  test('returns 429 with Retry-After on every instance of the API, and does not affect other customers', async () => {
    const one = await createTestApp({ env: { RATE_LIMITS: 'on' } });
    const other = await createTestApp({ env: { RATE_LIMITS: 'on', MONGODB_DATABASE: one.config.mongodbDatabase } });
    const [eager, calm] = [await one.signUp(), await one.signUp()];
    const requestToken = ({ api }: TestApp, { idToken, email }: typeof eager) =>
      api.post('/jwt').set(bearer(idToken)).send({ email });

    // The limit is 120 writes per minute on all instances together. The sign-up was one write. These loops send 119.
    for (let call = 0; call < 60; call += 1) await requestToken(one, eager).expect(200);
    for (let call = 0; call < 59; call += 1) await requestToken(other, eager).expect(200);
    for (const app of [one, other]) {
      const { body, headers } = await requestToken(app, eager).expect(429);
      expect(body.limit).toBe('writes-per-minute');
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      await requestToken(app, calm).expect(200);
      expect(await app.readMetrics()).toContain('rate_limit_rejections_total{limit="writes-per-minute"} 1\n');
    }
  });
});
