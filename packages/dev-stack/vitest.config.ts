import { defineProject } from 'vitest/config';

export default defineProject({ test: { name: 'dev-stack', include: ['test/**/*.test.ts'] } });
