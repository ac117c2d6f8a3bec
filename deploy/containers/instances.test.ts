import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentedCommands } from './support/documents.ts';
import {
  addService,
  attempt,
  call,
  containersOf,
  inspect,
  type Response,
  run,
  signUp,
  start,
} from './support/product.ts';

/**
 * A list has at most 100 services, and a customer can add only 100 services a day, one of them before the traffic
 * starts. This number stays below both limits.
 */
const maxAddedCount = 90;
const threeInstances = { API_INSTANCES: '3', WEB_INSTANCES: '3' };

beforeAll(() => start(threeInstances));
afterAll(() => start());

/**
 * Sends requests until `done` is called. `done` resolves with the number of requests, the titles of the added services, and
 * the responses whose status is neither 200 nor 201.
 */
async function startTraffic(): Promise<{
  done: () => Promise<{ failures: Response[]; sent: number; added: string[] }>;
}> {
  const lister = await signUp();
  const id = await addService(lister);
  const word = `hood${randomUUID().slice(0, 8)}`;
  const failures: Response[] = [];
  const added: string[] = [];
  const controller = new AbortController();
  let sent = 0;
  const repeat = async (pauseMs: number, send: (turn: number) => Promise<Response>, maxTurns = Number.MAX_VALUE) => {
    for (let turn = 0; turn < maxTurns && !controller.signal.aborted; turn += 1) {
      const response = await send(turn).catch((error: unknown) => ({ status: 0, text: String(error) }));
      sent += 1;
      if (response.status !== 200 && response.status !== 201) failures.push(response);
      await sleep(pauseMs);
    }
  };
  const add = (turn: number) => {
    const title = `${word} ${turn}`;
    added.push(title);
    const body = { title, ratting: '4', img: '', price: '$90', description: 'We fit hoods.' };
    return call('/api/services', { method: 'POST', token: lister.token, body, idempotencyKey: title });
  };
  const traffic = Promise.all([
    repeat(200, () => call('/api/services?limit=3')),
    repeat(200, () => call(`/api/services/${id}`)),
    repeat(200, () => call('/')),
    repeat(200, () => call('/config.json')),
    repeat(2000, add, maxAddedCount),
  ]);
  return {
    done: async () => {
      controller.abort();
      await traffic;
      const { text } = await call(`/api/services?q=${word}&limit=100`);
      const found = (JSON.parse(text) as { title: string }[]).map(({ title }) => title);
      // Each service was saved exactly once.
      expect(found.toSorted()).toEqual(added.toSorted());
      return { failures, sent, added };
    },
  };
}

test.each(['api', 'web'])('no request fails when one of three instances of %s is killed', async (service) => {
  const [victim = '', ...others] = await containersOf(service);
  expect(others).toHaveLength(2);
  const traffic = await startTraffic();
  const before = await inspect(victim, '.State.StartedAt');
  await sleep(2000);
  await attempt(`docker exec ${victim} sh -c 'kill -9 -1'`);
  await expect.poll(() => inspect(victim, '.State.StartedAt')).not.toBe(before);
  await expect.poll(() => inspect(victim, '.State.Health.Status')).toBe('healthy');
  const { failures, sent } = await traffic.done();
  process.stdout.write(
    `kill -9 of one of three instances of ${service}: ${sent} requests, ${failures.length} failed.\n`,
  );
  expect(failures).toEqual([]);
});

test('no request fails while the documented commands replace all instances of the API and the web server', async () => {
  const old = new Set([...(await containersOf('api')), ...(await containersOf('web'))]);
  const traffic = await startTraffic();
  const commands = documentedCommands('production.md', 'docker compose run --rm migrate', '--no-deps proxy');
  await run(commands, threeInstances);
  const { failures, sent } = await traffic.done();
  process.stdout.write(`Rolling change of 3 APIs and 3 web servers: ${sent} requests, ${failures.length} failed.\n`);
  expect(failures).toEqual([]);
  const current = [...(await containersOf('api')), ...(await containersOf('web'))];
  expect(current).toHaveLength(6);
  expect(current.filter((id) => old.has(id))).toEqual([]);
});
