import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { answers, freePort, root } from '@rtr/dev-stack/processes';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, ask, type Installation, install, type Running } from './support/installation.ts';

const host = '127.0.0.1';
const plainPage = readFileSync(join(inject('images'), 'web/index.html'), 'utf8');

describe('with the API behind it', () => {
  let shape: Installation;
  let api: Running;
  const get = (path: string, headers: Record<string, string> = {}) => ask(shape.origin, path, { headers });

  beforeAll(async () => {
    shape = await install({ hosts: [host] });
    api = await shape.startApi(host);
  });

  describe('the built app', () => {
    test('every page is the app, named, and asked for anew each time', async () => {
      for (const [path, title] of [
        ['/', 'Home'],
        ['/services?q=hood', 'Services'],
        ['/myReview?sort=a.b', 'My Review'],
      ] as const) {
        const { status, headers, body } = await get(path);
        expect(body).toContain(`<title>${title} RTR Cloud Kitchen</title>`);
        expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-cache']);
        expect(headers['content-type']).toMatch(/^text\/html/);
        expect(body).toContain('<div id="root">');
      }
    });

    test('a hashed asset may be kept for good, and comes precompressed as the browser likes best', async () => {
      const script = /\/assets\/[^"]+\.js/.exec(plainPage)?.[0] ?? '';
      const built = readFileSync(join(inject('images'), 'web', script));
      const [br, gzip, plain] = await Promise.all([
        getBytes(shape.origin, script, { 'Accept-Encoding': 'gzip, deflate, br' }),
        getBytes(shape.origin, script, { 'Accept-Encoding': 'gzip' }),
        getBytes(shape.origin, script),
      ]);
      expect([br, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
      expect(br.body).toEqual(readFileSync(join(inject('images'), 'web', `${script}.br`)));
      expect(await promisify(brotliDecompress)(br.body)).toEqual(built);
      expect(await promisify(gunzip)(gzip.body)).toEqual(built);
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringContaining('javascript'),
        vary: 'Accept-Encoding',
      });
    });

    test('a picture is asked for again after an hour, and not sent again when it is the same', async () => {
      const { headers } = await get('/pictures/hero-install.svg');
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=3600', 'content-type': 'image/svg+xml' });
      const again = await get('/pictures/hero-install.svg', { 'If-None-Match': headers.etag ?? '' });
      expect(again.status).toBe(304);
    });

    test('a file that is not there is 404, not the app, and kept by nobody', async () => {
      for (const path of ['/assets/gone-1a2b3c.js', '/.built-from', '/index.html.br/x.js', '/pictures/none.svg']) {
        const { status, headers, body } = await get(path);
        expect([path, status, body]).toEqual([path, 404, 'There is no such file.']);
        expect(headers['cache-control']).toBe('no-cache');
      }
    });

    test('it can only be read', async () => {
      const { status, headers } = await ask(shape.origin, '/login', { method: 'POST' });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    });
  });

  describe('it is the web server of `start`, as far as browsers see', () => {
    let preview: ChildProcess;
    let previewOrigin: string;

    beforeAll(async () => {
      const port = await freePort();
      previewOrigin = `http://127.0.0.1:${port}`;
      preview = spawn(process.execPath, [join(root, 'apps/web/node_modules/vite/bin/vite.js'), 'preview'], {
        cwd: join(root, 'apps/web'),
        env: {
          ...process.env,
          WEB_PORT: String(port),
          API_ORIGIN: shape.apiOrigin(host),
          AUTH_MODE: 'emulator',
          FIREBASE_AUTH_EMULATOR_HOST: new URL(shape.origin).host,
        },
        stdio: 'ignore',
      });
      await answers(`${previewOrigin}/config.json`, AbortSignal.timeout(120_000));
    });
    afterAll(async () => {
      preview.kill();
      await once(preview, 'exit');
    });

    /** But for what says how the answer travels, and what is another each time. */
    const shown = ({ status, headers, body }: Answer) => {
      const apart =
        /^(?:accept-ranges|connection|content-length|content-type|date|etag|keep-alive|last-modified|server|transfer-encoding|vary|via|x-request-id)$/;
      return {
        status,
        body,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !apart.test(name))),
      };
    };

    test.each([
      '/',
      '/services',
      '/services/665f1c2e9b3e4a0012345678',
      '/login',
      '/nowhere',
      '/index.html',
      '/favicon.svg',
      '/assets/none.js',
    ])('the same answer for %s', async (path) => {
      const own = await get(path);
      expect(shown(own)).toEqual(shown(await ask(previewOrigin, path)));
      expect(own.headers['content-security-policy']).toContain("'sha256-");
    });

    test.each(['/robots.txt', '/sitemap.xml'])('the same %s', async (path) => {
      const [own, other] = await Promise.all([get(path), ask(previewOrigin, path)]);
      expect([own.status, own.body]).toEqual([200, other.body]);
      expect(own.headers['content-security-policy']).toBe(other.headers['content-security-policy']);
    });

    test('and none of them is below /api', async () => {
      for (const path of ['/api/pages', '/api/pages/services', '/api//Pages/login']) {
        const { status, body } = await ask(previewOrigin, path);
        expect([path, status, JSON.parse(body)]).toEqual([path, 404, expect.objectContaining({ status: 404 })]);
      }
    });

    test('the same /config.json', async () => {
      const [own, other] = await Promise.all([get('/config.json'), ask(previewOrigin, '/config.json')]);
      expect(JSON.parse(own.body)).toEqual(JSON.parse(other.body));
      expect(JSON.parse(own.body)).toMatchObject({ authEmulator: shape.origin });
      expect(own.headers['content-type']).toBe('application/json');
    });
  });

  describe('/api', () => {
    test('reaches the API without the prefix, under the API’s own headers', async () => {
      const { status, headers, body } = await get('/api/services?limit=2');
      expect([status, JSON.parse(body)]).toEqual([200, []]);
      expect(headers).toMatchObject({
        'x-total-count': '0',
        'content-security-policy': expect.stringMatching(/^default-src 'none';base-uri/),
      });
      expect((await get('/api/')).status).toBe(404);
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
      '/api/./readyz',
      '/api/docs',
      '/api/docs/',
      '/api/docs/swagger-ui.css',
      '/api/pages',
      '/api/pages/',
      '/api/pages/services?q=hood',
      '/API//Pages/login',
    ])('has nothing for the public at %s', async (path) => {
      const { status, body } = await get(path);
      expect(status).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ status: 404 });
    });

    test('gives a request an id of ours, which both logs and the answer hold', async () => {
      const { headers } = await get('/api/services?limit=1', { 'X-Request-Id': 'of-the-visitor' });
      const id = String(headers['x-request-id']);
      expect(id).toMatch(/^[\da-f-]{36}$/);
      await expect.poll(() => api.lines.filter((line) => line.includes(id))).toHaveLength(1);
      await expect.poll(() => shape.web.lines.filter((line) => line.includes(id))).toHaveLength(1);
      expect([...api.lines, ...shape.web.lines].join('\n')).not.toContain('of-the-visitor');
    });

    test('disconnects a visitor who sends headers for 10 s or a body for 40 s', async () => {
      const started = performance.now();
      const head = (line: string) => `${line} HTTP/1.1\r\nHost: ${new URL(shape.origin).host}\r\n`;
      const entity = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
      const outcome = async (dripping: Promise<string>) => {
        const [statusLine] = (await dripping).split('\r\n');
        return { statusLine, seconds: (performance.now() - started) / 1000 };
      };
      const [headers, toApi, toPage] = await Promise.all([
        outcome(drip(head('GET /api/services'), 'X-More: 1\r\n')),
        outcome(drip(head('POST /api/vitals') + entity, ' ')),
        outcome(drip(head('POST /login') + entity, ' ')),
      ]);
      expect(headers.statusLine).toBe('');
      expect(headers.seconds).toBeLessThan(35);
      expect(toApi.statusLine).toBe('HTTP/1.1 408 Request Timeout');
      expect(toApi.seconds).toBeLessThan(90);
      expect(toPage.statusLine).toBe('HTTP/1.1 405 Method Not Allowed');
      expect(toPage.seconds).toBeLessThan(90);
    });

    /** Sends `head`, then `drop` each second until the server closes the connection; answers what the server sent. */
    async function drip(head: string, drop: string): Promise<string> {
      const socket = connect(Number(new URL(shape.origin).port), host);
      socket.on('error', () => {}); // the server may close between two drops
      socket.write(head);
      const dripping = setInterval(() => socket.write(drop), 1000);
      return text(socket).finally(() => clearInterval(dripping));
    }
  });

  describe('the Auth emulator', () => {
    const accounts = '/identitytoolkit.googleapis.com/v1/accounts';
    const post = (path: string, body: object, headers = {}) =>
      ask(shape.origin, path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });

    test('signs customers up, in, and on', async () => {
      const account = { email: 'web@kitchen.test', password: 'hood-and-duct', returnSecureToken: true };
      expect((await post(`${accounts}:signUp?key=demo`, account)).status).toBe(200);
      const signedIn = await post(`${accounts}:signInWithPassword?key=demo`, account);
      expect(signedIn.status).toBe(200);
      const { idToken, refreshToken } = JSON.parse(signedIn.body);
      const token = { grant_type: 'refresh_token', refresh_token: refreshToken };
      expect((await post('/securetoken.googleapis.com/v1/token?key=demo', token)).status).toBe(200);
      const jwt = await post('/api/jwt', { email: account.email }, { Authorization: `Bearer ${idToken}` });
      expect([jwt.status, JSON.parse(jwt.body)]).toEqual([200, { token: expect.any(String) }]);
    });

    test('opens the links that it prints', async () => {
      const { status, body } = await get('/emulator/action?mode=resetPassword&oobCode=none&apiKey=demo');
      expect([status, body]).toEqual([400, expect.stringContaining('the link has already been used')]);
      const handler = await get('/emulator/auth/handler?apiKey=demo&providerId=google.com');
      expect([handler.status, handler.body]).toEqual([200, expect.stringContaining('Auth Emulator')]);
    });

    test('obeys no owner from outside', async () => {
      const project = '/projects/demo-rtr-cloud-kitchen';
      for (const method of ['GET', 'DELETE']) {
        const { status } = await ask(shape.origin, `/emulator/v1${project}/accounts`, { method });
        expect(status).toBe(404);
      }
      expect((await get('/emulator/openapi.json')).status).toBe(404);
      const owner = { Authorization: 'Bearer owner' };
      const all = await get(`/identitytoolkit.googleapis.com/v1${project}/accounts:batchGet?maxResults=9`, owner);
      expect([all.status, all.body]).toEqual([403, expect.not.stringContaining('kitchen.test')]);
    });
  });

  test('the log has a line for each request, and in it no query, email, token, address or header', async () => {
    await get('/log/page?q=secret-words', { Referer: `${shape.origin}/?secret-words`, Cookie: 'secret-words=1' });
    await get('/api/log/api?limit=1&q=secret-words', { Authorization: 'Bearer secret-words' });
    await get('/api/log/vera@kitchen.test/eyJhbGciOi.eyJzdWI.x/end?email=vera@kitchen.test');
    await get('/emulator/action?log&oobCode=secret-words');
    const logged = () =>
      shape.web.lines.map((line) => JSON.parse(line).request?.uri).filter((uri) => /\/log\//.test(uri));
    await expect.poll(logged).toEqual(['/log/page', '/api/log/api', '/api/log///end']);
    expect(shape.web.lines.filter((line) => line.includes('"/emulator/action"'))).not.toEqual([]);
    expect(shape.web.lines.join('\n')).not.toMatch(/secret-words|vera|eyJ|"127\.0\.0\.1"/);
  });

  test('while no API is up, pages are the plain app and the API’s place says so', async () => {
    api.child.kill('SIGTERM');
    await api.exited;
    const [page, read, written, sitemap] = await Promise.all([
      get('/services/665f1c2e9b3e4a0012345678'),
      get('/api/services'),
      ask(shape.origin, '/api/review', { method: 'POST' }),
      get('/sitemap.xml'),
    ]);
    expect([page.status, page.body]).toEqual([200, plainPage]);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
    });
    for (const { status, headers, body } of [read, written, sitemap]) {
      expect([status, headers['content-type'], headers['retry-after'], headers['cache-control']]).toEqual([
        503,
        'application/problem+json',
        '2',
        'no-store',
      ]);
      expect(JSON.parse(body)).toMatchObject({ status: 503, instance: headers['x-request-id'] });
    }
    expect(JSON.parse(read.body).detail).toContain('Try again in a few seconds.');
    expect(JSON.parse(written.body).detail).toContain('Idempotency-Key');

    api = await shape.startApi(host);
    expect((await get('/api/services')).status).toBe(200);
  });
});

describe('with an API that breaks', () => {
  let shape: Installation;
  let broken: Server;
  const reached: IncomingMessage[] = [];

  beforeAll(async () => {
    shape = await install({ hosts: [host] });
    broken = createServer((req, res) => {
      reached.push(req);
      // One page is never answered, the others as no page.
      if (req.url === '/pages/late') return;
      if (req.url?.startsWith('/pages')) {
        res.writeHead(500, { 'Content-Type': 'application/problem+json', 'X-Of': 'the-api' }).end('{}');
      } else if (req.url?.startsWith('/echo')) {
        const {
          'x-forwarded-for': address,
          'x-forwarded-proto': protocol,
          host,
          traceparent,
          tracestate,
        } = req.headers;
        res.end(JSON.stringify({ url: req.url, address, protocol, host, traceparent, tracestate }));
      } else req.socket.destroy();
    });
    await once(broken.listen(Number(new URL(shape.apiOrigin(host)).port), host), 'listening');
  });
  afterAll(() => {
    broken.closeAllConnections();
    broken.close();
  });

  test.each(['GET', 'POST'])('a %s that reached it is not sent again', async (method) => {
    reached.length = 0;
    const { status, body } = await ask(shape.origin, '/api/services', { method });
    expect([status, JSON.parse(body)]).toEqual([503, expect.objectContaining({ status: 503 })]);
    expect(reached).toHaveLength(1);
  });

  test('a page is asked for by the build whose files are here', async () => {
    reached.length = 0;
    await ask(shape.origin, '/services');
    const build = createHash('sha256').update(plainPage).digest('base64url');
    expect(reached.map(({ headers }) => headers['x-web-build'])).toEqual([build]);
  });

  test.each(['/services', '/late'])('a page that cannot be made in time is the plain app: %s', async (path) => {
    const { status, headers, body } = await ask(shape.origin, path);
    expect([status, body]).toEqual([200, plainPage]);
    expect(headers).not.toHaveProperty('x-of');
    expect(headers['content-type']).toMatch(/^text\/html/);
  });

  test('it hears where a visitor came from, whatever the visitor claims', async () => {
    const claims = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' };
    const { body } = await ask(shape.origin, '/api/echo?a=%20b', { headers: claims });
    expect(JSON.parse(body)).toEqual({
      url: '/echo?a=%20b',
      address: host,
      protocol: 'http',
      host: new URL(shape.origin).host,
    });
  });

  test('it gets no trace context from outside', async () => {
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=value' };
    const { status, body } = await ask(shape.origin, '/api/echo', { headers });
    expect(status).toBe(200);
    expect(JSON.parse(body)).not.toHaveProperty('traceparent');
    expect(JSON.parse(body)).not.toHaveProperty('tracestate');
  });
});

describe('for a real Firebase project', () => {
  test('there is no emulator, and none is named', async () => {
    const { origin } = await install({ hosts: [host], authMode: 'firebase' });
    const config = await ask(origin, '/config.json');
    expect(JSON.parse(config.body)).toEqual({
      apiKey: 'demo',
      authDomain: 'demo-rtr-cloud-kitchen.firebaseapp.com',
      projectId: 'demo-rtr-cloud-kitchen',
    });
    expect(config.headers['content-security-policy']).toContain('https://securetoken.googleapis.com; frame-src');
    const signUp = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    expect((await ask(origin, '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo', signUp)).status).toBe(405);
    expect((await ask(origin, '/emulator/action?mode=resetPassword')).body).toBe(plainPage);
  });
});

/** The very bytes. */
async function getBytes(origin: string, path: string, headers: Record<string, string> = {}) {
  const req = request(new URL(path, origin), { headers, agent: false }).end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { headers: res.headers, body: Buffer.concat(await res.toArray()) };
}
