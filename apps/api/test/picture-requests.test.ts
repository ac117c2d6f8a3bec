import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { createTestApp } from './support/test-app.ts';

// The API must not load the picture URLs that customers send, because customers could then make the API send requests to
// servers in its own network. This test uses a fake host of pictures, and records each request to this host and each DNS
// lookup.

const canaryHost = 'pictures.canary.example';
const requested: string[] = [];
const lookedUp: string[] = [];

const canary = createServer((req, res) => {
  requested.push(`${req.method} ${req.url}`);
  res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>');
}).listen(0, '127.0.0.1');
await once(canary, 'listening');
const canaryOrigin = `http://${canaryHost}:${(canary.address() as AddressInfo).port}`;

const { lookup } = dns;
vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: dns.LookupOptions, callback: () => void) => {
  lookedUp.push(host);
  lookup(host === canaryHost ? '127.0.0.1' : host, options, callback);
}) as typeof dns.lookup);

afterAll(() => {
  vi.restoreAllMocks();
  canary.closeAllConnections();
  canary.close();
});

const { api, signUp, readMetrics } = await createTestApp();

test('the API never requests the picture of a service or of a customer', async () => {
  const customer = await signUp({ name: 'Nadia', picture: `${canaryOrigin}/customer.svg` });
  const bearer = { Authorization: `Bearer ${customer.jwt}` };
  const img = `${canaryOrigin}/service.svg`;
  const added = await api.post('/services').set(bearer).send({ title: 'Hood', img }).expect(201);
  const service = `/services/${added.body.insertedId}`;
  const input = { serviceId: added.body.insertedId, review: img, rating: 4, img, costomerImg: img };
  const written = await api.post('/review').set(bearer).send(input).expect(201);
  const review = `/review/${written.body.insertedId}`;

  expect((await api.get(service).expect(200)).body.img).toBe(img);
  expect((await api.get(review).expect(200)).body).toMatchObject({ img, costomerImg: `${canaryOrigin}/customer.svg` });
  await api.patch(review).set(bearer).send({ review: img }).expect(200);
  const lists = ['/services', '/services?limit=5&q=hood', `/allreview?serviceId=${added.body.insertedId}`];
  for (const path of [...lists, '/sitemap.xml']) await api.get(path).expect(200);
  await api.get(`/review?email=${customer.email}`).set(bearer).expect(200);
  await api.delete(review).set(bearer).expect(200);
  await api.post(`${review}/restore`).set(bearer).expect(200);
  await readMetrics();
  expect(requested).toEqual([]);
  expect(lookedUp).not.toContain(canaryHost);

  // This request proves that the fake host records requests.
  await (await fetch(img)).text();
  expect(requested).toEqual(['GET /service.svg']);
  expect(lookedUp).toContain(canaryHost);
});
