import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Counts a run's tests from the reports that its runners wrote, and says what makes the run worthless: a report that is
// not there, or a suite that ran nothing.

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every suite that must have run something, by the folder its test files are in. */
const vitestSuites = ['.ci', 'apps/api', 'apps/web', 'packages/dev-stack', 'packages/shared'];
const playwrightSuites = ['apps/e2e'];
const productionSuites = ['packages/production'];

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** Why the run does not count as green, beside failed tests. */
  faults: string[];
}

interface VitestReport {
  success: boolean;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

interface PlaywrightSuite {
  file: string;
  specs?: { tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[] }[];
  suites?: PlaywrightSuite[];
}
interface PlaywrightReport {
  config: { rootDir: string };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

/** What the runners wrote; an undefined report was not written. File names in them are below `root`. */
export interface Reports {
  vitest: string | undefined;
  playwright: string | undefined;
  /** By Vitest too. */
  production: string | undefined;
  /** Why the suite of the production shape was not asked to run; then nothing is expected of it. */
  withoutProduction?: string | undefined;
}

type Outcome = 'passed' | 'failed' | 'skipped';

export function count({ vitest, playwright, production, withoutProduction }: Reports, root: string): Count {
  const outcomes: { file: string; outcome: Outcome }[] = [];
  const faults: string[] = [];

  const countVitest = (runner: string, report: string | undefined) => {
    if (report === undefined) {
      faults.push(`${runner} wrote no report.`);
      return;
    }
    const { success, testResults }: VitestReport = JSON.parse(report);
    const counted = testResults.flatMap(({ name, status, assertionResults }) => {
      const file = relative(root, name).replaceAll('\\', '/');
      const found = assertionResults.map((test) => vitestOutcome(test.status));
      // A file that could not be loaded has no tests to fail, and fails as one.
      if (status === 'failed' && !found.includes('failed')) found.push('failed');
      return found.map((outcome) => ({ file, outcome }));
    });
    outcomes.push(...counted);
    if (!success && !counted.some(({ outcome }) => outcome === 'failed'))
      faults.push(`${runner} failed outside its tests.`);
  };
  countVitest('Vitest', vitest);
  if (!withoutProduction) countVitest('Vitest of test:production', production);

  if (playwright === undefined) faults.push('Playwright wrote no report.');
  else {
    const { config, suites, errors }: PlaywrightReport = JSON.parse(playwright);
    const folder = relative(root, config.rootDir).replaceAll('\\', '/');
    for (const outcome of playwrightOutcomes(suites)) outcomes.push({ file: `${folder}/`, outcome });
    if (errors.length > 0) faults.push(`Playwright failed outside its tests: ${errors[0]?.message ?? 'no message'}`);
  }

  for (const [report, suites] of [
    [vitest, vitestSuites],
    [playwright, playwrightSuites],
    [production, productionSuites],
  ] as const) {
    if (report === undefined) continue;
    for (const suite of suites) {
      if (!outcomes.some(({ file, outcome }) => file.startsWith(`${suite}/`) && outcome !== 'skipped'))
        faults.push(`The suite of ${suite} ran no test.`);
    }
  }

  const total = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped'), faults };
}

function vitestOutcome(status: string): Outcome {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

/** A test that passed only when it was tried again is a failed one. */
function playwrightOutcomes(suites: PlaywrightSuite[]): Outcome[] {
  const outcome = { expected: 'passed', unexpected: 'failed', flaky: 'failed', skipped: 'skipped' } as const;
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).flatMap((spec) => spec.tests.map((test) => outcome[test.status])),
    ...playwrightOutcomes(suite.suites ?? []),
  ]);
}

/** The line a run ends with. */
export function lineOf({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function read(name: string): string | undefined {
  try {
    return readFileSync(new URL(`../reports/${name}`, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const withoutProduction = process.env.WITHOUT_PRODUCTION;
  const result = count(
    {
      vitest: read('vitest.json'),
      playwright: read('playwright.json'),
      production: read('production.json'),
      withoutProduction,
    },
    root,
  );
  if (withoutProduction) process.stdout.write(`test:production did not run: ${withoutProduction}\n`);
  for (const fault of result.faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`${lineOf(result)}\n`);
  if (result.failed > 0 || result.faults.length > 0) process.exitCode = 1;
}
