import type { Page } from '@playwright/test';
import { expectSignedIn, expectSignedOut, logIn, main, tryToLogIn } from '../actions.ts';
import { checkScreen } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// One of these tests makes a vote fail with status 503. The browser logs this response as an error.
test.use({ expectedErrors: /status of 503/ });

const usefulButton = (page: Page, text: string) =>
  main(page)
    .getByRole('row')
    .filter({ hasText: text })
    .getByRole('button', { name: /^Useful/ });
const reviewTexts = (page: Page) =>
  main(page)
    .getByRole('row')
    .getByText(/^Review [AB]\.$/);

test('the vote of a visitor is cast after the login, can be removed and cast again, and the review is then first when reviews are sorted by usefulness', async ({
  page,
  backend,
}) => {
  const [author, voter] = [await backend.customer('Ada'), await backend.customer('Vera')];
  const { id } = await backend.service(author);
  const review = await backend.review(author, id, 'Review A.');
  await backend.review(author, id, 'Review B.');
  const path = `/services/${id}?sort=useful`;
  await page.goto(path);
  await expect(reviewTexts(page)).toHaveText(['Review B.', 'Review A.']);
  await usefulButton(page, 'Review A.').click();
  await expect(page).toHaveURL('/login');
  await tryToLogIn(page, voter);
  await expect(page).toHaveURL(`${path}#review-${review}`);
  await expectSignedIn(page);
  await expect(main(page).locator(`#review-${review}`)).toBeFocused();

  const button = usefulButton(page, 'Review A.');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.dblclick();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toContainText('Useful (1)');
  const countOf = async () => (await backend.reviewsOf(id)).find(({ _id }) => _id === review)?.usefulCount;
  await expect.poll(countOf).toBe(1);

  await page.goto(path);
  await expect(reviewTexts(page)).toHaveText(['Review A.', 'Review B.']);
  await expect(usefulButton(page, 'Review A.')).toHaveAttribute('aria-pressed', 'true');
  await expect(usefulButton(page, 'Review B.')).toHaveAttribute('aria-pressed', 'false');

  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignedOut(page);
  await page.goBack();
  await expect(page).toHaveURL(path);
  await expect(usefulButton(page, 'Review A.')).toContainText('Useful (1)');
  await expect(usefulButton(page, 'Review A.')).toHaveAttribute('aria-pressed', 'false');
});

test('the Useful button shows the previous state after a failed vote, is accessible, fits the window and measures at least 44 px', async ({
  page,
  backend,
}) => {
  const [author, voter] = [await backend.customer('Ada'), await backend.customer('Vera')];
  const { id } = await backend.service(author);
  await backend.review(author, id, 'Review A.', 4);
  await backend.review(voter, id, 'Review B.', 5);
  await logIn(page, voter);
  await page.goto(`/services/${id}`);
  const button = usefulButton(page, 'Review A.');
  await expect(usefulButton(page, 'Review B.')).toBeHidden();
  await page.route('**/api/review/*/useful', (route) => route.fulfill({ status: 503 }));
  await button.click();
  await expectToast(page, 'error', 'Your vote was not saved. Try again.');
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect(button).toContainText('Useful (0)');
  await expect(main(page).getByRole('table').getByText('Your vote was not saved. Try again.')).toBeVisible();
  await page.unrouteAll();
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(main(page).getByRole('table').getByText('Your vote was not saved. Try again.')).toBeHidden();
  await checkScreen(page, 'details-useful');
  await page.setViewportSize({ width: 320, height: 640 });
  const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
});
