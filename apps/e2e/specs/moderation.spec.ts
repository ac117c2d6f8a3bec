import { main, openSignedIn, tryToLogIn } from '../actions.ts';
import { addReview, caseOf, closeDialog, dialog, signOut } from '../moderation.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// The browser logs the response with the status 404 for a customer who is no moderator.
test.use({ expectedErrors: /status of 404/ });

test('a visitor logs in to report a review, a moderator hides the review with a reason, the author and the reporter see the outcome, and the author asks for another look', async ({
  page,
  backend,
}) => {
  const { author, reporter, moderator, service, id } = await addReview(backend, 'Buy my filters instead.');
  await page.goto(`/services/${service.id}`);
  await main(page)
    .getByRole('link', { name: /^Report the review by Sam Spam/ })
    .click();
  await tryToLogIn(page, reporter);
  await expect(page).toHaveURL(`/services/${service.id}#review-${id}`);
  const send = async (reason: string, answer: string) => {
    await dialog(page).getByRole('radio', { name: reason }).check();
    await dialog(page).getByLabel('Details (optional)').fill('He sells filters.');
    await dialog(page).getByRole('button', { name: 'Send report' }).click();
    await expect(dialog(page).getByText(answer)).toBeVisible();
  };
  // The dialog is already open, because the visitor wanted to report the review before the login.
  await send('Something else', 'Your report is sent. A moderator will read it.');
  await closeDialog(page);
  await main(page)
    .getByRole('button', { name: /^Report the review by Sam Spam/ })
    .click();
  await send('Spam or advertising', 'Your report is sent. It replaces your earlier report.');
  await dialog(page).getByRole('link', { name: 'See the outcome on your account page' }).click();
  await expect(main(page).getByText('A moderator has not decided yet.')).toBeVisible();
  await expect(main(page).getByRole('heading', { name: 'Moderation' })).toBeHidden();
  await page.goto('/moderation');
  await expect(page.getByRole('heading', { level: 1, name: 'This page isn’t on the menu' })).toBeVisible();
  await signOut(page);

  await openSignedIn(page, moderator, '/account');
  await main(page).getByRole('link', { name: 'See the reported content' }).click();
  const reported = caseOf(page, service.title);
  await expect(reported.getByText('Buy my filters instead.')).toBeVisible();
  await expect(reported.getByRole('heading', { name: '1 report' })).toBeVisible();
  await expect(reported.getByText('He sells filters.')).toBeVisible();
  await reported.getByRole('button', { name: 'Hide the review by Sam Spam' }).press('Enter');
  await dialog(page).getByLabel('Reason').fill('It is an advert.');
  await dialog(page).getByRole('button', { name: 'Hide the review' }).press('Enter');
  await expectToast(page, 'success', 'The content is hidden.');
  await expect(reported.getByText('Review hidden')).toBeVisible();
  expect(await backend.reviewsOf(service.id)).toEqual([]);
  await signOut(page);

  await openSignedIn(page, reporter, '/account');
  await expect(main(page).getByText('A moderator has hidden the review.')).toBeVisible();
  await signOut(page);

  await openSignedIn(page, author, '/myreview');
  await expect(main(page).getByText('Reason: It is an advert.')).toBeVisible();
  await main(page).getByRole('button', { name: 'Ask for another look at this review' }).press('Enter');
  await page.keyboard.type('I buy there myself.');
  await main(page).getByRole('button', { name: 'Send to the moderators' }).press('Enter');
  await expect(main(page).getByText('You have asked for another look.')).toBeVisible();
  await signOut(page);

  await openSignedIn(page, moderator);
  await page.goto('/moderation');
  await expect(caseOf(page, service.title).getByText('I buy there myself.')).toBeVisible();
  await caseOf(page, service.title).getByRole('button', { name: 'Restore' }).click();
  await dialog(page).getByLabel('Reason').fill('The author explained it.');
  await dialog(page).getByRole('button', { name: 'Restore the review' }).click();
  await expectToast(page, 'success', 'The content is visible again.');
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ _id: id }]);
});
