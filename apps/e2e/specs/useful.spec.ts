import type { Page } from '@playwright/test';
import { expectSignedIn, expectSignedOut, main, tryToLogIn } from '../actions.ts';
import { expect, test } from '../test.ts';

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
