import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    // Loading the API takes longer than most test files, and it has no state outside `createApp`.
    isolate: false,
    include: ['test/**/*.test.ts'],
  },
});
