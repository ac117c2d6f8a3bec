import { randomUUID } from 'node:crypto';
import { expectSignedIn, main, navbar, rememberTokenAtNavigation, storedToken, tryToSignUp } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

const newcomer = (web: string) => ({
  name: 'Nadia Newcomer',
  picture: `${web}/pictures/avatar-2.svg`,
  email: `${randomUUID()}@kitchen.test`,
  password: 'six-letters',
});

test('a visitor signs up, and their first review carries their name and photo', async ({ page, run, backend }) => {
  const lister = await backend.customer();
  const service = await backend.service(lister);
  const who = newcomer(run.web);

  const tokenAtArrival = await rememberTokenAtNavigation(page);
  await page.goto('/signup');
  await expect(page).toHaveTitle('Sign Up RTR Cloud Kitchen');
  await tryToSignUp(page, who);
  await expectToast(page, 'success', 'Registration Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedIn(page);
  // Stored before the navigation, so that the next page's first call can carry it.
  expect(await tokenAtArrival('/')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(navbar(page).getByRole('img', { name: who.name })).toHaveAttribute('src', who.picture);
  for (const name of ['Home', 'Add Service', 'Blogs', 'My Review'])
    await expect(navbar(page).getByRole('link', { name, exact: true })).toBeVisible();

  await page.goto(`/review/${service.id}`);
  await main(page).getByLabel('Your review', { exact: true }).fill('Quiet at last.');
  await main(page).getByRole('button', { name: 'Send review' }).click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  expect(await backend.reviewsOf(service.id)).toMatchObject([
    { review: 'Quiet at last.', customer: who.name, costomerImg: who.picture },
  ]);
});

test('the browser itself asks for name, picture URL, email and password', async ({ page }) => {
  await page.goto('/signup');
  for (const label of ['Name', 'Picture URL', 'Email', 'Password']) {
    const field = main(page).getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute('required');
    await expect(field).not.toHaveAttribute('minlength');
  }
});

test('a short password and two different ones are told apart', async ({ page, run }) => {
  await page.goto('/signup');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));

  await tryToSignUp(page, { ...newcomer(run.web), password: '12345' });
  await expect(page.getByText('Password should be 6 character or more', { exact: true }).first()).toBeVisible();

  await tryToSignUp(page, { ...newcomer(run.web), confirm: 'something else' });
  await expect(page.getByText('Your Password did not match', { exact: true }).first()).toBeVisible();
  expect(calls.filter((url) => url.includes('accounts:'))).toEqual([]);
});

test.describe('when the provider refuses', () => {
  test.use({ expectedErrors: /status of 400/ });

  test('an email that has an account says so', async ({ page, run, backend }) => {
    const taken = await backend.customer();
    await page.goto('/signup');
    await tryToSignUp(page, { ...newcomer(run.web), email: taken.email });
    await expectToast(page, 'error', 'Email Already Used');
    await expect(page).toHaveURL('/signup');
    expect(await storedToken(page)).toBeNull();
  });

  test('a profile that cannot be saved is reported in our words, and the account is opened', async ({ page, run }) => {
    await page.route('**/accounts:update?**', (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'INVALID_PROFILE' } } }),
    );
    await page.goto('/signup');
    await tryToSignUp(page, newcomer(run.web));
    await expectToast(page, 'error', 'Your name and picture were not saved. You can set them on your account page.');
    await expectToast(page, 'success', 'Registration Successfully');
  });
});
