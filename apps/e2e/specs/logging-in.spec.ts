import {
  expectSignedIn,
  expectSignedOut,
  logIn,
  main,
  navbar,
  recordTokensAtNavigation,
  storedToken,
  tryToLogIn,
} from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

test('a customer logs in, stays signed in after a reload, and signs out, with one cookie that does not identify them', async ({
  page,
  context,
  backend,
}) => {
  const customer = await backend.customer();
  const tokenAtNavigationTo = await recordTokensAtNavigation(page);
  await page.goto('/login');
  await expect(page).toHaveTitle('Login RTR Cloud Kitchen');
  expect(await context.cookies()).toEqual([]);
  await tryToLogIn(page, customer);
  await expectToast(page, 'success', 'Login Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedIn(page);
  expect(await tokenAtNavigationTo('/')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(navbar(page).getByRole('link', { name: 'Sign Up', exact: true })).toBeHidden();

  await page.reload();
  await expectSignedIn(page);
  expect(await storedToken(page)).not.toBeNull();
  const cookies = await context.cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ name: 'rtr-session', value: '1', path: '/', sameSite: 'Lax' });

  await page.goto('/services');
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectToast(page, 'success', 'Logout Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedOut(page);
  expect(await storedToken(page)).toBeNull();
  expect(await context.cookies()).toEqual([]);
});

test('signing out in one tab signs out the other tabs', async ({ page, context, backend }) => {
  await logIn(page, await backend.customer());
  const otherTab = await context.newPage();
  await otherTab.goto('/services');
  await expectSignedIn(otherTab);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignedOut(otherTab);
});

test('the link “Login for Add Review” opens the review form of the service after the login', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  const service = await backend.service(customer);
  await page.goto(`/services/${service.id}`);
  await page.getByRole('link', { name: 'Login for Add Review', exact: true }).first().click();
  await expect(page).toHaveURL(/\/login/);
  await tryToLogIn(page, customer);
  await expect(page).toHaveURL(`/review/${service.id}`);
  await expect(page).toHaveTitle('Review RTR Cloud Kitchen');
  await expect(main(page).getByText(service.title).first()).toBeVisible();
});
