import type { Page } from '@playwright/test';
import { expectSignedIn, logIn, main } from '../actions.ts';
import type { Customer } from '../backend.ts';
import { expect, test } from '../test.ts';

// If the HTML of the server differs from the first render in the browser, React logs an error, which fails the test. To find
// such differences, the server (see global-setup.ts) and the browser have different time zones and languages.

test.use({ locale: 'de-DE', timezoneId: 'Asia/Dhaka', expectedErrors: /status of 404/ });

const pageGroups = {
  'pages with services': (service: string) => [
    '/',
    '/services',
    '/services?q=hood&sort=price',
    '/services?saved',
    `/services/${service}`,
    `/services/${service}?rating=5&sort=lowest`,
    '/services/000000000000000000000000',
  ],
  'pages without data': () => [
    '/blogs',
    '/about',
    '/how-reviews-work',
    '/privacy',
    '/terms',
    '/login',
    '/signup',
    '/no/such/page',
  ],
  'protected pages': (service: string, review: string) => [
    '/addservices',
    '/myReview',
    `/review/${service}`,
    `/editreview/${review}`,
    '/account',
  ],
};

/** Opens the page and waits until it is hydrated. Fails if React has replaced the elements that the server sent. */
async function openHydrated(page: Page, path: string): Promise<void> {
  let markServerRendering = () => {};
  const isMarked = new Promise<void>((resolve) => {
    markServerRendering = resolve;
  });
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await isMarked;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await main(page).evaluate((element) => Reflect.set(element, 'isFromServer', true));
  markServerRendering();
  const search = page.getByRole('searchbox').first();
  await expect(async () => {
    // This keyboard shortcut works only when the hydration is complete.
    await page.keyboard.press('/');
    await expect(search).toBeFocused({ timeout: 100 });
  }).toPass();
  expect(await main(page).evaluate((element) => Reflect.get(element, 'isFromServer')), path).toBe(true);
  await page.unroute('**/assets/entry-client-*.js');
}

for (const { colorScheme, theme } of [
  { colorScheme: 'light', theme: 'dark' },
  { colorScheme: 'dark', theme: 'system' },
] as const) {
  test.describe(`on a device in ${colorScheme} mode, with the theme “${theme}”,`, () => {
    test.use({ colorScheme });

    let customer: Customer;
    let pathsOf: (group: keyof typeof pageGroups) => string[];
    test.beforeEach(async ({ context, backend, run }) => {
      customer = await backend.customer();
      const service = await backend.service(customer);
      const review = await backend.review(customer, service.id, 'Quiet at last.', 5);
      pathsOf = (group) => pageGroups[group](service.id, review);
      if (theme !== 'system') await context.addCookies([{ name: 'rtr-theme', value: theme, url: run.web }]);
    });

    for (const group of ['pages with services', 'pages without data'] as const)
      test(`${group} hydrate without an error for a visitor`, async ({ page }) => {
        for (const path of pathsOf(group)) {
          await openHydrated(page, path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        }
      });

    test('protected pages hydrate without an error for a visitor and then redirect to the login', async ({ page }) => {
      for (const path of pathsOf('protected pages')) {
        await openHydrated(page, path);
        await expect(page).toHaveURL('/login');
      }
    });

    for (const group of ['pages with services', 'pages without data', 'protected pages'] as const)
      test(`${group} hydrate without an error for a customer`, async ({ page }) => {
        await logIn(page, customer);
        for (const path of pathsOf(group)) {
          await openHydrated(page, path);
          await expectSignedIn(page);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        }
      });
  });
}
