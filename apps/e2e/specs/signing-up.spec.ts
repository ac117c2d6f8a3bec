import { randomUUID } from 'node:crypto';
import { expectSignedIn, main, navbar, recordTokensAtNavigation, tryToSignUp } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

test('a visitor signs up, and their first review has their name and photo', async ({ page, run, backend }) => {
  const lister = await backend.customer();
  const service = await backend.service(lister);
  const newcomer = {
    name: 'Nadia Newcomer',
    picture: `${run.web}/pictures/avatar-2.svg`,
    email: `${randomUUID()}@kitchen.test`,
    password: 'six-letters',
  };

  const tokenAtNavigationTo = await recordTokensAtNavigation(page);
  await page.goto('/signup');
  await expect(page).toHaveTitle('Sign Up RTR Cloud Kitchen');
  await tryToSignUp(page, newcomer);
  await expectToast(page, 'success', 'Registration Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedIn(page);
  // The token is stored before the navigation, so that the first request of the new page can send it.
  expect(await tokenAtNavigationTo('/')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(navbar(page).getByRole('img', { name: newcomer.name })).toHaveAttribute('src', newcomer.picture);
  for (const name of ['Home', 'Add Service', 'Blogs', 'My Review'])
    await expect(navbar(page).getByRole('link', { name, exact: true })).toBeVisible();

  await page.goto(`/review/${service.id}`);
  await main(page).getByLabel('Your review', { exact: true }).fill('Quiet at last.');
  await main(page).getByRole('button', { name: 'Send review' }).click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  expect(await backend.reviewsOf(service.id)).toMatchObject([
    { review: 'Quiet at last.', customer: newcomer.name, costomerImg: newcomer.picture },
  ]);
});
