import type { LaunchOptions } from '@playwright/test';

/** What the test workers know of the browser and the stack. */
export interface Run {
  launch: LaunchOptions;
  /** Origins. */
  web: string;
  api: string;
  authEmulator: string;
  /** The JWT_SECRETS of the API, to sign expired tokens. */
  jwtSecrets: string;
  /** The origin of the server that stops and starts processes of the stack. */
  control: string;
}

/** The environment variable with the run, which the workers inherit. */
export const variable = 'RTR_E2E_RUN';

export function readRun(): Run {
  return JSON.parse(process.env[variable] ?? '');
}
