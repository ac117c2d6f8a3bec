import type { Locator, Page } from '@playwright/test';
import {
  fillInLogin,
  fillInSignUp,
  logInButton,
  main,
  openSignedIn,
  pauseClock,
  signUpButton,
  tryToLogIn,
  tryToSignUp,
} from '../actions.ts';
import type { Backend, Customer } from '../backend.ts';
import { expect, test } from '../test.ts';

const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

/** Makes all requests to an API route fail, except GET requests. */
const failWrites = (page: Page, call: string) =>
  page.route(`**/api/${call}`, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 503, json: {} }),
  );

const unknownCustomer = { email: 'nobody@kitchen.test', password: 'not-theirs' };

/** Causes an error toast with a rejected login, and then opens a dialog of the login page. */
async function openBesideToast(page: Page, dialog: string): Promise<void> {
  await page.goto('/login');
  await tryToLogIn(page, unknownCustomer);
  await expect(page.locator('[data-toast]')).toBeVisible();
  await button(page, dialog).click();
}

interface FormCase {
  /**
   * Opens and fills in the form, and returns its submit button. A click on the button causes a toast, unless a toast is
   * displayed already.
   */
  fill: (page: Page, backend: Backend, customer: Customer) => Promise<Locator>;
  signedIn?: true;
}

const forms: Record<string, FormCase> = {
  login: {
    fill: async (page) => {
      await page.goto('/login');
      await fillInLogin(page, unknownCustomer);
      return logInButton(page);
    },
  },
  'sign-up': {
    fill: async (page, _, customer) => {
      await page.goto('/signup');
      const newcomer = { name: 'Nadia', picture: 'https://kitchen.test/a.png', email: customer.email };
      await fillInSignUp(page, { ...newcomer, password: 'six-letters' });
      return signUpButton(page);
    },
  },
  'new password': {
    fill: async (page) => {
      await openBesideToast(page, 'Forgot password?');
      return dialogButton(page, 'Send the link');
    },
  },
  'Google account': {
    fill: async (page) => {
      await openBesideToast(page, 'Continue with Google');
      return dialogButton(page, 'Continue with this email');
    },
  },
  'new service': {
    signedIn: true,
    fill: async (page) => {
      await failWrites(page, 'services');
      await page.goto('/addservices');
      await main(page).getByLabel('Title', { exact: true }).fill('Wok range extractor');
      return button(page, 'Add service');
    },
  },
  'new review': {
    signedIn: true,
    fill: async (page, backend, customer) => {
      const service = await backend.service(customer);
      await failWrites(page, 'review');
      await page.goto(`/review/${service.id}`);
      await main(page).getByLabel('Your review', { exact: true }).fill('Two days, no mess.');
      return button(page, 'Send review');
    },
  },
  'edited review': {
    signedIn: true,
    fill: async (page, backend, customer) => {
      const service = await backend.service(customer);
      const id = await backend.review(customer, service.id, 'Two days, no mess.');
      await failWrites(page, 'review/*');
      await page.goto(`/editreview/${id}`);
      await main(page).getByLabel('Your review', { exact: true }).fill('Three days, in truth.');
      return button(page, 'Save changes');
    },
  },
  'name and photo': {
    signedIn: true,
    fill: async (page) => {
      await page.route('**/accounts:update?**', (route) => route.abort());
      await page.goto('/account');
      await main(page).getByLabel('Name', { exact: true }).fill('Vera Chimney');
      return button(page, 'Save changes');
    },
  },
  'deletion of the account': {
    signedIn: true,
    fill: async (page) => {
      // The API never responds, so a toast appears after a delay and shows the progress.
      await page.route('**/api/account', () => {});
      await page.goto('/account');
      await button(page, 'Delete my account').click();
      return dialogButton(page, 'Delete my account');
    },
  },
};

/** Returns a description of each toast that overlaps a submit button. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('dialog[open]') ?? document;
    const submits = [...root.querySelectorAll('form[method=post] [type=submit]')];
    const toasts = [...document.querySelectorAll('[data-toast]')];
    return submits.flatMap((submit) =>
      toasts
        .filter((toast) => {
          const [a, b] = [submit.getBoundingClientRect(), toast.getBoundingClientRect()];
          return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        })
        .map((toast) => `${toast.textContent} over ${submit.textContent}`),
    );
  });

/** Waits for two animation frames. After that, the toasts have their final positions. */
const waitForLayout = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const viewports = [
  { width: 360, height: 740 },
  { width: 390, height: 664 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
];

test.describe('a toast does not cover the submit button of this form:', () => {
  test.use({ expectedErrors: /status of (400|503)|net::ERR/ });

  for (const [name, { fill, signedIn }] of Object.entries(forms)) {
    test(`${name} (in windows of 360 to 1440 px, at four scroll positions)`, async ({ page, backend }) => {
      const customer = await backend.customer();
      if (signedIn) await openSignedIn(page, customer);
      const submit = await fill(page, backend, customer);
      await submit.click();
      const toast = page.locator('[data-toast]').first();
      await expect(toast).toBeVisible();
      // A toast does not disappear while it has the focus.
      await toast.getByRole('button', { name: 'Dismiss' }).focus();
      for (const viewport of viewports) {
        await page.setViewportSize(viewport);
        for (const block of ['end', 'start', 'center', 'nearest'] as const) {
          await submit.evaluate((element, block) => element.scrollIntoView({ block }), block);
          await waitForLayout(page);
          expect(await overlaps(page), `${viewport.width} pixels, the button at the ${block}`).toEqual([]);
          await expect(toast).toBeInViewport({ ratio: 1 });
        }
      }
    });
  }
});

test('toasts that are visible at the same time are 8 pixels apart', async ({ page }) => {
  await page.goto('/signup');
  const toasts = page.locator('[data-toast]');
  await expect(signUpButton(page)).toBeVisible();
  await pauseClock(page);
  // The picture address and the password are invalid, and each of them causes a toast.
  const newcomer = { name: 'Nadia Newcomer', picture: 'ftp://kitchen.test/a.png', email: 'nadia@kitchen.test' };
  await tryToSignUp(page, { ...newcomer, password: 'short' });
  await expect(toasts).toHaveCount(2);
  const boxes = await Promise.all([0, 1].map(async (index) => toasts.nth(index).boundingBox()));
  const [upper, lower] = boxes.map((box) => box ?? { y: Number.NaN, height: Number.NaN });
  expect((lower?.y ?? 0) - ((upper?.y ?? 0) + (upper?.height ?? 0))).toBeCloseTo(8, 1);
});
