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
  rememberTokenAtNavigation,
  storedToken,
  tokenKey,
  tryToLogIn,
  tryToSignUp,
} from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast, toastsOf } from '../toasts.ts';

test('a customer logs in, stays in over a reload, and signs out', async ({ page, backend }) => {
  const customer = await backend.customer();
  const tokenAtArrival = await rememberTokenAtNavigation(page);
  await page.goto('/login');
  await expect(page).toHaveTitle('Login RTR Cloud Kitchen');
  await tryToLogIn(page, customer);
  await expectToast(page, 'success', 'Login Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedIn(page);
  expect(await tokenAtArrival('/')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
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

test('Sign Out on a protected page leads home too, not to the login', async ({ page, backend }) => {
  await logIn(page, await backend.customer());
  await page.goto('/myreview');
  await expect(main(page).getByText('You have not reviewed anything yet')).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectToast(page, 'success', 'Logout Successfully');
  await expect(page).toHaveURL('/');
  await expectSignedOut(page);
});

test('signing out in one tab signs the other one out', async ({ page, context, backend }) => {
  await logIn(page, await backend.customer());
  const other = await context.newPage();
  await other.goto('/services');
  await expectSignedIn(other);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignedOut(other);
});

test('from ‘Login for Add Review’ one lands on the review form of that service', async ({ page, backend }) => {
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
  test(`${screen} asks a visitor to log in, replaces the history entry, and is remembered`, async ({
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

test('a customer who is signed in is sent on from the login and the sign-up, in place of them', async ({
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

test('the navbar’s link to /myReview works', async ({ page, backend }) => {
  await logIn(page, await backend.customer());
  const link = navbar(page).getByRole('link', { name: 'My Review', exact: true });
  await expect(link).toHaveAttribute('href', '/myReview');
  await link.click();
  await expect(page).toHaveTitle('My Review RTR Cloud Kitchen');
  await page.goto('/myReview');
  await expect(page).toHaveTitle('My Review RTR Cloud Kitchen');
  await expect(main(page).getByText('You have not reviewed anything yet')).toBeVisible();
});

test('an account of the demo’s Google dialog signs in', async ({ page }) => {
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

test('a free email signs up in the demo’s Google dialog', async ({ page }) => {
  await page.goto('/signup');
  await main(page)
    .getByRole('button', { name: /Google/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Another email').fill(`google-${randomUUID()}@kitchen.test`);
  await dialog.getByLabel('Another email').press('Enter');
  await expectSignedIn(page);
});

test.describe('a forgotten password', () => {
  // The provider itself tells; what the customer sees does not.
  test.use({ expectedErrors: /sendOobCode/ });

  test('‘Forgot password?’ never tells whether an account exists', async ({ page, backend }) => {
    const customer = await backend.customer();
    for (const address of [customer.email, 'nobody@kitchen.test']) {
      await page.goto('/login');
      await email(page).fill(address);
      await main(page).getByRole('button', { name: 'Forgot password?' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set a new password' });
      await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(address);
      await dialog.getByRole('button', { name: 'Send the link' }).click();
      const told = `If ${address} has an account, a link to set a new password is on its way.`;
      await expect(page.getByText(told)).toBeVisible();
      await expect(page.getByText('Demo: the link is printed in the terminal.')).toBeVisible();
    }
  });
});

test.describe('a token that the API refuses', () => {
  test.use({ expectedErrors: /status of 401/ });

  for (const [kind, made] of [
    ['an expired token', 'expired'],
    ['a token of an earlier version', 'ofEarlierVersion'],
  ] as const) {
    test(`${kind} is renewed without a message`, async ({ page, backend }) => {
      const customer = await backend.customer();
      const service = await backend.service(customer);
      await backend.review(customer, service.id, 'Written before the token was refused.');
      await logIn(page, customer);
      await expectToast(page, 'success', 'Login Successfully');
      const refused = backend[made](customer);
      await page.evaluate(([key = '', token = '']) => localStorage.setItem(key, token), [tokenKey, refused]);

      await page.goto('/myreview');
      await expect(main(page).getByText('Written before the token was refused.')).toBeVisible();
      await expect(page).toHaveURL('/myreview');
      expect(await storedToken(page)).not.toBe(refused);
      expect(toastsOf(page)).toEqual([]);
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});

test.describe('while the provider does not answer who is signed in', () => {
  for (const path of ['/', '/myreview']) {
    test(`${path} shows progress bars`, async ({ page, backend }) => {
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

  test('the bars say so after a while, and offer Retry', async ({ page, backend }) => {
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

test.describe('a customer whose account is turned off', () => {
  test.use({ expectedErrors: /status of 400/ });

  test('is signed out at the next visit, and told', async ({ page, backend }) => {
    const customer = await backend.customer();
    await logIn(page, customer);
    await backend.disable(customer);
    await page.goto('/myreview');
    await expect(page.getByText('This account has been turned off, so you were signed out.')).toBeVisible();
    await expectSignedOut(page);
    expect(await storedToken(page)).toBeNull();
  });
});

test.describe('the API away while a customer signs in', () => {
  test.use({ expectedErrors: /status of 503/ });

  test('keeps them on the form with a message and another try', async ({ page, backend }) => {
    const customer = await backend.customer();
    await page.route('**/api/jwt', (route) => route.fulfill(unavailable));
    await page.goto('/login');
    await tryToLogIn(page, customer);
    await expect(page.getByRole('alert').filter({ hasText: 'our server did not answer' })).toBeVisible();
    await expect(page).toHaveURL('/login');
    await page.unroute('**/api/jwt');
    await page.getByRole('button', { name: 'Retry' }).click();
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
    detail: 'The database does not answer right now. Try again in a few seconds.',
    instance: 'test',
  }),
};

const wrongLogin = 'Your Email or Password Wrong';
const emailUsed = 'Email Already Used';
const turnedOff = 'This account has been turned off, so you were signed out.';
const strongerPassword = 'We need a stronger password. Make it longer, and mix capitals, digits and symbols.';
const tooMany = 'Too many tries. Wait a few minutes, or set a new password.';
const noNetwork = 'No connection. Check your network and try again.';
const blocked = 'Your browser blocked the Google window. Allow it, then press the button again.';
const notSetUp = 'Google sign-in is not set up for this address. Use email and password.';

test.describe('the provider’s codes', () => {
  test.use({ expectedErrors: /status of 400|net::ERR/ });

  test('user-not-found at login', async ({ page }) => {
    await page.goto('/login');
    await tryToLogIn(page, { email: 'nobody@kitchen.test', password: 'six-letters' });
    await expectToast(page, 'error', wrongLogin);
    await expect(main(page).getByText('Check both, or set a new password.')).toBeVisible();
    await expect(logInButton(page)).toBeEnabled();
  });

  test('wrong-password at login', async ({ page, backend }) => {
    const customer = await backend.customer();
    await page.goto('/login');
    await tryToLogIn(page, { email: customer.email, password: 'not the password' });
    await expectToast(page, 'error', wrongLogin);
    expect(await storedToken(page)).toBeNull();
  });

  test('user-disabled at login', async ({ page, backend }) => {
    const customer = await backend.customer();
    await backend.disable(customer);
    await page.goto('/login');
    await tryToLogIn(page, customer);
    await expectToast(page, 'error', turnedOff);
  });

  // From here the provider's answer is made up, because the emulator never gives these: the boundary is its REST API.
  // The SDK turns a server code that it does not know into the provider code of that name, so popup failures, which
  // have no popup here, come this way too.
  const ways = {
    'login by email': { page: '/login', call: 'signInWithPassword', start: startLogin },
    'sign-up by email': { page: '/signup', call: 'signUp', start: startSignUp },
    'Google sign-in': { page: '/login', call: 'signInWithIdp', start: startGoogle },
  };
  const answers: [way: keyof typeof ways, code: string, server: string, text: string | null][] = [
    ['login by email', 'invalid-credential', 'INVALID_LOGIN_CREDENTIALS', wrongLogin],
    ['login by email', 'invalid-email', 'INVALID_IDENTIFIER', wrongLogin],
    ['login by email', 'an unknown error', 'SOMETHING_NEW', wrongLogin],
    ['login by email', 'too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', tooMany],
    ['login by email', 'requires-recent-login', 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'Log in again to go on.'],
    ['sign-up by email', 'email-already-in-use', 'EMAIL_EXISTS', emailUsed],
    ['sign-up by email', 'a password that the policy refuses', 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS', strongerPassword],
    ['sign-up by email', 'an unknown error', 'SOMETHING_NEW', emailUsed],
    ['sign-up by email', 'too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', tooMany],
    ['sign-up by email', 'user-disabled', 'USER_DISABLED', turnedOff],
    ['Google sign-in', 'user-disabled', 'USER_DISABLED', turnedOff],
    ['Google sign-in', 'too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', tooMany],
    ['Google sign-in', 'popup-blocked', 'POPUP_BLOCKED', blocked],
    ['Google sign-in', 'unauthorized-domain', 'UNAUTHORIZED DOMAIN', notSetUp],
    ['Google sign-in', 'popup-closed-by-user', 'POPUP_CLOSED_BY_USER', null],
    ['Google sign-in', 'cancelled-popup-request', 'CANCELLED_POPUP_REQUEST', null],
  ];
  for (const [name, code, server, text] of answers) {
    test(`${code} at ${name}`, async ({ page }) => {
      const way = ways[name];
      await page.route(`**/accounts:${way.call}?**`, (route) =>
        route.fulfill({ status: 400, json: { error: { code: 400, message: server } } }),
      );
      const answered = page.waitForResponse(`**/accounts:${way.call}?**`);
      await page.goto(way.page);
      await way.start(page);
      await answered;
      if (text === null) {
        // Enabled again once all is done.
        await expect(main(page).getByRole('button', { name: /Google/ })).toBeEnabled();
        expect(toastsOf(page)).toEqual([]);
        await expect(page.getByRole('alert')).toHaveCount(0);
      } else await expectToast(page, 'error', text);
      await expect(page).toHaveURL(way.page);
    });
  }

  for (const [name, way] of Object.entries(ways)) {
    test(`network-request-failed at ${name}`, async ({ page }) => {
      await page.route(`**/accounts:${way.call}?**`, (route) => route.abort('connectionfailed'));
      await page.goto(way.page);
      await way.start(page);
      await expectToast(page, 'error', noNetwork);
      await expect(page).toHaveURL(way.page);
    });
  }
});

async function startLogin(page: Page): Promise<void> {
  await tryToLogIn(page, { email: 'someone@kitchen.test', password: 'six-letters' });
}

async function startSignUp(page: Page): Promise<void> {
  const who = { name: 'Some One', picture: 'https://kitchen.test/a.png', email: 'someone@kitchen.test' };
  await tryToSignUp(page, { ...who, password: 'six-letters' });
}

async function startGoogle(page: Page): Promise<void> {
  await main(page)
    .getByRole('button', { name: /Google/ })
    .click();
  await page.getByRole('dialog').getByRole('button').filter({ hasText: '@' }).first().click();
}
