import { defineConfig } from 'vitest/config';

// The production shape as plain processes. One installation after the other: some of it is a matter of seconds.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default', ['json', { outputFile: '../../reports/production.json' }]],
  },
});
