import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  writeFileSync(join(house, 'package.json'), '{ "type": "module" }');
});

afterEach(() => rmSync(house, { recursive: true, force: true }));

const suites = ['.ci', 'apps/api', 'apps/web', 'packages/dev-stack', 'packages/shared'];

/** Runs `.ci/run` with an npx that does as told: exits with these codes, and leaves these reports behind. */
function run({ check = 0, test = 0, reports = true }: { check?: number; test?: number; reports?: boolean } = {}) {
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
  writeFileSync(join(house, 'vitest.json'), JSON.stringify(vitest));
  writeFileSync(join(house, 'playwright.json'), JSON.stringify(playwright));
  const npx = `#!/bin/sh
echo "npx $*"
test "$3" = check && exit ${check}
${reports ? 'mkdir -p reports && cp vitest.json playwright.json reports/' : ''}
exit ${test}
`;
  writeFileSync(join(house, 'bin/npx'), npx);
  chmodSync(join(house, 'bin/npx'), 0o755);
  const path = `${join(house, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
  const { status, stdout } = spawnSync('bash', [join(house, '.ci/run')], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1) };
}

test('a run checks, tests, and ends with one line', () => {
  const { status, lines } = run();
  expect(lines).toEqual(['npx -y pnpm@12 check', 'npx -y pnpm@12 test', '6 passed, 0 failed']);
  expect(status).toBe(0);
});

test('a failed check fails the run, whose tests are counted all the same', () => {
  expect(run({ check: 1 })).toMatchObject({ status: 1, last: '6 passed, 0 failed' });
});

test('a test command that fails fails the run, whatever its reports say', () => {
  expect(run({ test: 1 })).toMatchObject({ status: 1, last: '6 passed, 0 failed' });
});

test('reports of an earlier run are never counted', () => {
  expect(run().status).toBe(0);
  expect(run({ reports: false })).toMatchObject({ status: 1, last: '0 passed, 0 failed' });
});
