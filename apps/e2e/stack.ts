import { randomBytes } from 'node:crypto';
import type { ReceivedEmail } from '@rtr/dev-stack/mail-server';
import { type Stack, startStack } from '@rtr/dev-stack/stack';
import type { TestRun } from './run.ts';

export interface TestStack {
  stack: Stack;
  run: TestRun;
  /** The emails that the API has sent. */
  emails: readonly ReceivedEmail[];
}

/** Starts the whole product with the demo data. The web app is a production build, and the API runs from source. */
export async function startTestStack(launch: TestRun['launch'], say?: (line: string) => void): Promise<TestStack> {
  const jwtSecrets = `e2e:${randomBytes(32).toString('base64')}`;
  const emails: ReceivedEmail[] = [];
  const stack = await startStack({
    // The server and the browser have different time zones, so that a test fails if a page depends on the time zone.
    env: { JWT_SECRETS: jwtSecrets, RATE_LIMITS: 'off', TZ: 'America/New_York' },
    onEmail: (email) => void emails.push(email),
    ...(say && { say }),
  });
  const { web, api, authEmulator = '' } = stack.addresses;
  return { stack, run: { launch, web, api, authEmulator, jwtSecrets }, emails };
}
