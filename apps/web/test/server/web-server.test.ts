import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createMetricsServer } from '@rtr/http-server/metrics';
import sirv from 'sirv';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { earlyActionsScript } from '../../server/early-actions-script.ts';
import { readEnvironment } from '../../server/environment.ts';
import { createMetrics } from '../../server/metrics.ts';
import { createWebServer } from '../../server/web-server.ts';
import { createRenderer, isPersonal, type Page, type PageRequest } from '../../src/entry-server.tsx';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const longText = 'air '.repeat(2000);

const servers = new Set<Server>();
const log: Record<string, unknown>[] = [];
const closing = new AbortController();

beforeEach(() => {
  log.length = 0;
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
  vi.restoreAllMocks();
});

async function listen(listener: RequestListener, port = 0): Promise<string> {
  const server = createServer(listener).listen(port, '127.0.0.1');
  servers.add(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the origin of a port on which no server listens. */
async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

type Options = Partial<Parameters<typeof createWebServer>[0]>;

/** Starts the web server on a free port. `options.api` is the origin of a fake API. By default, the API is unavailable. */
async function startWeb(options: Options = {}): Promise<string> {
  const metrics = options.metrics ?? createMetrics();
  const api = options.api ?? (await closedOrigin());
  const renderPage = createRenderer({
    api,
    origin: 'https://kitchen.example',
    entry: '/assets/entry.js',
    assetsOf: () => ({ styles: [], app: '/assets/app.js', routeScripts: [] }),
    onError: (error) => {
      metrics.pageFailed();
      log.push({ failed: String(error) });
    },
  });
  return listen(
    createWebServer({
      ...readEnvironment({ AUTH_MODE: 'emulator' }),
      api,
      assets: (_req, _res, next) => next(),
      log: (line) => log.push(line as Record<string, unknown>),
      metrics,
      closing: closing.signal,
      renderPage,
      isPersonal,
      ...options,
    }),
  );
}

interface ReceivedResponse {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  body: string;
}

/** Sends a request. Does not decompress the body of the response, so that tests can check the compressed bytes. */
async function send(method: string, url: string, headers: Record<string, string> = {}): Promise<ReceivedResponse> {
  const req = request(url, { method, headers }).end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const bytes = await buffer(res);
  return { status: res.statusCode, headers: res.headers, bytes, body: bytes.toString() };
}

const get = (url: string, headers?: Record<string, string>) => send('GET', url, headers);

/** Creates a fake renderer that records the URL of each page. `change` can change or delay the pages. */
function countingRenderer(change: (request: PageRequest) => Partial<Page> | Promise<Partial<Page>> = () => ({})) {
  const rendered: string[] = [];
  const renderPage = async (request: PageRequest): Promise<Page> => {
    rendered.push(request.url);
    const count = rendered.length;
    const page = await change(request);
    return {
      status: 200,
      route: '/services',
      headers: { 'Content-Type': 'text/html' },
      html: Buffer.from(`${request.url} ${count} ${longText}`),
      ...page,
    };
  };
  return { renderPage, rendered };
}

describe('the page cache', () => {
  test('shares one rendering among all visitors who request the same page at the same time', async () => {
    const pendingResponse = Promise.withResolvers<Partial<Page>>();
    const { renderPage, rendered } = countingRenderer(() => pendingResponse.promise);
    const web = await startWeb({ renderPage });
    const responses = Array.from({ length: 20 }, () => get(`${web}/services`));
    await expect.poll(() => rendered).toEqual(['/services']);
    pendingResponse.resolve({});
    const bodies = (await Promise.all(responses)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(rendered).toEqual(['/services']);
  });

  test('keeps a page for one second by default', async () => {
    let nowMs = 1_000_000;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const { renderPage, rendered } = countingRenderer();
    const web = await startWeb({ renderPage });
    await get(`${web}/`);
    nowMs += 1000;
    await get(`${web}/`);
    expect(rendered).toHaveLength(1);
    nowMs += 1;
    await expect.poll(async () => (await get(`${web}/`)).body.startsWith('/ 2 ')).toBe(true);
  });

  test.for<Record<string, string>>([
    { Cookie: 'other=1; rtr-session=1' },
    { Cookie: 'rtr-session=0' },
    { Cookie: 'rtr-session=' },
    { Cookie: 'rtr-theme=dark' },
    { Cookie: 'rtr-theme=x' },
    { Cookie: 'rtr-theme=' },
    { Authorization: 'Bearer x' },
  ])('is not used for a request with the header %o', async (headers) => {
    const { renderPage, rendered } = countingRenderer();
    const web = await startWeb({ renderPage, cacheMs: 60_000 });
    await get(`${web}/`, headers);
    const visitor = await get(`${web}/`);
    await get(`${web}/`, headers);
    expect(rendered).toHaveLength(3);
    expect((await get(`${web}/`, { Cookie: 'analytics=1' })).body).toBe(visitor.body);
  });

  describe('when the API is unavailable,', () => {
    /**
     * Starts a web server. A test sets the clock of the web server with `state.nowMs`, and the status code of the
     * rendered pages with `state.status`.
     */
    async function startWithClock() {
      const state = { nowMs: 1_000_000, status: 200 };
      vi.spyOn(performance, 'now').mockImplementation(() => state.nowMs);
      const { renderPage } = countingRenderer(() => ({ status: state.status }));
      return { state, web: await startWeb({ renderPage }) };
    }

    test('sends visitors the last cached version of a page for at most a minute', async () => {
      const { state, web } = await startWithClock();
      const { body } = await get(`${web}/`);
      state.status = 503;
      state.nowMs += 59_000;
      const stale = await get(`${web}/`);
      expect([stale.status, stale.body]).toEqual([200, body]);
      state.nowMs += 1001;
      await expect.poll(async () => (await get(`${web}/`)).status).toBe(503);
    });

    test.for<Record<string, string>>([{ Cookie: 'rtr-session=1' }, { Authorization: 'Bearer x' }])(
      'sends no cached page for a request with the header %o',
      async (headers) => {
        const { state, web } = await startWithClock();
        await get(`${web}/`);
        state.status = 503;
        state.nowMs += 2000;
        expect((await get(`${web}/`, headers)).status).toBe(503);
      },
    );

    test('sends the current page as soon as the API is back', async () => {
      const { state, web } = await startWithClock();
      const { body } = await get(`${web}/`);
      for (const status of [503, 200]) {
        state.status = status;
        state.nowMs += 2000;
        expect((await get(`${web}/`)).body === body).toBe(status === 503);
      }
    });
  });

  test.for([500, 503])('does not store a page with the status %i', async (status) => {
    const { renderPage, rendered } = countingRenderer(() => ({ status }));
    const web = await startWeb({ renderPage, cacheMs: 60_000 });
    expect((await get(`${web}/`)).status).toBe(status);
    expect((await get(`${web}/`)).status).toBe(status);
    expect(rendered).toHaveLength(2);
  });

  test('stores a page with the status 404', async () => {
    const { renderPage, rendered } = countingRenderer(() => ({ status: 404 }));
    const web = await startWeb({ renderPage, cacheMs: 60_000 });
    await get(`${web}/nowhere`);
    expect((await get(`${web}/nowhere`)).status).toBe(404);
    expect(rendered).toHaveLength(1);
  });

  test('does not share a 429 response (too many requests) with another visitor who requests the same page', async () => {
    const pendingResponse = Promise.withResolvers<void>();
    const { renderPage, rendered } = countingRenderer(async () => {
      if (rendered.length > 1) return {};
      await pendingResponse.promise;
      return { status: 429 };
    });
    let arrived = 0;
    const assets: Options['assets'] = (_req, _res, next) => {
      arrived += 1;
      next();
    };
    const web = await startWeb({ renderPage, assets });
    const rejected = get(`${web}/`);
    await expect.poll(() => rendered).toHaveLength(1);
    const other = get(`${web}/`);
    await expect.poll(() => arrived).toBe(2);
    pendingResponse.resolve();
    expect((await rejected).status).toBe(429);
    expect((await other).status).toBe(200);
  });

  test('removes the least recently used pages when its size limit is exceeded', async () => {
    const { renderPage, rendered } = countingRenderer();
    // The limit leaves space for two pages. Each page has about 8 KB of HTML, but counts as 16 KB, because the cache also
    // stores the compressed variants.
    const web = await startWeb({ renderPage, cacheMs: 60_000, cacheBytes: 40_000 });
    for (const path of ['/a', '/b', '/c', '/c', '/b', '/a']) await get(web + path);
    expect(rendered).toEqual(['/a', '/b', '/c', '/a']);
  });

  test('sends a page in the best compression that the browser accepts, with the correct Content-Length', async () => {
    const { renderPage } = countingRenderer();
    const web = await startWeb({ renderPage, cacheMs: 60_000 });
    const plain = await get(`${web}/`);
    const br = await get(`${web}/`, { 'Accept-Encoding': 'gzip, deflate, br' });
    const gz = await get(`${web}/`, { 'Accept-Encoding': 'gzip' });
    expect([plain, br, gz].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    for (const { headers, bytes } of [plain, br, gz]) {
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers.vary).toBe('Accept-Encoding, Cookie');
    }
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
    expect(gunzipSync(gz.bytes)).toEqual(plain.bytes);
    const head = await send('HEAD', `${web}/`, { 'Accept-Encoding': 'br' });
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(br.bytes.length)]);
  });

  test('logs each GET request with a new request id, even if the page is cached', async () => {
    const { renderPage, rendered } = countingRenderer();
    const web = await startWeb({ renderPage, cacheMs: 60_000 });
    await get(`${web}/`);
    await get(`${web}/`, { 'X-Request-Id': 'sent by the visitor' });
    expect(rendered).toEqual(['/']);
    await expect.poll(() => log).toHaveLength(2);
    for (const line of log) expect(line).toMatchObject({ req: { id: expect.stringMatching(uuid), method: 'GET' } });
  });

  test('responds with 304 (Not Modified) when the browser already has the page', async () => {
    const { renderPage } = countingRenderer(() => ({ html: Buffer.from(longText) }));
    const web = await startWeb({ renderPage });
    const { headers } = await get(`${web}/`);
    const again = await get(`${web}/`, { 'If-None-Match': String(headers.etag) });
    expect([again.status, again.body]).toEqual([304, '']);
    expect(again.headers).toHaveProperty('content-security-policy');
  });
});

const serviceId = '0123456789abcdef01234567';

describe('a page that the web server renders', () => {
  const paths = ['/', '/services', `/services/${serviceId}`];
  const failures: Record<string, RequestListener> = {
    'responds only after 3 s': (_req, res) => setTimeout(() => res.end('[]'), 3000),
    'closes the connection': (req) => req.socket.destroy(),
    'responds with 503': (_req, res) =>
      res.writeHead(503, { 'Content-Type': 'application/problem+json' }).end('{"status":503}'),
    'sends a response that is not JSON': (_req, res) => res.end('<p>Captive portal'),
  };

  test.for(['is unavailable', ...Object.keys(failures)])(
    'has the status 503, a Retry-After header and an error text when the API %s, and the API receives no call twice',
    async (name) => {
      const calls: string[] = [];
      const failure = failures[name];
      const api =
        failure &&
        (await listen((req, res) => {
          calls.push(`${String(req.headers['x-request-id'])} ${req.url}`);
          failure(req, res);
        }));
      const web = await startWeb(api ? { api } : {});
      const responses = await Promise.all(paths.map(async (path) => ({ path, ...(await get(web + path)) })));
      for (const { path, status, headers, body } of responses) {
        expect([path, status, headers['retry-after'], headers['cache-control']]).toEqual([path, 503, '2', 'no-store']);
        expect(body).toMatch(/othing (you saved )?is lost/);
        expect(body).toMatch(/>(Try again|Retry)</);
      }
      expect(calls).toEqual([...new Set(calls)]);
    },
  );

  test('is complete if the API refused the first connection, because the call is repeated once', async () => {
    const api = await closedOrigin();
    const realFetch = fetch;
    const calls = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...call) => {
      try {
        return await realFetch(...call);
      } finally {
        await listen((_req, res) => res.end('[]'), Number(new URL(api).port));
      }
    });
    expect((await get(`${await startWeb({ api })}/`)).status).toBe(200);
    expect(calls).toHaveBeenCalledTimes(2);
  });

  test('has the status 200 even without an API if the page shows no data of the API', async () => {
    const web = await startWeb();
    expect((await get(`${web}/about`)).status).toBe(200);
  });

  test('is sent without content and data when rendering fails, so that the browser renders it, and the error is logged', async () => {
    const api = await listen((_req, res) => res.setHeader('Content-Type', 'application/json').end('[null]'));
    const web = await startWeb({ api });
    const { status, body } = await get(`${web}/services`);
    expect(status).toBe(500);
    expect(body).toContain('<script type="module" src="/assets/entry.js"');
    expect(body).toContain('"isComplete":false');
    expect(body).toContain('"queries":{"mutations":[],"queries":[]}');
    expect(body).toContain('This page needs JavaScript. Turn it on and reload the page.');
    expect(JSON.stringify(log)).toContain('TypeError');
  });
});

describe('the web server', () => {
  test('responds with 404 in plain text for a file that does not exist, such as a script of an earlier deployment', async () => {
    const web = await startWeb();
    for (const path of ['/assets/gone-1a2b3c.js', '/humans.txt']) {
      const { status, body } = await get(web + path);
      expect([status, body]).toEqual([404, 'File not found.']);
    }
  });

  test('responds with the Not Found page when a browser opens an unknown address that looks like a file', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const web = await startWeb();
    const { status, body } = await get(`${web}/index.html`, headers);
    expect(status).toBe(404);
    expect(body).toContain('Go Back Home');
    // Other clients get plain text, although the page cache now contains the Not Found page for this address.
    expect((await get(`${web}/index.html`)).body).toBe('File not found.');
  });

  test('closes the connection, logs the error and continues to run if a file cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assets-'));
    const script = join(folder, 'app.js');
    await writeFile(script, 'export {};');
    const web = await startWeb({ assets: sirv(folder) });
    await rm(script);
    await expect(get(`${web}/app.js`)).rejects.toThrow('socket hang up');
    expect(log).toContainEqual(expect.objectContaining({ msg: 'failed', err: expect.anything() }));
    expect((await get(`${web}/healthz`)).status).toBe(200);
    await rm(folder, { recursive: true });
  });

  test('responds with 405 to a POST request for a page', async () => {
    const { status, headers } = await send('POST', `${await startWeb()}/login`);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('sends security headers, with a Content-Security-Policy that allows only the one inline script, by its hash', async () => {
    const { headers } = await get(`${await startWeb()}/about`);
    expect(headers['content-security-policy']).toContain(
      `script-src 'self' 'sha256-${hash('sha256', earlyActionsScript, 'base64')}' https://apis.google.com;`,
    );
    // Private pictures have blob URLs.
    expect(headers['content-security-policy']).toContain("img-src 'self' data: blob: https: http:;");
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  });

  test('sends the Firebase settings to the browser, and forwards nothing to the Auth emulator when a real Firebase project is set', async () => {
    const web = await startWeb();
    expect(JSON.parse((await get(`${web}/config.json`)).body)).toEqual({
      apiKey: 'demo',
      authDomain: 'demo-rtr-cloud-kitchen.firebaseapp.com',
      projectId: 'demo-rtr-cloud-kitchen',
      authEmulator: web,
    });
    const real = await startWeb(
      readEnvironment({ AUTH_MODE: 'firebase', FIREBASE_API_KEY: 'public', FIREBASE_PROJECT_ID: 'kitchen' }),
    );
    expect(JSON.parse((await get(`${real}/config.json`)).body)).toEqual({
      apiKey: 'public',
      authDomain: 'kitchen.firebaseapp.com',
      projectId: 'kitchen',
    });
    const signUp = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo';
    expect((await send('POST', real + signUp)).status).toBe(405);
    expect((await get(`${real}/emulator/action?mode=resetPassword`)).status).toBe(404);
  });

  describe('with an Auth emulator', () => {
    const asked: string[] = [];
    let web = '';
    beforeEach(async () => {
      asked.length = 0;
      const authEmulator = await listen((req, res) => {
        asked.push(`${req.method} ${req.url}`);
        res.end('{}');
      });
      web = await startWeb({ authEmulator });
    });

    test('forwards only the calls that the app makes, with the headers of the app', async () => {
      const allowed = [
        'POST /identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo',
        'POST /securetoken.googleapis.com/v1/token?key=demo',
        'GET /emulator/action?mode=resetPassword',
      ] as const;
      for (const call of allowed) {
        const [method = '', path = ''] = call.split(' ');
        const { status, headers } = await send(method, web + path);
        expect([status, headers['content-security-policy']]).toEqual([
          200,
          expect.stringContaining("default-src 'none'"),
        ]);
      }
      expect(asked).toEqual(allowed);
    });

    test.each([
      '/emulator/v1/projects/demo/accounts',
      '/emulator/auth/handler?apiKey=demo&providerId=google.com',
      '/emulator/auth/%2e%2e/v1/projects',
      '/identitytoolkit.googleapis.com/..\\emulator/v1/projects/demo/oobCodes',
      '/identitytoolkit.googleapis.com/%2e%2e\\emulator/v1/projects/demo/oobCodes',
      '/identitytoolkit.googleapis.com/v1/projects/demo/accounts:batchGet',
      '/emulator/openapi.json',
    ])('does not forward %s', async (path) => {
      const { port } = new URL(web);
      const status = await new Promise((resolve, reject) => {
        // `fetch` would change the backslash to a slash.
        const sent = request({ host: '127.0.0.1', port, path }, (res) => resolve(res.resume().statusCode));
        sent.on('error', reject).end();
      });
      expect([status, asked]).toEqual([404, []]);
    });

    test.each([
      'continueUrl=https://evil.example/',
      'continueUrl=//evil.example',
      'continueUrl[]=https://evil.example/',
    ])('does not open a link of an email that continues at another site: %s', async (query) => {
      expect((await get(`${web}/emulator/action?mode=verifyEmail&${query}`)).status).toBe(400);
      expect((await get(`${web}/emulator/action?continueUrl=${web}/account&${query}`)).status).toBe(400);
      expect(asked).toEqual([]);
      expect((await get(`${web}/emulator/action?continueUrl=${web}/account`)).status).toBe(200);
    });
  });
});

test.each(['/%0a', '/%0d', '/a%0Ab', '/%E2%80%A8'])(
  'the web server returns 404 for the path %s, without an error in the log',
  async (path) => {
    const web = await startWeb({});
    expect((await get(web + path)).status).toBe(404);
    expect(log.map(({ msg }) => msg)).toEqual(['request completed']);
  },
);

test('the web server returns 400 for the malformed path of a picture, and does not log the path', async () => {
  const web = await startWeb({});
  const { status, body } = await get(`${web}/pictures/u/nadia@kitchen.example%zz`);
  expect([status, body]).toEqual([400, expect.stringContaining('not valid')]);
  expect(JSON.stringify(log)).not.toContain('nadia');
});

test('the web server returns 400 for a page with a malformed path, and does not log the path', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const web = await startWeb({});
  const { status, body } = await get(`${web}/nadia@kitchen.example/%E0%A4%A`);
  expect([status, body]).toEqual([400, expect.stringContaining('not valid')]);
  expect(warn).not.toHaveBeenCalled();
  expect(JSON.stringify(log)).not.toContain('nadia');
});

describe('the proxy at /api', () => {
  const echo: RequestListener = (req, res) => {
    const { host, 'x-forwarded-for': forwardedFor, 'x-request-id': requestId, traceparent, tracestate } = req.headers;
    res.end(JSON.stringify({ url: req.url, host, forwardedFor, requestId, traceparent, tracestate }));
  };

  test('forwards a request to the API without the prefix /api, and replaces a forged X-Forwarded-For header with the real address', async () => {
    const web = await startWeb({ api: await listen(echo), trustedProxies: ['10.0.0.0/8'] });
    const { body } = await get(`${web}/api/services?limit=3`, {
      'X-Forwarded-For': '203.0.113.9',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'visitor=1',
    });
    expect(JSON.parse(body)).toEqual({
      url: '/services?limit=3',
      host: new URL(web).host,
      forwardedFor: '127.0.0.1',
      requestId: expect.stringMatching(uuid),
    });
    expect(JSON.parse((await get(`${web}/api`)).body)).toMatchObject({ url: '/' });
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap.xml?from=6712af', '/pictures/u/6712af?w=320'])
      expect(JSON.parse((await get(web + path)).body)).toMatchObject({ url: path });
    expect((await get(`${web}/apiary`)).status).toBe(404);
  });

  test.each(['/api/services', '/robots.txt', '/sitemap.xml'])(
    'forwards %s to the API with an X-Forwarded-For header that contains only the address that the trusted proxy saw',
    async (path) => {
      const web = await startWeb({ api: await listen(echo) });
      const { body } = await get(web + path, { 'X-Forwarded-For': '198.51.100.4, 203.0.113.9' });
      expect(JSON.parse(body).forwardedFor).toBe('203.0.113.9');
    },
  );

  test('gives each request a new id, and logs the request in one line without data of the visitor', async () => {
    const web = await startWeb({ api: await listen(echo) });
    const email = 'nadia@kitchen.example';
    const { body } = await get(`${web}/api/review/${email}?email=${email}`, {
      'X-Request-Id': 'of-the-visitor',
      Authorization: 'Bearer secret-token',
    });
    const { requestId } = JSON.parse(body) as { requestId: string };
    expect(requestId).toMatch(uuid);
    await expect.poll(() => log).toHaveLength(1);
    expect(log[0]).toEqual({
      level: 30,
      time: expect.any(Number),
      req: { id: requestId, method: 'GET' },
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
      msg: 'request completed',
    });
  });

  test('closes the connection to the browser when the API aborts its response', async () => {
    const api = await listen((_req, res) => res.write('[', () => res.destroy()));
    await expect(get(`${await startWeb({ api })}/api/services`)).rejects.toThrow(/aborted|hang up|reset/i);
  });

  test('responds with the status 503 and problem details (RFC 9457) while the API is unavailable', async () => {
    const web = await startWeb();
    const [read, write, robots] = [
      await get(`${web}/api/services`),
      await send('POST', `${web}/api/review`),
      await get(`${web}/robots.txt`),
    ];
    for (const { status, headers } of [read, write, robots])
      expect([status, headers['content-type'], headers['retry-after']]).toEqual([503, 'application/problem+json', '2']);
    expect(JSON.parse(read.body)).toMatchObject({ status: 503, instance: read.headers['x-request-id'] });
    expect(JSON.parse(write.body)).toMatchObject({ detail: expect.stringMatching(/may or may not .* again\.$/) });
  });

  test('sends several requests through one connection to the API', async () => {
    const connections = new Set<unknown>();
    const web = await startWeb({
      api: await listen((req, res) => {
        connections.add(req.socket);
        res.end('[]');
      }),
    });
    for (const path of ['/api/services', '/api/review']) expect((await get(web + path)).status).toBe(200);
    expect(connections.size).toBe(1);
  });

  test.each(['GET', 'HEAD'])('repeats a %s request once if the API closes the connection', async (method) => {
    let count = 0;
    const api = await listen((req, res) => {
      count += 1;
      if (count === 1 || req.url === '/broken') req.socket.destroy();
      else res.end('{}');
    });
    const web = await startWeb({ api });
    expect((await send(method, `${web}/api/services`)).status).toBe(200);
    expect(count).toBe(2);
    expect((await send(method, `${web}/api/broken`)).status).toBe(503);
    expect(count).toBe(4);
  });

  test('does not repeat a GET request with a body, because the body can be sent only once', async () => {
    let count = 0;
    const api = await listen((req, res) => {
      count += 1;
      if (count === 1) req.resume().on('end', () => req.socket.destroy());
      else res.end('{}');
    });
    const req = request(`${await startWeb({ api })}/api/services`, { headers: { 'Content-Length': '4' } }).end('body');
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    expect([res.resume().statusCode, count]).toEqual([503, 1]);
  });

  test('never repeats a write that the API has already received', async () => {
    let count = 0;
    const api = await listen((req, res) => {
      count += 1;
      if (count === 1) return void res.end('{}');
      req.socket.destroy();
    });
    const web = await startWeb({ api });
    // This GET request opens the connection that the following POST request reuses. HTTP clients often retry a request
    // if a reused connection closes. The web server must not do this with a write.
    expect((await get(`${web}/api/services`)).status).toBe(200);
    expect((await send('POST', `${web}/api/review`)).status).toBe(503);
    expect(count).toBe(2);
  });
});

describe('the metrics of the web server', () => {
  /** Returns the values of these metrics. The keys include the labels, as in 'http_requests_total{method="GET",...}'. */
  async function scrape(metrics: ReturnType<typeof createMetrics>, ...names: string[]) {
    const server = createMetricsServer(metrics);
    servers.add(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { body } = await get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
    const series = [...body.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)];
    return Object.fromEntries(
      series
        .filter(([, name = '']) => names.includes(name))
        .map(([, name, labels = '', value]) => [name + labels, Number(value)]),
    );
  }

  test('count requests by route pattern, such as /services/:id, never by the requested address', async () => {
    const metrics = createMetrics();
    const web = await startWeb({ metrics, api: await listen((_req, res) => res.end('[]')) });
    for (const path of [
      '/about?secret=1',
      `/services/${serviceId}`,
      '/services/other',
      '/secret',
      '/secret.js',
      '/api/secret',
    ])
      await get(web + path);
    await send('PROPFIND', `${web}/api/secret`);
    await expect.poll(() => scrape(metrics, 'http_requests_in_flight')).toEqual({ http_requests_in_flight: 0 });
    expect(await scrape(metrics, 'http_requests_total')).toEqual({
      'http_requests_total{method="GET",route="/about",status="200"}': 1,
      'http_requests_total{method="GET",route="/services/:id",status="500"}': 2,
      'http_requests_total{method="GET",route="none",status="404"}': 2,
      'http_requests_total{method="GET",route="/api",status="200"}': 1,
      'http_requests_total{method="other",route="/api",status="200"}': 1,
    });
    expect(await scrape(metrics, 'http_request_duration_seconds_count')).toMatchObject({
      'http_request_duration_seconds_count{method="GET",route="/services/:id"}': 2,
    });
  });

  test('count the rendered pages by outcome, and the errors during rendering', async () => {
    const metrics = createMetrics();
    let isAway = false;
    const api = await listen((req, res) => {
      if (isAway) return void req.socket.destroy();
      res.setHeader('Content-Type', 'application/json').end('[null]');
    });
    const web = await startWeb({ metrics, api, cacheMs: 1 });
    for (const path of ['/about', '/services']) await get(web + path);
    isAway = true;
    await get(`${web}/services`);
    expect(await scrape(metrics, 'page_render_duration_seconds_count', 'page_errors_total')).toEqual({
      'page_render_duration_seconds_count{outcome="complete"}': 1,
      'page_render_duration_seconds_count{outcome="failed"}': 1,
      'page_render_duration_seconds_count{outcome="unavailable"}': 1,
      page_errors_total: 1,
    });
  });

  test('count an unexpected error of the server, and the log contains its stack trace', async () => {
    const metrics = createMetrics();
    const renderPage = () => Promise.reject(new Error('The renderer broke.'));
    const web = await startWeb({ metrics, renderPage });
    expect((await get(`${web}/about`)).status).toBe(500);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 50, err: expect.stringMatching(/The renderer broke\.\n +at /) as string }),
    );
    expect(await scrape(metrics, 'page_errors_total')).toEqual({ page_errors_total: 1 });
  });

  test('count the lookups in the page cache by result (hit, miss, shared or bypass), and report the size of the cache', async () => {
    const metrics = createMetrics();
    const pendingResponse = Promise.withResolvers<Partial<Page>>();
    const { renderPage } = countingRenderer(() => pendingResponse.promise);
    const web = await startWeb({ metrics, renderPage, cacheMs: 60_000 });
    const lookups = () => scrape(metrics, 'page_cache_requests_total');
    const two = [get(`${web}/`), get(`${web}/`)];
    const [miss, shared, hit, bypass] = ['miss', 'shared', 'hit', 'bypass'].map(
      (result) => `page_cache_requests_total{result="${result}"}`,
    ) as [string, string, string, string];
    await expect.poll(lookups).toEqual({ [miss]: 1, [shared]: 1 });
    pendingResponse.resolve({});
    await Promise.all(two);
    await get(`${web}/`);
    await get(`${web}/`, { Cookie: 'rtr-theme=dark' });
    expect(await lookups()).toEqual({ [miss]: 1, [shared]: 1, [hit]: 1, [bypass]: 1 });
    const { page_cache_bytes: bytes } = await scrape(metrics, 'page_cache_bytes');
    expect(bytes).toBeGreaterThan(longText.length);
  });

  test('are available on a separate port, which serves nothing else', async () => {
    const metrics = createMetrics();
    const [alone, web] = [
      await listen(createMetricsServer(metrics).listeners('request')[0] as RequestListener),
      await startWeb({ metrics }),
    ];
    expect((await get(`${alone}/metrics`)).body).toContain('process_cpu_seconds_total');
    expect((await get(`${alone}/`)).status).toBe(404);
    expect((await get(`${web}/metrics`)).status).toBe(404);
    expect(readEnvironment({ AUTH_MODE: 'emulator' }).metricsAt).toBeUndefined();
    expect(readEnvironment({ AUTH_MODE: 'emulator', WEB_METRICS_PORT: '9464' }).metricsAt).toEqual({
      host: '127.0.0.1',
      port: 9464,
    });
  });
});

test('the health check of the web server responds with 503 while the web server shuts down', async () => {
  const stop = new AbortController();
  const web = await startWeb({ closing: stop.signal });
  expect((await get(`${web}/healthz`)).status).toBe(200);
  stop.abort();
  expect((await get(`${web}/healthz`)).status).toBe(503);
});

test('the web server closes the connection after a forwarded response only while it shuts down', async () => {
  const stop = new AbortController();
  const api = await listen((req, res) => {
    if (req.url === '/closing') res.setHeader('Connection', 'close');
    res.end();
  });
  const web = await startWeb({ api, closing: stop.signal });
  const connectionOf = async (path: string) => (await get(`${web}/api${path}`)).headers.connection;
  expect(await connectionOf('/services')).toBe('keep-alive');
  expect(await connectionOf('/closing')).toBe('keep-alive');
  stop.abort();
  expect(await connectionOf('/services')).toBe('close');
});
