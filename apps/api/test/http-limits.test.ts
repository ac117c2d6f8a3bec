import { describe, expect, test } from 'vitest';
import { rateLimitKey } from '../src/http/rate-limits.ts';
import { type TestApp, testApp } from './support/test-app.ts';

/** One more than the limit from one address, some at a time; how each was answered. */
async function flood({ api }: TestApp, headers: (call: number) => Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  let call = 0;
  const worker = async () => {
    while (call <= 1200) statuses.push((await api.get('/unknown').set(headers((call += 1)))).status);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  return statuses;
}

describe('one address that asks too much in a minute', () => {
  test('is told when to come back, whatever it says of itself; probes are answered still', async () => {
    const app = await testApp({ env: { RATE_LIMITS: 'on' } });
    const statuses = await flood(app, (call) => ({ 'X-Forwarded-For': `203.0.113.${call % 250}` }));
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    const { body, headers } = await app.api.get('/services').expect(429);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(body).toMatchObject({ limit: 'requests-per-minute', detail: expect.stringContaining('Try again in') });
    await app.api.get('/healthz').expect(200);
    await app.api.get('/readyz').expect(200);
    const refused = statuses.filter((status) => status === 429).length + 1;
    expect(await app.scrape()).toContain(`rate_limit_refusals_total{limit="address"} ${refused}\n`);
  });

  test('behind our proxy is the one that the proxy saw, IPv6 by its first 56 bits', async () => {
    const app = await testApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' } });
    const seen = (address: string) => ({ 'X-Forwarded-For': address });
    // The left part is what the visitor claims: it changes with each call, and is not believed.
    const statuses = await flood(app, (call) =>
      seen(`198.51.100.${call % 250}, 2001:db8:0:1a${call % 10}::${call % 97}`),
    );
    expect(statuses).toContain(429);
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
] as const)('%s is counted as %s', ([address, key]) => {
  expect(rateLimitKey(address)).toBe(key);
});

describe('one customer who writes too much in a minute', () => {
  test('is told when to come back, on every instance, while others go on', async () => {
    const one = await testApp({ env: { RATE_LIMITS: 'on' } });
    const other = await testApp({ env: { RATE_LIMITS: 'on', MONGODB_DATABASE: one.config.mongodbDatabase } });
    const [eager, calm] = [await one.signUp(), await one.signUp()];
    const trade = ({ api }: TestApp, { idToken, email }: typeof eager) =>
      api.post('/jwt').set('Authorization', `Bearer ${idToken}`).send({ email });

    // One of the 120 was spent by signing up.
    for (let call = 0; call < 60; call += 1) await trade(one, eager).expect(200);
    for (let call = 0; call < 59; call += 1) await trade(other, eager).expect(200);
    for (const app of [one, other]) {
      const { body, headers } = await trade(app, eager).expect(429);
      expect(body.limit).toBe('writes-per-minute');
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      await trade(app, calm).expect(200);
      expect(await app.scrape()).toContain('rate_limit_refusals_total{limit="customer"} 1\n');
    }
  });
});
