// This benchmark measures the API with many reviews in the database. For the routes that customers wait for, it measures the
// response times and explains the query plans of the database commands. It prints Markdown for docs/scaling.md. --services=
// and --reviews= set the numbers of services and reviews, --hot= the number of reviews of the service with the most reviews,
// and --regular= the number of reviews of one customer. --data= names a folder that keeps the database for later runs.
import { execFile } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startStack } from '@rtr/dev-stack/stack';
import { BSON, type Document, MongoClient } from 'mongodb';
import { explain, isPeriodic } from './command-plans.ts';
import { signUpOrLogIn } from './customers.ts';
import { median } from './median.ts';
import { createRequests } from './requests.ts';
import { mixedSearches } from './searches.ts';
import { type Customers, seedDatabase } from './seed-database.ts';

const run = promisify(execFile);
const say = (line: string) => process.stdout.write(`${line}\n`);
const argument = (name: string) => process.argv.find((text) => text.startsWith(`--${name}=`))?.slice(name.length + 3);
const number = (name: string, defaultValue: number) => Number(argument(name) ?? defaultValue);

const size = {
  services: number('services', 10_000),
  reviews: number('reviews', 1_000_000),
  ofHotService: number('hot', 100_000),
  byRegular: number('regular', 10_000),
};
/** The number of times that each request is sent and timed. */
const repetitions = 5;

const scratch = await mkdtemp(join(tmpdir(), 'rtr-plans-'));
const commandsFile = join(scratch, 'commands');
writeFileSync(commandsFile, '');
const data = argument('data');
const stack = await startStack({
  ...(data !== undefined && { dataFolder: resolve(data) }),
  serve: false,
  env: {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    MONGODB_DATABASE: 'plans_demo',
    // Port 0 turns metrics on, at any free port. With metrics, the API makes the MongoDB driver emit an event for each
    // command. record-commands.ts records these events.
    METRICS_PORT: '0',
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./record-commands.ts', import.meta.url))}`,
    BENCH_COMMANDS: commandsFile,
  },
  say,
});
const client = new MongoClient(stack.mongodbUri);
const db = client.db('plans_demo');
try {
  const { version } = await db.admin().command({ buildInfo: 1 });
  for (const line of await stack.run('migrate')) say(line);
  const customers = {
    regular: await signUpOrLogIn(stack.addresses, 'regular'),
    newcomer: await signUpOrLogIn(stack.addresses, 'newcomer'),
  };
  if ((await db.collection('services').estimatedDocumentCount()) === 0) {
    await seedDatabase(db, size, customers, say);
    for (const line of await stack.run('migrate')) say(line);
  }
  await stack.processes.api?.start();
  say(
    `\n${new Date().toISOString().slice(0, 10)}, MongoDB ${version}, ${size.services} services, ${size.reviews} reviews.\n`,
  );
  await measureSearches();
  await measureRequests(customers);
  await printIndexSizes();
  await measureStream();
} finally {
  await client.close();
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}

async function measureRequests({ regular, newcomer }: Customers): Promise<void> {
  const { get, send, deepPageOf } = await createRequests(stack.addresses, [regular, newcomer]);
  const hot = await hotService();
  const ordinary = await db.collection('services').findOne({ reviewCount: { $gte: 30, $lt: 60 } });
  const own = await db.collection('reviews').findOne({ uid: regular.uid, deletedAt: null });
  const hotReviews = `/allreview?serviceId=${hot}`;
  const ownReviews = `/review?email=${encodeURIComponent(regular.email)}`;

  say('| Request | ms | Command | Plan | Keys | Docs | Rows | ms in it |');
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const sort of ['newest', 'title', 'price', 'rating']) {
    await measure(`services by ${sort}`, get(`/services?sort=${sort}&limit=20`));
    await measure(`services by ${sort}, deep`, get(await deepPageOf(`/services?sort=${sort}`)));
  }
  await measure('services, `q=hood 4711`', get('/services?q=hood%204711&limit=20'));
  await measure('services, `q=hood repair`', get('/services?q=hood%20repair&limit=20'));
  await measure('services, `q=hood repair` by rating', get('/services?q=hood%20repair&limit=20&sort=rating'));
  await measure('services, `q=home away`', get('/services?q=home%20away&limit=20'));
  await measure('services, `q=home away`, deep', get(await deepPageOf('/services?q=home%20away')));
  await measure('services, `q=home away` by price', get('/services?q=home%20away&limit=20&sort=price'));
  await measure('services, `q=hood repair`, deep', get(await deepPageOf('/services?q=hood%20repair')));
  await measure('services, `q=hod repiar`', get('/services?q=hod%20repiar&limit=20'));
  await measure('suggestions for `hood re`', get('/services/suggestions?q=hood%20re'));
  await measure('services, `q=c`', get('/services?q=c&limit=20'));
  await measure('one service', get(`/services/${hot}`));
  await measure('reviews of an ordinary service', get(`/allreview?serviceId=${String(ordinary?._id)}&limit=20`));
  for (const sort of ['newest', 'useful', 'highest', 'lowest']) {
    await measure(`reviews of the hot service, ${sort}`, get(`${hotReviews}&sort=${sort}&limit=20`));
    await measure(`reviews of the hot service, ${sort}, deep`, get(await deepPageOf(`${hotReviews}&sort=${sort}`)));
  }
  await measure('reviews of the hot service with 5 stars', get(`${hotReviews}&rating=5&limit=20`));
  await measure('reviews of the hot service with 5 stars, useful', get(`${hotReviews}&rating=5&sort=useful&limit=20`));
  await measure('one review', get(`/review/${String(own?._id)}`));
  await measure(`own reviews, of ${size.byRegular}`, get(`${ownReviews}&limit=20`, regular));
  await measure('own reviews, deep', get(await deepPageOf(ownReviews, regular), regular));
  await measure('own reviews of a service', get(`${ownReviews}&serviceId=${own?.serviceId}&limit=20`, regular));

  const write = (service: unknown) =>
    send(newcomer, 'POST', '/review', { serviceId: String(service), review: 'Quick and clean', rating: 4 });
  await measure('a review of an ordinary service', () => write(ordinary?._id));
  await measure('a review of the hot service', () => write(hot));
  const id = await write(hot);
  await measure('its deletion and restoring', async () => {
    await send(newcomer, 'DELETE', `/review/${id}`);
    await send(newcomer, 'POST', `/review/${id}/restore`);
  });
}

/** Sends 200 different searches one after the other, and prints their response times. */
async function measureSearches(): Promise<void> {
  const [warmUp, measured] = [mixedSearches(20, 1), mixedSearches(200, 2)];
  const times: { path: string; ms: number; status: number }[] = [];
  for (const path of [...warmUp, ...measured]) {
    const startedAt = performance.now();
    const response = await fetch(`${stack.addresses.api}${path}`);
    await response.arrayBuffer();
    times.push({ path, ms: performance.now() - startedAt, status: response.status });
  }
  const sorted = times.slice(warmUp.length).toSorted((a, b) => a.ms - b.ms);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.ms.toFixed(0);
  const failures = sorted.filter(({ status }) => status !== 200);
  const [slowest] = sorted.slice(-1);
  say(
    `${sorted.length} searches: median ${at(0.5)} ms, 95% ${at(0.95)} ms, slowest ${at(1)} ms (${slowest?.path}), ${failures.length} failed.\n`,
  );
}

/**
 * Sends a request and prints a table row for each database command that the request causes. If the request times out, prints
 * a row that says so.
 */
async function measure(name: string, request: () => Promise<unknown>): Promise<void> {
  let failure = '';
  const attempt = () =>
    request().catch((error: unknown) => {
      failure = ` (${String(error)})`;
    });
  await attempt();
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    truncateSync(commandsFile);
    const startedAt = performance.now();
    await attempt();
    times.push(performance.now() - startedAt);
  }
  const commands = readFileSync(commandsFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => BSON.EJSON.parse(line) as Document)
    .filter((command) => !isPeriodic(command));
  for (const [index, command] of commands.entries()) {
    const request = index === 0 ? [name, median(times).toFixed(0) + failure] : ['', ''];
    say(`| ${[...request, ...(await explain(db, command))].join(' | ')} |`);
  }
}

async function printIndexSizes(): Promise<void> {
  say('\n| Collection | Index | MB | MB for 100 times as many |');
  say('| --- | --- | --- | --- |');
  for (const name of ['services', 'reviews']) {
    const stats = await db.command({ collStats: name });
    const sizes: Record<string, number> = stats.indexSizes;
    const rows = { [`(${stats.count} rows)`]: stats.size, ...sizes, 'all indexes': stats.totalIndexSize };
    for (const [index, bytes] of Object.entries(rows))
      say(`| ${name} | ${index} | ${(bytes / 1e6).toFixed(1)} | ${Math.round(bytes / 1e4)} |`);
  }
}

/**
 * Reads all reviews of the service with the most reviews in one response, and measures the memory use of the API meanwhile.
 */
async function measureStream(): Promise<void> {
  const hot = await hotService();
  const pid = stack.processes.api?.running()?.pid;
  const memoryMb = async () => Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024;
  const memoryBefore = await memoryMb();
  let maximum = memoryBefore;
  let bytes = 0;
  let sampledAt = performance.now();
  const startedAt = performance.now();
  const { body } = await fetch(`${stack.addresses.api}/allreview?serviceId=${hot}`);
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (performance.now() - sampledAt < 100) continue;
    maximum = Math.max(maximum, await memoryMb());
    sampledAt = performance.now();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  say(
    `\nA bare GET /allreview of the hot service: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s; the API used ${memoryBefore.toFixed(0)} MB before and at most ${maximum.toFixed(0)} MB meanwhile.`,
  );
}

async function hotService(): Promise<string> {
  return String((await db.collection('services').findOne({}, { sort: { reviewCount: -1 } }))?._id);
}
