import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Installation, install, type Running, send } from './support/installation.ts';

const host = '127.0.0.1';

describe('the proxy in front of an API and a web server', () => {
  let installation: Installation;
  let api: Running;
  let web: Running;
  const get = (path: string, headers: Record<string, string> = {}) => send(installation.origin, path, { headers });

  beforeAll(async () => {
    installation = await install({ hosts: [host] });
    [api, web] = await Promise.all([installation.startApi(host), installation.startWeb(host)]);
  });

  test('serves complete pages with the security headers of the web server', async () => {
    for (const [path, status, title] of [
      ['/', 200, 'Home'],
      ['/services?q=hood', 200, 'Services'],
      ['/about', 200, 'About'],
      ['/nowhere', 404, 'Not Found'],
    ] as const) {
      const page = await get(path);
      expect([path, page.status]).toEqual([path, status]);
      expect(page.body).toContain(`<title>${title} RTR Cloud Kitchen</title>`);
      expect(page.headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
    }
  });

  test('serves the compressed files that the build has created', async () => {
    const folder = join(inject('images'), 'web/client/assets');
    const script = readdirSync(folder).find((name) => /^entry-client.*\.js$/.test(name)) ?? '';
    const { status, headers } = await get(`/assets/${script}`, { 'Accept-Encoding': 'br' });
    expect([status, headers['content-encoding'], headers['content-length']]).toEqual([
      200,
      'br',
      String(readFileSync(join(folder, `${script}.br`)).length),
    ]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('forwards requests for /api to the API without this prefix, and keeps the response headers of the API', async () => {
    const { status, headers, body } = await get('/api/services?limit=2');
    expect([status, JSON.parse(body)]).toEqual([200, []]);
    expect(headers).toMatchObject({
      'x-total-count': '0',
      'content-security-policy': expect.stringMatching(/^default-src 'none';base-uri/),
    });
    expect((await get('/apiary')).headers['content-security-policy']).toContain("script-src 'self'");
  });

  test.each([
    '/api/metrics',
    '/api/metrics/',
    '/api/readyz',
    '/api/readyz/',
    '/API/ReadyZ',
    '/api/%72eadyz',
    '/api//readyz',
    '//api/readyz',
    '/api/./readyz',
    '/api/docs',
    '/api/docs/',
    '/api/docs/swagger-ui.css',
  ])('responds with 404 to %s, because this path is not public', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('gives each request an id that is in the response and in the logs of the proxy and the API', async () => {
    const { headers } = await get('/api/services?limit=1', {
      'X-Request-Id': 'of-the-visitor',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    const id = String(headers['x-request-id']);
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await expect.poll(() => api.lines.filter((line) => line.includes(id))).toHaveLength(1);
    await expect.poll(() => installation.proxy.lines.filter((line) => line.includes(id))).toHaveLength(1);
    expect([...api.lines, ...installation.proxy.lines].join('\n')).not.toMatch(/of-the-visitor|0af7651916cd/);
  });

  test('rejects requests to the Auth emulator that only the project owner may send', async () => {
    const project = '/projects/demo-rtr-cloud-kitchen';
    for (const method of ['GET', 'DELETE']) {
      const { status } = await send(installation.origin, `/emulator/v1${project}/accounts`, { method });
      expect([404, 405]).toContain(status);
    }
    const owner = { Authorization: 'Bearer owner' };
    const all = `/identitytoolkit.googleapis.com/v1${project}/accounts:batchGet?maxResults=9`;
    expect((await get(all, owner)).status).toBe(404);
  });

  test('logs each request without its query, email address, token, key to unsubscribe, network address and headers', async () => {
    await get('/log/page?q=secret-words', {
      Referer: `${installation.origin}/?secret-words`,
      Cookie: 'secret-words=1',
    });
    await get('/api/log/api?limit=1&q=secret-words', { Authorization: 'Bearer secret-words' });
    await get('/api/log/vera@kitchen.test/eyJhbGciOi.eyJzdWI.x/end?email=vera@kitchen.test');
    await get('/emulator/action?log&oobCode=secret-words');
    await get('/unsubscribe/secret-words/log/');
    await get('/api/Unsubscribe/secret-words');
    const logged = () =>
      installation.proxy.lines.map((line) => JSON.parse(line).request?.uri).filter((uri) => /\/log\//.test(uri));
    await expect.poll(logged).toEqual(['/log/page', '/api/log/api', '/api/log///end']);
    expect([...installation.proxy.lines, ...web.lines].join('\n')).not.toMatch(/secret-words|vera|eyJ|"127\.0\.0\.1"/);
  });

  test('disconnects a visitor who sends headers too slowly, as do the API and the web server without the proxy', async () => {
    const origins = [installation.origin, installation.apiOrigin(host), installation.webOrigin(host)];
    const head = `GET /api/services HTTP/1.1\r\nHost: ${new URL(installation.origin).host}\r\n`;
    const durations = await Promise.all(origins.map((origin) => sendSlowly(origin, head, 'X-More: 1\r\n')));
    // By default, Node closes a connection if the client has not sent all headers within 60 s. A shorter time shows
    // that the servers set their own timeout.
    expect(Math.max(...durations)).toBeLessThan(45_000);
  });

  test('disconnects a visitor if sending the request body takes longer than the configured time', async () => {
    const head = `POST /api/vitals HTTP/1.1\r\nHost: ${new URL(installation.origin).host}\r\n`;
    const entity = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
    // The proxy of this test waits 2 s for a body. Without this timeout, only the API would close the connection, after
    // 30 s.
    expect(await sendSlowly(installation.origin, head + entity, ' ')).toBeLessThan(25_000);
  });

  /**
   * Sends `head`, and then `more` each second until the server closes the connection. Returns the milliseconds until then.
   */
  async function sendSlowly(origin: string, head: string, more: string): Promise<number> {
    const started = performance.now();
    const socket = connect(Number(new URL(origin).port), host);
    socket.on('error', () => {}); // The server may reset the connection between two writes.
    socket.resume().write(head);
    const timer = setInterval(() => socket.write(more), 1000);
    await new Promise((resolve) => {
      socket.once('close', resolve);
    });
    clearInterval(timer);
    return performance.now() - started;
  }

  test('responds with a problem (RFC 9457) when no API is running, and pages then show an error', async () => {
    api.child.kill('SIGTERM');
    await api.exited;
    const [page, read, written] = await Promise.all([
      get('/services/665f1c2e9b3e4a0012345678'),
      get('/api/services'),
      send(installation.origin, '/api/review', { method: 'POST' }),
    ]);
    expect([page.status, page.headers['retry-after']]).toEqual([503, '2']);
    expect(page.body).toContain('We cannot reach the kitchen right now.');
    for (const { status, headers, body } of [read, written]) {
      expect([status, headers['content-type'], headers['retry-after']]).toEqual([503, 'application/problem+json', '2']);
      expect(JSON.parse(body)).toMatchObject({
        status: 503,
        instance: headers['x-request-id'],
        detail: expect.stringContaining('Idempotency-Key'),
      });
    }
    api = await installation.startApi(host);
    expect((await get('/api/services')).status).toBe(200);
    expect((await get('/')).status).toBe(200);
  });

  test('responds with 503 in plain text when no web server is running', async () => {
    web.child.kill('SIGTERM');
    expect(await web.exited).toBe(0);
    const { status, headers, body } = await get('/about');
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(body).toContain('We cannot reach the kitchen right now.');
    web = await installation.startWeb(host);
  });
});
