import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, install, repeatsBodies, send } from './support/installation.ts';

// In these tests, the proxy is in front of an API that resets connections.
const host = '127.0.0.1';
let installation: Installation;
let broken: Server;
const received: IncomingMessage[] = [];

beforeAll(async () => {
  installation = await install({ hosts: [host] });
  broken = createServer((req, res) => {
    received.push(req);
    const isFirst = received.length === 1;
    if (!req.url?.startsWith('/echo') || (req.url === '/echo/second' && isFirst)) return void req.socket.destroy();
    const { 'x-forwarded-for': address, 'x-forwarded-proto': protocol, host, traceparent, tracestate } = req.headers;
    const forwarded = { url: req.url, address, protocol, host, traceparent, tracestate };
    void text(req).then((body) => res.end(JSON.stringify({ ...forwarded, body })));
  });
  await once(broken.listen(Number(new URL(installation.apiOrigin(host)).port), host), 'listening');
});
afterAll(() => {
  broken.closeAllConnections();
  broken.close();
});

test.each(['GET', 'HEAD'])('the proxy repeats a %s request whose connection was reset', async (method) => {
  received.length = 0;
  expect((await send(installation.origin, '/api/echo/second', { method })).status).toBe(200);
  expect(received).toHaveLength(2);
});

test.each(repeatsBodies ? ['', '{"title":"Hood cleaning"}'] : [''])(
  'if the connection is reset, the proxy repeats a POST request that has an Idempotency-Key and the body "%s"',
  async (sent) => {
    received.length = 0;
    const { status, body } = await send(installation.origin, '/api/echo/second', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'a' },
      body: sent,
    });
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ body: sent })]);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['a', 'a']);
  },
);

test('the proxy responds with 503 to a GET request whose connection is reset at every attempt', async () => {
  expect((await send(installation.origin, '/api/services', { method: 'GET' })).status).toBe(503);
});

test.each(['POST', 'PATCH', 'DELETE'])(
  'the proxy does not repeat a %s request without an Idempotency-Key that the API received',
  async (method) => {
    received.length = 0;
    const { status, body } = await send(installation.origin, '/api/services', { method });
    expect([status, JSON.parse(body)]).toEqual([503, expect.objectContaining({ status: 503 })]);
    expect(received).toHaveLength(1);
  },
);

test('the proxy forwards the address of a visitor and ignores forged headers', async () => {
  const forgedHeaders = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Proto': 'https',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: 'vendor=value',
  };
  const { body } = await send(installation.origin, '/api/echo?a=%20b', { headers: forgedHeaders });
  expect(JSON.parse(body)).toEqual({
    url: '/echo?a=%20b',
    address: host,
    protocol: 'http',
    host: new URL(installation.origin).host,
    body: '',
  });
});

test('the proxy passes the address of the visitor through the web server to the API, and ignores forged headers', async () => {
  await installation.startWeb(host);
  received.length = 0;
  for (const path of ['/services', '/sitemap.xml', '/robots.txt'])
    await send(installation.origin, path, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
  expect(received.map(({ url }) => url)).toEqual(expect.arrayContaining(['/sitemap.xml', '/robots.txt']));
  expect(new Set(received.map(({ headers }) => headers['x-forwarded-for']))).toEqual(new Set([host]));
});
