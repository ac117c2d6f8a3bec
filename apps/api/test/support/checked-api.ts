import { type ContractEntry, contract, problem } from '@rtr/shared';
import type supertest from 'supertest';
import { assert } from 'vitest';
import * as z from 'zod/mini';

type Verb = 'get' | 'head' | 'post' | 'patch' | 'put' | 'delete' | 'options';
export type CheckedApi = Record<Verb, (path: string) => supertest.Test>;

const entries = Object.entries(contract).map(([key, entry]: [string, ContractEntry]) => {
  const [method = '', path = ''] = key.split(' ');
  return { key, entry, method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i') };
});

/** The error statuses that every route may return. */
const commonErrors = [400, 429, 500, 503];
/** Response headers that a route may send only if the contract lists them for this route. */
const contractHeaders = ['link', 'x-total-count', 'x-searched-for', 'x-left-out', 'x-unknown-words', 'location'];

/**
 * Creates a client that calls the API with supertest. The client checks the status, body, content type and headers of each
 * response against the contract. It adds `headers` to all requests.
 */
export function checkedApi(agent: supertest.Agent, headers: Record<string, string> = {}): CheckedApi {
  const call = (verb: Verb) => (path: string) =>
    agent[verb](path)
      .set(headers)
      .expect((response) => assertFitsContract(verb.toUpperCase(), path, response));
  return {
    get: call('get'),
    head: call('head'),
    post: call('post'),
    patch: call('patch'),
    put: call('put'),
    delete: call('delete'),
    options: call('options'),
  };
}

function assertFitsContract(method: string, path: string, response: supertest.Response): void {
  const { pathname } = new URL(path, 'http://api.example');
  const contractMethod = method === 'HEAD' ? 'GET' : method;
  const match = entries.find((entry) => entry.method === contractMethod && entry.pattern.test(pathname));
  const description = `${match?.key ?? `${method} ${pathname}`} returned ${response.status}`;

  if (response.status >= 400) {
    if (match) assert.include([...commonErrors, ...match.entry.errors], response.status, description);
    if (method === 'HEAD') return;
    assert.match(response.type, /^application\/problem\+json$/, description);
    const { error, data } = z.safeParse(problem, response.body);
    assert.isUndefined(error, `${description} without a valid problem: ${error?.message}`);
    assert.strictEqual(data?.status, response.status, description);
    assert.strictEqual(data?.instance, response.get('X-Request-Id'), description);
    if (response.status === 401) assert.match(response.get('WWW-Authenticate') ?? '', /^Bearer/, description);
    if (response.status === 503 || response.status === 429)
      assert.match(response.get('Retry-After') ?? '', /^\d+$/, description);
    return;
  }
  if (!match || response.status === 304) return;

  const success = match.entry.responses[response.status as 200 | 201 | 204];
  if (!success) assert.fail(`${description}, which is not in the contract`);
  for (const header of contractHeaders)
    if (response.get(header) !== undefined)
      assert.include(
        (success.headers ?? []).map((name) => name.toLowerCase()),
        header,
        description,
      );
  if (!success.body || method === 'HEAD') return;
  assert.match(response.type, /^application\/json$/, description);
  const { error } = z.safeParse(success.body, response.body);
  assert.isUndefined(error, `${description} with an invalid body: ${error?.message}`);
}
