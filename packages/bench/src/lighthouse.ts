import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findBrowser } from '@rtr/dev-stack/browser';
import { freePort } from '@rtr/dev-stack/processes';
import { startStack } from '@rtr/dev-stack/stack';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { readArguments, toInteger } from './arguments.ts';
import { median } from './median.ts';
import { say } from './say.ts';

// This benchmark measures the home page, the list of services and the page of a service, in a window with the width of a
// phone. The web app is the production build. With simulated throttling, Lighthouse computes the four scores of each page. With
// applied throttling (4x CPU slowdown, 150 ms round trip, 1.6 Mbit/s), the benchmark measures the layout shift, the longest task
// after the first paint, the time from the first paint until the page is hydrated, and the largest contentful paint (LCP). It
// compares the LCP with the LCP of the same page without JavaScript. These figures are medians. The benchmark also taps the
// menu button at different times between the first paint and the hydration, and prints the longest time until the next paint.
// The exit code is 1 if a figure misses its target. Arguments name the pages to measure. --runs=3 measures each page three times.

const targets = {
  performance: 99,
  otherCategories: 100,
  lcpRatio: 1.15,
  layoutShift: 0.02,
  longestTaskMs: 200,
  readyMs: 1200,
  tapMs: 200,
};
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const throttling = {
  cpuSlowdownMultiplier: 4,
  requestLatencyMs: 150,
  downloadThroughputKbps: 1600,
  uploadThroughputKbps: 1600,
};
const phone = { mobile: true, width: 390, height: 844, deviceScaleFactor: 3 };

const screenNames = ['home', 'services', 'details'] as const;
const { values, positionals } = readArguments({ runs: { type: 'string', default: '7' } }, screenNames);
const runs = toInteger('runs', values.runs);

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
  const paths = { home: '/', services: '/services', details: `/services/${best?._id}` };
  for (const name of screenNames)
    if (positionals.length === 0 || positionals.includes(name)) await measureScreen(name, `${web}${paths[name]}`);
} finally {
  await browser.close();
  await stack.stop();
}

async function measureScreen(name: string, url: string): Promise<void> {
  const loads: Record<'withScript' | 'withoutScript', Load[]> = { withScript: [], withoutScript: [] };
  for (let run = 1; run <= runs; run += 1) {
    loads.withScript.push(await loadPage(url, true));
    loads.withoutScript.push(await loadPage(url, false));
    progress(name, 'with scripts and without', run);
  }
  const results: Result[] = [];
  for (let run = 1; run <= runs; run += 1) {
    results.push(await audit(url, { throttlingMethod: 'simulate' }));
    progress(name, 'categories', run);
  }

  const { withScript, withoutScript } = loads;
  const lcp = median(withScript.map(({ lcpMs }) => lcpMs));
  const plainLcp = median(withoutScript.map(({ lcpMs }) => lcpMs));
  say(`${name}:`);
  report(
    'LCP over LCP without JavaScript',
    lcp / plainLcp,
    'at most',
    targets.lcpRatio,
    `${ms(lcp)} over ${ms(plainLcp)}`,
  );
  const readyMs = median(withScript.map((load) => load.readyMs));
  const firstPaintMs = median(withScript.map((load) => load.firstPaintMs));
  report('ready after the first paint, ms', readyMs, 'at most', targets.readyMs, `first paint ${ms(firstPaintMs)}`);
  report('layout shift', median(withScript.map(({ layoutShift }) => layoutShift)), 'at most', targets.layoutShift);
  report(
    'longest task after first paint, ms',
    median(withScript.map(({ longestTaskMs }) => longestTaskMs)),
    'at most',
    targets.longestTaskMs,
  );
  const tapsMs: number[] = [];
  for (let run = 1; run <= runs; run += 1) {
    tapsMs.push(await tapMenu(url, (readyMs * (run - 1)) / runs));
    progress(name, 'taps', run);
  }
  report(
    'longest time until the paint after a first tap, ms',
    Math.max(...tapsMs),
    'at most',
    targets.tapMs,
    tapsMs.join(', '),
  );
  for (const category of categories) {
    const score = median(results.map((result) => (result.categories[category]?.score ?? 0) * 100));
    const target = category === 'performance' ? targets.performance : targets.otherCategories;
    if (!report(`Lighthouse ${category}`, score, 'at least', target))
      for (const line of failedAudits(results, category)) say(`    ${line}`);
  }
}

interface Load {
  firstPaintMs: number;
  /** The time from the first paint until the page is hydrated. */
  readyMs: number;
  lcpMs: number;
  layoutShift: number;
  longestTaskMs: number;
}

/**
 * Loads a page while the browser really slows down the network and the CPU. Lighthouse calls this applied throttling,
 * in contrast to simulated throttling. If `hasScripts` is false, blocks requests for scripts.
 */
async function loadPage(url: string, hasScripts: boolean): Promise<Load> {
  const { audits } = await audit(url, {
    throttlingMethod: 'devtools',
    throttling,
    screenEmulation: phone,
    onlyCategories: ['performance'],
    ...(!hasScripts && { blockedUrlPatterns: ['*.js'] }),
  });
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const tasks = audits['long-tasks']?.details as { items?: { startTime: number; duration: number }[] } | undefined;
  const firstPaintMs = figure('first-contentful-paint');
  const later = tasks?.items?.filter(({ startTime, duration }) => startTime + duration > firstPaintMs) ?? [];
  const marks = audits['user-timings']?.details as { items?: { name: string; startTime: number }[] } | undefined;
  const ready = marks?.items?.find(({ name }) => name === 'ready')?.startTime ?? Number.NaN;
  return {
    firstPaintMs,
    readyMs: ready - firstPaintMs,
    lcpMs: figure('largest-contentful-paint'),
    layoutShift: figure('cumulative-layout-shift'),
    longestTaskMs: Math.max(0, ...later.map(({ duration }) => duration)),
  };
}

/**
 * Loads a page with applied throttling, and taps the menu button `delayMs` after the first paint. Returns the time from the tap to the
 * next paint, which is the Interaction to Next Paint (INP) of this visit. Returns 0 for less than 16 ms, the shortest
 * time that browsers report.
 */
async function tapMenu(url: string, delayMs: number): Promise<number> {
  const { mobile: isMobile, width, height, deviceScaleFactor } = phone;
  const context = await browser.newContext({
    viewport: { width, height },
    isMobile,
    deviceScaleFactor,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const bytesPerKbit = 1024 / 8;
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: throttling.requestLatencyMs,
      downloadThroughput: throttling.downloadThroughputKbps * bytesPerKbit,
      uploadThroughput: throttling.uploadThroughputKbps * bytesPerKbit,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttling.cpuSlowdownMultiplier });
    await page.addInitScript(() => {
      const observer = new PerformanceObserver((list) => {
        const taps = (list.getEntries() as PerformanceEventTiming[]).filter(({ interactionId }) => interactionId);
        const durations = taps.map(({ duration }) => duration);
        Object.assign(window, { tapMs: Math.max(Number(Reflect.get(window, 'tapMs') ?? 0), ...durations) });
      });
      observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    const button = await page.getByRole('button', { name: 'Open menu' }).boundingBox();
    if (!button) throw new Error(`${url} has no menu button.`);
    await sleep(delayMs);
    await page.touchscreen.tap(button.x + button.width / 2, button.y + button.height / 2);
    await page.getByRole('button', { name: 'Close menu' }).waitFor();
    // The browser reports an event after the next paint.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    );
    return await page.evaluate(() => Number(Reflect.get(window, 'tapMs') ?? 0));
  } finally {
    await context.close();
  }
}

/** Runs Lighthouse, up to three times if it fails. On a busy machine, Lighthouse sometimes misses the start of a page. */
async function audit(url: string, flags: Flags, attempts = 3): Promise<Result> {
  const run = await lighthouse(url, { port, logLevel: 'silent', onlyCategories: categories, ...flags });
  if (run && !run.lhr.runtimeError) return run.lhr;
  if (attempts > 1) return audit(url, flags, attempts - 1);
  throw new Error(`Lighthouse could not measure ${url}: ${run?.lhr.runtimeError?.message ?? 'it returned no result'}`);
}

/** Returns the Lighthouse audits that lowered the score of a category in the run with the lowest score. */
function failedAudits(results: Result[], category: string): string[] {
  const [worst] = results.toSorted(
    (a, b) => (a.categories[category]?.score ?? 0) - (b.categories[category]?.score ?? 0),
  );
  return (worst?.categories[category]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => worst?.audits[id])
    .filter((found) => found !== undefined && found.score !== null && found.score < 1)
    .map((found) => `${found?.title ?? ''} ${found?.displayValue ?? ''}`);
}

function report(name: string, value: number, bound: 'at most' | 'at least', limit: number, detail = ''): boolean {
  const isMet = bound === 'at most' ? value <= limit : value >= limit;
  if (!isMet) process.exitCode = 1;
  const figure = Number(value.toFixed(3));
  say(`  ${isMet ? 'met   ' : 'missed'}  ${name}: ${figure}${detail && ` (${detail})`}; target: ${bound} ${limit}`);
  return isMet;
}

function progress(name: string, phase: string, run: number): void {
  process.stderr.write(`  ${name}: ${phase}, ${run} of ${runs}\n`);
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
