import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';

// Tests the production setup in containers. All files use the same containers and ports, so only one file runs at a time.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['support/setup.ts'],
    maxWorkers: 1,
    testTimeout: 2 * testMs,
    hookTimeout: 2 * testMs,
    expect: { poll: { timeout: 2 * waitMs, interval: 200 } },
    reporters: ['default', ['json', { outputFile: '../../reports/containers.json' }]],
  },
});
