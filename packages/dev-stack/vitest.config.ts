import { defineProject } from 'vitest/config';

// Real engines and emulators are started here: a busy machine takes its time over each.
export default defineProject({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
