import { test as base, expect } from '@playwright/test';
import { type Backend, connect } from './backend.ts';
import { type Run, readRun } from './run.ts';
import { recordToasts } from './toasts.ts';

interface Options {
  /** Console errors that a test causes on purpose. Any other error fails it, also a violation of the Content-Security-Policy. */
  expectedErrors: RegExp;
}

interface TestFixtures {
  consoleCheck: undefined;
}

interface WorkerFixtures {
  run: Run;
  /** Creates data for a test and reads what the test saved, through the API. */
  backend: Backend;
}

/** Chromium logs this when the networks of the machine change, for example because of Docker. The app repeats such a read. */
const networkChanged = 'net::ERR_NETWORK_CHANGED';

export const test = base.extend<TestFixtures & Options, WorkerFixtures>({
  expectedErrors: [/^none$/, { option: true }],

  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
  run: [({}, provide) => provide(readRun()), { scope: 'worker' }],

  backend: [({ run }, provide) => provide(connect(run)), { scope: 'worker' }],

  launchOptions: [({ run }, provide) => provide(run.launch), { scope: 'worker' }],

  baseURL: ({ run }, provide) => provide(run.web),

  // The server may close an idle connection at the moment when it is used again.
  request: async ({ playwright, run }, provide) => {
    const request = await playwright.request.newContext({
      baseURL: run.web,
      extraHTTPHeaders: { Connection: 'close' },
    });
    await provide(request);
    await request.dispose();
  },

  consoleCheck: [
    async ({ context, expectedErrors }, provide) => {
      const errors: string[] = [];
      const note = (error: string) => {
        if (!expectedErrors.test(error) && !error.includes(networkChanged)) errors.push(error);
      };
      context.on('console', (message) => {
        if (message.type() === 'error') note(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => note(String(error.error())));
      await recordToasts(context);
      await provide(undefined);
      // A route handler may still run when the test ends. Its errors do not matter any more.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(errors, 'errors in the console of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
