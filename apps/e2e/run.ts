import type { LaunchOptions } from '@playwright/test';

/** How the test workers start the browser and reach the stack. */
export interface TestRun {
  launch: LaunchOptions;
  /** The origins of the web server, the API and the Auth emulator. */
  web: string;
  api: string;
  authEmulator: string;
  /** The JWT_SECRETS of the API, to sign expired tokens. */
  jwtSecrets: string;
  /** The origin of the server that stops and starts processes of the stack. */
  control: string;
}

/** The environment variable that passes the run to the workers. */
export const runVariable = 'RTR_E2E_RUN';

export function readRun(): TestRun {
  return JSON.parse(process.env[runVariable] ?? '');
}
