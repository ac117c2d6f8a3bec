import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testMs, waitMs } from './packages/dev-stack/src/timeouts.ts';

// Many suites wait out real deadlines, so three fit even on two cores. Projects take no such number from around them.
const test = {
  maxWorkers: Math.max(3, availableParallelism() - 1),
  testTimeout: testMs,
  hookTimeout: testMs,
  expect: { poll: { timeout: waitMs } },
};

// One engine and one emulator serve every suite of a run; each suite makes databases and customers of its own.
export default defineConfig({
  test: {
    globalSetup: ['packages/dev-stack/src/vitest-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
    projects: [
      ...['packages/shared', 'packages/dev-stack', 'apps/api', 'apps/web'].map((room) => ({
        extends: `./${room}/vitest.config.ts`,
        root: room,
        test: { ...test, name: basename(room) },
      })),
      { test: { ...test, name: 'checks', include: ['.ci/**/*.test.ts'] } },
    ],
  },
});
