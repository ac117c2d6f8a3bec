import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Service } from '@rtr/shared';
import { expectSignedIn, main, openSignedIn, searchField } from '../actions.ts';
import type { Customer } from '../backend.ts';
import { expect, test } from '../test.ts';

// React logs an error if the HTML from the server differs from the first render in the browser, and the error fails the
// test. To find such differences, the server and the browser have different time zones and languages (see global-setup.ts).
// For the same reason, the theme is not the theme of the device.

test.use({ locale: 'de-DE', timezoneId: 'Asia/Dhaka', colorScheme: 'light', expectedErrors: /status of 404/ });

interface Content {
  /** The id of a service with two reviews. */
  service: string;
  /** The id of the lister of this service. */
  lister: string;
  /** The id of a review by the customer. */
  review: string;
  /** The cursor of the second page of the list of services. */
  afterService: string;
  /** The cursor of the second page of the reviews of `service`. */
  afterReview: string;
}

const pageGroups = {
  'pages with services': ({ service, lister, afterService, afterReview }: Content) => [
    '/',
    '/services',
    '/services?q=hood&sort=price',
    '/services?q=nosuchthing',
    `/services?after=${afterService}`,
    '/services?saved',
    `/services/${service}`,
    `/services/${service}?rating=5&sort=lowest`,
    `/services/${service}?after=${afterReview}`,
    '/services/000000000000000000000000',
    `/listers/${lister}`,
    '/listers/000000000000000000000000',
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
    '/moderation',
  ],
  'protected pages': ({ service, review }: Content) => [
    '/addservices',
    '/myReview',
    `/review/${service}`,
    `/editreview/${review}`,
    '/account',
    '/myservices',
    `/editservice/${service}`,
    `/reply/${review}`,
    `/ask/${service}`,
    '/requests',
    '/requests/000000000000000000000000',
    '/news',
  ],
};

/** Requests the first page of a list. Returns the cursor of the second page. */
async function cursorAfter(firstPage: Promise<Response>): Promise<string> {
  const cursor = /[?&]after=([^&>]+)/.exec((await firstPage).headers.get('Link') ?? '')?.[1];
  if (!cursor) throw new Error('The list has no second page.');
  return cursor;
}

/** Resolves when `openHydrated` has set `isFromServer`. The browser gets the app script only then. */
let isMarked = Promise.resolve();

// The route handler stays until the test ends, because the browser can lose a request while Playwright removes a handler.
test.beforeEach(({ page }) =>
  page.route('**/assets/entry-client-*.js', async (route) => {
    await isMarked;
    await route.continue();
  }),
);

/** Opens the page and waits until it is hydrated. Fails if React has replaced the elements that came from the server. */
async function openHydrated(page: Page, path: string): Promise<void> {
  const marking = Promise.withResolvers<void>();
  isMarked = marking.promise;
  await page.goto(path, { waitUntil: 'commit' });
  await main(page).evaluate((element) => Reflect.set(element, 'isFromServer', true));
  marking.resolve();
  // The search field is a combobox only after hydration.
  await expect(searchField(page)).toHaveRole('combobox');
  expect(await main(page).evaluate((element) => Reflect.get(element, 'isFromServer')), path).toBe(true);
}

let customer: Customer;
let pathsOf: (group: keyof typeof pageGroups) => string[];
test.beforeEach(async ({ context, backend, run }) => {
  customer = await backend.customer();
  const { id: service } = await backend.service(customer);
  await backend.review(await backend.customer(), service, 'Loud at first.', 4);
  const review = await backend.review(customer, service, 'Quiet at last.', 5);
  const { listerId: lister }: Service = await (await backend.call(`/services/${service}`)).json();
  const [afterService, afterReview] = await Promise.all([
    cursorAfter(backend.call('/services?limit=1')),
    cursorAfter(backend.call(`/allreview?serviceId=${service}&limit=1`)),
  ]);
  pathsOf = (group) => pageGroups[group]({ service, lister, review, afterService, afterReview });
  await context.addCookies([{ name: 'rtr-theme', value: 'dark', url: run.web }]);
});

for (const pageGroup of ['pages with services', 'pages without data'] as const)
  test(`a visitor gets no hydration error on ${pageGroup}`, async ({ page }) => {
    for (const path of pathsOf(pageGroup)) {
      await openHydrated(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
  });

test('a visitor gets no hydration error on protected pages, and is then redirected to the login', async ({ page }) => {
  for (const path of pathsOf('protected pages')) {
    await openHydrated(page, path);
    await expect(page).toHaveURL('/login');
  }
});

for (const pageGroup of ['pages with services', 'protected pages'] as const)
  test(`a customer gets no hydration error on ${pageGroup}`, async ({ page }) => {
    await openSignedIn(page, customer);
    for (const path of pathsOf(pageGroup)) {
      await openHydrated(page, path);
      await expectSignedIn(page);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
  });

test('a page for customers is displayed even if Firebase confirms the session during the hydration', async ({
  page,
  backend,
}) => {
  await openSignedIn(page, await backend.customer());
  // React hydrates in several tasks. This test adds a long pause after each task. Firebase responds in a pause in which
  // React has hydrated the header, but not yet the rest of the page.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function postLater(this: MessagePort, message: unknown) {
      setTimeout(() => postMessage.call(this, message), 200);
    };
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.route('**/accounts:lookup**', async (route) => {
    await page.waitForFunction(
      () => Object.keys(document.querySelector('header') ?? {}).some((key) => key.startsWith('__reactFiber')),
      undefined,
      { polling: 20 },
    );
    await route.continue();
  });
  await page.goto('/account');
  await expect(main(page).getByRole('link', { name: 'See your services' })).toBeVisible();
});

test('the hydration tests cover a page of every route', () => {
  const router = readFileSync(fileURLToPath(new URL('../../web/src/router.tsx', import.meta.url)), 'utf8');
  const routes = [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => `/${path}`);
  expect(routes).toContain('/services/:id');
  const content: Content = { service: 'x', lister: 'x', review: 'x', afterService: 'x', afterReview: 'x' };
  const pages = Object.values(pageGroups).flatMap((pathsOf) => pathsOf(content));
  const isTested = (route: string) => {
    const pattern = new URLPattern({ pathname: route, baseURL: 'http://web' }, { ignoreCase: true });
    return pages.some((page) => pattern.test(page, 'http://web'));
  };
  expect(routes.filter((route) => !isTested(route))).toEqual([]);
});
