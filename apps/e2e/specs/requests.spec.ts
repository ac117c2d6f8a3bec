import type { Page } from '@playwright/test';
import { main, navbar, openSignedIn } from '../actions.ts';
import { press } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

/** A picture of one pixel. */
const photo = {
  name: 'grease.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

const messages = (page: Page) => main(page).getByRole('list', { name: 'Messages' }).locator('> li');
const widthOf = (page: Page, name: string) =>
  main(page)
    .getByRole('img', { name })
    .evaluate((image: HTMLImageElement) => image.naturalWidth);

test('a customer asks a lister with a photo, the lister sees the dot and answers, the customer reads the answer, and closes the account', async ({
  page,
  browser,
  backend,
}) => {
  const [lister, asker] = [await backend.customer('Lena Fitter'), await backend.customer('Omar Cook')];
  const service = await backend.service(lister);
  await page.goto(`/services/${service.id}`);
  await main(page).getByRole('link', { name: 'Ask for a price' }).first().click();
  await page.getByLabel('Email', { exact: true }).fill(asker.email);
  await page.getByLabel('Password', { exact: true }).fill(asker.password);
  await press('Login')(page);
  await expect(page).toHaveURL(`/ask/${service.id}`);
  await main(page).getByLabel('Your request').fill('The hood rattles. What would a new fan cost?');
  await main(page).getByLabel('Add photos').setInputFiles(photo);
  await expect(main(page).getByText('Your photos are added.')).toBeVisible();
  await main(page).getByLabel('Description of photo 1').fill('Grease');

  const listerPage = await (await browser.newContext()).newPage();
  await openSignedIn(listerPage, lister, '/requests');
  await expect(listerPage).toHaveTitle('Requests RTR Cloud Kitchen');

  await press('Send request')(page);
  await expectToast(page, 'success', 'Your request is sent.');
  await expect(page).toHaveURL(/\/requests\/[0-9a-f]{24}#newest$/);
  await expect.poll(() => widthOf(page, 'Grease')).toBe(1);

  await expect(listerPage).toHaveTitle('(1) Requests RTR Cloud Kitchen');
  await expect(main(listerPage).getByRole('article')).toContainText('What would a new fan cost?');
  await listerPage.getByRole('button', { name: 'Account menu' }).click();
  await navbar(listerPage).getByRole('link', { name: 'News (1 new)' }).click();
  await main(listerPage)
    .getByRole('link', { name: new RegExp(`^Omar Cook sent you a message about ${service.title} `) })
    .click();
  await expect(messages(listerPage)).toHaveCount(1);
  await expect(messages(listerPage)).toContainText('What would a new fan cost?');
  await expect.poll(() => widthOf(listerPage, 'Grease')).toBe(1);
  await main(listerPage)
    .getByRole('button', { name: /^Enlarge photo 1/ })
    .click();
  await expect(listerPage.getByRole('dialog', { name: 'Grease' }).getByRole('img', { name: 'Grease' })).toBeVisible();
  await listerPage.keyboard.press('Escape');
  await expect(listerPage).toHaveTitle('Request RTR Cloud Kitchen');
  await main(listerPage).getByLabel('Your message').fill('About $200. Friday at nine?');
  await press('Send message')(listerPage);

  await expect(messages(page)).toHaveCount(2);
  await expect(messages(page).last()).toContainText('About $200. Friday at nine?');
  await expect(messages(page).last()).toContainText('Lena Fitter');

  await page.goto('/account');
  await press('Delete my account')(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
  await expectToast(page, 'success', 'Your account is deleted.');
  await expect(messages(listerPage).first()).toContainText('Closed account');
  await expect(messages(listerPage).first()).toContainText('What would a new fan cost?');
  await expect(main(listerPage).getByRole('img', { name: 'Grease' })).toHaveCount(0);
  await listerPage.goto('/requests');
  await expect(main(listerPage).getByRole('article')).toContainText('Closed account');
  await listerPage.context().close();
});
