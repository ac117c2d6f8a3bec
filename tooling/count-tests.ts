import { stripVTControlCharacters } from 'node:util';
import { playwrightTests, type ReportedTest, readReport, type VitestReportName, vitestTests } from './reports.ts';

// Prints the failed tests of all test runners from their JSON reports. The last line is `N passed, N failed`, followed by
// `, N skipped` if tests were skipped. These problems count as failures too: a missing report, a failure of a test runner
// outside its tests, and a folder without tests.

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
countPlaywright();
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

/** Prints the title and the first lines of the error message of every failed test. Does not count them. */
function printFailed(tests: readonly ReportedTest[]): void {
  for (const { file, title, error } of tests) {
    if (error === undefined) continue;
    print(`FAILED ${file} ${title}`.trimEnd());
    for (const line of stripVTControlCharacters(error).split('\n').slice(0, 10)) print(`  ${line}`);
  }
}

function countVitest(name: VitestReportName, folders: readonly string[]): void {
  const report = readReport(name);
  if (!report) return fail(`${name} was not written.`);
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  printFailed(vitestTests(report));
  if (!report.success && report.numFailedTests === 0) fail(`${name}: Vitest failed outside its tests.`);
  for (const folder of folders)
    if (!report.testResults.some((file) => file.name.includes(`/${folder}/`)))
      fail(`${name}: no test of ${folder} ran.`);
}

function countPlaywright(): void {
  const report = readReport('playwright.json');
  if (!report) return fail('playwright.json was not written.');
  const { expected, unexpected, flaky } = report.stats;
  total.passed += expected;
  // Playwright calls a test flaky if it fails first and passes when it is repeated. Here, a flaky test counts as failed.
  total.failed += unexpected + flaky;
  total.skipped += report.stats.skipped;
  printFailed(playwrightTests(report));
  for (const { message } of report.errors)
    fail(`playwright.json: ${message ?? 'Playwright failed outside its tests.'}`);
  if (expected + unexpected + flaky === 0) fail('playwright.json: no test ran.');
}
