import { randomUUID } from 'node:crypto';
import { chromium, expect as expectPage, type Page } from '@playwright/test';
import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';
import { findBrowser } from '@rtr/dev-stack/browser';
import { root } from '@rtr/dev-stack/processes';
import { waitMs } from '@rtr/dev-stack/timeouts';
import { beforeAll, expect, test } from 'vitest';
import { addService, attempt, origin, run, signUp, start } from './support/product.ts';

beforeAll(() => start());

test('the API behind the proxy passes the conformance checks', async () => {
  const emails = ['one', 'other', 'moderator'].map((name) => `${name}-${randomUUID()}@kitchen.test`);
  const accounts = await Promise.all(
    emails.map((email) =>
      callAuthEmulator(origin, 'accounts:signUp', { email, password: randomUUID(), returnSecureToken: true }),
    ),
  );
  await run(
    `docker compose exec -T api node dist/operate.js add-moderator ${emails[2]} --by ana --reason 'conformance checks'`,
  );
  const { code, output } = await attempt(`cd ${root} && npx -y pnpm@12 conformance --url ${origin}/api`, {
    CONFORMANCE_ID_TOKENS: accounts.map(({ idToken }) => idToken).join(','),
  });
  const summary = /\d+ passed, \d+ failed, \d+ skipped/.exec(output)?.[0] ?? output;
  process.stdout.write(`Conformance: ${summary}\n`);
  expect([code, summary]).toEqual([0, expect.stringMatching(/^[1-9]\d+ passed, 0 failed, 0 skipped$/)]);
});

test('through the proxy, a customer logs in, opens a service and writes a review', async () => {
  const [lister, customer] = [await signUp(), await signUp()];
  const title = `Hood ${Date.now()}`;
  const id = await addService(lister, title);
  const { launch } = await findBrowser();
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage({ baseURL: origin });
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    const main = page.getByRole('main');
    const options = { timeout: 2 * waitMs };
    await open(page, '/login');
    await main.getByLabel('Email', { exact: true }).fill(customer.email);
    await main.getByLabel('Password', { exact: true }).fill(customer.password);
    await main.getByRole('button', { name: 'Login', exact: true }).click();
    await expectPage(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible(options);
    await expectPage(page).toHaveURL('/', options);
    await open(page, `/services/${id}`);
    await main.getByRole('link', { name: 'Add Review', exact: true }).first().click();
    await expectPage(page).toHaveURL(`/review/${id}`, options);
    await main.getByRole('radio', { name: /4/ }).check({ force: true });
    await main.getByLabel('Your review', { exact: true }).fill('Two days, no mess.');
    await main.getByRole('button', { name: 'Send review' }).click();
    await expectPage(page).toHaveURL(new RegExp(`/services/${id}#review-`), options);
    await expectPage(page).toHaveTitle(`${title} RTR Cloud Kitchen`);
    await expectPage(main.getByText('Two days, no mess.')).toBeVisible(options);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
  }
});

/** Opens a page and waits until React has hydrated it, because its buttons have no effect before. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  );
}
