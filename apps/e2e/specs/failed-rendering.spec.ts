import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort, root, startNode, waitUntilReady } from '@rtr/dev-stack/processes';
import { main } from '../actions.ts';
import type { Backend } from '../backend.ts';
import { expect, test } from '../test.ts';

// In these tests, a second web server uses a fake API, which forwards the calls to the real API. The fake API damages some
// of the responses, so that React throws while it renders the list of services.

test.use({ expectedErrors: /status of 500|TypeError/ });

/** Starts the web server and the fake API, and stops both after `visit`. Responds with `[null]` to the damaged calls. */
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
    // While the servers stop, requests of an open page would fail, and the test would report these errors.
    await page.close();
  } finally {
    await web.stop();
    api.closeAllConnections();
    api.close();
  }
}

test('the browser renders a page that the server could not render', async ({ page, backend }) => {
  const isFromServer = ({ headers }: IncomingMessage) => headers['user-agent'] === 'node';
  await withFakeApi({ page, backend }, isFromServer, async (web) => {
    const response = await page.goto(`${web}/services`, { waitUntil: 'load' });
    expect(response?.status()).toBe(500);
    await expect(page.getByRole('heading', { level: 1, name: 'Services' })).toBeVisible();
    await expect(main(page).getByRole('article').first()).toBeVisible();
  });
});

test('a page that neither the server nor the browser can render says what to do, and Try again loads it when the error is gone', async ({
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
