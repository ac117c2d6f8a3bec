import type { Page } from '@playwright/test';
import { expectSignedIn, logIn, main } from '../actions.ts';
import { expect, test } from '../test.ts';

// A mismatch between the server's page and the browser's first render is reported to the console, and so fails a test.
// The server runs in New York (global-setup.ts), the browser in Dhaka and in German.

test.use({ locale: 'de-DE', timezoneId: 'Asia/Dhaka', expectedErrors: /status of 404/ });
test.slow();

interface Paths {
  /** Paths that everyone may see. */
  open: string[];
  /** Paths that need a login. */
  guarded: string[];
}

const pathsFor = (service: string, review: string): Paths => ({
  open: [
    '/',
    '/services',
    '/services?q=hood&sort=price',
    '/services?saved',
    `/services/${service}`,
    `/services/${service}?rating=5&sort=lowest`,
    '/services/000000000000000000000000',
    '/blogs',
    '/about',
    '/how-reviews-work',
    '/privacy',
    '/terms',
    '/login',
    '/signup',
    '/no/such/page',
  ],
  guarded: ['/addservices', '/myReview', `/review/${service}`, `/editreview/${review}`, '/account'],
});

/** Loads the page and waits until it is hydrated. Fails when the browser renders it from nothing instead. */
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
    // The layout's effects run once it is hydrated; one of them listens to this key.
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
  test.describe(`on a ${colorScheme} device with the theme ${theme}`, () => {
    test.use({ colorScheme });

    test('every page hydrates, for a visitor and for a customer', async ({ page, context, backend, run }) => {
      const customer = await backend.customer();
      const service = await backend.service(customer);
      const review = await backend.review(customer, service.id, 'Quiet at last.', 5);
      const { open, guarded } = pathsFor(service.id, review);
      if (theme !== 'system') await context.addCookies([{ name: 'rtr-theme', value: theme, url: run.web }]);

      for (const path of open) {
        await openHydrated(page, path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      }
      for (const path of guarded) {
        await openHydrated(page, path);
        await expect(page).toHaveURL('/login');
      }
      // A reload of the login would lead to the last page that asked for it.
      await page.goto('/about');
      await logIn(page, customer);
      for (const path of [...open, ...guarded]) {
        await openHydrated(page, path);
        await expectSignedIn(page);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      }
    });
  });
}
