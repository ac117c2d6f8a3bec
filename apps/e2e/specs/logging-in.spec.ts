import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  email,
  expectSignedIn,
  expectSignedOut,
  historyLength,
  logIn,
  logInButton,
  main,
  navbar,
  recordTokensAtNavigation,
  storedToken,
  tokenKey,
  tryToLogIn,
  tryToSignUp,
} from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast, toastsOf } from '../toasts.ts';

test('a customer logs in, stays signed in after a reload, and signs out', async ({ page, backend }) => {
  const customer = await backend.customer();
  const tokenAtNavigationTo = await recordTokensAtNavigation(page);
  await page.goto('/login');
  await expect(page).toHaveTitle('Login RTR Cloud Kitchen');
  await tryToLogIn(page, customer);
  await expectToast(page, 'success', 'Login Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedIn(page);
  expect(await tokenAtNavigationTo('/')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(navbar(page).getByRole('link', { name: 'Sign Up', exact: true })).toBeHidden();

  await page.reload();
  await expectSignedIn(page);
  expect(await storedToken(page)).not.toBeNull();

  await page.goto('/services');
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectToast(page, 'success', 'Logout Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedOut(page);
  expect(await storedToken(page)).toBeNull();
});

test('the login sets one cookie, which does not identify the customer, and Sign Out removes this cookie', async ({
  page,
  context,
  backend,
}) => {
  await page.goto('/login');
  expect(await context.cookies()).toEqual([]);
  await logIn(page, await backend.customer());
  const cookies = await context.cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ name: 'rtr-session', value: '1', path: '/', sameSite: 'Lax' });
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignedOut(page);
  expect(await context.cookies()).toEqual([]);
});

test('Sign Out on a protected page opens the home page instead of the login form', async ({ page, backend }) => {
  await logIn(page, await backend.customer());
  await page.goto('/myreview');
  await expect(main(page).getByText('You have not reviewed anything yet')).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectToast(page, 'success', 'Logout Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedOut(page);
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

for (const screen of ['/addservices', '/myreview?x=1', '/review/{id}?x=1#here']) {
  test(`the page ${screen} redirects a visitor to the login, opens after the login, and adds only one history entry`, async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    const path = screen.replace('{id}', (await backend.service(customer)).id);
    await page.goto('/blogs');
    const before = await historyLength(page);
    await page.goto(path);
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await historyLength(page)).toBe(before + 1);
    await tryToLogIn(page, customer);
    await expect(page).toHaveURL(path);
    await page.goBack();
    await expect(page).not.toHaveURL(/\/login/);
  });
}

test('the login and sign-up pages redirect a signed-in customer to the home page, and each adds only one history entry', async ({
  page,
  backend,
}) => {
  await logIn(page, await backend.customer());
  await page.goto('/blogs');
  const before = await historyLength(page);
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
    await expectSignedIn(page);
  }
  expect(await historyLength(page)).toBe(before + 2);
  await page.goBack();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(page).toHaveURL('/blogs');
});

test('the navbar link My Review opens the customer’s reviews at the address /myReview', async ({ page, backend }) => {
  await logIn(page, await backend.customer());
  const link = navbar(page).getByRole('link', { name: 'My Review', exact: true });
  await expect(link).toHaveAttribute('href', '/myReview');
  await link.click();
  await expect(page).toHaveTitle('My Review RTR Cloud Kitchen');
  await page.goto('/myReview');
  await expect(page).toHaveTitle('My Review RTR Cloud Kitchen');
  await expect(main(page).getByText('You have not reviewed anything yet')).toBeVisible();
});

test('in a demonstration, a customer logs in with an existing account in the Google dialog', async ({ page }) => {
  await page.goto('/login');
  await main(page)
    .getByRole('button', { name: /Google/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/demo/i);
  await dialog.getByRole('button').filter({ hasText: '@' }).first().click();
  await expectToast(page, 'success', 'Login Successfully');
  await expectSignedIn(page);
  expect(await storedToken(page)).not.toBeNull();
});

test('in a demonstration, a new customer signs up in the Google dialog with an email that is not one of the demo accounts', async ({
  page,
}) => {
  await page.goto('/signup');
  await main(page)
    .getByRole('button', { name: /Google/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Use another email').fill(`google-${randomUUID()}@kitchen.test`);
  await dialog.getByLabel('Use another email').press('Enter');
  await expectSignedIn(page);
});

test.describe('the dialog for a forgotten password', () => {
  // The Auth emulator returns an error for an unknown email. The browser logs it, but the page does not show it.
  test.use({ expectedErrors: /sendOobCode/ });

  test('promises a link by email, and does not reveal whether the account exists', async ({ page, backend }) => {
    const customer = await backend.customer();
    for (const address of [customer.email, 'nobody@kitchen.test']) {
      await page.goto('/login');
      await email(page).fill(address);
      await main(page).getByRole('button', { name: 'Forgot password?' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set a new password' });
      await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(address);
      await dialog.getByRole('button', { name: 'Send the link' }).click();
      const message = `If ${address} has an account, a link to set a new password is on its way.`;
      await expect(page.getByText(message)).toBeVisible();
      await expect(page.getByText('Demo: the link is printed in the terminal.')).toBeVisible();
    }
  });
});

test.describe('when the API rejects the access token,', () => {
  test.use({ expectedErrors: /status of 401/ });

  test('an expired access token is replaced by a new token, and the customer sees no message', async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await backend.review(customer, service.id, 'Written before the token was rejected.');
    await logIn(page, customer);
    await expectToast(page, 'success', 'Login Successfully');
    const expiredToken = backend.expiredToken(customer);
    await page.evaluate(([key = '', token = '']) => localStorage.setItem(key, token), [tokenKey, expiredToken]);

    await page.goto('/myreview');
    await expect(main(page).getByText('Written before the token was rejected.')).toBeVisible();
    await expect(page).toHaveURL('/myreview');
    expect(await storedToken(page)).not.toBe(expiredToken);
    expect(toastsOf(page)).toEqual([]);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('while it is unknown whether a customer is signed in,', () => {
  for (const path of ['/', '/myreview']) {
    test(`the page ${path} shows progress bars instead of its content`, async ({ page, backend }) => {
      await logIn(page, await backend.customer());
      let hung = true;
      await page.route('**/accounts:lookup?**', async (route) => {
        if (!hung) await route.continue();
      });
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.getByRole('progressbar').first()).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
      hung = false;
      await page.reload();
      await expectSignedIn(page);
      await expect(page.getByRole('progressbar')).toHaveCount(0);
    });
  }

  test('the page shows a Retry button after a delay', async ({ page, backend }) => {
    await logIn(page, await backend.customer());
    let hung = true;
    await page.route('**/accounts:lookup?**', async (route) => {
      if (!hung) await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await expect(page.getByText('Still connecting…')).toBeVisible();
    hung = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expectSignedIn(page);
  });
});

test.describe('a customer whose account is disabled', () => {
  test.use({ expectedErrors: /status of 400/ });

  test('is signed out with a message at the next visit', async ({ page, backend }) => {
    const customer = await backend.customer();
    await logIn(page, customer);
    await backend.disable(customer);
    await page.goto('/myreview');
    await expect(page.getByText('This account has been turned off, so you were signed out.')).toBeVisible();
    await expectSignedOut(page);
    expect(await storedToken(page)).toBeNull();
  });
});

test.describe('when the API fails during a login,', () => {
  test.use({ expectedErrors: /status of 503/ });

  test('the login form stays open with a message and a Try again button', async ({ page, backend }) => {
    const customer = await backend.customer();
    await page.route('**/api/jwt', (route) => route.fulfill(unavailable));
    await page.goto('/login');
    await tryToLogIn(page, customer);
    await expect(page.getByRole('alert').filter({ hasText: 'our server did not respond' })).toBeVisible();
    await expect(page).toHaveURL('/login');
    await page.unroute('**/api/jwt');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectToast(page, 'success', 'Login Successfully');
    await expect(page).toHaveURL('/');
  });
});

const unavailable = {
  status: 503,
  contentType: 'application/problem+json',
  headers: { 'Retry-After': '1' },
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'The database does not respond right now. Try again in a few seconds.',
    instance: 'test',
  }),
};

const wrongCredentials = 'Your Email or Password Wrong';
const emailUsed = 'Email Already Used';
const accountDisabled = 'This account has been turned off, so you were signed out.';
const strongerPassword = 'Choose a stronger password. Make it longer, and use capital letters, numbers and symbols.';
const tooManyTries = 'Too many tries. Wait a few minutes, or set a new password.';
const noNetwork = 'No connection. Check your network and try again.';
const popupBlocked = 'Your browser blocked the Google window. Allow it, then press the button again.';
const googleNotSetUp = 'Google sign-in is not set up for this address. Use email and password.';

test.describe('the Firebase error', () => {
  test.use({ expectedErrors: /status of 400|net::ERR/ });

  test('“user-not-found” during a login by email shows the message that the email or the password is wrong', async ({
    page,
  }) => {
    await page.goto('/login');
    await tryToLogIn(page, { email: 'nobody@kitchen.test', password: 'six-letters' });
    await expectToast(page, 'error', wrongCredentials);
    await expect(main(page).getByText('Check both, or set a new password.')).toBeVisible();
    await expect(logInButton(page)).toBeEnabled();
  });

  test('“wrong-password” during a login by email shows the message that the email or the password is wrong', async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    await page.goto('/login');
    await tryToLogIn(page, { email: customer.email, password: 'not the password' });
    await expectToast(page, 'error', wrongCredentials);
    expect(await storedToken(page)).toBeNull();
  });

  test('“user-disabled” during a login by email shows the message that the account is disabled', async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    await backend.disable(customer);
    await page.goto('/login');
    await tryToLogIn(page, customer);
    await expectToast(page, 'error', accountDisabled);
  });

  // The Auth emulator does not return most of the following errors, so the tests fake its responses. Some of these errors,
  // such as `popup-blocked`, come from Google's popup window, which the tests do not open. The tests can fake these errors
  // too, because the Firebase SDK converts an unknown server error into an error code with the same name.
  const methods = {
    'login by email': { page: '/login', call: 'signInWithPassword', start: startLogin },
    'sign-up by email': { page: '/signup', call: 'signUp', start: startSignUp },
    'Google sign-in': { page: '/login', call: 'signInWithIdp', start: startGoogle },
  };
  const errors: [method: keyof typeof methods, code: string, serverCode: string, message: string | null][] = [
    ['login by email', 'invalid-credential', 'INVALID_LOGIN_CREDENTIALS', wrongCredentials],
    ['login by email', 'invalid-email', 'INVALID_IDENTIFIER', wrongCredentials],
    ['login by email', 'something-new', 'SOMETHING_NEW', wrongCredentials],
    ['login by email', 'too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', tooManyTries],
    ['login by email', 'requires-recent-login', 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'Log in again to continue.'],
    ['sign-up by email', 'email-already-in-use', 'EMAIL_EXISTS', emailUsed],
    [
      'sign-up by email',
      'password-does-not-meet-requirements',
      'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
      strongerPassword,
    ],
    ['sign-up by email', 'something-new', 'SOMETHING_NEW', emailUsed],
    ['sign-up by email', 'too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', tooManyTries],
    ['sign-up by email', 'user-disabled', 'USER_DISABLED', accountDisabled],
    ['Google sign-in', 'user-disabled', 'USER_DISABLED', accountDisabled],
    ['Google sign-in', 'too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', tooManyTries],
    ['Google sign-in', 'popup-blocked', 'POPUP_BLOCKED', popupBlocked],
    ['Google sign-in', 'unauthorized-domain', 'UNAUTHORIZED DOMAIN', googleNotSetUp],
    ['Google sign-in', 'popup-closed-by-user', 'POPUP_CLOSED_BY_USER', null],
    ['Google sign-in', 'cancelled-popup-request', 'CANCELLED_POPUP_REQUEST', null],
  ];
  for (const [name, code, serverCode, message] of errors) {
    const expectation = message === null ? 'shows no message' : `shows “${message}”`;
    test(`“${code}” during a ${name} ${expectation}`, async ({ page }) => {
      const method = methods[name];
      await page.route(`**/accounts:${method.call}?**`, (route) =>
        route.fulfill({ status: 400, json: { error: { code: 400, message: serverCode } } }),
      );
      const responded = page.waitForResponse(`**/accounts:${method.call}?**`);
      await page.goto(method.page);
      await method.start(page);
      await responded;
      if (message === null) {
        // The button is enabled again when the error has been handled.
        await expect(main(page).getByRole('button', { name: /Google/ })).toBeEnabled();
        expect(toastsOf(page)).toEqual([]);
        await expect(page.getByRole('alert')).toHaveCount(0);
      } else await expectToast(page, 'error', message);
      await expect(page).toHaveURL(method.page);
    });
  }

  for (const [name, method] of Object.entries(methods)) {
    test(`“network-request-failed” during a ${name} shows “${noNetwork}”`, async ({ page }) => {
      await page.route(`**/accounts:${method.call}?**`, (route) => route.abort('connectionfailed'));
      await page.goto(method.page);
      await method.start(page);
      await expectToast(page, 'error', noNetwork);
      await expect(page).toHaveURL(method.page);
    });
  }
});

async function startLogin(page: Page): Promise<void> {
  await tryToLogIn(page, { email: 'someone@kitchen.test', password: 'six-letters' });
}

async function startSignUp(page: Page): Promise<void> {
  const newcomer = { name: 'Some One', picture: 'https://kitchen.test/a.png', email: 'someone@kitchen.test' };
  await tryToSignUp(page, { ...newcomer, password: 'six-letters' });
}

async function startGoogle(page: Page): Promise<void> {
  await main(page)
    .getByRole('button', { name: /Google/ })
    .click();
  await page.getByRole('dialog').getByRole('button').filter({ hasText: '@' }).first().click();
}
