// This benchmark shows how the response times of the API depend on the number of reviews. It creates
// databases of several sizes, starts one API for each database, and sends each request to these APIs in turn. It prints a
// Markdown table for docs/scaling.md with the times and the numbers of examined index keys. The exit code is 1 if a
// target is missed.
//
// Options: --sizes= sets the numbers of reviews, in ascending order. --repetitions= sets how often each request is sent.
// --data= names a folder that keeps the databases for later runs.
import { join, resolve } from 'node:path';
import { readArguments, toAscendingIntegers, toInteger } from './arguments.ts';
import { countKeys } from './database-commands.ts';
import { createMeasuredRequests, type MeasuredRequest } from './measured-requests.ts';
import { median } from './median.ts';
import { say } from './say.ts';
import { measureSearches } from './searches.ts';
import { minReviews } from './seed-database.ts';
import { type SeededStack, startSeededStack } from './seeded-stack.ts';

const { values } = readArguments({
  sizes: { type: 'string', default: '1000,100000,1000000,10000000' },
  repetitions: { type: 'string', default: '21' },
  data: { type: 'string' },
});
const sizes = toAscendingIntegers('sizes', values.sizes, minReviews).map(createSize);
const repetitions = toInteger('repetitions', values.repetitions);
const { data } = values;
/** The maximum ratio between the times of a page in the largest and in the smallest database. */
const maxRatio = 1.5;
/** The maximum times of searches: 95% of the mixed searches, and a search for two frequent words that rarely occur together. */
const maxSearchMs = { p95: 80, seldomTogether: 100 };
const misses: string[] = [];

interface Cell {
  seeded: SeededStack;
  send: MeasuredRequest['send'];
}

const started: SeededStack[] = [];
try {
  for (const size of sizes) {
    say(`${size.services} services, ${size.reviews} reviews`);
    const dataFolder = data === undefined ? undefined : join(resolve(data), String(size.reviews));
    started.push(await startSeededStack({ size, dataFolder }));
  }
  say(`\n${new Date().toISOString().slice(0, 10)}\n`);
  for (const { stack, size } of started) {
    const { text, p95, failures } = await measureSearches(stack.addresses.api);
    say(`- ${size.services} services, ${text}`);
    if (p95 > maxSearchMs.p95 || failures > 0) misses.push(`searches of ${size.services} services`);
  }
  await printTable();
  for (const miss of misses) say(`missed target: ${miss}`);
  if (misses.length > 0) process.exitCode = 1;
} finally {
  for (const stack of started) await stack.stop();
}

/**
 * Returns the size of a database with this number of reviews. The hot service and the customer `regular` have at least
 * 150 reviews each, so that their lists have several pages.
 */
function createSize(reviews: number) {
  return {
    reviews,
    services: Math.max(1000, Math.floor(reviews / 10)),
    ofHotService: Math.max(150, Math.floor(reviews / 10)),
    byRegular: Math.min(10_000, Math.max(150, Math.floor(reviews / 100))),
  };
}

async function printTable(): Promise<void> {
  const columns: { seeded: SeededStack; requests: MeasuredRequest[] }[] = [];
  for (const seeded of started) columns.push({ seeded, requests: await createMeasuredRequests(seeded) });
  const rows = (columns[0]?.requests ?? []).map(({ name, kind }, index) => ({
    name,
    kind,
    cells: columns.flatMap(({ seeded, requests }) =>
      requests.slice(index, index + 1).map(({ send }) => ({ seeded, send })),
    ),
  }));
  // Warm-up: V8 optimizes code that runs often. So send each read request as often as in the measurement.
  for (const { kind, cells } of rows) if (kind !== 'write') await measureCells(cells);
  say(`\n| Request | ${sizes.map(({ reviews }) => reviews.toLocaleString('en-US')).join(' | ')} | Ratio |`);
  say(`| --- |${' --- |'.repeat(sizes.length + 1)}`);
  for (const { name, kind, cells } of rows) {
    const results = await measureCells(cells);
    const medians = results.map(({ times }) => median(times));
    const [smallest = Number.NaN, largest = Number.NaN] = [medians[0], medians.at(-1)];
    const texts = results.map(({ text }) => text);
    say(`| ${[name, ...texts, (largest / smallest).toFixed(2)].join(' | ')} |`);
    if (kind === 'page' && largest / smallest > maxRatio) misses.push(`${name}: at most ${maxRatio} times as long`);
    if (name === '`q=home away`' && largest > maxSearchMs.seldomTogether) misses.push(name);
    if (results.some(({ failure }) => failure !== '')) misses.push(`${name}: failed`);
  }
}

/**
 * Sends one request repeatedly to the API of each database in turn. Each cell of `cells` belongs to one database. Returns
 * the cells with their times and texts.
 */
async function measureCells(cells: readonly Cell[]) {
  const results = cells.map((cell) => ({ ...cell, times: [] as number[], failure: '', text: '' }));
  for (let repetition = 0; repetition < repetitions; repetition += 1)
    for (const result of results) {
      const { ms, failure } = await result.seeded.time(result.send);
      result.times.push(ms);
      result.failure ||= failure;
    }
  for (const result of results) {
    const { seeded, times, failure } = result;
    let keys = 0;
    for (const command of seeded.readCommands()) keys += await countKeys(seeded.db, command);
    const [middle, min, max] = [median(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(1));
    result.text = `${middle} ms (${min}..${max}), ${keys} keys${failure}`;
  }
  return results;
}
