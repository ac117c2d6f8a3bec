import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '@rtr/dev-stack/browser';
import { freePort } from '@rtr/dev-stack/processes';
import { startStack } from '@rtr/dev-stack/stack';
import lighthouse, { type Flags, type Result } from 'lighthouse';

// Measures home, services and details of the production build, as `start` serves it, on a phone of 390 px: Lighthouse's
// four categories by simulated throttling, then by applied throttling (4x CPU, 150 ms round trip, 1.6 Mbit/s) the largest
// contentful paint over that of the same page without JavaScript, the layout shift, and the longest task after the first
// paint. Prints medians, and exits with 1 if one is not as wanted. Arguments pick screens by name; --runs=3 is quicker.

const wanted = { performance: 99, otherCategories: 100, lcpRatio: 1.15, layoutShift: 0.02, longestTaskMs: 200 };
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const throttling = { cpuSlowdown: 4, roundTripMs: 150, bytesPerSecond: (1.6 * 1024 * 1024) / 8 };
const phone = { width: 390, height: 844 };
const settleMs = 3000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const runs = Number(process.argv.find((argument) => argument.startsWith('--runs='))?.slice('--runs='.length) ?? 7);
const picked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const found = await findBrowser();
say(`Browser: ${found.launch.executablePath ?? ''} (${found.from}); medians of ${runs} runs.`);
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
    if (picked.length > 0 && !picked.includes(name)) continue;
    await judgeScreen(name, `${web}${path}`);
  }
} finally {
  await browser.close();
  await stack.stop();
}

async function judgeScreen(name: string, url: string): Promise<void> {
  const loads: Record<'withScript' | 'withoutScript', Load[]> = { withScript: [], withoutScript: [] };
  for (let run = 1; run <= runs; run += 1) {
    loads.withScript.push(await loadPage(browser, url, true));
    loads.withoutScript.push(await loadPage(browser, url, false));
    progress(name, 'applied throttling', run);
  }
  const results: Result[] = [];
  for (let run = 1; run <= runs; run += 1) {
    results.push(await audit(url, { throttlingMethod: 'simulate' }));
    progress(name, 'Lighthouse', run);
  }

  const { withScript, withoutScript } = loads;
  const lcp = median(withScript.map(({ lcpMs }) => lcpMs));
  const plainLcp = median(withoutScript.map(({ lcpMs }) => lcpMs));
  say(`${name}:`);
  report(
    'LCP over LCP without JavaScript',
    lcp / plainLcp,
    'at most',
    wanted.lcpRatio,
    `${ms(lcp)} over ${ms(plainLcp)}`,
  );
  report('layout shift', median(withScript.map(({ layoutShift }) => layoutShift)), 'at most', wanted.layoutShift);
  report(
    'longest task after first paint, ms',
    median(withScript.map(({ longestTaskMs }) => longestTaskMs)),
    'at most',
    wanted.longestTaskMs,
  );
  for (const category of categories) {
    const score = median(results.map((result) => (result.categories[category]?.score ?? 0) * 100));
    const least = category === 'performance' ? wanted.performance : wanted.otherCategories;
    if (!report(`Lighthouse ${category}`, score, 'at least', least))
      for (const line of shortcomings(results, category)) say(`    ${line}`);
  }
}

interface Load {
  lcpMs: number;
  layoutShift: number;
  longestTaskMs: number;
}

/** Loads a page into an empty browser profile over a slow network, on a slow processor. */
async function loadPage(browser: Browser, url: string, hasScripts: boolean): Promise<Load> {
  const context = await browser.newContext({ viewport: phone, isMobile: true, hasTouch: true });
  try {
    const page = await context.newPage();
    await page.addInitScript(observePaints);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    // A page whose JavaScript is disabled could not report its paints, so its scripts are blocked instead.
    if (!hasScripts) await session.send('Network.setBlockedURLs', { urls: ['*.js'] });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: throttling.roundTripMs,
      downloadThroughput: throttling.bytesPerSecond,
      uploadThroughput: throttling.bytesPerSecond,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttling.cpuSlowdown });
    await page.goto(url, { waitUntil: 'networkidle' });
    // The longest task may follow the last request.
    await page.waitForTimeout(settleMs);
    return await page.evaluate(() => (globalThis as unknown as { measured: () => Load }).measured());
  } finally {
    await context.close();
  }
}

/** Runs in the page, before its scripts. */
function observePaints(): void {
  const entries: PerformanceEntry[] = [];
  for (const type of ['largest-contentful-paint', 'layout-shift', 'longtask', 'paint'])
    new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type, buffered: true });
  const ofType = (type: string) => entries.filter(({ entryType }) => entryType === type);
  const measured = (): Load => {
    const firstPaint = ofType('paint')[0]?.startTime ?? 0;
    const tasks = ofType('longtask').filter(({ startTime, duration }) => startTime + duration > firstPaint);
    return {
      lcpMs: ofType('largest-contentful-paint').at(-1)?.startTime ?? Number.NaN,
      layoutShift: ofType('layout-shift').reduce(
        (sum, entry) => sum + (entry as unknown as { value: number }).value,
        0,
      ),
      longestTaskMs: Math.max(0, ...tasks.map(({ duration }) => duration)),
    };
  };
  Object.assign(globalThis, { measured });
}

async function audit(url: string, flags: Flags): Promise<Result> {
  const answer = await lighthouse(url, { port, logLevel: 'error', onlyCategories: categories, ...flags });
  if (!answer || answer.lhr.runtimeError)
    throw new Error(`Lighthouse could not read ${url}: ${answer?.lhr.runtimeError?.message ?? 'it says nothing'}`);
  return answer.lhr;
}

/** The audits that cost a category points, in its worst run. */
function shortcomings(results: Result[], category: string): string[] {
  const [worst] = results.toSorted(
    (a, b) => (a.categories[category]?.score ?? 0) - (b.categories[category]?.score ?? 0),
  );
  return (worst?.categories[category]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => worst?.audits[id])
    .filter((found) => found !== undefined && found.score !== null && found.score < 1)
    .map((found) => `${found?.title ?? ''} ${found?.displayValue ?? ''}`);
}

/** Prints a figure beside what is wanted; returns whether they agree. */
function report(what: string, value: number, bound: 'at most' | 'at least', limit: number, detail = ''): boolean {
  const isMet = bound === 'at most' ? value <= limit : value >= limit;
  if (!isMet) process.exitCode = 1;
  const figure = Number(value.toFixed(3));
  say(`  ${isMet ? 'met   ' : 'missed'}  ${what}: ${figure}${detail && ` (${detail})`}; wanted: ${bound} ${limit}`);
  return isMet;
}

function progress(name: string, what: string, run: number): void {
  process.stderr.write(`  ${name}: ${what}, ${run} of ${runs}\n`);
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
