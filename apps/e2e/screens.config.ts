import { defineConfig } from '@playwright/test';
import config from './playwright.config.ts';

/**
 * This suite runs alone, after all others, because it adds so many services that the services of other tests would leave the
 * first page of the list.
 */
const exclusive = 'without-javascript.spec.ts';

// The tests of every screen. They use the same product and settings as the tests of journeys.
export default defineConfig({
  ...config,
  testDir: 'screens',
  outputDir: '../../test-results/screens',
  reporter: [['list'], ['json', { outputFile: '../../reports/screens.json' }], ['./slowest-tests.ts']],
  projects: [
    { name: 'screens', testIgnore: exclusive },
    { name: 'exclusive', testMatch: exclusive, dependencies: ['screens'], fullyParallel: false, workers: 1 },
  ],
});
