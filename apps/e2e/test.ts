import { test as base, expect } from '@playwright/test';
import { type Backend, connect } from './backend.ts';
import { type Run, readRun } from './run.ts';
import { noteToasts } from './toasts.ts';

interface Options {
  /** Console errors that a test provokes on purpose. Any other fails it, a violated Content-Security-Policy included. */
  expectedErrors: RegExp;
}

interface TestFixtures {
  watched: undefined;
}

interface WorkerFixtures {
  run: Run;
  /** The same stack by its API, to make what a test needs and to look at what it left. */
  backend: Backend;
}

/** Chromium's complaint when the machine joins or leaves a network, as Docker makes it do. The app repeats such a read. */
const networkChanged = 'net::ERR_NETWORK_CHANGED';

export const test = base.extend<TestFixtures & Options, WorkerFixtures>({
  expectedErrors: [/^none$/, { option: true }],

  // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a pattern
  run: [({}, provide) => provide(readRun()), { scope: 'worker' }],

  backend: [({ run }, provide) => provide(connect(run)), { scope: 'worker' }],

  launchOptions: [({ run }, provide) => provide(run.launch), { scope: 'worker' }],

  baseURL: ({ run }, provide) => provide(run.web),

  // A connection that is kept may be closed by the server just when it is used again.
  request: async ({ playwright, run }, provide) => {
    const request = await playwright.request.newContext({
      baseURL: run.web,
      extraHTTPHeaders: { Connection: 'close' },
    });
    await provide(request);
    await request.dispose();
  },

  watched: [
    async ({ context, expectedErrors }, provide) => {
      const errors: string[] = [];
      const note = (error: string) => {
        if (!expectedErrors.test(error) && !error.includes(networkChanged)) errors.push(error);
      };
      context.on('console', (message) => {
        if (message.type() === 'error') note(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => note(String(error.error())));
      await noteToasts(context);
      await provide(undefined);
      // A call that a test still answers when it ends is nobody's.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(errors, 'the browser’s console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
