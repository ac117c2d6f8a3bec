import { describe, expect, test } from 'vitest';
import { createTestApp } from './support/test-app.ts';

const { api, readMetrics, log, signUp } = await createTestApp();
const vitalsMetrics = async () => (await readMetrics()).split('\n').filter((line) => line.startsWith('web_vitals'));
const report = (...vitals: unknown[]) => api.post('/vitals').send({ vitals });

test('POST /vitals adds the web-vitals metrics of a page view to histograms, with separate buckets for layout shift', async () => {
  const { body, text, headers } = await report(
    { name: 'LCP', value: 2100 },
    { name: 'INP', value: 0 },
    { name: 'CLS', value: 0.07 },
    { name: 'FCP', value: 900.5 },
    { name: 'TTFB', value: 30 },
  ).expect(204);
  expect([body, text, headers['content-length']]).toEqual([{}, '', undefined]);

  expect(await vitalsMetrics()).toEqual(
    expect.arrayContaining([
      'web_vitals_milliseconds_bucket{le="1800",name="LCP"} 0',
      'web_vitals_milliseconds_bucket{le="2500",name="LCP"} 1',
      'web_vitals_milliseconds_sum{name="FCP"} 900.5',
      'web_vitals_milliseconds_count{name="INP"} 1',
      'web_vitals_milliseconds_count{name="TTFB"} 1',
      'web_vitals_cumulative_layout_shift_bucket{le="0.05"} 0',
      'web_vitals_cumulative_layout_shift_bucket{le="0.1"} 1',
    ]),
  );
});

test('POST /vitals accepts the metrics of a signed-in customer, and stores nothing about the customer', async () => {
  const { jwt, email, uid } = await signUp();
  const before = log.length;
  const asSent = Buffer.from(JSON.stringify({ vitals: [{ name: 'LCP', value: 1 }] }));
  const from = { Authorization: `Bearer ${jwt}`, 'Content-Type': 'application/json', 'User-Agent': 'my-browser' };
  await api.post('/vitals').set(from).send(asSent.toString()).expect(204);
  await expect.poll(() => log.slice(before)).toHaveLength(1);
  for (const trace of [jwt, email, uid, 'my-browser', '127.0.0.1']) {
    expect(log.slice(before).join()).not.toContain(trace);
    expect(await readMetrics()).not.toContain(trace);
  }
});

describe('POST /vitals', () => {
  const lcp = { name: 'LCP', value: 1 };
  test.for<[string, unknown]>([
    ['an unknown metric', { vitals: [{ name: 'FID', value: 1 }] }],
    ['a metric without a value', { vitals: [{ name: 'LCP' }] }],
    ['a negative value', { vitals: [{ name: 'LCP', value: -1 }] }],
    ['a value over an hour', { vitals: [{ name: 'LCP', value: 3_600_001 }] }],
    ['a text instead of a value', { vitals: [{ name: 'LCP', value: '1' }] }],
    ['an unknown field of a metric', { vitals: [{ ...lcp, id: 'v5-visitor' }] }],
    ['an unknown field of the report', { vitals: [lcp], page: '/services' }],
    ['no metrics', { vitals: [] }],
    ['eleven metrics', { vitals: Array.from({ length: 11 }, () => lcp) }],
  ])('returns 400 for %s', async ([, body]) => {
    const before = await vitalsMetrics();
    await api
      .post('/vitals')
      .send(body as object)
      .expect(400);
    expect(await vitalsMetrics()).toEqual(before);
  });

  test('returns 400 for an infinite value', async () => {
    const infinite = '{"vitals":[{"name":"LCP","value":1e999}]}';
    await api.post('/vitals').set('Content-Type', 'application/json').send(infinite).expect(400);
  });
});

test('two API instances in the same process have separate metrics', async () => {
  const other = await createTestApp();
  await report({ name: 'TTFB', value: 1 }).expect(204);
  expect(await readMetrics()).toContain('name="TTFB"');
  expect(await other.readMetrics()).not.toContain('name="TTFB"');
});
