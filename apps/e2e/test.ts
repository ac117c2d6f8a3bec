import { test as base, expect, type Page, type Request } from '@playwright/test';
import { type Backend, createBackend } from './backend.ts';
import { readRun, type TestRun } from './run.ts';
import { recordToasts } from './toasts.ts';

interface Options {
  /**
   * Matches the console errors that a test causes on purpose. Other errors except `networkChanged` fail the test, for example
   * a violation of the Content-Security-Policy.
   */
  expectedErrors: RegExp;
}

interface TestFixtures {
  consoleCheck: undefined;
  pendingRequests: undefined;
}

interface WorkerFixtures {
  run: TestRun;
  /** Creates and reads data through the API. */
  backend: Backend;
}

/**
 * Chromium logs this error when the networks of the machine change, for example because of Docker. The app retries the
 * request, so the error does not fail a test.
 */
const networkChanged = 'net::ERR_NETWORK_CHANGED';

export const test = base.extend<TestFixtures & Options, WorkerFixtures>({
  expectedErrors: [/^none$/, { option: true }],

  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
  run: [({}, provide) => provide(readRun()), { scope: 'worker' }],

  backend: [({ run }, provide) => provide(createBackend(run)), { scope: 'worker' }],

  launchOptions: [({ run }, provide) => provide(run.launch), { scope: 'worker' }],

  baseURL: ({ run }, provide) => provide(run.web),

  // `goto` and `reload` also wait for the hydration, because the buttons of a page have no effect before it. They do not
  // wait for it if a test sets the option `waitUntil`.
  page: async ({ page }, provide) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (!options?.waitUntil) await waitForHydration(page);
      return response;
    };
    page.reload = async (options) => {
      const response = await reload(options);
      if (!options?.waitUntil) await waitForHydration(page);
      return response;
    };
    await provide(page);
  },

  // Uses a new connection for each request. On a reused connection, a request fails if the server is closing the connection.
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
      const recordError = (error: string) => {
        if (!expectedErrors.test(error) && !error.includes(networkChanged)) errors.push(error);
      };
      context.on('console', (message) => {
        if (message.type() === 'error') recordError(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => recordError(String(error.error())));
      await recordToasts(context);
      await provide(undefined);
      // Remove the route handlers, because a handler that is still running after the test would report an error.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(errors, 'errors in the console of the browser').toEqual([]);
    },
    { auto: true },
  ],

  // If a test fails, print the requests without a response, because the page may have waited for one of them.
  pendingRequests: [
    async ({ context }, provide, testInfo) => {
      const startTimes = new Map<Request, number>();
      context.on('request', (request) => startTimes.set(request, Date.now()));
      context.on('requestfinished', (request) => startTimes.delete(request));
      context.on('requestfailed', (request) => startTimes.delete(request));
      await provide(undefined);
      if (testInfo.errors.length === 0) return;
      for (const [request, startTime] of startTimes)
        process.stdout.write(`No response after ${Date.now() - startTime} ms: ${request.method()} ${request.url()}\n`);
    },
    { auto: true },
  ],
});

/** Waits until React has hydrated the `<main>` element of the page. Returns at once if the page does not load the app. */
async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main') ?? {};
    return (
      !document.querySelector('script[type="module"]') ||
      Object.keys(main).some((key) => key.startsWith('__reactFiber'))
    );
  });
}

export { expect };
