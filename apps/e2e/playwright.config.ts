import { defineConfig } from '@playwright/test';

// One stack serves the whole run; every test makes customers, services and reviews of its own.
export default defineConfig({
  testDir: 'specs',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // All waits are for something to happen; how long that takes is up to a machine that may be busy.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../../reports/playwright.json' }]],
  projects: [
    { name: 'journeys', testIgnore: 'outages.spec.ts' },
    // These halt pieces that all tests share, so they run when the others are done.
    { name: 'outages', testMatch: 'outages.spec.ts', dependencies: ['journeys'], fullyParallel: false, workers: 1 },
  ],
  use: {
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Zurich',
    actionTimeout: 30_000,
    navigationTimeout: 45_000,
    screenshot: 'only-on-failure',
  },
});
