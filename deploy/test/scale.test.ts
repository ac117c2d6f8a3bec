import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Installation, install, type Running } from './support/installation.ts';

// Three APIs and three web servers, each kind at one port of three addresses: as containers with 3 instances of each.
const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
const writesAMinute = 120;
// When an instance is not there, Caddy 2.6 closes the body of the request that it then sends to the next one.
const repeatsBodies = !execFileSync('caddy', ['version'], { encoding: 'utf8' }).startsWith('2.6.');

let shape: Installation;
const apis = new Map<string, Running>();
const webs = new Map<string, Running>();

beforeAll(async () => {
  shape = await install({ hosts });
  await Promise.all(
    hosts.map(async (host) => {
      apis.set(host, await shape.startApi(host));
      webs.set(host, await shape.startWeb(host));
    }),
  );
});

const agent = new Agent({ keepAlive: true });

interface Call {
  method?: string;
  token?: string;
  body?: object;
  cookie?: string;
}

/** Through the proxy; rejects when a connection breaks. */
function call(
  path: string,
  { method = 'GET', token, body, cookie }: Call = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(cookie && { Cookie: cookie }),
    };
    request(`${shape.origin}${path}`, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        .on('error', reject);
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
}

async function customer(): Promise<string> {
  const email = `${randomUUID()}@kitchen.test`;
  const signUp = `http://${inject('authEmulatorHost')}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo`;
  const account = { email, password: randomUUID(), returnSecureToken: true };
  const headers = { 'Content-Type': 'application/json' };
  const { idToken } = await (await fetch(signUp, { method: 'POST', headers, body: JSON.stringify(account) })).json();
  const { text } = await call('/api/jwt', { method: 'POST', token: idToken, body: { email } });
  return JSON.parse(text).token;
}

const service = { title: 'Hood', ratting: '4', img: '', price: '$90', description: 'We fit hoods.' };

async function idOf(answer: Promise<{ status: number; text: string }>): Promise<string> {
  const { status, text } = await answer;
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return JSON.parse(text).insertedId;
}

/** How many requests each instance answered. */
const answered = () => hosts.map((host) => answersOf(apis.get(host)));
const answersOf = (api: Running | undefined, status = 0, from = 0) =>
  api?.lines.slice(from).filter((line) => line.includes(`"statusCode":${status || ''}`)).length ?? 0;

test('all instances serve, and what one wrote the others know', async () => {
  const token = await customer();
  const id = await idOf(call('/api/services', { method: 'POST', token, body: service }));
  await expect.poll(() => answered().reduce((sum, count) => sum + count)).toBe(2);
  const before = answered();
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(`/api/services/${id}`)));
  for (const { status, text } of answers) expect([status, JSON.parse(text)._id]).toEqual([200, id]);
  await expect.poll(() => answered().map((count, index) => count - (before[index] ?? 0))).toEqual([10, 10, 10]);
});

test('a customer’s limit is one, however many instances answer', async () => {
  const [lister, token] = [await customer(), await customer()];
  const serviceId = await idOf(call('/api/services', { method: 'POST', token: lister, body: service }));
  const review = { serviceId, review: 'Quiet and clean.', time: '10:15:00', date: '05/11/2026' };
  const id = await idOf(call('/api/review', { method: 'POST', token, body: review }));
  const edit = () => call(`/api/review/${id}`, { method: 'PATCH', token, body: { review: 'Quiet.' } });
  const before = answered();
  const statuses: number[] = [];
  for (let round = 0; round < 15; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, edit))).map(({ status }) => status));
  // The login and the review are the first two writes of the minute.
  expect(statuses.filter((status) => status === 200)).toHaveLength(writesAMinute - 2);
  expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - writesAMinute + 2);
  for (const [index, count] of answered().entries()) expect(count - (before[index] ?? 0)).toBeGreaterThan(30);
});

describe('while all are restarted, one after the other', () => {
  test('no request fails, and none waits long', async () => {
    const [last = '', ...writers] = await Promise.all(Array.from({ length: 7 }, customer));
    const [first = ''] = writers;
    const serviceId = await idOf(call('/api/services', { method: 'POST', token: first, body: service }));
    const review = { serviceId, review: 'Quiet and clean.', rating: 5, time: '10:15:00', date: '05/11/2026' };
    const reviews = await Promise.all(
      writers.map(async (token) => ({
        token,
        id: await idOf(call('/api/review', { method: 'POST', token, body: review })),
      })),
    );
    const edited = await idOf(call('/api/review', { method: 'POST', token: last, body: review }));

    const failures: string[] = [];
    const durations: number[] = [];
    const over = new AbortController();
    /** One who asks again and again, each time when the last answer is there. */
    const visitor = async (pause: number, ask: (turn: number) => ReturnType<typeof call>) => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        const since = performance.now();
        const { status, text } = await ask(turn).catch((error: unknown) => ({ status: 0, text: String(error) }));
        durations.push(performance.now() - since);
        if (status !== 200) failures.push(`${status} ${text}`);
        await sleep(pause);
      }
    };
    const deleteOrRestore = (token: string, id: string) => (turn: number) =>
      turn % 2 === 0
        ? call(`/api/review/${id}`, { method: 'DELETE', token })
        : call(`/api/review/${id}/restore`, { method: 'POST', token });
    const edit = (turn: number) =>
      call(`/api/review/${edited}`, { method: 'PATCH', token: last, body: { review: `Edited ${turn} times.` } });
    const visitors = Promise.all([
      ...[1, 2, 3].map(() => visitor(100, () => call('/api/services?limit=3'))),
      visitor(100, () => call(`/api/services/${serviceId}`)),
      visitor(100, () => call('/')),
      // Pages with a chosen theme are rendered for each request.
      visitor(200, () => call(`/services/${serviceId}`, { cookie: 'rtr-theme=dark' })),
      ...reviews.map(({ token, id }) => visitor(1000, deleteOrRestore(token, id))),
      ...(repeatsBodies ? [visitor(600, edit)] : []),
    ]);

    const health = (url: string) => fetch(url).then(({ status }) => status);
    for (const host of hosts) {
      for (const [instances, startAgain, url] of [
        [apis, shape.startApi, `${shape.apiOrigin(host)}/readyz`],
        [webs, shape.startWeb, `${shape.webOrigin(host)}/healthz`],
      ] as const) {
        const leaving = instances.get(host);
        leaving?.child.kill('SIGTERM');
        await expect.poll(() => health(url)).toBe(503);
        const closing = leaving?.lines.length ?? 0;
        expect(await leaving?.exited).toBe(0);
        // It is unready, and still answered the requests that came.
        expect(answersOf(leaving, 200, closing)).toBeGreaterThan(5);
        await sleep(500); // with two
        instances.set(host, await startAgain(host));
        await expect.poll(() => answersOf(instances.get(host), 200)).toBeGreaterThan(0);
      }
    }
    over.abort();
    await visitors;

    const why = shape.proxy.lines.filter((line) => line.includes('"level":"error"'));
    expect({ failures, why: failures.length > 0 ? why : [] }).toEqual({ failures: [], why: [] });
    expect(durations.length).toBeGreaterThan(400);
    expect(Math.max(...durations)).toBeLessThan(5000);
    const sorted = durations.toSorted((a, b) => a - b);
    const share = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
    process.stdout.write(
      `Rolling restart: ${durations.length} requests, 0 failed; half within ${share(0.5)} ms, 99% within ${share(0.99)} ms, all within ${share(0.9999)} ms.\n`,
    );
  });
});
