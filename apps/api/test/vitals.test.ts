import { describe, expect, test } from 'vitest';
import { testApp } from './support/test-app.ts';

const { api, scrape, log, signUp } = await testApp();
/** What Prometheus would read of vitals. */
const figures = async () => (await scrape()).split('\n').filter((line) => line.startsWith('web_vitals'));
const report = (...vitals: unknown[]) => api.post('/vitals').send({ vitals });

test('the figures of a page view become histograms, layout shift in a scale of its own', async () => {
  const { body, text, headers } = await report(
    { name: 'LCP', value: 2100 },
    { name: 'INP', value: 0 },
    { name: 'CLS', value: 0.07 },
    { name: 'FCP', value: 900.5 },
    { name: 'TTFB', value: 30 },
  ).expect(204);
  expect([body, text, headers['content-length']]).toEqual([{}, '', undefined]);

  expect(await figures()).toEqual(
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

test('a beacon of a page on our own site is taken, whoever is signed in there, and nobody is noted', async () => {
  const { jwt, email, uid } = await signUp();
  const before = log.length;
  const asSent = Buffer.from(JSON.stringify({ vitals: [{ name: 'LCP', value: 1 }] }));
  const from = { Authorization: `Bearer ${jwt}`, 'Content-Type': 'application/json', 'User-Agent': 'my-browser' };
  await api.post('/vitals').set(from).send(asSent.toString()).expect(204);
  await expect.poll(() => log.slice(before)).toHaveLength(1);
  for (const trace of [jwt, email, uid, 'my-browser', '127.0.0.1']) {
    expect(log.slice(before).join()).not.toContain(trace);
    expect(await scrape()).not.toContain(trace);
  }
});

describe('nothing else is taken:', () => {
  const lcp = { name: 'LCP', value: 1 };
  test.for<[string, unknown]>([
    ['another figure', { vitals: [{ name: 'FID', value: 1 }] }],
    ['a figure without its value', { vitals: [{ name: 'LCP' }] }],
    ['a negative one', { vitals: [{ name: 'LCP', value: -1 }] }],
    ['one beyond an hour', { vitals: [{ name: 'LCP', value: 3_600_001 }] }],
    ['text', { vitals: [{ name: 'LCP', value: '1' }] }],
    ['a field more', { vitals: [{ ...lcp, id: 'v5-visitor' }] }],
    ['a field more beside them', { vitals: [lcp], page: '/services' }],
    ['no figure', { vitals: [] }],
    ['eleven', { vitals: Array.from({ length: 11 }, () => lcp) }],
  ])('%s', async ([, body]) => {
    const before = await figures();
    await api
      .post('/vitals')
      .send(body as object)
      .expect(400);
    expect(await figures()).toEqual(before);
  });

  test('infinity, as JSON can spell it', async () => {
    const endless = '{"vitals":[{"name":"LCP","value":1e999}]}';
    await api.post('/vitals').set('Content-Type', 'application/json').send(endless).expect(400);
  });
});

test('two apps in one process count apart', async () => {
  const other = await testApp();
  await report({ name: 'TTFB', value: 1 }).expect(204);
  expect(await scrape()).toContain('name="TTFB"');
  expect(await other.scrape()).not.toContain('name="TTFB"');
});
