import { existsSync, readFileSync } from 'node:fs';

/** The parts of Vitest's JSON report that the scripts in this folder use. */
export interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    /** The error of the file outside its tests, for example if it could not be loaded. Otherwise ''. */
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[]; duration?: number }[];
  }[];
}

export type VitestReportName = 'vitest.json' | 'production.json' | 'containers.json' | 'faults.json';

/** The parts of Playwright's JSON report that the scripts in this folder use. */
export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  title: string;
  file: string;
  specs?: {
    title: string;
    tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

/** One test in the report of a test run. */
export interface ReportedTest {
  title: string;
  /** The path from the root of the repository. */
  file: string;
  durationMs: number;
  /** The error message, or undefined if the test did not fail. */
  error: string | undefined;
}

/** Reads a report of the last test run. Returns undefined if the test runner did not write the report. */
export function readReport(name: VitestReportName): VitestReport | undefined;
export function readReport(name: 'playwright.json'): PlaywrightReport | undefined;
export function readReport(name: string): unknown {
  const file = new URL(`../reports/${name}`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Lists the tests of a Vitest report. If a file has an error outside its tests, for example while it is loaded, the error is
 * listed as a failed test without a title.
 */
export function vitestTests({ testResults }: Pick<VitestReport, 'testResults'>): ReportedTest[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.replace(/^.*\/(?=(apps|packages|tooling|deploy)\/)/, '');
    const tests = assertionResults.map(({ fullName, status, failureMessages, duration = 0 }) => ({
      title: fullName,
      file,
      durationMs: duration,
      error: status === 'failed' ? failureMessages.join('\n') : undefined,
    }));
    return message ? [...tests, { title: '', file, durationMs: 0, error: message }] : tests;
  });
}

/** Lists the tests of a Playwright report. The title of a test starts with the titles of its groups. */
export function playwrightTests({ suites }: Pick<PlaywrightReport, 'suites'>): ReportedTest[] {
  return suites.flatMap((suite) => testsOfSuite(suite, ''));
}

function testsOfSuite({ file, specs = [], suites = [] }: PlaywrightSuite, group: string): ReportedTest[] {
  const own = specs.map(({ title, tests }) => {
    const results = tests.flatMap((test) => test.results);
    const failed = tests.some(({ status }) => status === 'unexpected' || status === 'flaky');
    return {
      title: group + title,
      file: `apps/e2e/specs/${file}`,
      durationMs: Math.max(...results.map(({ duration }) => duration), 0),
      error: failed
        ? (results.find(({ error }) => error)?.error?.message ?? 'The report has no error message.')
        : undefined,
    };
  });
  return [...own, ...suites.flatMap((inner) => testsOfSuite(inner, `${group}${inner.title} `))];
}
