import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Prints `N passed, N failed` from the reports that the test runners wrote. A report that is missing, a runner that failed
// outside its tests and a suite that ran no test count as one failure each, with a line that says so.

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

/** Folders whose tests must have run. */
const vitestFolders = ['tooling', 'apps/api', 'apps/web', 'packages/dev-stack', 'packages/shared'];

/** Returns the lines to print. `withoutProduction` is the reason why `production.json` is not expected. */
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
    // A test that passes only on a retry has failed.
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
