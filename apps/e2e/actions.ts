import { expect, type Locator, type Page } from '@playwright/test';
import type { Customer } from './backend.ts';

export const tokenKey = 'rtr-cloud-kitchen-token';

// Actions that several specs share. They find elements by the names that a customer sees or hears.

export const email = (page: Page): Locator => main(page).getByLabel('Email', { exact: true });
const password = (page: Page): Locator => main(page).getByLabel('Password', { exact: true });
export const logInButton = (page: Page): Locator => main(page).getByRole('button', { name: 'Login', exact: true });
export const signUpButton = (page: Page): Locator => main(page).getByRole('button', { name: 'Sign Up', exact: true });
export const main = (page: Page): Locator => page.getByRole('main');
export const navbar = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

/** Fills in the login form and submits it. The test checks the result. */
export async function tryToLogIn(page: Page, who: Pick<Customer, 'email' | 'password'>): Promise<void> {
  await fillInLogin(page, who);
  await logInButton(page).click();
}

export async function fillInLogin(page: Page, who: Pick<Customer, 'email' | 'password'>): Promise<void> {
  await email(page).fill(who.email);
  await password(page).fill(who.password);
}

/** Logs in with the form, from the protected page `wanted` if there is one, and waits until the navbar shows the session. */
export async function logIn(page: Page, who: Pick<Customer, 'email' | 'password'>, wanted?: string): Promise<void> {
  await page.goto(wanted ?? '/login');
  await tryToLogIn(page, who);
  await expect(page).toHaveURL(wanted ?? '/');
  await expectSignedIn(page);
}

export interface NewCustomer {
  name: string;
  picture: string;
  email: string;
  password: string;
  confirm?: string;
}

export async function tryToSignUp(page: Page, who: NewCustomer): Promise<void> {
  await fillInSignUp(page, who);
  await signUpButton(page).click();
}

export async function fillInSignUp(page: Page, who: NewCustomer): Promise<void> {
  await main(page).getByLabel('Name', { exact: true }).fill(who.name);
  await main(page).getByLabel('Picture URL', { exact: true }).fill(who.picture);
  await email(page).fill(who.email);
  await password(page).fill(who.password);
  await main(page)
    .getByLabel('Confirm password', { exact: true })
    .fill(who.confirm ?? who.password);
}

export async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
}

export async function expectSignedOut(page: Page): Promise<void> {
  await expect(navbar(page).getByRole('link', { name: 'Login', exact: true })).toBeVisible();
}

/** Opens a service from the list, so that the browser requests it from the API. A page that the server renders has its data. */
export async function openFromList(page: Page, { title }: { title: string }): Promise<void> {
  await page.goto(`/services?q=${encodeURIComponent(title)}`);
  await main(page).getByRole('article').getByRole('link', { name: title }).first().click();
}

/** Stops the clock of the page, so that a toast does not disappear. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
}

export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), tokenKey);

export const historyLength = (page: Page): Promise<number> => page.evaluate(() => history.length);

/** Records the stored token at each navigation inside the app. The result returns the token at the navigation to a path. */
export async function rememberTokenAtNavigation(page: Page): Promise<(path: string) => Promise<string | null>> {
  await page.addInitScript((key) => {
    const seen: Record<string, string | null> = {};
    Object.assign(window, { tokenAtNavigation: seen });
    for (const method of ['pushState', 'replaceState'] as const) {
      const original = history[method].bind(history);
      history[method] = (data, unused, url) => {
        if (url) seen[new URL(url, location.href).pathname] = localStorage.getItem(key);
        original(data, unused, url);
      };
    }
  }, tokenKey);
  return (path) =>
    page.evaluate(
      (wanted) => (Reflect.get(window, 'tokenAtNavigation') as Record<string, string | null>)[wanted] ?? null,
      path,
    );
}
