import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Service } from '@rtr/shared';
import { expectSignedIn, main, openSignedIn, searchField, slowDownHydration } from '../actions.ts';
import type { Backend, Customer } from '../backend.ts';
import { checkTabStops } from '../keyboard.ts';
import { expectNoHorizontalScroll } from '../screens.ts';
import { expect, test } from '../test.ts';
import { longService, longTimes, word } from './long-texts.ts';

// One visit to each page checks what must be true for every page. Protected pages redirect visitors, so there the visit checks
// only the first point. The second point is not checked again for the same page with a query.
// - The HTML from the server is the same as the first render in the browser. Otherwise React logs an error, which fails the
//   test. To find such differences, the server and the browser have different time zones (see stack.ts) and languages, and
//   the theme is not the theme of the device.
// - Every tab stop has a visible focus indicator.
// - Nothing is wider than a narrow window, with the normal font size and with twice this size, even with a long word.

test.use({ locale: 'de-DE', timezoneId: 'Asia/Dhaka', colorScheme: 'light', expectedErrors: /status of 404/ });

interface Content {
  /** The id of a service of another customer, with two reviews. */
  service: string;
  /** The id of the lister of this service. */
  lister: string;
  /** The id of a review by the customer. */
  review: string;
  /** The id of a service of the customer. */
  ownService: string;
  /** The id of a review of this service. */
  received: string;
  /** The id of a conversation about this service. */
  request: string;
  /** The cursor of the second page of the list of services. */
  afterService: string;
  /** The cursor of the second page of the reviews of `service`. */
  afterReview: string;
}

const pageGroups = {
  'pages with services': ({ service, ownService, lister, afterService, afterReview }: Content) => [
    '/',
    '/services',
    `/services?q=${word}&sort=price`,
    '/services?q=nosuchthing',
    `/services?after=${afterService}`,
    '/services?saved',
    `/services/${service}`,
    `/services/${service}?rating=5&sort=lowest`,
    `/services/${service}?after=${afterReview}`,
    `/services/${ownService}`,
    '/services/000000000000000000000000',
    `/listers/${lister}`,
    '/listers/000000000000000000000000',
  ],
  'other public pages': () => [
    '/blogs',
    '/about',
    '/how-reviews-work',
    '/privacy',
    '/terms',
    '/login',
    '/signup',
    '/no/such/page',
    `/unsubscribe/${'a'.repeat(32)}`,
    '/moderation',
  ],
  'protected pages': ({ service, review, ownService, received, request }: Content) => [
    '/addservices',
    '/myReview',
    `/review/${service}`,
    `/editreview/${review}`,
    '/account',
    '/myservices',
    `/editservice/${ownService}`,
    `/reply/${received}`,
    `/ask/${service}`,
    '/requests',
    `/requests/${request}`,
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

/** Checks an open page. A page with a query in its path has the same controls as without it. */
async function checkPage(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (!path.includes('?')) {
    await page.waitForLoadState('networkidle');
    // The header and the footer alone have about 20.
    expect(await checkTabStops(page), path).toBeGreaterThan(20);
  }
  const wide = page.viewportSize();
  for (const fontSize of ['100%', '200%']) {
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), fontSize);
    for (const width of [320, 390, 640]) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoHorizontalScroll(page, `${path} with a font size of ${fontSize}`);
    }
  }
  if (wide) await page.setViewportSize(wide);
}

/** Creates services and reviews with long words, and returns the paths of a group of pages. */
async function createPaths(backend: Backend, customer: Customer, group: keyof typeof pageGroups): Promise<string[]> {
  const other = await backend.customer(word);
  const { id: service } = await backend.service(other, longService);
  const { id: ownService } = await backend.service(customer, longService);
  await backend.review(await backend.customer(word), service, word.repeat(3), 4, longTimes);
  const review = await backend.review(customer, service, word.repeat(3), 5, longTimes);
  const received = await backend.review(other, ownService, word.repeat(3), 2, longTimes);
  await backend.report(other, review, { reason: 'spam' });
  const request = await backend.ask(other, ownService, word.repeat(3));
  const { listerId: lister }: Service = await (await backend.call(`/services/${service}`)).json();
  const [afterService, afterReview] = await Promise.all([
    cursorAfter(backend.call('/services?limit=1')),
    cursorAfter(backend.call(`/allreview?serviceId=${service}&limit=1`)),
  ]);
  return pageGroups[group]({ service, lister, review, ownService, received, request, afterService, afterReview });
}

let customer: Customer;
test.beforeEach(async ({ context, backend, run }) => {
  customer = await backend.customer(word, undefined, { moderator: true });
  await context.addCookies([{ name: 'rtr-theme', value: 'dark', url: run.web }]);
});

for (const group of ['pages with services', 'other public pages'] as const)
  test(`a visitor gets no hydration error on ${group}, every tab stop has a visible focus indicator, and nothing is wider than the window`, async ({
    page,
    backend,
  }) => {
    test.slow();
    for (const path of await createPaths(backend, customer, group)) {
      await openHydrated(page, path);
      await checkPage(page, path);
    }
  });

test('a visitor gets no hydration error on protected pages, and is then redirected to the login', async ({
  page,
  backend,
}) => {
  for (const path of await createPaths(backend, customer, 'protected pages')) {
    await openHydrated(page, path);
    await expect(page).toHaveURL('/login');
  }
});

for (const group of ['pages with services', 'protected pages'] as const)
  test(`a customer gets no hydration error on ${group}, every tab stop has a visible focus indicator, and nothing is wider than the window`, async ({
    page,
    backend,
  }) => {
    test.slow();
    await openSignedIn(page, customer);
    for (const path of [...(await createPaths(backend, customer, group)), '/moderation']) {
      await openHydrated(page, path);
      await expectSignedIn(page);
      await checkPage(page, path);
    }
  });

test('a protected page is displayed even if Firebase confirms the session during the hydration', async ({
  page,
  backend,
}) => {
  await openSignedIn(page, await backend.customer());
  // Firebase responds when React has hydrated the header, but not yet the rest of the page.
  const { headerIsHydrated } = await slowDownHydration(page);
  await page.route('**/accounts:lookup**', async (route) => {
    await headerIsHydrated();
    await route.continue();
  });
  await page.goto('/account');
  await expect(main(page).getByRole('link', { name: 'See your services' })).toBeVisible();
});

test('these tests visit a page of every route', () => {
  const router = readFileSync(fileURLToPath(new URL('../../web/src/router.tsx', import.meta.url)), 'utf8');
  const routes = [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => `/${path}`);
  expect(routes).toContain('/services/:id');
  const content = new Proxy({} as Content, { get: () => 'x' });
  const pages = Object.values(pageGroups).flatMap((pathsOf) => pathsOf(content));
  const isTested = (route: string) => {
    const pattern = new URLPattern({ pathname: route, baseURL: 'http://web' }, { ignoreCase: true });
    return pages.some((page) => pattern.test(page, 'http://web'));
  };
  expect(routes.filter((route) => !isTested(route))).toEqual([]);
});
