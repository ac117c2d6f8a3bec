import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// Runs the production setup as plain processes. The files run one after the other, because some of them measure seconds.
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
