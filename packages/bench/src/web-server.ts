// This benchmark measures the CPU time that the web server uses for a page. It compares a cached page with a node:http
// server that sends the same bytes and headers. It also measures a page of 60 services that is rendered for each request.
// CPU times depend much less than elapsed times on how busy the machine is. --rounds=21 measures longer. --profile
// saves a CPU profile of the web server.
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort, startNode } from '@rtr/dev-stack/processes';
import { startStack } from '@rtr/dev-stack/stack';
import { MongoClient, ObjectId } from 'mongodb';
import { readArguments, toInteger } from './arguments.ts';
import { cpuMicrosecondsOf, type Measured, meter, stopAll, waitUntilStarted } from './measured-api.ts';
import { median } from './median.ts';
import { say } from './say.ts';

const maxRatio = 2;
const maxRenderMs = 8;
const servicesCount = 60;
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
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const acceptEncoding = { 'Accept-Encoding': 'gzip, deflate, br' };
/** Request headers with a cookie. The web server never caches a page for a request with this cookie. */
const personal = { ...acceptEncoding, Cookie: 'rtr-theme=dark' };

const scratch = await mkdtemp(join(tmpdir(), 'rtr-bench-'));
const stack = await startStack({ say, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', MONGODB_DATABASE: database } });
try {
  await fillCatalogue();
  const web = await startWebServer();
  const page = await fetchPage(`${web.url}/services`, acceptEncoding);
  const cards = (await fetchPage(`${web.url}/services`, {})).body.toString().split('<article').length - 1;
  if (cards !== servicesCount) throw new Error(`/services shows ${cards} services instead of ${servicesCount}.`);
  const [baseline, secondBaseline] = [await startBaseline(page), await startBaseline(page)];
  await warmUp([web, baseline, secondBaseline]);

  const samples = {
    baseline: [] as number[],
    web: [] as number[],
    secondBaseline: [] as number[],
    render: [] as number[],
  };
  for (let round = 1; round <= rounds; round += 1) {
    samples.baseline.push(await cachedRound(baseline));
    samples.web.push(await cachedRound(web));
    samples.secondBaseline.push(await cachedRound(secondBaseline));
    samples.render.push(await cpuMsPerRequest(web, rendersPerRound, personal));
    say(`  round ${round} of ${rounds}`);
  }
  const ratios = (values: number[]) => values.map((value, round) => value / (samples.baseline[round] ?? Number.NaN));
  const ratio = median(ratios(samples.web));
  const render = median(samples.render);
  say(
    `\n${page.body.length} bytes of ${String(page.headers['content-encoding'])}; CPU time, medians (smallest–largest) of ${rounds} rounds`,
  );
  say(`node:http server, per page:          ${span(samples.baseline, 'ms')}`);
  say(`web server, per cached page:         ${span(samples.web, 'ms')}`);
  say(`  over the node:http server:         ${span(ratios(samples.web), 'times')}; target: at most ${maxRatio}`);
  say(`  the node:http server over itself:  ${span(ratios(samples.secondBaseline), 'times')}`);
  say(`web server, per page of ${cards} services: ${span(samples.render, 'ms')}; target: at most ${maxRenderMs} ms`);
  if (ratio > maxRatio || render > maxRenderMs) process.exitCode = 1;
} finally {
  agent.destroy();
  await stopAll();
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}

/** Copies the demo services until the list fills one page. */
async function fillCatalogue(): Promise<void> {
  const client = await MongoClient.connect(stack.mongodbUri);
  const services = client.db(database).collection('services');
  const seeded = await services.find({ deletedAt: { $exists: false } }).toArray();
  const copies = Array.from({ length: Math.max(0, servicesCount - seeded.length) }, (_, index) => ({
    ...seeded[index % seeded.length],
    _id: new ObjectId(),
  }));
  if (copies.length > 0) await services.insertMany(copies);
  await client.close();
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

async function startBaseline({ headers, body }: Page): Promise<Measured> {
  const port = await freePort();
  const file = join(scratch, `${port}.json`);
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...same } = headers;
  writeFileSync(file, JSON.stringify({ headers: same, body: body.toString('base64') }));
  const entry = join(import.meta.dirname, 'static-server.ts');
  return waitUntilStarted(
    startNode({ name: 'node:http', entry, nodeArgs: [meter], args: [String(port), file] }),
    port,
    '/',
  );
}

/** Sends requests until V8 has optimised the code that is measured. */
async function warmUp(servers: readonly Measured[]): Promise<void> {
  for (const server of servers)
    for (let round = 0; round < 5; round += 1) await cpuMsPerRequest(server, cachedPerRound, acceptEncoding);
  const [web] = servers;
  if (web) await cpuMsPerRequest(web, 10 * rendersPerRound, personal);
}

/**
 * Measures one round of requests for a cached page. If a round takes so long that the page expires in the cache, repeats the
 * round.
 */
async function cachedRound(server: Measured): Promise<number> {
  for (let attempts = 0; attempts < 20; attempts += 1) {
    const since = performance.now();
    await fetchPage(`${server.url}/services`, acceptEncoding);
    const cpuMs = await cpuMsPerRequest(server, cachedPerRound, acceptEncoding);
    if (performance.now() - since < maxRoundMs) return cpuMs;
  }
  throw new Error(`This machine is too busy to fetch ${cachedPerRound} pages within ${maxRoundMs} ms.`);
}

async function cpuMsPerRequest(
  { url, child }: Measured,
  count: number,
  headers: Record<string, string>,
): Promise<number> {
  const before = await cpuMicrosecondsOf(child);
  await Promise.all(Array.from({ length: count }, () => fetchPage(`${url}/services`, headers)));
  return ((await cpuMicrosecondsOf(child)) - before) / 1000 / count;
}

interface Page {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function fetchPage(url: string, headers: Record<string, string>): Promise<Page> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (res: IncomingMessage) => {
      if (res.statusCode !== 200) reject(new Error(`${url} responded with ${res.statusCode}.`));
      buffer(res).then((body) => resolve({ headers: res.headers, body }), reject);
    }).on('error', reject);
  });
}

function span(values: number[], unit: string): string {
  const figure = (value: number) => value.toFixed(value < 10 ? 3 : 1);
  return `${figure(median(values))} ${unit} (${figure(Math.min(...values))}–${figure(Math.max(...values))})`;
}
