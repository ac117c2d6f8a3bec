import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answer, type Call, call, UnansweredError } from './support/client.ts';
import { createRandom, isLong, ms, percentile, printFigures } from './support/figures.ts';
import { createInstallation, type Instance, runningOf } from './support/installation.ts';

const rounds = isLong ? 10 : 2;
const clientCount = 8;
/**
 * With FAULTS=long, each client sends more writes than the quotas of one customer allow. So each client
 * uses several customers.
 */
const customersPerClient = isLong ? 10 : 1;
const turnsPerWrite = 10;
const maxExitMs = 10_000;
const busyMachineMs = 10_000;
const idleConnectionCount = 20;
/**
 * A request must get a response if its connection has been idle for less than this time. During a shutdown, the servers
 * close connections that have been idle for 1 s. This value is 250 ms lower, because a busy machine delays requests.
 */
const answeredIdleMs = 750;

const random = createRandom('shutdown');
const installation = await createInstallation({ apiCount: 2, webCount: 2, shutdownDelaySeconds: 0 });
const clients = await Promise.all(
  Array.from({ length: clientCount }, (_client, index) =>
    Promise.all(Array.from({ length: customersPerClient }, (_, own) => installation.signUp(`c${index}-${own}`))),
  ),
);

interface Unanswered {
  error: UnansweredError;
  /** The time since the last answer on the connection. */
  idleMs: number;
}

interface Traffic {
  answers: Answer[];
  /** One entry for each request that got no answer and was then sent to the other instance. */
  repeated: Unanswered[];
  stop(): Promise<void>;
}

/**
 * Sends requests to two instances, also to one that is shutting down. Each client keeps one connection to each instance. A
 * request that got no answer is sent to the other instance once, which is safe because writes have an Idempotency-Key.
 */
function startTraffic(instances: readonly Instance[], apiPath: string): Traffic {
  const answers: Answer[] = [];
  const repeated: Traffic['repeated'] = [];
  const stopping = new AbortController();
  const running = clients.map(async (customers, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answeredAt = new Map<Instance, number>();
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const isWrite = turn % turnsPerWrite === index;
      const { token } = customers[Math.floor(turn / turnsPerWrite) % customers.length] ?? {};
      const path = isWrite ? `${apiPath}/services` : `${apiPath}/services?limit=${random.integer(1, 20)}`;
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { title: `Hood ${turn}` };
      const options: Call = isWrite ? { agent, method: 'POST', token, headers, body } : { agent };
      const first = random.pick(instances);
      const sentAt = performance.now();
      let answering = first;
      const answer = await call(first.origin, path, options).catch((error: unknown) => {
        if (!(error instanceof UnansweredError)) throw error;
        repeated.push({ error, idleMs: sentAt - (answeredAt.get(first) ?? sentAt) });
        answering = instances.find((instance) => instance !== first) ?? first;
        return call(answering.origin, path, options);
      });
      answeredAt.set(answering, performance.now());
      answers.push(answer);
      await sleep(random.integer(0, 30));
    }
  });
  const all = Promise.all(running);
  all.catch(() => undefined);
  return {
    answers,
    repeated,
    async stop() {
      stopping.abort();
      await all;
    },
  };
}

/** Opens connections that are idle after a first request. Each connection has its own agent. */
async function openConnections({ origin }: Instance, path: string): Promise<Agent[]> {
  const agents = Array.from({ length: idleConnectionCount }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  await Promise.all(agents.map((agent) => call(origin, path, { agent })));
  return agents;
}

/**
 * Sends a request on each of the idle connections of an instance that is shutting down, at random times. Returns the status
 * or the error of each. If a busy machine delays a request too long, it is not sent.
 */
async function useConnections(agents: readonly Agent[], { origin }: Instance, path: string): Promise<unknown[]> {
  const startedAt = performance.now();
  const results = agents.map(async (agent) => {
    await sleep(random.integer(0, answeredIdleMs / 2));
    if (performance.now() - startedAt > answeredIdleMs) return [];
    return call(origin, path, { agent }).then(
      ({ status }) => [status],
      (error: unknown) => [String(error)],
    );
  });
  return (await Promise.all(results)).flat();
}

test.each([
  ['API', '', installation.apis],
  ['web server', '/api', installation.webs],
] as const)(
  'on SIGTERM under load, the %s answers every request that it has accepted, and exits with 0',
  async (kind, apiPath, instances) => {
    const traffic = startTraffic(instances, apiPath);
    const exitsMs: number[] = [];
    const onIdleConnections: unknown[] = [];
    const path = `${apiPath}/services?limit=3`;
    for (let round = 0; round < rounds * instances.length; round += 1) {
      const instance = instances[round % instances.length] as Instance;
      const answerCount = traffic.answers.length;
      await expect.poll(() => traffic.answers.length).toBeGreaterThan(answerCount + 50);
      await sleep(random.integer(0, 300));
      const agents = await openConnections(instance, path);
      const { exited } = runningOf(instance);
      const startedAt = performance.now();
      const stopped = instance.stop();
      onIdleConnections.push(...(await useConnections(agents, instance, path)));
      await stopped;
      exitsMs.push(performance.now() - startedAt);
      const { code, reason } = await exited;
      expect(code, reason).toBe(0);
      await instance.start();
    }
    await traffic.stop();

    const { answers, repeated } = traffic;
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
    const aborted = instances.flatMap(({ lines }) => lines.filter((line) => line.includes('request aborted')));
    const durations = answers.map(({ durationMs }) => durationMs);
    const resets = repeated.filter(({ error }) => error.code !== 'ECONNREFUSED');
    printFigures(
      `SIGTERM of each ${kind} under load: ${exitsMs.length} times, ${answers.length} requests, ${failed.length} failed, ${aborted.length} aborted, ${repeated.length - resets.length} refused and repeated, ${resets.length} reset and repeated; ${onIdleConnections.length} requests on idle connections; p99 ${ms(percentile(durations, 0.99))}; exit after ${ms(Math.max(...exitsMs))} at the latest`,
    );
    expect(failed.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
    // The processes log a request as aborted if they close its connection before the end of the response.
    expect(aborted).toEqual([]);
    expect(onIdleConnections.filter((result) => result !== 200)).toEqual([]);
    // A connection must not be reset if it had a response less than `answeredIdleMs` before the request. On a busy machine,
    // other resets can happen: a request arrives while the server closes the idle connection, or a new connection arrives
    // while the server stops accepting connections.
    const isInUse = ({ error, idleMs }: Unanswered) => error.isReusedConnection && idleMs < answeredIdleMs;
    expect(resets.filter(isInUse)).toEqual([]);
    expect(Math.max(...exitsMs)).toBeLessThan(maxExitMs + busyMachineMs);
  },
);
