import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// These tests stop or freeze parts of the production build, and check what docs/reliability.md promises. The files run one
// after the other, so that they do not influence each other's figures.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: process.env.FAULTS === 'long' ? 30 * 60_000 : Math.max(testMs, 300_000),
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    reporters: ['default', ['json', { outputFile: '../../../reports/faults.json' }]],
  },
});
