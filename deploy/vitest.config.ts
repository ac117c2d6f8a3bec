import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// Tests the production setup as plain processes. The test files run one after the other, because some of them measure times.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    fileParallelism: false,
    testTimeout: testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    reporters: ['default', ['json', { outputFile: '../reports/production.json' }]],
  },
});
