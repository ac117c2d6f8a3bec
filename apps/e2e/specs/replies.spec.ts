import type { Page } from '@playwright/test';
import { main, navbar, openSignedIn } from '../actions.ts';
import { press } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

const reply = (page: Page) => main(page).getByRole('textbox', { name: 'Your reply' });
const reviewWith = (page: Page, text: string) => main(page).getByRole('row').filter({ hasText: text });
const acceptDialog = (page: Page) => page.once('dialog', (dialog) => dialog.accept());

test('a lister finds the reviews without a reply, and writes, edits, deletes and restores a reply, which the author of the review can read', async ({
  page,
  browser,
  backend,
}) => {
  const [lister, author] = [await backend.customer('Lena Fitter'), await backend.customer('Omar Cook')];
  const service = await backend.service(lister);
  await backend.review(author, service.id, 'The fan is quiet again.', 5);
  await backend.review(author, service.id, 'They came an hour late.', 3);
  await openSignedIn(page, lister, '/myservices');
  await main(page).getByRole('link', { name: '2 without a reply' }).click();
  await expect(page).toHaveURL(`/services/${service.id}?sort=unanswered#reviews`);
  await reviewWith(page, 'an hour late')
    .getByRole('link', { name: /^Reply to/ })
    .click();
  await expect(main(page).getByText('They came an hour late.')).toBeVisible();
  await reply(page).fill('Sorry, Omar. The bridge was closed.');
  await press('Send reply')(page);
  await expectToast(page, 'success', 'Your reply is sent.');
  await expect(page).toHaveURL(({ pathname, hash }) =>
    `${pathname}${hash}`.startsWith(`/services/${service.id}#review-`),
  );
  const answered = reviewWith(page, 'an hour late');
  await expect(answered.getByRole('group', { name: 'Reply from Lena Fitter' })).toContainText('The bridge was closed.');
  await expect(answered).toBeFocused();

  await answered.getByRole('link', { name: /^Edit reply/ }).click();
  await expect(reply(page)).toHaveValue('Sorry, Omar. The bridge was closed.');
  await reply(page).fill('Sorry, Omar. The bridge was closed, and I did not call.');
  await press('Save changes')(page);
  await expectToast(page, 'success', 'Your changes are saved.');
  await expect(answered).toContainText('and I did not call.');
  await expect(answered).toContainText('edited');

  const authorPage = await (await browser.newContext()).newPage();
  await openSignedIn(authorPage, author, '/myreview');
  await expect(reviewWith(authorPage, 'an hour late')).toContainText('Reply from Lena Fitter');
  await expect(reviewWith(authorPage, 'an hour late')).toContainText('and I did not call.');
  await authorPage.context().close();

  acceptDialog(page);
  await answered.getByRole('button', { name: /^Delete reply/ }).click();
  await expectToast(page, 'success', 'Your reply is deleted.');
  await expect(main(page).getByText('and I did not call.')).toBeHidden();
  await main(page).getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'success', 'Your reply is back.');
  await expect(main(page).getByText('and I did not call.')).toBeVisible();
  await navbar(page).getByRole('link', { name: 'My services' }).click();
  await expect(main(page).getByRole('link', { name: '1 without a reply' })).toBeVisible();
});
