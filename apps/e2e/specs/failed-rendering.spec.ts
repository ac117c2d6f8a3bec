import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort, root, startNode, waitUntilReady } from '@rtr/dev-stack/processes';
import { main } from '../actions.ts';
import type { Backend } from '../backend.ts';
import { expect, test } from '../test.ts';

// In these tests, a second web server uses a fake API, which forwards all calls to the real API. The fake API replaces some
// of the responses by `[null]`, so that React throws an error while it renders the list of services.

test.use({ expectedErrors: /status of 500|TypeError/ });

/**
 * Starts a fake API and a web server, calls `visit` with the address of the web server, and stops both servers. The
 * fake API forwards requests to the real API. If `isDamaged` returns true for a request, the body of its response is
 * replaced with `[null]`.
 */
async function withFakeApi(
  { page, backend }: { page: Page; backend: Backend },
  isDamaged: (call: IncomingMessage) => boolean,
  visit: (web: string) => Promise<void>,
): Promise<void> {
  const api = createServer((req, res) => {
    void backend.call(req.url ?? '').then(async (response) => {
      res.writeHead(response.status, { 'Content-Type': 'application/json' });
      res.end(isDamaged(req) ? '[null]' : await response.text());
    });
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const port = await freePort();
  const web = startNode({
    name: 'Web',
    entry: join(root, 'apps/web/dist/server/main.js'),
    env: {
      AUTH_MODE: 'emulator',
      API_ORIGIN: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      WEB_PORT: String(port),
    },
  });
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/healthz`, new AbortController().signal);
    await visit(`http://127.0.0.1:${port}`);
    // Close the page before the servers stop. Otherwise, requests of the page would fail, and the test would report these
    // errors.
    await page.close();
  } finally {
    await web.stop();
    api.closeAllConnections();
    api.close();
  }
}

test('if the server fails to render a page, the browser renders it', async ({ page, backend }) => {
  const isFromServer = ({ headers }: IncomingMessage) => headers['user-agent'] === 'node';
  await withFakeApi({ page, backend }, isFromServer, async (web) => {
    const response = await page.goto(`${web}/services`, { waitUntil: 'load' });
    expect(response?.status()).toBe(500);
    await expect(page.getByRole('heading', { level: 1, name: 'Services' })).toBeVisible();
    await expect(main(page).getByRole('article').first()).toBeVisible();
  });
});

test('if both the server and the browser fail to render a page, an error page explains what to do and has a button that tries again', async ({
  page,
  backend,
}) => {
  let isBroken = true;
  await withFakeApi(
    { page, backend },
    () => isBroken,
    async (web) => {
      const response = await page.goto(`${web}/services`, { waitUntil: 'load' });
      expect(response?.status()).toBe(500);
      await expect(page.getByRole('heading', { name: 'Something went wrong on this page' })).toBeVisible();
      await expect(main(page).getByText('Reload the page, or go back to the home page.')).toBeVisible();
      await expect(main(page).getByRole('link', { name: 'Go Back Home' })).toBeVisible();
      isBroken = false;
      await main(page).getByRole('button', { name: 'Try again' }).click();
      await expect(main(page).getByRole('article').first()).toBeVisible();
    },
  );
});
