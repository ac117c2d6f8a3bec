import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// These tests run the production setup without containers. Most tests wait for real timeouts and need little CPU time,
// so three test files run in parallel.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    maxWorkers: 3,
    testTimeout: testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    reporters: ['default', ['json', { outputFile: '../reports/production.json' }]],
  },
});
