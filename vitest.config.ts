import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

// Many suites wait out real deadlines, so three fit even on two cores. Projects take no such number from around them.
const maxWorkers = Math.max(3, availableParallelism() - 1);

// One engine and one emulator serve every suite of a run; each suite makes databases and customers of its own.
export default defineConfig({
  test: {
    globalSetup: ['packages/dev-stack/src/vitest-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
    projects: [
      ...['packages/shared', 'packages/dev-stack', 'apps/api', 'apps/web'].map((room) => ({
        extends: `./${room}/vitest.config.ts`,
        root: room,
        test: { name: basename(room), maxWorkers },
      })),
      { test: { name: 'checks', include: ['.ci/**/*.test.ts'], maxWorkers } },
    ],
  },
});
