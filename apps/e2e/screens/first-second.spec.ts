import type { Page } from '@playwright/test';
import { logIn, slowDownHydration, tryToLogIn } from '../actions.ts';
import { expect, test } from '../test.ts';

// What a visitor does between the first paint and the hydration must not be lost. These tests hold back the app script
// until the visitor has acted, so that the hydration is always later, on a phone of any speed.

const phoneSize = { width: 390, height: 844 };
test.use({ viewport: phoneSize, hasTouch: true, expectedErrors: /status of 404/ });

/** Resolves when the visitor has acted. The browser gets the app script only then. */
let hasActed = Promise.resolve();

test.beforeEach(async ({ page }) => {
  hasActed = Promise.resolve();
  // The route handler stays until the test ends, because the browser can lose a request while Playwright removes a handler.
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await hasActed;
    await route.continue();
  });
});

/** Loads a page with `load`, runs `act` after the first paint, and then waits for the hydration. */
async function actEarly(page: Page, load: () => Promise<unknown>, act: () => Promise<void>): Promise<void> {
  const acting = Promise.withResolvers<void>();
  hasActed = acting.promise;
  await load();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  await act();
  acting.resolve();
  await page.waitForFunction(() => performance.getEntriesByName('ready').length > 0);
}

const open = (page: Page, path: string) => () => page.goto(path, { waitUntil: 'commit' });
const scrollY = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
  expect(await scrollY(page)).toBe(top);
}

for (const path of ['/', '/services', '/services/{service}', '/signup', '/blogs', '/privacy'])
  test(`the scroll position on ${path} stays when the hydration ends`, async ({ page, backend }) => {
    const { id } = await backend.service(await backend.customer());
    await actEarly(page, open(page, path.replace('{service}', id)), () => scrollTo(page, 300));
    expect(await scrollY(page)).toBe(300);
  });

test('a reload in the middle of a page, and the Back button after it, keep the scroll position', async ({ page }) => {
  await page.goto('/privacy');
  await scrollTo(page, 500);
  // A click of Playwright would scroll the page to the link.
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/terms"]')?.click());
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
  await scrollTo(page, 400);
  await actEarly(
    page,
    () => page.reload({ waitUntil: 'commit' }),
    () => expect.poll(() => scrollY(page)).toBe(400),
  );
  expect(await scrollY(page)).toBe(400);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await expect.poll(() => scrollY(page)).toBe(500);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
  await expect.poll(() => scrollY(page)).toBe(400);
});

test('a link with a fragment opens the page at this place, and the hydration does not move it', async ({
  page,
  backend,
}) => {
  const { id } = await backend.service(await backend.customer());
  let top = 0;
  await actEarly(page, open(page, `/services/${id}#reviews`), async () => {
    await expect.poll(() => scrollY(page)).toBeGreaterThan(100);
    top = await scrollY(page);
  });
  expect(await scrollY(page)).toBe(top);
});

test('a tap during the hydration is repeated after it, so that React does not hydrate the whole page at once', async ({
  page,
}) => {
  const hydration = await slowDownHydration(page, { hold: true });
  await page.goto('/', { waitUntil: 'commit' });
  await hydration.headerIsHydrated();
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await expect(page.getByRole('button', { name: 'Open menu' })).toHaveAttribute('data-early');
  await hydration.resume();
  await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
});

test.describe('before the hydration, a visitor can', () => {
  const tap = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name }).filter({ visible: true }).first().tap();

  test('open the menu, with a double tap too', async ({ page }) => {
    await actEarly(page, open(page, '/'), async () => {
      await tap(page, 'Open menu');
      await tap(page, 'Open menu');
      await expect(page.getByRole('button', { name: 'Open menu' })).toHaveAttribute('data-early');
    });
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
    await expect(page.locator('[data-early]')).toHaveCount(0);
  });

  test('open the menu with the keyboard', async ({ page }) => {
    await actEarly(page, open(page, '/'), () => page.getByRole('button', { name: 'Open menu' }).press('Enter'));
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
  });

  test('show the next slide', async ({ page }) => {
    await actEarly(page, open(page, '/'), () => tap(page, 'Next'));
    await expect(page.getByRole('button', { name: 'Show slide 2' })).toHaveAttribute('aria-current', 'true');
  });

  test('choose a theme, and the last choice counts', async ({ page }) => {
    const theme = (name: string) => page.getByRole('radio', { name });
    await actEarly(page, open(page, '/'), async () => {
      await theme('Light').check({ force: true });
      await theme('Dark').check({ force: true });
    });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(theme('Dark')).toBeChecked();
  });

  test('choose the order of the services', async ({ page }) => {
    await actEarly(page, open(page, '/services'), async () => {
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price');
    });
    await expect(page).toHaveURL('/services?sort=price');
  });

  test('save a service, and the service is still saved after the same tap on the next visit', async ({
    page,
    backend,
  }) => {
    const service = await backend.service(await backend.customer());
    const save = page.getByRole('main').getByRole('button', { name: `Save ${service.title}` });
    for (const _visit of ['first', 'second']) {
      await actEarly(page, open(page, `/services/${service.id}`), () => save.tap());
      await expect(save).toHaveAttribute('aria-pressed', 'true');
    }
  });

  test('share a service', async ({ page, backend }) => {
    const { id } = await backend.service(await backend.customer());
    await page.addInitScript(() => {
      const share = ({ url }: ShareData) => Promise.resolve(void Object.assign(window, { sharedUrl: url }));
      Object.assign(navigator, { share });
    });
    await actEarly(page, open(page, `/services/${id}`), () => tap(page, /^Share/));
    await page.waitForFunction((path) => String(Reflect.get(window, 'sharedUrl')).endsWith(path), `/services/${id}`);
  });

  test('filter the reviews by stars, and load more reviews', async ({ page, backend }) => {
    const { id } = await backend.service(await backend.customer());
    for (let author = 0; author < 3; author += 1) {
      const customer = await backend.customer();
      for (let count = 0; count < 7; count += 1) await backend.review(customer, id, `Fan ${author}${count}.`, 4);
    }
    // Links work without the app, which never starts in this test.
    hasActed = new Promise(() => {});
    await open(page, `/services/${id}`)();
    await page.getByRole('link', { name: 'Load more' }).tap();
    await expect(page).toHaveURL(/[?&]after=/);
    await open(page, `/services/${id}`)();
    await page.getByRole('link', { name: /^4 stars/ }).tap();
    await expect(page).toHaveURL(/[?&]rating=4/);
    await expect(page.getByText('Showing 4-star reviews.')).toBeVisible();
  });

  test('enlarge a picture', async ({ page, backend }) => {
    const { id } = await backend.service(await backend.customer());
    await actEarly(page, open(page, `/services/${id}`), () => tap(page, /^Enlarge/));
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('log in by email or with Google, and nothing that was typed is lost', async ({ page, backend }) => {
    await actEarly(page, open(page, '/login'), () => tap(page, 'Continue with Google'));
    await expect(page.getByRole('dialog')).toBeVisible();
    const customer = await backend.customer();
    await actEarly(page, open(page, '/login'), () => tryToLogIn(page, customer));
    await expect(page).toHaveURL('/');
  });

  test('who is signed in, report a service, and mark a review as useful', async ({ page, backend }) => {
    const { id } = await backend.service(await backend.customer());
    await backend.review(await backend.customer(), id, 'It hums.', 4);
    await page.setViewportSize({ width: 1280, height: 844 });
    await logIn(page, await backend.customer());
    await page.setViewportSize(phoneSize);
    const useful = page.getByRole('button', { name: /^Useful/ });
    await actEarly(page, open(page, `/services/${id}`), () => useful.tap({ force: true }));
    await expect(useful).toHaveAttribute('aria-pressed', 'true');
    await actEarly(page, open(page, `/services/${id}`), () => tap(page, /^Report/));
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});
