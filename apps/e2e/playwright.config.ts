import { defineConfig } from '@playwright/test';
import { testMs, waitMs } from '@rtr/dev-stack/timeouts';

/** These suites stop processes, so they use a stack of their own. */
const ownStack = ['outages.spec.ts', 'emails.spec.ts'];

// All tests in `specs` except `ownStack` share one stack. Each test creates the customers, services and reviews that it
// changes, because other tests run at the same time.
export default defineConfig({
  testDir: 'specs',
  outputDir: '../../test-results/journeys',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  // Tests often wait, so three workers are faster even on two cores.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: testMs,
  expect: { timeout: waitMs },
  reporter: [['list'], ['json', { outputFile: '../../reports/journeys.json' }], ['./slowest-tests.ts']],
  reportSlowTests: null,
  projects: [
    // One worker, so that the stack starts only once.
    { name: 'own-stack', testMatch: ownStack, fullyParallel: false, workers: 1 },
    { name: 'journeys', testIgnore: ownStack },
  ],
  use: {
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Zurich',
    actionTimeout: waitMs,
    navigationTimeout: waitMs,
    screenshot: 'only-on-failure',
  },
});
