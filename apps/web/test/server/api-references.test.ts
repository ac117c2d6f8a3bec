import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '@rtr/http-server';
import { afterAll, expect, test } from 'vitest';
import { createMetrics } from '../../server/metrics.ts';
import { createWebServer } from '../../server/web-server.ts';
import { startRealApi } from './real-api.ts';

const api = await startRealApi();
const web = createHttpServer(
  createWebServer({
    api: api.origin,
    auth: { apiKey: 'demo', projectId: 'demo-rtr-cloud-kitchen', authDomain: 'demo.firebaseapp.com' },
    authEmulator: undefined,
    isPersonal: () => true,
    trustedProxies: ['loopback', 'linklocal', 'uniquelocal'],
    closing: new AbortController().signal,
    log: () => {},
    metrics: createMetrics(),
    assets: (_req, _res, next) => next(),
    renderPage: () => Promise.reject(new Error('These tests request no pages')),
  }),
).listen(0, '127.0.0.1');
await once(web, 'listening');
afterAll(() => {
  web.closeAllConnections();
  web.close();
});
const token = await api.signUp();

test.each([
  ['directly', api.origin],
  ['through the web server', `http://127.0.0.1:${(web.address() as AddressInfo).port}/api`],
])('a client that calls the API %s can follow the Location and Link headers of the responses', async (_, base) => {
  for (const path of ['/services', '/services/']) {
    const body = JSON.stringify({ title: 'Hood' });
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': `${base}${path}`,
    };
    const added = await fetch(base + path, { method: 'POST', headers, body });
    expect(added.status).toBe(201);
    const { insertedId } = await added.json();
    const found = await follow(added.url, added.headers.get('Location'));
    expect(found).toMatchObject({ _id: insertedId, title: 'Hood' });

    const conflict = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify({ title: 'Duct' }) });
    expect(conflict.status).toBe(422);
    expect(await follow(conflict.url, conflict.headers.get('Location'))).toEqual(found);
  }

  const first = await fetch(`${base}/services?sort=newest&limit=1`);
  const [newest] = await first.json();
  const link = /^<([^>]*)>; rel="next"$/.exec(first.headers.get('Link') ?? '')?.[1] ?? null;
  const [second] = await follow(first.url, link);
  expect(second).toMatchObject({ title: 'Hood' });
  expect(second._id).not.toBe(newest._id);
});

/** Follows the reference in a response, such as a Location header. A relative reference is relative to the request URL. */
async function follow(url: string, reference: string | null) {
  const response = await fetch(new URL(reference ?? '', url));
  expect(response.headers.get('content-type')).toContain('application/json');
  return response.json();
}
