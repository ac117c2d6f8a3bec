import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// Breaks parts of the production build and checks what docs/reliability.md promises. The files run one after the other, so
// that they do not disturb each other's figures.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: process.env.FAULTS === 'long' ? 30 * 60_000 : testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    reporters: ['default', ['json', { outputFile: '../../../reports/faults.json' }]],
  },
});
