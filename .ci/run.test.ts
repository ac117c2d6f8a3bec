import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
let house: string;

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'rtr-run-'));
  for (const file of ['run', 'count.ts']) cpSync(join(here, file), join(house, '.ci', file));
  mkdirSync(join(house, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(house, 'node_modules/.bin/node'));
  mkdirSync(join(house, 'bin'));
  for (const tool of tools) symlinkSync(join(folderOf(tool), tool), join(house, 'bin', tool));
  writeFileSync(join(house, 'package.json'), '{ "type": "module" }');
});

afterEach(() => rmSync(house, { recursive: true, force: true }));

function folderOf(tool: string): string {
  const folder = (process.env.PATH ?? '').split(delimiter).find((folder) => existsSync(join(folder, tool)));
  if (folder === undefined) throw new Error(`There is no ${tool} on PATH.`);
  return folder;
}

const suites = ['.ci', 'apps/api', 'apps/web', 'packages/dev-stack', 'packages/shared'];

/** What `.ci/run` itself calls; of the rest of this machine it sees nothing. */
const tools = ['bash', 'dirname', 'rm', 'mkdir', 'cp', 'id'];

interface Told {
  check?: number;
  test?: number;
  production?: number;
  reports?: boolean;
  /** Where the web server comes from. */
  caddy?: 'on PATH' | 'from apt-get' | 'nowhere';
}

/** Runs `.ci/run` with an npx that does as told: exits with these codes, and leaves these reports behind. */
function run({ check = 0, test = 0, production = 0, reports = true, caddy = 'on PATH' }: Told = {}) {
  const vitest = {
    success: true,
    testResults: suites.map((suite) => ({
      name: join(house, suite, 'a.test.ts'),
      status: 'passed',
      assertionResults: [{ status: 'passed' }],
    })),
  };
  const playwright = {
    config: { rootDir: join(house, 'apps/e2e') },
    errors: [],
    suites: [{ file: 'a.spec.ts', specs: [{ tests: [{ status: 'expected' }] }] }],
  };
  const ofProduction = {
    success: true,
    testResults: [{ ...vitest.testResults[0], name: join(house, 'packages/production/a') }],
  };
  writeFileSync(join(house, 'vitest.json'), JSON.stringify(vitest));
  writeFileSync(join(house, 'production.json'), JSON.stringify(ofProduction));
  writeFileSync(join(house, 'playwright.json'), JSON.stringify(playwright));
  program(
    'npx',
    `echo "npx $*"
test "$3" = check && exit ${check}
mkdir -p reports
if test "$3" = test:production; then ${reports ? 'cp production.json reports/' : 'true'}; exit ${production}; fi
${reports ? 'cp vitest.json playwright.json reports/' : ''}
exit ${test}`,
  );
  if (caddy === 'on PATH') program('caddy', '');
  program('apt-get', caddy === 'from apt-get' ? 'case "$*" in *download*) echo > caddy_2.deb;; esac' : 'exit 100');
  program('dpkg-deb', 'mkdir -p usr/bin && cp ../../../bin/apt-get usr/bin/caddy');
  const path = join(house, 'bin');
  const { status, stdout } = spawnSync('bash', [join(house, '.ci/run')], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1) };
}

/** A program of this name on the run's PATH. */
function program(name: string, script: string): void {
  writeFileSync(join(house, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(house, 'bin', name), 0o755);
}

const commands = ['npx -y pnpm@12 check', 'npx -y pnpm@12 test', 'npx -y pnpm@12 test:production'];

test('a run checks, tests, and ends with one line', () => {
  const { status, lines } = run();
  expect(lines).toEqual([...commands, '7 passed, 0 failed']);
  expect(status).toBe(0);
});

test('the web server of the production shape is fetched where it is missing', () => {
  expect(run({ caddy: 'from apt-get' })).toMatchObject({ status: 0, lines: [...commands, '7 passed, 0 failed'] });
});

test('where it cannot be had the run says so, and counts without that suite', () => {
  const { status, lines } = run({ caddy: 'nowhere' });
  expect(lines).toEqual([
    ...commands.slice(0, 2),
    'test:production did not run: there is no caddy on PATH, and apt-get gives none.',
    '6 passed, 0 failed',
  ]);
  expect(status).toBe(0);
});

test('a production shape that fails fails the run', () => {
  expect(run({ production: 1 })).toMatchObject({ status: 1, last: '7 passed, 0 failed' });
});

test('a failed check fails the run, whose tests are counted all the same', () => {
  expect(run({ check: 1 })).toMatchObject({ status: 1, last: '7 passed, 0 failed' });
});

test('a test command that fails fails the run, whatever its reports say', () => {
  expect(run({ test: 1 })).toMatchObject({ status: 1, last: '7 passed, 0 failed' });
});

test('reports of an earlier run are never counted', () => {
  expect(run().status).toBe(0);
  expect(run({ reports: false })).toMatchObject({ status: 1, last: '0 passed, 0 failed' });
});
