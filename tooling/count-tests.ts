import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Prints `N passed, N failed` from the JSON reports of the test runners, followed by `, N skipped` if tests were skipped.
// Each of these counts as a failure and is printed: a missing report, a test runner that failed outside its tests, and a
// folder without tests.

interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string }[];
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
}

/** The folders that must be in the report of Vitest. */
const vitestFolders = [
  'tooling',
  'apps/api',
  'apps/web',
  'packages/dev-stack',
  'packages/http-server',
  'packages/shared',
];

/**
 * Returns the lines to print. `withoutProduction` is the reason why test:production did not run. It is empty if
 * test:production ran.
 */
export function summarize(folder: string, withoutProduction = ''): { lines: string[]; hasFailed: boolean } {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines = withoutProduction ? [`test:production did not run: ${withoutProduction}`] : [];
  const fail = (line: string) => {
    lines.push(line);
    total.failed += 1;
  };

  const addVitest = (name: string, folders: readonly string[]) => {
    const report: VitestReport | undefined = read(`${folder}/${name}`);
    if (!report) return fail(`${name} was not written.`);
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests;
    total.skipped += report.numPendingTests + report.numTodoTests;
    if (!report.success && report.numFailedTests === 0) fail(`${name}: Vitest failed outside its tests.`);
    for (const tested of folders) {
      if (!report.testResults.some((file) => file.name.includes(`/${tested}/`)))
        fail(`${name}: no test of ${tested} ran.`);
    }
  };
  const addPlaywright = (name: string) => {
    const report: PlaywrightReport | undefined = read(`${folder}/${name}`);
    if (!report) return fail(`${name} was not written.`);
    const { expected, unexpected, flaky, skipped } = report.stats;
    total.passed += expected;
    // Playwright calls a test flaky if it fails first and passes on a retry. A flaky test counts as failed.
    total.failed += unexpected + flaky;
    total.skipped += skipped;
    for (const { message } of report.errors) fail(`${name}: ${message ?? 'Playwright failed outside its tests.'}`);
    if (expected + unexpected + flaky === 0) fail(`${name}: no test ran.`);
  };

  addVitest('vitest.json', vitestFolders);
  addPlaywright('playwright.json');
  if (!withoutProduction) addVitest('production.json', ['deploy']);
  const { passed, failed, skipped } = total;
  lines.push(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return { lines, hasFailed: failed > 0 };
}

function read(file: string) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reports = fileURLToPath(new URL('../reports', import.meta.url));
  const { lines, hasFailed } = summarize(reports, process.env.WITHOUT_PRODUCTION);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = hasFailed ? 1 : 0;
}
