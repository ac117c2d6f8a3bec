import { randomUUID } from 'node:crypto';
import { expectSignedIn, main, navbar, recordTokensAtNavigation, storedToken, tryToSignUp } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

const createNewcomer = (web: string) => ({
  name: 'Nadia Newcomer',
  picture: `${web}/pictures/avatar-2.svg`,
  email: `${randomUUID()}@kitchen.test`,
  password: 'six-letters',
});

test('a visitor signs up, and their first review has their name and photo', async ({ page, run, backend }) => {
  const lister = await backend.customer();
  const service = await backend.service(lister);
  const newcomer = createNewcomer(run.web);

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

test('the sign-up form requires a name, a picture URL, an email and a password', async ({ page }) => {
  await page.goto('/signup');
  for (const label of ['Name', 'Picture URL', 'Email', 'Password']) {
    const field = main(page).getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute('required');
    await expect(field).not.toHaveAttribute('minlength');
  }
});

test('the sign-up form shows different messages for a password that is too short and for two passwords that differ', async ({
  page,
  run,
}) => {
  await page.goto('/signup');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));

  await tryToSignUp(page, { ...createNewcomer(run.web), password: '12345' });
  await expect(page.getByText('Password should be 6 character or more', { exact: true }).first()).toBeVisible();

  await tryToSignUp(page, { ...createNewcomer(run.web), confirm: 'something else' });
  await expect(page.getByText('Your Password did not match', { exact: true }).first()).toBeVisible();
  expect(calls.filter((url) => url.includes('accounts:'))).toEqual([]);
});

test.describe('when Firebase rejects a request,', () => {
  test.use({ expectedErrors: /status of 400/ });

  test('the sign-up shows that the email already has an account', async ({ page, run, backend }) => {
    const taken = await backend.customer();
    await page.goto('/signup');
    await tryToSignUp(page, { ...createNewcomer(run.web), email: taken.email });
    await expectToast(page, 'error', 'Email Already Used');
    await expect(page).toHaveURL('/signup');
    expect(await storedToken(page)).toBeNull();
  });

  test('the sign-up succeeds even if the name and the photo could not be saved, and a message says so', async ({
    page,
    run,
  }) => {
    await page.route('**/accounts:update?**', (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'INVALID_PROFILE' } } }),
    );
    await page.goto('/signup');
    await tryToSignUp(page, createNewcomer(run.web));
    await expectToast(page, 'error', 'Your name and photo were not saved. You can add them on your account page.');
    await expectToast(page, 'success', 'Registration Successfully');
  });
});
