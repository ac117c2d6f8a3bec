// This benchmark measures the CPU time that the web server uses for a page. It compares a cached page with a node:http
// server that sends the same bytes and headers. It also measures a page of 60 services that is rendered for each request.
// CPU times depend much less than elapsed times on how busy the machine is. --rounds=21 measures longer. --profile
// saves a CPU profile of the web server.
import { join } from 'node:path';
import { freePort, startNode } from '@rtr/dev-stack/processes';
import { startStack } from '@rtr/dev-stack/stack';
import { readArguments, toInteger } from './arguments.ts';
import {
  cpuMicrosecondsOf,
  fillDatabase,
  type Measured,
  meter,
  type ReceivedResponse,
  send,
  startPeer,
  stopAll,
  storeResponse,
  waitUntilStarted,
} from './measured-api.ts';
import { median } from './median.ts';
import { say } from './say.ts';

const maxRatio = 2;
const maxRenderMs = 8;
const path = '/services';
const servicesPerPage = 60;
const database = 'bench_demo';
const cachedPerRound = 1200;
const rendersPerRound = 30;
/**
 * The maximum duration of a round of requests for a cached page. It is slightly shorter than the time for which the web
 * server caches a page, so that the page stays in the cache during the round.
 */
const maxRoundMs = 900;

const { values } = readArguments({
  rounds: { type: 'string', default: '11' },
  profile: { type: 'boolean', default: false },
});
const { profile } = values;
const rounds = toInteger('rounds', values.rounds);
const acceptEncoding = { 'Accept-Encoding': 'gzip, deflate, br' };
/** Request headers with a cookie. The web server never caches a page for a request with this cookie. */
const personal = { ...acceptEncoding, Cookie: 'rtr-theme=dark' };

const stack = await startStack({ say, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', MONGODB_DATABASE: database } });
try {
  await fillDatabase(stack, database);
  const web = await startWebServer();
  const page = await fetchPage(web, acceptEncoding);
  const cards = (await fetchPage(web, {})).body.toString().split('<article').length - 1;
  if (cards !== servicesPerPage) throw new Error(`${path} shows ${cards} services instead of ${servicesPerPage}.`);
  const baseline = await startPeer('baseline', stack, database);
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...headers } = page.headers;
  await storeResponse(baseline, path, { headers, body: page.body });
  for (const server of [web, baseline])
    for (let round = 0; round < 5; round += 1) await cpuMsPerRequest(server, cachedPerRound, acceptEncoding);
  await cpuMsPerRequest(web, 10 * rendersPerRound, personal);

  const samples = { baseline: [] as number[], web: [] as number[], render: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    samples.baseline.push(await cachedRound(baseline));
    samples.web.push(await cachedRound(web));
    samples.render.push(await cpuMsPerRequest(web, rendersPerRound, personal));
    say(`  round ${round} of ${rounds}`);
  }
  const ratios = samples.web.map((value, round) => value / (samples.baseline[round] ?? Number.NaN));
  const ratio = median(ratios);
  const render = median(samples.render);
  say(
    `\n${page.body.length} bytes of ${String(page.headers['content-encoding'])}; CPU time, medians (smallest–largest) of ${rounds} rounds`,
  );
  say(`node:http server, per page:          ${span(samples.baseline, 'ms')}`);
  say(`web server, per cached page:         ${span(samples.web, 'ms')}`);
  say(`  over the node:http server:         ${span(ratios, 'times')}; target: at most ${maxRatio}`);
  say(`web server, per page of ${cards} services: ${span(samples.render, 'ms')}; target: at most ${maxRenderMs} ms`);
  if (ratio > maxRatio || render > maxRenderMs) process.exitCode = 1;
} finally {
  await stopAll();
  await stack.stop();
}

async function startWebServer(): Promise<Measured> {
  const port = await freePort();
  const child = startNode({
    name: 'Web',
    entry: join(import.meta.dirname, '../../../apps/web/dist/server/main.js'),
    nodeArgs: [meter, ...(profile ? ['--cpu-prof', '--cpu-prof-dir=reports'] : [])],
    env: {
      NODE_ENV: 'production',
      AUTH_MODE: 'emulator',
      API_ORIGIN: stack.addresses.api,
      WEB_ORIGINS: stack.addresses.web,
      WEB_PORT: String(port),
      SHUTDOWN_DELAY_SECONDS: '0',
    },
  });
  return waitUntilStarted(child, port, '/healthz');
}

/**
 * Measures one round of requests for a cached page. If a round takes so long that the page expires in the cache, repeats the
 * round.
 */
async function cachedRound(server: Measured): Promise<number> {
  for (let attempts = 0; attempts < 20; attempts += 1) {
    const since = performance.now();
    await fetchPage(server, acceptEncoding);
    const cpuMs = await cpuMsPerRequest(server, cachedPerRound, acceptEncoding);
    if (performance.now() - since < maxRoundMs) return cpuMs;
  }
  throw new Error(`This machine is too busy to fetch ${cachedPerRound} pages within ${maxRoundMs} ms.`);
}

async function cpuMsPerRequest(server: Measured, count: number, headers: Record<string, string>): Promise<number> {
  const before = await cpuMicrosecondsOf(server.child);
  await Promise.all(Array.from({ length: count }, () => fetchPage(server, headers)));
  return ((await cpuMicrosecondsOf(server.child)) - before) / 1000 / count;
}

async function fetchPage(server: Measured, headers: Record<string, string>): Promise<ReceivedResponse> {
  const response = await send(server, path, headers);
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}.`);
  return response;
}

function span(values: number[], unit: string): string {
  const figure = (value: number) => value.toFixed(value < 10 ? 3 : 1);
  return `${figure(median(values))} ${unit} (${figure(Math.min(...values))}–${figure(Math.max(...values))})`;
}
