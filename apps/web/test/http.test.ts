import { HttpResponse, http as route } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { ApiError, NetworkError } from '../src/lib/api-error.ts';
import { type CustomerTokens, createHttp } from '../src/lib/http.ts';
import { toVersioned } from '../src/lib/version.ts';
import { api, bearerOf, noResponse, problem } from './support/api.ts';

const id = 'a'.repeat(24);
const visitor = createHttp({ base: '/api' });
const tokensOf = (tokens: Omit<CustomerTokens, 'reportUse'>) => ({
  ownTokens: () => ({ ...tokens, reportUse: () => {} }),
});

describe('an API call', () => {
  test('sends the given path parameters, query, token and body, and nothing else', async () => {
    let seen: unknown;
    api.use(
      route.patch('/api/review/:id', async ({ request, params }) => {
        seen = [params.id, request.headers.get('Content-Type'), bearerOf(request), await request.json()];
        return HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
      }),
      route.get('/api/services', ({ request }) => {
        seen = [new URL(request.url).search, request.headers.get('Authorization'), request.headers.get('Content-Type')];
        return HttpResponse.json([], { headers: { 'X-Total-Count': '0' } });
      }),
    );
    const customer = createHttp({
      base: '/api',
      tokens: tokensOf({ getAccessToken: () => 'held', refreshAccessToken: async () => null }),
    });
    const { data } = await customer('PATCH /review/:id', {
      as: 'customer',
      params: { id },
      body: { review: ' as typed ' },
    });
    expect(seen).toEqual([id, 'application/json', 'held', { review: ' as typed ' }]);
    expect(data.modifiedCount).toBe(1);
    const { headers } = await customer('GET /services', { query: { q: 'a & b', after: undefined } });
    expect(seen).toEqual(['?q=a+%26+b', null, null]);
    expect(headers.get('X-Total-Count')).toBe('0');
  });

  test('has the header “Cache-Control: no-cache” if it is a read within 5 s of a write, even of a failed write', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const seen: (string | null)[] = [];
    api.use(
      route.get('/api/services', ({ request }) => {
        seen.push(request.headers.get('Cache-Control'));
        return HttpResponse.json([]);
      }),
      route.delete('/api/review/:id', () => HttpResponse.error()),
    );
    const customer = createHttp({
      base: '/api',
      tokens: tokensOf({ getAccessToken: () => 'held', refreshAccessToken: async () => null }),
    });
    await customer('GET /services', {});
    await expect(customer('DELETE /review/:id', { as: 'customer', params: { id } })).rejects.toMatchObject({
      reason: 'unreachable',
    });
    await customer('GET /services', {});
    vi.advanceTimersByTime(5000);
    await customer('GET /services', {});
    expect(seen).toEqual([null, 'no-cache', null]);
    vi.useRealTimers();
  });

  test('throws an ApiError with the problem details (RFC 9457) and the seconds of the Retry-After header when the response is an error', async () => {
    api.use(route.get('/api/services', () => problem(429, 'Slow down.', { 'Retry-After': '12' })));
    const error = await visitor('GET /services', {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      message: 'Slow down.',
      retryAfterSeconds: 12,
      problem: { instance: 'test' },
    });
  });

  test.each([
    ['invalid JSON', '{"type'],
    ['null', 'null'],
    ['a string', '"Bad Gateway"'],
  ])('throws an ApiError with the status when the body of an error response is %s', async (_, body) => {
    const headers = { 'Content-Type': 'application/problem+json' };
    api.use(route.get('/api/services', () => new HttpResponse(body, { status: 502, headers })));
    await expect(visitor('GET /services', {})).rejects.toMatchObject({
      name: 'ApiError',
      status: 502,
      problem: { detail: 'Something went wrong on our server. Try again in a minute.' },
    });
  });

  test('throws an UnexpectedResponse error when a successful response is not JSON', async () => {
    api.use(route.get('/api/services', () => HttpResponse.html('<h1>Log in to the Wi-Fi</h1>')));
    await expect(visitor('GET /services', {})).rejects.toMatchObject({ name: 'UnexpectedResponse' });
  });

  test('throws a different error for a failed connection, for a timeout and for an abort by the caller', async () => {
    api.use(route.get('/api/services', () => HttpResponse.error()));
    await expect(visitor('GET /services', {})).rejects.toMatchObject({ name: 'NetworkError', reason: 'unreachable' });

    api.use(route.get('/api/services', noResponse));
    const deadline = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    const late = visitor('GET /services', {});
    deadline.abort(new DOMException('', 'TimeoutError'));
    await expect(late).rejects.toMatchObject({ name: 'NetworkError', reason: 'timeout' });
    expect(AbortSignal.timeout).toHaveBeenCalledWith(30_000);
    vi.restoreAllMocks();
    vi.spyOn(console, 'error');

    const given = new AbortController();
    const aborted = visitor('GET /services', { signal: given.signal });
    given.abort();
    const error = await aborted.catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'AbortError' });
  });
});

describe('a call with known data', () => {
  const customer = createHttp({
    base: '/api',
    tokens: tokensOf({ getAccessToken: () => 'held', refreshAccessToken: async () => null }),
  });
  const known = { row: { count: 3 }, version: '"3"' };

  test('returns the known data if the API responds with 304, and new data with its version otherwise', async () => {
    let etag = '"3"';
    api.use(
      route.get('/api/news/count', ({ request }) =>
        request.headers.get('If-None-Match') === etag
          ? new HttpResponse(null, { status: 304, headers: { ETag: etag } })
          : HttpResponse.json({ count: 4 }, { headers: { ETag: etag } }),
      ),
    );
    const read = async () => toVersioned(await customer('GET /news/count', { as: 'customer', known }));
    expect(await read()).toEqual(known);
    etag = '"4"';
    expect(await read()).toEqual({ row: { count: 4 }, version: '"4"' });
  });

  test('sends no version if a proxy has removed the ETag', async () => {
    let version: string | null = 'not called';
    api.use(
      route.get('/api/news/count', ({ request }) => {
        version = request.headers.get('If-None-Match');
        return HttpResponse.json({ count: 4 });
      }),
    );
    await customer('GET /news/count', { as: 'customer', known: { ...known, version: '' } });
    expect(version).toBeNull();
  });

  test('returns a picture as a Blob, and rejects a page of a captive portal instead of the picture', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    api.use(
      route.get('/api/pictures/p/:id', () => new HttpResponse(bytes, { headers: { 'Content-Type': 'image/webp' } })),
    );
    const { data } = await customer('GET /pictures/p/:id', { as: 'customer', params: { id } });
    expect([data.type, data.size]).toEqual(['image/webp', 3]);
    api.use(route.get('/api/pictures/p/:id', () => HttpResponse.html('<h1>Log in to the Wi-Fi</h1>')));
    await expect(customer('GET /pictures/p/:id', { as: 'customer', params: { id } })).rejects.toMatchObject({
      name: 'UnexpectedResponse',
    });
  });
});

describe('a failed API call', () => {
  /**
   * Fakes the routes of services and reviews. The first response is `failure`, and later responses are a success. Returns the
   * methods of the requests.
   */
  const failingOnce = (failure: () => Response) => {
    const calls: string[] = [];
    api.use(
      route.all(/\/api\/(services|review)/, ({ request }) => {
        calls.push(request.method);
        return calls.length === 1 ? failure() : HttpResponse.json([]);
      }),
    );
    return calls;
  };

  test.each([
    ['the network changed', () => HttpResponse.error()],
    ['the server was briefly unavailable', () => problem(503, 'The API is unavailable.')],
  ])('is retried once if it is a GET request that failed because %s', async (_, failure) => {
    const calls = failingOnce(failure);
    await expect(visitor('GET /services', {})).resolves.toMatchObject({ data: [] });
    expect(calls).toEqual(['GET', 'GET']);
  });

  test('throws an error when the retry fails too', async () => {
    let calls = 0;
    api.use(
      route.get('/api/services', () => {
        calls += 1;
        return HttpResponse.error();
      }),
    );
    await expect(visitor('GET /services', {})).rejects.toMatchObject({ reason: 'unreachable' });
    expect(calls).toBe(2);
  });

  test('is not retried when the response has the status 404', async () => {
    const calls = failingOnce(() => problem(404, 'There is nothing.'));
    await expect(visitor('GET /services/:id', { params: { id } })).rejects.toMatchObject({ status: 404 });
    expect(calls).toEqual(['GET']);
  });

  test('is not retried if it is a write request and the API was unreachable', async () => {
    const customer = createHttp({
      base: '/api',
      tokens: tokensOf({ getAccessToken: () => 'held', refreshAccessToken: async () => null }),
    });
    const as = 'customer' as const;
    const params = { id };
    const writes: [string, () => Promise<unknown>][] = [
      ['POST', () => customer('POST /review', { as, body: { serviceId: id, review: '', time: '', date: '' } })],
      ['PATCH', () => customer('PATCH /review/:id', { as, params, body: { review: '' } })],
      ['DELETE', () => customer('DELETE /review/:id', { as, params })],
      ['POST', () => customer('POST /review/:id/restore', { as, params })],
    ];
    for (const [method, write] of writes) {
      const calls = failingOnce(() => HttpResponse.error());
      await expect(write()).rejects.toMatchObject({ reason: 'unreachable' });
      expect(calls).toEqual([method]);
    }
  });
});

describe('the access token of an API call', () => {
  /** Fakes a route that accepts only the token `fresh`. Appends the idempotency key of each request to `keys`. */
  const guarded = (keys: (string | null)[] = []) =>
    route.post('/api/review', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return bearerOf(request) === 'fresh'
        ? HttpResponse.json({ acknowledged: true, insertedId: id }, { status: 201 })
        : problem(401, 'Send a token.');
    });
  const post = (http: ReturnType<typeof createHttp>) =>
    http('POST /review', {
      as: 'customer',
      headers: { 'idempotency-key': 'one-writing' },
      body: { serviceId: id, review: '', time: '', date: '' },
    });

  test('is refreshed after a 401 response, and the call is retried with the same idempotency key', async () => {
    const keys: (string | null)[] = [];
    api.use(guarded(keys));
    const refresh = vi.fn<() => Promise<string>>(async () => 'fresh');
    const { data } = await post(
      createHttp({ base: '/api', tokens: tokensOf({ getAccessToken: () => 'stale', refreshAccessToken: refresh }) }),
    );
    expect(data.insertedId).toBe(id);
    expect(keys).toEqual(['one-writing', 'one-writing']);
    expect(refresh).toHaveBeenCalledExactlyOnceWith('stale');
  });

  test('is requested before the call when the browser has no access token', async () => {
    const keys: (string | null)[] = [];
    api.use(guarded(keys));
    await post(
      createHttp({
        base: '/api',
        tokens: tokensOf({ getAccessToken: () => null, refreshAccessToken: async () => 'fresh' }),
      }),
    );
    expect(keys).toHaveLength(1);
  });

  test('is refreshed only once: the call fails if there is no new token, or if the new token is rejected too', async () => {
    api.use(guarded());
    for (const fresh of [null, 'stale too']) {
      const refresh = vi.fn<() => Promise<string | null>>(async () => fresh);
      const call = post(
        createHttp({
          base: '/api',
          tokens: tokensOf({ getAccessToken: () => 'stale', refreshAccessToken: refresh }),
        }),
      );
      await expect(call).rejects.toMatchObject({ status: 401 });
      expect(refresh).toHaveBeenCalledOnce();
    }
  });

  test('is not refreshed if the call was sent with a Firebase ID token and gets a 401 response', async () => {
    api.use(route.post('/api/jwt', () => problem(401, 'Send a Firebase ID token.')));
    const refresh = vi.fn<() => Promise<string>>(async () => 'fresh');
    const http = createHttp({
      base: '/api',
      tokens: tokensOf({ getAccessToken: () => 'held', refreshAccessToken: refresh }),
    });
    const call = http('POST /jwt', { as: { idToken: 'id token' }, body: { email: 'cora@example.com' } });
    await expect(call).rejects.toMatchObject({ status: 401 });
    expect(refresh).not.toHaveBeenCalled();
  });

  test('is not refreshed if the call was sent without a token and gets a 401 response', async () => {
    api.use(route.get('/api/services', () => problem(401, 'No.')));
    const refresh = vi.fn<() => Promise<string>>(async () => 'fresh');
    const http = createHttp({
      base: '/api',
      tokens: tokensOf({ getAccessToken: () => 'held', refreshAccessToken: refresh }),
    });
    await expect(http('GET /services', {})).rejects.toMatchObject({ status: 401 });
    expect(refresh).not.toHaveBeenCalled();
  });
});
