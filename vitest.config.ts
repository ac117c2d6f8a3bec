import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestCase } from 'vitest/node';
import { createSlowestTests } from './packages/dev-stack/src/slowest-tests.ts';
import { testMs, waitMs } from './packages/dev-stack/src/timeouts.ts';

// The workers and the programs that the tests start cache the compiled modules, so that they start faster.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

const workers = availableParallelism() - 1;

// Projects with a file name in `extends` do not inherit the settings of this file, so each project gets a copy of these. Many
// tests wait for real timeouts, so even with two processors, three workers are faster than one.
const test = {
  // Loading the API, or React and the app, takes longer than most test files. So the test files that run in the same worker
  // share the loaded modules.
  isolate: false,
  maxWorkers: Math.max(3, workers),
  sequence: { groupOrder: 1 },
  testTimeout: testMs,
  hookTimeout: testMs,
  expect: { poll: { timeout: waitMs } },
};

/** The test files of the web app that mock modules. Each needs a new worker. */
const isolatedTests = 'test/**/*.isolated.test.{ts,tsx}';

/** The test files of the web app that run in Node without jsdom. */
const nodeTests = ['test/server/*.test.ts', 'test/tokens.test.ts'];

/** Prints the ten slowest tests at the end. */
function reportSlowestTests(): Reporter {
  const tests = createSlowestTests();
  return {
    onTestCaseResult: (test: TestCase) =>
      tests.add(test.diagnostic()?.duration ?? 0, `${test.project.name} ${test.fullName}`),
    onTestRunEnd: tests.print,
  };
}

// All suites share one MongoDB and one Auth emulator. Each suite creates its own databases and customers.
export default defineConfig({
  test: {
    globalSetup: ['packages/dev-stack/src/vitest-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }], reportSlowestTests()],
    projects: [
      {
        extends: './apps/api/vitest.config.ts',
        root: 'apps/api',
        // The tests of the API spend the most time waiting, so they have at least four workers. Vitest requires the same
        // `maxWorkers` for all projects with the same `groupOrder`, so this project has another one. It runs first.
        test: { ...test, name: 'api', maxWorkers: Math.max(4, workers), sequence: { groupOrder: 0 } },
      },
      ...['packages/shared', 'packages/http-server', 'packages/dev-stack'].map((folder) => ({
        extends: `./${folder}/vitest.config.ts`,
        root: folder,
        test: { ...test, name: basename(folder) },
      })),
      ...[
        { name: 'web', include: ['test/**/*.test.{ts,tsx}'], exclude: [...nodeTests, isolatedTests] },
        // Vitest starts a new worker if the next test file has another environment. The new worker has to load React and the
        // app again. In a separate project, the test files without jsdom do not run between those with jsdom.
        { name: 'web-node', include: nodeTests, environment: 'node' },
        { name: 'web-isolated', include: [isolatedTests], isolate: true },
      ].map((settings) => ({
        extends: './apps/web/vitest.config.ts',
        root: 'apps/web',
        test: { ...test, ...settings },
      })),
      { test: { ...test, name: 'bench', include: ['packages/bench/test/*.test.ts'] } },
      { test: { ...test, name: 'tooling', include: ['tooling/*.test.ts'] } },
    ],
  },
});
