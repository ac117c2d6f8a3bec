import type { LaunchOptions } from '@playwright/test';

/** The data that the test workers need to start the browser and to reach the stack. */
export interface TestRun {
  launch: LaunchOptions;
  /** The origins of the web server, the API and the Auth emulator. */
  web: string;
  api: string;
  authEmulator: string;
  /** The JWT_SECRETS variable of the API. Tests sign access tokens with it. */
  jwtSecrets: string;
}

/** The environment variable that contains the `TestRun` for the test workers. */
export const runVariable = 'RTR_E2E_RUN';

export function readRun(): TestRun {
  return JSON.parse(process.env[runVariable] ?? '');
}
