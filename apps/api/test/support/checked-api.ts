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

/** Statuses that any route may answer. */
const anywhere = [400, 429, 500, 503];
/** Headers that only routes which name them answer with. */
const named = ['link', 'x-total-count', 'location'];

/** The API as supertest calls it, with each answer's status, body, type and headers held against the contract. */
export function checkedApi(agent: supertest.Agent): CheckedApi {
  const call = (verb: Verb) => (path: string) =>
    agent[verb](path).expect((answer) => fitsContract(verb.toUpperCase(), path, answer));
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

function fitsContract(method: string, path: string, answer: supertest.Response): void {
  const { pathname } = new URL(path, 'http://api.example');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const match = entries.find((entry) => entry.method === wanted && entry.pattern.test(pathname));
  const place = `${match?.key ?? `${method} ${pathname}`} answered ${answer.status}`;

  if (answer.status >= 400) {
    if (match) assert.include([...anywhere, ...match.entry.errors], answer.status, place);
    if (method === 'HEAD') return;
    assert.match(answer.type, /^application\/problem\+json$/, place);
    const { error, data } = z.safeParse(problem, answer.body);
    assert.isUndefined(error, `${place} with no problem: ${error?.message}`);
    assert.strictEqual(data?.status, answer.status, place);
    assert.strictEqual(data?.instance, answer.get('X-Request-Id'), place);
    if (answer.status === 401) assert.match(answer.get('WWW-Authenticate') ?? '', /^Bearer/, place);
    if (answer.status === 503 || answer.status === 429) assert.match(answer.get('Retry-After') ?? '', /^\d+$/, place);
    return;
  }
  if (!match || answer.status === 304) return;

  const success = match.entry.responses[answer.status as 200 | 201 | 204];
  if (!success) assert.fail(`${place}, which the contract does not hold`);
  for (const header of named)
    if (answer.get(header) !== undefined)
      assert.include(
        (success.headers ?? []).map((name) => name.toLowerCase()),
        header,
        place,
      );
  if (!success.body || method === 'HEAD') return;
  assert.match(answer.type, /^application\/json$/, place);
  const { error } = z.safeParse(success.body, answer.body);
  assert.isUndefined(error, `${place} with another body: ${error?.message}`);
}
