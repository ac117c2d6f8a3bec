import type { LaunchOptions } from '@playwright/test';

/** What the workers of a run must know of its browser and its stack. */
export interface Run {
  launch: LaunchOptions;
  /** Origins. */
  web: string;
  api: string;
  authEmulator: string;
  /** The API's JWT_SECRETS, to make tokens whose time is over. */
  jwtSecrets: string;
  /** Where pieces of the stack are halted and started. */
  switches: string;
}

/** Workers inherit it from the process that started the stack. */
export const variable = 'RTR_E2E_RUN';

export function readRun(): Run {
  return JSON.parse(process.env[variable] ?? '');
}
