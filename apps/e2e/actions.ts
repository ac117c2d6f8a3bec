import { expect, type Locator, type Page } from '@playwright/test';
import type { Customer } from './backend.ts';

type Credentials = Pick<Customer, 'email' | 'password'>;

export const tokenKey = 'rtr-cloud-kitchen-token';

// Actions that several test files share. They find elements by role and accessible name, as screen readers present them.

export const email = (page: Page): Locator => main(page).getByLabel('Email', { exact: true });
const password = (page: Page): Locator => main(page).getByLabel('Password', { exact: true });
export const logInButton = (page: Page): Locator => main(page).getByRole('button', { name: 'Login', exact: true });
export const signUpButton = (page: Page): Locator => main(page).getByRole('button', { name: 'Sign Up', exact: true });
export const main = (page: Page): Locator => page.getByRole('main');
/** Finds the first search field by its placeholder, because hydration changes the role of the field. */
export const searchField = (scope: Page | Locator): Locator => scope.getByPlaceholder('Search services').first();
export const navbar = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

/** Submits the login form without waiting for the result. */
export async function tryToLogIn(page: Page, credentials: Credentials): Promise<void> {
  await fillInLogin(page, credentials);
  await logInButton(page).click();
}

export async function fillInLogin(page: Page, credentials: Credentials): Promise<void> {
  await email(page).fill(credentials.email);
  await password(page).fill(credentials.password);
}

/**
 * Logs in with the form, and waits until the navbar shows that the customer is signed in. `path` is a protected page: it
 * redirects to the login form, and opens after the login.
 */
export async function logIn(page: Page, credentials: Credentials, path?: string): Promise<void> {
  await page.goto(path ?? '/login');
  await tryToLogIn(page, credentials);
  await expect(page).toHaveURL(path ?? '/');
  await expectSignedIn(page);
}

/**
 * Opens a page as a signed-in customer, without the login form. Stores the session where Firebase and the app store it after
 * a login, which takes much less time.
 */
export async function openSignedIn(page: Page, customer: Customer, path = '/'): Promise<void> {
  const { uid, email, name, photo, token, session } = customer;
  // A small file of the site, so that the browser has the storage of the site.
  await page.goto('/config.json');
  const { apiKey } = JSON.parse((await page.textContent('body')) ?? '') as { apiKey: string };
  const user = {
    uid,
    email,
    emailVerified: false,
    displayName: name,
    isAnonymous: false,
    photoURL: photo,
    providerData: [
      { providerId: 'password', uid: email, displayName: name, email, phoneNumber: null, photoURL: photo },
    ],
    stsTokenManager: {
      refreshToken: session.refreshToken,
      accessToken: session.idToken,
      expirationTime: Date.now() + 3_600_000,
    },
    apiKey,
    appName: '[DEFAULT]',
  };
  await page.evaluate(
    (items) => {
      for (const [key, value] of items) localStorage.setItem(key, value);
    },
    [
      [`firebase:authUser:${apiKey}:[DEFAULT]`, JSON.stringify(user)],
      [tokenKey, token],
    ] as const,
  );
  await page.context().addCookies([{ name: 'rtr-session', value: '1', url: page.url() }]);
  await page.goto(path);
  await expectSignedIn(page);
}

export interface NewCustomer {
  name: string;
  picture: string;
  email: string;
  password: string;
  confirm?: string;
}

/** Submits the sign-up form without waiting for the result. */
export async function tryToSignUp(page: Page, customer: NewCustomer): Promise<void> {
  await fillInSignUp(page, customer);
  await signUpButton(page).click();
}

export async function fillInSignUp(page: Page, customer: NewCustomer): Promise<void> {
  await main(page).getByLabel('Name', { exact: true }).fill(customer.name);
  await main(page).getByLabel('Picture URL', { exact: true }).fill(customer.picture);
  await email(page).fill(customer.email);
  await password(page).fill(customer.password);
  await main(page)
    .getByLabel('Confirm password', { exact: true })
    .fill(customer.confirm ?? customer.password);
}

export async function expectSignedIn(page: Page): Promise<void> {
  await expect(navbar(page).getByRole('img', { name: /^Logged in as/ })).toBeVisible();
}

export async function expectSignedOut(page: Page): Promise<void> {
  await expect(navbar(page).getByRole('link', { name: 'Login', exact: true })).toBeVisible();
}

/** Pauses the clock of the page, so that toasts stay visible. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
}

export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), tokenKey);

/**
 * Records the stored access token at each navigation within the app. The returned function takes a path, and returns the
 * token that was stored at the last navigation to this path.
 */
export async function recordTokensAtNavigation(page: Page): Promise<(path: string) => Promise<string | null>> {
  await page.addInitScript((key) => {
    const tokens: Record<string, string | null> = {};
    Object.assign(window, { tokensAtNavigation: tokens });
    for (const method of ['pushState', 'replaceState'] as const) {
      const original = history[method].bind(history);
      history[method] = (data, unused, url) => {
        if (url) tokens[new URL(url, location.href).pathname] = localStorage.getItem(key);
        original(data, unused, url);
      };
    }
  }, tokenKey);
  return (path) =>
    page.evaluate(
      (pathname) => (Reflect.get(window, 'tokensAtNavigation') as Record<string, string | null>)[pathname] ?? null,
      path,
    );
}

interface Hydrating {
  hydration: { headerIsHydrated: () => boolean; resume: () => void };
}

/**
 * Slows down the hydration of the pages that load after this call, so that a test can act during it: adds a long pause after
 * each task of React. `headerIsHydrated` waits until React has hydrated the header, but not yet the rest of the page. With
 * `hold`, there are no pauses until the header is hydrated. Then the hydration stops until the test calls `resume`.
 */
export async function slowDownHydration(page: Page, { hold = false } = {}) {
  await page.addInitScript((isHeld) => {
    const headerIsHydrated = () =>
      Object.keys(document.querySelector('header') ?? {}).some((key) => key.startsWith('__reactFiber'));
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    Object.assign(window, { hydration: { headerIsHydrated, resume } });
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function postLater(this: MessagePort, message: unknown) {
      const post = () => postMessage.call(this, message);
      if (!isHeld) setTimeout(post, 200);
      // If the hydration takes longer than 5 s, React does the rest in one task. On a busy machine, pauses before the header
      // could take these 5 s.
      else if (headerIsHydrated()) void resumed.then(post);
      else post();
    };
  }, hold);
  // On a fast processor, React would hydrate the whole page in one task.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return {
    headerIsHydrated: () =>
      page.waitForFunction(() => (window as unknown as Hydrating).hydration.headerIsHydrated(), undefined, {
        polling: 20,
      }),
    resume: () => page.evaluate(() => (window as unknown as Hydrating).hydration.resume()),
  };
}
