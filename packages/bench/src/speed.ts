// This benchmark measures the CPU time that the API needs for each public read request. It compares the API
// with Fastify, Express and `baseline`, a node:http server that sends a stored copy of the same response.
//
// Each round measures all servers one after the other, including a second `baseline` server. The difference between the
// two `baseline` servers shows how exact the figures are.
//
// Options: --rounds=21 measures longer. --profile saves a CPU profile of the API.
//
// The exit code is 1 if a target is missed. It is 2 if the result is inconclusive: the two `baseline` servers differ by
// more than 10 %, or a response has an unexpected status or size.
import { startStack } from '@rtr/dev-stack/stack';
import { readArguments, toInteger } from './arguments.ts';
import {
  cpuMicrosecondsOf,
  fillDatabase,
  type Measured,
  type ReceivedResponse,
  send,
  startApi,
  startPeer,
  stopAll,
  storeResponse,
} from './measured-api.ts';
import { median } from './median.ts';
import { say } from './say.ts';

const database = 'speed_demo';
const maxBaselineDifference = 0.1;
/** The maximum ratios between the CPU times of two servers. */
const targets = { hitToBaseline: 1 / 0.4, hitToFastify: 1 / 6, missToFastify: 0.9 };
/** The number of requests to each path of each server before the measurement. They let V8 optimize the code of the server. */
const warmUpRequests = 3000;

const { values } = readArguments({
  rounds: { type: 'string', default: '11' },
  profile: { type: 'boolean', default: false },
});
const { profile } = values;
const rounds = toInteger('rounds', values.rounds);
const peerKinds = ['fastify', 'express'];
/** The reasons why the result is inconclusive, if there are any. */
const problems = new Set<string>();

/** The requests that a server receives in each round. */
interface Series {
  name: string;
  server: Measured;
  headers: Record<string, string>;
  requestCount: number;
}

const stack = await startStack({ say, env: { LOG_LEVEL: 'warn', MONGODB_DATABASE: database } });
try {
  const serviceId = await fillDatabase(stack, database);
  const paths = [
    '/services?limit=3',
    '/services?limit=60',
    `/services/${serviceId}`,
    `/allreview?serviceId=${serviceId}&limit=20`,
  ];
  const startMeasuredApi = () => startApi(stack, database, profile ? ['--cpu-prof', '--cpu-prof-dir=reports'] : []);
  const api = await startMeasuredApi();
  // Cache misses have their own server. Otherwise, their garbage would be collected while cache hits are measured.
  const apiForMisses = await startMeasuredApi();
  const start = (kind: string) => startPeer(kind, stack, database);
  const [baseline, secondBaseline] = [await start('baseline'), await start('baseline')];
  const peers: { name: string; server: Measured }[] = [];
  for (const name of peerKinds) peers.push({ name, server: await start(name) });
  for (const path of paths) {
    const { headers, body } = await send(api, path, {});
    const { etag, 'content-type': type, 'content-length': length } = headers;
    const stored = { headers: { etag, 'content-type': type, 'content-length': length }, body };
    for (const server of [baseline, secondBaseline]) await storeResponse(server, path, stored);
    const noCache = { 'Cache-Control': 'no-cache' };
    const series: Series[] = [
      { name: 'baseline', server: baseline, headers: {}, requestCount: 2000 },
      { name: 'hit', server: api, headers: {}, requestCount: 2000 },
      { name: 'second baseline', server: secondBaseline, headers: {}, requestCount: 2000 },
      { name: 'miss', server: apiForMisses, headers: noCache, requestCount: 300 },
      ...peers.map((peer) => ({ ...peer, headers: {}, requestCount: 300 })),
    ];
    const samples = await measure(path, series, body.length);
    const ratios = (name: string, of: string) =>
      (samples.get(name) ?? []).map((value, round) => value / (samples.get(of)?.[round] ?? Number.NaN));
    say(
      `\nGET ${path.replace(serviceId, '{id}')} (${body.length} bytes), CPU time of the server, median of ${rounds} rounds`,
    );
    for (const { name } of series)
      say(
        `  ${name.padEnd(16)} ${median(samples.get(name) ?? [])
          .toFixed(1)
          .padStart(7)} µs  ${span(ratios(name, 'baseline'))} times the baseline`,
      );
    const difference = Math.abs(median(ratios('second baseline', 'baseline')) - 1);
    if (difference > maxBaselineDifference) problems.add('the two baselines differ by more than 10 %');
    check('hit / baseline', median(ratios('hit', 'baseline')), targets.hitToBaseline);
    check('hit / fastify', median(ratios('hit', 'fastify')), targets.hitToFastify);
    check('miss / fastify', median(ratios('miss', 'fastify')), targets.missToFastify);
  }
  for (const problem of problems) say(`\nInconclusive: ${problem}.`);
  if (problems.size > 0) process.exitCode = 2;
} finally {
  await stopAll();
  await stack.stop();
}

function check(name: string, value: number, max: number): void {
  if (value <= max) return;
  say(`  missed target: ${name} is ${value.toFixed(2)}, at most ${max.toFixed(2)}`);
  process.exitCode ??= 1;
}

async function measure(path: string, series: readonly Series[], bytes: number): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>(series.map(({ name }) => [name, []]));
  /**
   * The size of the first response of each peer, which is a server that uses another framework. Its later responses must
   * have the same size. This size differs from `bytes`, the size of the API's response, because the rows have other fields.
   */
  const peerBytes = new Map<string, number>();
  const findProblem = ({ name }: Series, { status, body }: ReceivedResponse): string | undefined => {
    const isPeer = peerKinds.includes(name);
    if (isPeer && !peerBytes.has(name)) peerBytes.set(name, body.length);
    const expectedBytes = isPeer ? peerBytes.get(name) : bytes;
    const isComplete = body.length === expectedBytes && (!isPeer || body.length > 0.5 * bytes);
    return status === 200 && isComplete ? undefined : `${name} sent ${status} with ${body.length} bytes for ${path}`;
  };
  const runOne = async (one: Series) => {
    const { server, headers, requestCount } = one;
    const before = await cpuMicrosecondsOf(server.child);
    await Promise.all(
      Array.from({ length: requestCount }, async () => {
        const problem = findProblem(one, await send(server, path, headers));
        if (problem !== undefined) problems.add(problem);
      }),
    );
    return ((await cpuMicrosecondsOf(server.child)) - before) / requestCount;
  };
  for (const one of series) for (let sent = 0; sent < warmUpRequests; sent += one.requestCount) await runOne(one);
  for (let round = 0; round < rounds; round += 1)
    for (const one of series) samples.get(one.name)?.push(await runOne(one));
  return samples;
}

function span(values: number[]): string {
  const figure = (value: number) => value.toFixed(2).padStart(6);
  return `${figure(median(values))} (${figure(Math.min(...values)).trim()}..${figure(Math.max(...values)).trim()})`;
}
