import { defineProject } from 'vitest/config';

// What these suites wait for takes seconds by design: deadlines, a shutdown. A busy machine takes longer.
export default defineProject({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
