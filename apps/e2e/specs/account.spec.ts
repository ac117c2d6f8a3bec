import { readFile } from 'node:fs/promises';
import { expectSignedOut, main, navbar, openSignedIn, storedToken, tryToLogIn } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

test('after authors change their name, their earlier reviews keep the old name, and new reviews have the new name', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  const service = await backend.service(customer);
  await backend.review(customer, service.id, 'Before.');
  await openSignedIn(page, customer, '/account');
  await main(page).getByLabel('Name', { exact: true }).fill('Vera Chimney');
  await main(page).getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'success', 'Your name and photo are saved.');
  await expect(navbar(page).getByRole('img', { name: 'Logged in as Vera Chimney' })).toBeVisible();

  await page.goto(`/review/${service.id}`);
  await main(page).getByLabel('Your review', { exact: true }).fill('After.');
  await main(page).getByRole('button', { name: 'Send review' }).click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  const authors = (await backend.reviewsOf(service.id)).map(({ review, customer }) => [review, customer]);
  expect(authors).toEqual([
    ['After.', 'Vera Chimney'],
    ['Before.', 'Vera Vent'],
  ]);
});

test('while an account is being deleted, the dialog shows a toast that can be dismissed with the keyboard', async ({
  page,
  backend,
}) => {
  await openSignedIn(page, await backend.customer(), '/account');
  // The API never responds to this request.
  await page.route('**/api/account', () => {});
  await main(page).getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete my account' });
  await remove.press('Enter');
  const toast = dialog.locator('[aria-live="polite"] [data-toast="loading"]');
  await expect(toast).toContainText('Deleting your account…');
  await expect(toast).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Tab');
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast).toBeHidden();
  await expect(remove).toBeFocused();
  // Esc does not close the dialog during the deletion, so that the customer sees the result.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
});

test.describe('a customer who deletes their account', () => {
  // After the account is deleted, a login fails with status 400. The browser logs this as an error.
  test.use({ expectedErrors: /status of 400/ });

  test('can export their reviews before the deletion, which also deletes the reviews', async ({ page, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await backend.review(customer, service.id, '=HYPERLINK("https://elsewhere.example")', 2);
    await openSignedIn(page, customer, '/account');

    const download = page.waitForEvent('download');
    await main(page).getByRole('button', { name: 'Export as CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toContain(`"2","'=HYPERLINK(""https://elsewhere.example"")"`);

    await expect(main(page).getByText('This deletes your account and your 1 review, for good.')).toBeVisible();
    await main(page).getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
    await expectToast(page, 'success', 'Your account is deleted.');
    await expect(page).toHaveURL('/');
    await expectSignedOut(page);
    expect(await storedToken(page)).toBeNull();
    expect(await backend.reviewsOf(service.id)).toEqual([]);

    await page.goto('/login');
    await tryToLogIn(page, customer);
    await expectToast(page, 'error', 'Your Email or Password Wrong');
  });
});
