import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { signUp } from './support/customers.ts';
import { type Installation, install, type Running, repeatsBodies, send } from './support/installation.ts';

// These tests stop one of two API instances while its accept queue contains many connections from the proxy.
const hosts = ['127.0.0.1', '127.0.0.2'];
const requestCount = 200;

let installation: Installation;
const apis = new Map<string, Running>();

beforeAll(async () => {
  installation = await install({ hosts });
  for (const host of hosts) apis.set(host, await installation.startApi(host));
});

const read = (method: string) => send(installation.origin, '/api/services?limit=3', { method });

/** Adds a service, with the title as the Idempotency-Key. */
const addService = (token: string, title: string) =>
  send(installation.origin, '/api/services', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'Idempotency-Key': title },
    body: JSON.stringify({ title }),
  });

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'no request fails when an instance of the API gets %s while connections wait in its accept queue',
  async (signal) => {
    const token = await signUp(installation.origin);
    const word = `hood${randomUUID().slice(0, 8)}`;
    // Caddy 2.6 cannot repeat a request with a body. So with Caddy 2.6, the test for SIGKILL sends no requests with a
    // body.
    const hasWrites = repeatsBodies || signal === 'SIGTERM';
    const [host = ''] = hosts;
    const frozen = apis.get(host);
    frozen?.child.kill('SIGSTOP');
    const startedAt = performance.now();
    let answeredCount = 0;
    const requests = Array.from({ length: requestCount }, async (_, index) => {
      const response = await (hasWrites && index % 4 === 3
        ? addService(token, `${word} ${index}`)
        : read(index % 4 === 2 ? 'HEAD' : 'GET'));
      answeredCount += 1;
      return response;
    });
    // The proxy sends half of the requests to the frozen instance. The operating system accepts the connections for
    // these requests, so the proxy waits for responses and does not try the other instance.
    await expect.poll(() => answeredCount).toBe(requestCount / 2);
    frozen?.child.kill(signal);
    frozen?.child.kill('SIGCONT');
    const responses = await Promise.all(requests);
    const durationMs = Math.round(performance.now() - startedAt);
    const failed = responses.filter(({ status }) => status !== 200 && status !== 201);
    expect(failed.map(({ status, body }) => `${status} ${body}`)).toEqual([]);
    expect(await frozen?.exited).toBe(signal === 'SIGTERM' ? 0 : null);
    // The database contains each service exactly once.
    const { body } = await send(installation.origin, `/api/services?q=${word}&limit=100`);
    expect(JSON.parse(body)).toHaveLength(hasWrites ? requestCount / 4 : 0);
    process.stdout.write(
      `${signal} of an API for which ${requestCount / 2} connections waited: ${requestCount} requests, 0 failed, all within ${durationMs} ms.\n`,
    );
    apis.set(host, await installation.startApi(host));
  },
);
