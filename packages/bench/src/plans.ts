// This benchmark measures the API with many reviews in the database. For the routes that customers wait for, it
// measures the response times and explains the query plans of the database commands. It prints Markdown for
// docs/scaling.md. --services= and --reviews= set the numbers of services and reviews. --hot= sets the number of
// reviews of the service with the most reviews. --regular= sets the number of reviews of one customer. --data= names a
// folder that keeps the database for later runs.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { ArgumentError, readArguments, toFolder, toInteger } from './arguments.ts';
import { explain } from './command-plans.ts';
import { createMeasuredRequests, type MeasuredRequest } from './measured-requests.ts';
import { median } from './median.ts';
import { say } from './say.ts';
import { measureSearches } from './searches.ts';
import { minReviews } from './seed-database.ts';
import { startSeededStack } from './seeded-stack.ts';

const run = promisify(execFile);

const { values } = readArguments({
  services: { type: 'string', default: '10000' },
  reviews: { type: 'string', default: '1000000' },
  hot: { type: 'string', default: '100000' },
  regular: { type: 'string', default: '10000' },
  data: { type: 'string' },
});
const size = {
  services: toInteger('services', values.services),
  reviews: toInteger('reviews', values.reviews, minReviews),
  ofHotService: toInteger('hot', values.hot),
  byRegular: toInteger('regular', values.regular),
};
if (Math.max(size.ofHotService, size.byRegular) > size.reviews)
  throw new ArgumentError('--hot and --regular are parts of --reviews, so they cannot be larger.');
const data = toFolder('data', values.data);
/** The number of times that each request is sent and timed. */
const repetitions = 5;

const seeded = await startSeededStack({ size, dataFolder: data === undefined ? undefined : resolve(data) });
const { stack, db } = seeded;
try {
  const { version } = await db.admin().command({ buildInfo: 1 });
  say(
    `\n${new Date().toISOString().slice(0, 10)}, MongoDB ${version}, ${size.services} services, ${size.reviews} reviews.\n`,
  );
  say(`${(await measureSearches(stack.addresses.api)).text}.\n`);
  say('| Request | ms | Command | Plan | Keys | Docs | Rows | ms in it |');
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const request of await createMeasuredRequests(seeded)) await measure(request);
  await printIndexSizes();
  await measureStream();
} finally {
  await seeded.stop();
}

/** Measures a request, and prints a table row for each database command that the request causes. */
async function measure({ name, send }: MeasuredRequest): Promise<void> {
  let { failure } = await seeded.time(send);
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const result = await seeded.time(send);
    times.push(result.ms);
    failure ||= result.failure;
  }
  for (const [index, command] of seeded.readCommands().entries()) {
    const request = index === 0 ? [name, median(times).toFixed(0) + failure] : ['', ''];
    const { title, plan, keys, documents, rows, ms } = await explain(db, command);
    say(`| ${[...request, title, plan, keys, documents, rows, ms].join(' | ')} |`);
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
