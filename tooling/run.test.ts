import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Runs `.ci/run` in a temporary folder with fakes of npx, caddy, apt-get and docker. PATH contains only these fakes and the
// programs in `programs`.

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = ['bash', 'dirname', 'rm', 'mkdir', 'cp', 'cat', 'id', 'grep', 'sort', 'tr'];
/** The files that name the base images. */
const images = ['deploy/Dockerfile', 'docker-compose.yml'];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rtr-run-'));
  for (const file of ['.ci/run', 'tooling/count-tests.ts', 'package.json', ...images])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  for (const name of ['node_modules/.bin', 'bin', 'written']) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
  const path = (process.env.PATH ?? '').split(delimiter);
  for (const program of programs) {
    const found = path.find((directory) => existsSync(join(directory, program))) ?? '';
    symlinkSync(join(found, program), join(folder, 'bin', program));
  }
  fakeProgram('npx', npx);
  fakeProgram('caddy', '');
  fakeProgram('apt-get', 'exit 100');
  fakeProgram('docker', '');
  writeReport('vitest', vitest);
  writeReport('faults', { ...vitest, numPassedTests: 1, testResults: [testedFile('packages/bench/faults')] });
  writeReport('production', { ...vitest, numPassedTests: 1, testResults: [testedFile('deploy/test')] });
  writeReport('containers', { ...vitest, numPassedTests: 1, testResults: [testedFile('deploy/containers')] });
  for (const name of ['journeys', 'screens']) writeReport(name, playwright);
});

afterEach(() => rmSync(folder, { recursive: true }));

/**
 * A fake npx. Its exit codes are in the variables CHECK, TEST, SCREENS, FAULTS, PRODUCTION and CONTAINERS. It copies the reports that
 * the test has prepared.
 */
const npx = `echo "npx $*"
test "$3" = check && exit $CHECK
mkdir -p reports
if test "$3" = test:screens; then cp written/screens.json reports; exit $SCREENS; fi
if test "$3" = test:faults; then cp written/faults.json reports; exit $FAULTS; fi
if test "$3" = test:production; then cp written/production.json reports; exit $PRODUCTION; fi
if test "$3" = test:containers; then cp written/containers.json reports; exit $CONTAINERS; fi
cp written/vitest.json written/journeys.json reports
exit $TEST`;

const tested = [
  'tooling',
  'apps/api',
  'apps/web',
  'packages/bench',
  'packages/dev-stack',
  'packages/http-server',
  'packages/shared',
];
const vitest = {
  success: true,
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: tested.map(testedFile),
};
const playwright = {
  stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 0 },
  errors: [] as { message: string }[],
  suites: [],
};

/** A file in Vitest's report. Reports contain absolute paths. */
function testedFile(folderName: string) {
  return { name: `/repository/${folderName}/a.test.ts`, message: '', assertionResults: [] as object[] };
}

function writeReport(name: string, report: object) {
  writeFileSync(join(folder, `written/${name}.json`), JSON.stringify(report));
}

function fakeProgram(name: string, script: string) {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function run(exitCodes: Record<string, string> = {}) {
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci/run')], {
    encoding: 'utf8',
    env: {
      CHECK: '0',
      TEST: '0',
      SCREENS: '0',
      FAULTS: '0',
      PRODUCTION: '0',
      CONTAINERS: '0',
      ...exitCodes,
      PATH: join(folder, 'bin'),
    },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1) };
}

/** The output of test:faults follows that of test:production, which runs at the same time. */
const commands = [
  'npx -y pnpm@12 check',
  'npx -y pnpm@12 test',
  'npx -y pnpm@12 test:screens',
  'npx -y pnpm@12 test:production',
  'npx -y pnpm@12 test:faults',
  'npx -y pnpm@12 test:containers',
];

test('.ci/run runs the checks and the tests, and prints the counts of passed and failed tests in its last line', () => {
  expect(run()).toMatchObject({ status: 0, lines: [...commands, '10 passed, 0 failed'] });
});

test.each(['CHECK', 'TEST', 'SCREENS', 'FAULTS', 'PRODUCTION', 'CONTAINERS'])(
  '.ci/run fails when its step %s fails, but still runs and counts all tests',
  (step) => {
    expect(run({ [step]: '1' })).toMatchObject({ status: 1, last: '10 passed, 0 failed' });
  },
);

test('.ci/run downloads Caddy with apt-get when it is missing', () => {
  rmSync(join(folder, 'bin/caddy'));
  fakeProgram('apt-get', 'case "$*" in *download*) echo > caddy_2.deb;; esac');
  fakeProgram('dpkg-deb', 'mkdir -p usr/bin && cp ../../../bin/apt-get usr/bin/caddy');
  expect(run()).toMatchObject({ status: 0, lines: [...commands, '10 passed, 0 failed'] });
});

test.each([
  ['info', 'no Docker engine responds.'],
  ['compose', 'Docker Compose is not installed.'],
  ['image', 'the Docker engine lacks a base image: caddy:2.11.4-alpine mongo:8.0.32-noble node:24.21.0-trixie-slim '],
])('if `docker %s` fails, .ci/run says that test:containers did not run', (command, reason) => {
  fakeProgram('docker', `test "$1" != ${command}`);
  const line = `test:containers did not run: ${reason}`;
  expect(run()).toMatchObject({ status: 0, lines: [...commands.slice(0, 5), line, '9 passed, 0 failed'] });
});

test('if Caddy cannot be downloaded, .ci/run says that test:production did not run', () => {
  rmSync(join(folder, 'bin/caddy'));
  const reason = 'test:production did not run: there is no caddy on PATH, and apt-get cannot download it.';
  expect(run()).toMatchObject({
    status: 0,
    lines: [...commands.filter((command) => !command.includes('production')), reason, '9 passed, 0 failed'],
  });
});

test('.ci/run ignores the test reports of an earlier run', () => {
  run();
  fakeProgram('npx', '');
  expect(run()).toMatchObject({
    status: 1,
    lines: [
      'vitest.json was not written.',
      'journeys.json was not written.',
      'screens.json was not written.',
      'faults.json was not written.',
      'production.json was not written.',
      'containers.json was not written.',
      '0 passed, 6 failed',
    ],
  });
});

test('.ci/run adds up the failed, flaky and skipped tests of Vitest and Playwright', () => {
  writeReport('vitest', { ...vitest, success: false, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
  writeReport('journeys', { ...playwright, stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 } });
  expect(run()).toMatchObject({ status: 1, last: '13 passed, 4 failed, 3 skipped' });
});

test('.ci/run prints the failed tests with their error messages just before the counts of passed and failed tests', () => {
  const passed = { fullName: 'works', status: 'passed', failureMessages: [] };
  const failed = {
    fullName: 'group fails',
    status: 'failed',
    failureMessages: ['\u001b[31mAssertionError: a\u001b[39m\n    at b'],
  };
  const file = { ...testedFile('apps/api'), assertionResults: [passed, failed] };
  const notLoaded = { ...testedFile('apps/web'), message: 'Cannot find module' };
  writeReport('vitest', {
    ...vitest,
    success: false,
    numFailedTests: 1,
    testResults: [...vitest.testResults, file, notLoaded],
  });
  const spec = (title: string, status: string) => ({
    title,
    tests: [{ status, results: [{ error: { message: `the error of ${title}` } }] }],
  });
  const specs = [spec('breaks', 'unexpected'), spec('is expected to fail', 'expected')];
  writeReport('journeys', {
    ...playwright,
    stats: { ...playwright.stats, unexpected: 1 },
    suites: [{ title: 'a.spec.ts', file: 'a.spec.ts', suites: [{ title: 'a page', file: 'a.spec.ts', specs }] }],
  });
  expect(run({ TEST: '1' }).lines.slice(commands.length)).toEqual([
    'FAILED apps/api/a.test.ts group fails',
    '  AssertionError: a',
    '      at b',
    'FAILED apps/web/a.test.ts',
    '  Cannot find module',
    'FAILED apps/e2e/specs/a.spec.ts a page breaks',
    '  the error of breaks',
    '10 passed, 2 failed',
  ]);
});

test('.ci/run counts a failure outside the tests as a failed test, and also counts a folder without tests as a failed test', () => {
  writeReport('vitest', { ...vitest, success: false, testResults: vitest.testResults.slice(1) });
  writeReport('journeys', {
    stats: { ...playwright.stats, expected: 0 },
    errors: [{ message: 'no browser' }],
    suites: [],
  });
  expect(run()).toMatchObject({
    status: 1,
    lines: [
      ...commands,
      'vitest.json: Vitest failed outside its tests.',
      'vitest.json: no test of tooling ran.',
      'journeys.json: no browser',
      'journeys.json: no test ran.',
      '9 passed, 4 failed',
    ],
  });
});
