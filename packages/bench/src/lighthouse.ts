import { chromium } from '@playwright/test';
import { findBrowser } from '@rtr/dev-stack/browser';
import { freePort } from '@rtr/dev-stack/processes';
import { startStack } from '@rtr/dev-stack/stack';
import lighthouse, { type Flags, type Result } from 'lighthouse';

// Lighthouse over the production build as `start` serves it, on a phone: its four categories by simulated throttling,
// and the largest contentful paint when the network and the processor are really slowed down. Ends with 1 when a
// category misses its mark. Arguments pick screens by name; --runs=5 takes the median of so many.

const marks = { accessibility: 100, 'best-practices': 100, seo: 100, performance: 95 };
type Category = keyof typeof marks;

const times = {
  'first-contentful-paint': 'FCP',
  'largest-contentful-paint': 'LCP',
  'total-blocking-time': 'TBT',
  'cumulative-layout-shift': 'CLS',
};

const say = (line: string) => process.stdout.write(`${line}\n`);
const runs = Number(process.argv.find((argument) => argument.startsWith('--runs='))?.slice('--runs='.length) ?? 3);
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const found = await findBrowser();
say(`Browser: ${found.launch.executablePath ?? ''} (${found.from}); ${runs} runs a screen, medians.`);
const stack = await startStack({ say });
const port = await freePort();
const browser = await chromium.launch({
  ...found.launch,
  args: [...(found.launch.args ?? []), `--remote-debugging-port=${port}`],
});
try {
  const { web, api } = stack.addresses;
  const [best] = (await (await fetch(`${api}/services?limit=1&sort=rating`)).json()) as { _id: string }[];
  const screens = { home: '/', services: '/services', details: `/services/${best?._id}` };
  for (const [name, path] of Object.entries(screens)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await judge(name, `${web}${path}`);
  }
} finally {
  await browser.close();
  await stack.stop();
}

async function judge(name: string, url: string): Promise<void> {
  const simulated = await measure(url, { throttlingMethod: 'simulate' });
  const scores = Object.keys(marks).map((category) => {
    const score = median(simulated.map(({ categories }) => (categories[category]?.score ?? 0) * 100));
    if (score < marks[category as Category]) {
      process.exitCode = 1;
      for (const line of shortcomings(simulated, category)) say(`    ${line}`);
    }
    return `${category} ${Math.round(score)}`;
  });
  const applied = await measure(url, { throttlingMethod: 'devtools', onlyCategories: ['performance'] });
  say(`${name}: ${scores.join(', ')}`);
  say(`  simulated: ${timesOf(simulated)}`);
  say(`  applied:   ${timesOf(applied)}`);
}

async function measure(url: string, flags: Flags): Promise<Result[]> {
  const results: Result[] = [];
  for (let run = 0; run < runs; run += 1) {
    const answer = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: Object.keys(marks),
      ...flags,
    });
    if (!answer || answer.lhr.runtimeError)
      throw new Error(`Lighthouse could not read ${url}: ${answer?.lhr.runtimeError?.message ?? 'it says nothing'}`);
    results.push(answer.lhr);
  }
  return results;
}

/** Medians with the smallest and the largest: 'LCP 1890 ms (1820–2010)'. */
function timesOf(results: Result[]): string {
  return Object.entries(times)
    .map(([audit, name]) => {
      const values = results.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN);
      const [figure, unit] =
        name === 'CLS' ? [(value: number) => value.toFixed(3), ''] : [(value: number) => value.toFixed(0), ' ms'];
      return `${name} ${figure(median(values))}${unit} (${figure(Math.min(...values))}–${figure(Math.max(...values))})`;
    })
    .join(', ');
}

/** The audits that cost a category points, in the run that it fared worst in. */
function shortcomings(results: Result[], category: string): string[] {
  const [worst] = results.toSorted(
    (a, b) => (a.categories[category]?.score ?? 0) - (b.categories[category]?.score ?? 0),
  );
  return (worst?.categories[category]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => worst?.audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 1)
    .map((audit) => `${category}: ${audit?.title ?? ''} ${audit?.displayValue ?? ''}`);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
