import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

// Prints the failed tests of all test runners from their JSON reports. The last line is `N passed, N failed`, followed by
// `, N skipped` if tests were skipped. These problems count as failures too: a missing report, a failure of a test runner
// outside its tests, and a folder without tests.

/** The parts of Vitest's JSON report. */
interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    /** The error of the file outside its tests, for example if it could not be loaded. Otherwise ''. */
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** The parts of Playwright's JSON report. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  title: string;
  file: string;
  specs?: {
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

/** The folders that must be in the report of Vitest. */
const vitestFolders = [
  'tooling',
  'apps/api',
  'apps/web',
  'packages/bench',
  'packages/dev-stack',
  'packages/http-server',
  'packages/shared',
];
const total = { passed: 0, failed: 0, skipped: 0 };

const { WITHOUT_PRODUCTION: withoutProduction, WITHOUT_CONTAINERS: withoutContainers } = process.env;
if (withoutProduction) print(`test:production did not run: ${withoutProduction}`);
if (withoutContainers) print(`test:containers did not run: ${withoutContainers}`);
countVitest('vitest.json', vitestFolders);
countPlaywright('journeys.json', 'specs');
countPlaywright('screens.json', 'screens');
countVitest('faults.json', ['packages/bench/faults']);
if (!withoutProduction) countVitest('production.json', ['deploy/test']);
if (!withoutContainers) countVitest('containers.json', ['deploy/containers']);
const { passed, failed, skipped } = total;
print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(line: string): void {
  print(line);
  total.failed += 1;
}

/** Prints a failed test with the first lines of its error message. Does not count it. */
function printFailed(file: string, title: string, error: string): void {
  print(`FAILED ${file} ${title}`.trimEnd());
  for (const line of stripVTControlCharacters(error).split('\n').slice(0, 10)) print(`  ${line}`);
}

function countVitest(name: string, folders: readonly string[]): void {
  const report: VitestReport | undefined = readReport(name);
  if (!report) return fail(`${name} was not written.`);
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  for (const { name: path, message, assertionResults } of report.testResults) {
    const file = path.replace(/^.*\/(?=(apps|packages|tooling|deploy)\/)/, '');
    for (const { fullName, status, failureMessages } of assertionResults)
      if (status === 'failed') printFailed(file, fullName, failureMessages.join('\n'));
    if (message) printFailed(file, '', message);
  }
  if (!report.success && report.numFailedTests === 0) fail(`${name}: Vitest failed outside its tests.`);
  for (const folder of folders)
    if (!report.testResults.some((file) => file.name.includes(`/${folder}/`)))
      fail(`${name}: no test of ${folder} ran.`);
}

/** `folder` is the folder of the tests in apps/e2e. */
function countPlaywright(name: string, folder: string): void {
  const report: PlaywrightReport | undefined = readReport(name);
  if (!report) return fail(`${name} was not written.`);
  const { expected, unexpected, flaky } = report.stats;
  total.passed += expected;
  // Playwright calls a test flaky if it fails first and passes when it is repeated. Here, a flaky test counts as failed.
  total.failed += unexpected + flaky;
  total.skipped += report.stats.skipped;
  for (const suite of report.suites) printFailedOf(suite, folder, '');
  for (const { message } of report.errors) fail(`${name}: ${message ?? 'Playwright failed outside its tests.'}`);
  if (expected + unexpected + flaky === 0) fail(`${name}: no test ran.`);
}

/** Reads a report of the last test run. Returns undefined if the test runner did not write the report. */
function readReport(name: string) {
  const file = new URL(`../reports/${name}`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Prints the failed tests of a suite. The title of a test starts with the titles of its groups. */
function printFailedOf({ file, specs = [], suites = [] }: PlaywrightSuite, folder: string, group: string): void {
  for (const { title, tests } of specs)
    if (tests.some(({ status }) => status === 'unexpected' || status === 'flaky')) {
      const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error;
      printFailed(`apps/e2e/${folder}/${file}`, group + title, error?.message ?? 'The report has no error message.');
    }
  for (const inner of suites) printFailedOf(inner, folder, `${group}${inner.title} `);
}
