import type { Page } from '@playwright/test';
import { main, navbar, openSignedIn } from '../actions.ts';
import { drawPng } from '../draw-png.ts';
import { checkScreen } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

const control = (page: Page) => main(page).getByLabel('Upload a picture');
const address = (page: Page) => main(page).getByLabel('Picture URL', { exact: true });
const done = (page: Page) => main(page).getByText('Your picture is uploaded.');

test('a customer uploads a picture for a service, and the card of the service loads a smaller file of the picture', async ({
  page,
  backend,
}) => {
  await openSignedIn(page, await backend.customer(), '/addservices');
  const title = `Uploaded ${crypto.randomUUID().slice(0, 8)}`;
  await main(page).getByLabel('Title', { exact: true }).fill(title);
  const request = page.waitForRequest('**/api/pictures');
  await control(page).setInputFiles(await drawPng(page, 2400, 1800));
  // Before the upload, the browser scales the picture down and converts it to WebP.
  expect((await request).headers()['content-type']).toBe('image/webp');
  const response = await (await request).response();
  expect(await response?.json()).toMatchObject({ width: 1280, height: 960 });
  await expect(done(page)).toBeVisible();
  await expect(main(page).getByRole('img', { name: 'Your picture' })).toBeVisible();
  await expect(address(page)).toBeHidden();
  await checkScreen(page, 'uploaded-picture');
  await main(page).getByRole('button', { name: 'Add service' }).click();
  await expectToast(page, 'success', 'Service Add Successfully');

  await page.goto(`/services?q=${encodeURIComponent(title)}`);
  const picture = main(page).getByRole('article').filter({ hasText: title }).locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\?w=(320|640)$/);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test('a customer uploads a profile photo with the keyboard, and the navbar shows it', async ({ page, backend }) => {
  await openSignedIn(page, await backend.customer(), '/account');
  const photo = await drawPng(page, 200, 200);
  const chooser = page.waitForEvent('filechooser');
  await control(page).press('Enter');
  await (await chooser).setFiles(photo);
  await expect(done(page)).toBeVisible();
  const url = await address(page).inputValue();
  await main(page).getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'success', 'Your name and photo are saved.');
  await expect(navbar(page).getByRole('img', { name: /^Logged in as/ })).toHaveAttribute('src', url);
});

test('a customer adds photos to a review, changes them and enlarges one of them', async ({ page, backend }) => {
  const author = await backend.customer();
  const service = await backend.service(await backend.customer());
  await openSignedIn(page, author, `/review/${service.id}`);
  const add = main(page).getByLabel('Add photos');
  const description = (n: number) => main(page).getByLabel(`Description of photo ${n}`);
  await add.setInputFiles([await drawPng(page, 300, 400), await drawPng(page, 400, 300)]);
  await expect(description(2)).toBeVisible();
  await description(1).fill('Before');
  await checkScreen(page, 'review-with-photos-form');
  await main(page).getByRole('button', { name: 'Send review' }).click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  const [review] = await backend.reviewsOf(service.id);
  expect(review?.photos).toMatchObject([{ alt: 'Before' }, { alt: '' }]);

  await page.goto(`/editreview/${review?._id}`);
  await description(2).fill('After');
  await main(page).getByRole('button', { name: 'Remove photo 1' }).click();
  await expect(description(1)).toHaveValue('After');
  await main(page).getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'success', 'You review Updated');

  await page.goto(`/services/${service.id}`);
  await expect(main(page).getByText('After', { exact: true })).toBeVisible();
  await checkScreen(page, 'review-with-photos');
  await main(page)
    .getByRole('button', { name: /^Enlarge photo 1 of/ })
    .click();
  const enlarged = page.getByRole('dialog', { name: 'After' }).getByRole('img', { name: 'After' });
  await expect.poll(() => enlarged.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});
