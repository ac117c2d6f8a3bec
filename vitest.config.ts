import { defineConfig } from 'vitest/config';

// One engine and one emulator serve every suite of a run; each suite makes databases and customers of its own.
export default defineConfig({
  test: {
    globalSetup: ['packages/dev-stack/src/vitest-setup.ts'],
    // Many suites wait out real deadlines, so two fit even on two cores.
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
    projects: [
      'packages/shared',
      'packages/dev-stack',
      'apps/api',
      'apps/web',
      { test: { name: 'checks', include: ['.ci/**/*.test.ts'] } },
    ],
  },
});
