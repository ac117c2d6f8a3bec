import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// The production shape as plain processes. One installation after the other: some of it is a matter of seconds.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    fileParallelism: false,
    testTimeout: testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    reporters: ['default', ['json', { outputFile: '../../reports/production.json' }]],
  },
});
