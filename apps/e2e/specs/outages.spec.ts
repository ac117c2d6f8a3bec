import type { Page } from '@playwright/test';
import { logIn, main } from '../actions.ts';
import { test } from '../own-stack.ts';
import { expect } from '../test.ts';
import { expectToast } from '../toasts.ts';

// These tests stop and start the real processes of the API and of MongoDB.

test.use({ expectedErrors: /status of 503/ });

/** Opens a page during an outage. Expects that the server responds with 503, and that the page shows an error. */
async function openDuringOutage(page: Page, path: string): Promise<void> {
  const response = await page.request.get(path);
  expect([response.status(), response.headers()['retry-after']]).toEqual([503, '2']);
  await page.goto(path);
  await expect(main(page).getByRole('heading', { name: 'This page did not load' })).toBeVisible();
}

test('while the API is down, the list of services and the page of a service show errors, and both load automatically when the API is back', async ({
  page,
  backend,
  stackControl,
}) => {
  const { id, title } = await backend.service(await backend.customer());
  const list = await page.context().newPage();
  await stackControl.whileStopped('api', async () => {
    // No other test opens this address, so the web server has no cached page to send.
    await list.goto(`/services?q=${encodeURIComponent(title)}`);
    await openDuringOutage(page, `/services/${id}`);
    await expect(main(list).getByText('The services did not load')).toBeVisible();
    await expect(main(list).getByText('The connection or our server failed. Nothing is lost.')).toBeVisible();
  });
  await expect(main(page).getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(main(list).getByRole('article').first()).toBeVisible();
});

test('while the database is down, the page of a service shows an error and a review is not sent, and when it is back, the page loads automatically and the review can be sent', async ({
  page,
  backend,
  stackControl,
}) => {
  const customer = await backend.customer();
  const { id, title } = await backend.service(customer);
  await logIn(page, customer, `/review/${id}`);
  const details = await page.context().newPage();
  await main(page).getByLabel('Your review', { exact: true }).fill('Written through an outage.');
  const send = main(page).getByRole('button', { name: 'Send review' });
  await stackControl.whileStopped('mongodb', async () => {
    await send.click();
    await expect(main(page).getByText('We cannot reach the kitchen right now. Your text is safe here.')).toBeVisible();
    await openDuringOutage(details, `/services/${id}`);
  });
  await expect(main(details).getByRole('heading', { level: 1, name: title })).toBeVisible();
  await send.click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  await page.goto(`/services/${id}`);
  await expect(main(page).getByText('Written through an outage.')).toBeVisible();
  expect(await backend.reviewsOf(id)).toHaveLength(1);
});
