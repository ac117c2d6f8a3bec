// @vitest-environment node
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@rtr/dev-stack/processes';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiProxy } from '../../server/api-proxy.ts';
import { precompress } from '../../server/precompress.ts';
import { securityHeaders } from '../../server/security-headers.ts';
import { webConfigFrom } from '../../server/web-config.ts';
import { webServer } from '../../server/web-server.ts';

const themeScript = "document.documentElement.dataset.theme = 'dark';";
const emulatorEnv = { AUTH_MODE: 'emulator', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9177' };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let folder = '';
let port = 0;
let web: PreviewServer;
/** Stands in for the API: says what reached it, and has no pages unless a test gives it some. */
let api: Server;
/** What the web server logged of requests to the API. */
const log: string[] = [];
type Answerer = (req: IncomingMessage, res: ServerResponse) => unknown;
const refusePage: Answerer = (_req, res) =>
  res.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{"status":404}');
let answerPage = refusePage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-server-'));
  await mkdir(join(folder, 'public/pictures'), { recursive: true });
  await writeFile(
    join(folder, 'public/pictures/hood.svg'),
    `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(2_000)}</svg>`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><title>Kitchen</title><script>${themeScript}</script><script type="module" src="/main.js"></script>`,
  );
  await writeFile(join(folder, 'main.js'), `document.title = ${JSON.stringify('air '.repeat(500))};`);
  await build({ root: folder, configFile: false, logLevel: 'silent', plugins: [precompress()] });

  const apiPort = await freePort();
  const apiOrigin = `http://127.0.0.1:${apiPort}`;
  api = createServer((req, res) => {
    if (req.url?.startsWith('/pages')) return answerPage(req, res);
    if (req.url === '/broken-off') {
      res.write('[');
      setTimeout(() => res.destroy(), 20);
      return;
    }
    res.setHeader('Content-Type', 'application/json');
    const { host, 'x-forwarded-for': forwardedFor, 'x-request-id': requestId, traceparent, tracestate } = req.headers;
    res.end(JSON.stringify({ url: req.url, host, forwardedFor, requestId, traceparent, tracestate }));
  }).listen(apiPort, '127.0.0.1');
  await once(api, 'listening');

  port = await freePort();
  web = await preview({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [webServer({ env: emulatorEnv, api: apiOrigin })],
    preview: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      cors: false,
      proxy: apiProxy(apiOrigin, (line) => log.push(line)),
    },
  });
});

afterAll(async () => {
  await web.close();
  api.close();
  await rm(folder, { recursive: true });
});

describe('the built app', () => {
  test('every address without an extension gives the app, fresh each time', async () => {
    for (const path of ['/', '/services/6712af', '/myReview?sort=a.b']) {
      const { status, headers, body } = await get(path);
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(body).toContain('<title>Kitchen</title>');
    }
  });

  test('a file that is not there is 404, not the app', async () => {
    for (const path of ['/assets/gone-1a2b3c.js', '/humans.txt', '/.built-from', '/pictures/none.svg']) {
      const { status, body } = await get(path);
      expect([status, body]).toEqual([404, 'There is no such file.']);
    }
  });

  test('a hashed asset may be kept for good, and comes compressed as the browser likes best', async () => {
    const script = /\/assets\/[^"]+\.js/.exec((await get('/')).body)?.[0] ?? '';
    const brotli = await get(script, { 'Accept-Encoding': 'gzip, deflate, br' });
    const gzip = await get(script, { 'Accept-Encoding': 'gzip' });
    const plain = await get(script);
    expect([brotli, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  test('a picture is compressed too, and asked for again after an hour', async () => {
    const { headers } = await get('/pictures/hood.svg', { 'Accept-Encoding': 'br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, max-age=3600' });
    const again = await get('/pictures/hood.svg', { 'Accept-Encoding': 'br', 'If-None-Match': headers.etag ?? '' });
    expect(again.status).toBe(304);
  });

  test('it can only be read', async () => {
    const { status, headers } = await send('POST', '/login');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a page', () => {
  afterEach(() => {
    answerPage = refusePage;
  });

  test('is the API’s, under this server’s own security headers', async () => {
    const asked: string[] = [];
    answerPage = (req, res) => {
      asked.push(`${req.method} ${req.url} for ${String(req.headers['x-forwarded-for'])}`);
      res.writeHead(404, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'",
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cache-Control': 'no-cache',
        ETag: 'W/"1"',
        'X-Robots-Tag': 'noindex',
      });
      res.end('<title>Not Found</title>');
    };
    const { status, headers, body } = await get('/no/such?q=1', { 'X-Forwarded-For': '203.0.113.9' });
    expect([status, body]).toEqual([404, '<title>Not Found</title>']);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cache-control': 'no-cache',
      etag: 'W/"1"',
      'x-robots-tag': 'noindex',
    });
    const { status: ofHead, body: none } = await send('HEAD', '/');
    expect([ofHead, none]).toEqual([404, '']);
    await get('/../docs');
    await get('/index.html');
    expect(asked).toEqual([
      'GET /pages/no/such?q=1 for 203.0.113.9, 127.0.0.1',
      'HEAD /pages/ for 127.0.0.1',
      'GET /pages/../docs for 127.0.0.1',
      'GET /pages/index.html for 127.0.0.1',
    ]);
  });

  test('is asked for by the build whose files are here', async () => {
    const builds = new Set<unknown>();
    answerPage = (req, res) => {
      builds.add(req.headers['x-web-build']);
      refusePage(req, res);
    };
    const plain = (await get('/')).body;
    expect([...builds]).toEqual([createHash('sha256').update(plain).digest('base64url')]);
  });

  test('that has not changed is not sent again', async () => {
    answerPage = (req, res) => res.writeHead(req.headers['if-none-match'] === 'W/"1"' ? 304 : 500).end();
    const { status, body, headers } = await get('/', { 'If-None-Match': 'W/"1"' });
    expect([status, body]).toEqual([304, '']);
    expect(headers).toHaveProperty('content-security-policy');
  });

  test.for<[string, Answerer]>([
    ['has none', refusePage],
    ['answers something else', (_req, res) => res.setHeader('Content-Type', 'text/htm').end('no page')],
    ['hangs up', (req) => req.socket.destroy()],
    ['is silent', () => undefined],
  ])('is the plain app when the API %s', async ([, answer]) => {
    answerPage = answer;
    const started = performance.now();
    const { status, headers, body } = await get('/services');
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(body).toContain('<title>Kitchen</title>');
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('that breaks off does not look whole', async () => {
    answerPage = (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': 100 }).write('<title>');
      setTimeout(() => res.destroy(), 20);
    };
    await expect(get('/')).rejects.toThrow(/aborted|hang up|reset/i);
  });
});

describe('what crawlers ask', () => {
  test('is the API’s, as it is', async () => {
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap.xml?from=6712af'])
      expect(JSON.parse((await get(path)).body)).toMatchObject({ url: path });
    expect((await get('/robots.txt.bak')).status).toBe(404);
  });
});

describe('security headers', () => {
  test('the one inline script runs by its hash, and the emulator may be called', async () => {
    const { headers } = await get('/services');
    const policy = String(headers['content-security-policy']);
    const hash = createHash('sha256').update(themeScript).digest('base64');
    expect(policy).toContain(`script-src 'self' https://apis.google.com 'sha256-${hash}';`);
    expect(policy).toContain('https://securetoken.googleapis.com http://127.0.0.1:9177;');
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'x-content-type-options': 'nosniff',
    });
  });

  test('https is demanded only of those who came over it, and no emulator is named with a real project', () => {
    const facts = { html: '<script type="application/ld+json">{}</script>', auth: { authDomain: 'kitchen.example' } };
    const { 'Strict-Transport-Security': hsts, 'Content-Security-Policy': policy } = securityHeaders({
      ...facts,
      secure: true,
    });
    expect(hsts).toMatch(/^max-age=31536000/);
    expect(policy).toContain("script-src 'self' https://apis.google.com;");
    expect(policy).toContain(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com;",
    );
    expect(policy).toContain('frame-src https://kitchen.example;');
    expect(securityHeaders({ ...facts, secure: false })).not.toHaveProperty('Strict-Transport-Security');
  });
});

describe('/config.json', () => {
  test('it says how to reach the emulator', async () => {
    const { headers, body } = await get('/config.json');
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({
      apiKey: 'demo',
      authDomain: 'demo-rtr-cloud-kitchen.firebaseapp.com',
      projectId: 'demo-rtr-cloud-kitchen',
      authEmulator: 'http://127.0.0.1:9177',
    });
  });

  test('a real project has no emulator', () => {
    const env = { AUTH_MODE: 'firebase', FIREBASE_API_KEY: 'public', FIREBASE_PROJECT_ID: 'kitchen' };
    expect(webConfigFrom(env)).toEqual({
      apiKey: 'public',
      authDomain: 'kitchen.firebaseapp.com',
      projectId: 'kitchen',
    });
  });

  test('the mode must be named, and a real project needs its key', () => {
    expect(() => webConfigFrom({})).toThrow('AUTH_MODE must be firebase or emulator.');
    expect(() => webConfigFrom({ AUTH_MODE: 'firebase', FIREBASE_PROJECT_ID: 'kitchen' })).toThrow('FIREBASE_API_KEY');
  });
});

describe('/api', () => {
  test('it reaches the API without the prefix, with the visitor’s address last', async () => {
    const { body } = await get('/api/services?limit=3', { 'X-Forwarded-For': '203.0.113.9' });
    expect(JSON.parse(body)).toEqual({
      url: '/services?limit=3',
      host: `127.0.0.1:${port}`,
      forwardedFor: '203.0.113.9,127.0.0.1',
      requestId: expect.stringMatching(uuid),
    });
  });

  test('each request has an id of ours, whatever the visitor sends, and a line of it alone', async () => {
    const email = 'nadia@kitchen.example';
    const before = log.length;
    const { body } = await get(`/api/review/${email}?email=${email}`, {
      'X-Request-Id': 'of-the-visitor',
      Authorization: 'Bearer secret-token',
    });
    const { requestId } = JSON.parse(body) as { requestId: string };
    expect(requestId).toMatch(uuid);
    await expect.poll(() => log.slice(before)).toHaveLength(1);
    expect(JSON.parse(log[before] ?? '')).toEqual({
      level: 30,
      time: expect.any(Number),
      req: { id: requestId, method: 'GET' },
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
      msg: 'request completed',
    });
    expect(log[before]).not.toMatch(/nadia|secret|visitor/);
  });

  test('it drops trace context from outside', async () => {
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=value' };
    for (const path of ['/api/services', '/sitemap.xml']) {
      const reached = JSON.parse((await get(path, headers)).body) as object;
      expect(reached).toMatchObject({ requestId: expect.stringMatching(uuid) });
      expect(reached).not.toHaveProperty('traceparent');
      expect(reached).not.toHaveProperty('tracestate');
    }
  });

  test('only that path is the API’s', async () => {
    expect(JSON.parse((await get('/api')).body)).toMatchObject({ url: '/' });
    const { headers, body } = await get('/apiary');
    expect(body).toContain('<title>Kitchen</title>');
    expect(headers).toHaveProperty('content-security-policy');
  });

  test('no page is below it: the API is asked for an address that it does not have', async () => {
    for (const path of ['/api/pages', '/api/pages/services?q=hood', '/api//Pages/login'])
      expect(JSON.parse((await get(path)).body)).toMatchObject({ url: path });
  });

  test('an answer that breaks off does not look whole', async () => {
    await expect(get('/api/broken-off')).rejects.toThrow(/aborted|hang up|reset/i);
  });

  test('while the API is away a problem says so', async () => {
    const address = api.address();
    api.closeAllConnections();
    await new Promise((resolve) => api.close(resolve));
    const read = await get('/api/services');
    const write = await send('POST', '/api/review');
    const robots = await get('/robots.txt');
    const page = await get('/');
    expect([read.status, read.headers['content-type'], read.headers['retry-after']]).toEqual([
      503,
      'application/problem+json',
      '2',
    ]);
    expect([robots.status, page.status]).toEqual([503, 200]);
    expect(page.body).toContain('<title>Kitchen</title>');
    expect(JSON.parse(read.body)).toMatchObject({ status: 503, detail: expect.stringContaining('does not answer') });
    expect(JSON.parse(write.body)).toMatchObject({ detail: expect.stringContaining('Idempotency-Key') });
    const { instance } = JSON.parse(read.body) as { instance: string };
    expect(read.headers['x-request-id']).toBe(instance);
    await expect.poll(() => log.join()).toContain(`{"id":"${instance}","method":"GET"},"res":{"statusCode":503}`);
    if (address !== null && typeof address === 'object') api.listen(address.port, '127.0.0.1');
    await once(api, 'listening');
    expect((await get('/api/services')).status).toBe(200);
  });
});

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const get = (path: string, headers: Record<string, string> = {}) => send('GET', path, headers);

/** Without what `fetch` does by itself: it decodes what comes compressed. */
async function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const req = request({ host: '127.0.0.1', port, method, path, headers }).end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, body: await text(res) };
}
