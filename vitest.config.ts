import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testMs, waitMs } from './packages/dev-stack/src/timeouts.ts';

// Each project gets a copy of these settings, because projects do not inherit them. Many tests wait for real timeouts, so
// three workers are faster even on two cores.
const test = {
  maxWorkers: Math.max(3, availableParallelism() - 1),
  testTimeout: testMs,
  hookTimeout: testMs,
  expect: { poll: { timeout: waitMs } },
};

// All suites share one MongoDB and one Auth emulator. Each suite creates its own databases and customers.
export default defineConfig({
  test: {
    globalSetup: ['packages/dev-stack/src/vitest-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
    projects: [
      ...['packages/shared', 'packages/http-server', 'packages/dev-stack', 'apps/api', 'apps/web'].map((folder) => ({
        extends: `./${folder}/vitest.config.ts`,
        root: folder,
        test: { ...test, name: basename(folder) },
      })),
      { test: { ...test, name: 'bench', include: ['packages/bench/test/*.test.ts'] } },
      { test: { ...test, name: 'tooling', include: ['tooling/*.test.ts'] } },
    ],
  },
});
