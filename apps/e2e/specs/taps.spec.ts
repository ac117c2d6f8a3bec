import type { Locator, Page } from '@playwright/test';
import type { Review } from '@rtr/shared';
import { main, openSignedIn } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// These tests count the taps that a person needs from the home page to a goal, such as a sent review.

const phone = { width: 360, height: 740 };

test.use({ viewport: phone, isMobile: true, hasTouch: true });

const tap = (locator: Locator) => locator.first().tap();
const card = (page: Page) => main(page).getByRole('article');

/** Counts all taps on the page from now on. The returned function reads the count. */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { taps: 0 });
    addEventListener(
      'pointerdown',
      ({ pointerType }) => {
        if (pointerType === 'touch') Object.assign(window, { taps: Number(Reflect.get(window, 'taps')) + 1 });
      },
      { capture: true },
    );
  });
  // If the page is reloaded, the count becomes NaN, which fails the test.
  return () => page.evaluate(() => Number(Reflect.get(window, 'taps')));
}

test('a visitor gets from the home page to the worst review of an air-conditioning service with at most 4 taps', async ({
  page,
  backend,
}) => {
  await page.goto('/');
  const taps = await countTaps(page);
  await tap(page.getByRole('link', { name: 'Get Started' }));
  await tap(main(page).getByRole('link', { name: 'Air conditioning', exact: true }));
  await expect(page).toHaveURL('/services?q=air+conditioning');
  await tap(card(page).filter({ hasText: 'Air conditioning' }).getByRole('link'));
  await expect(page).toHaveURL(/\/services\/\w+$/);
  const id = page.url().split('/').at(-1);
  const [lowest]: Review[] = await (await backend.call(`/allreview?serviceId=${id}&sort=lowest&limit=1`)).json();
  if (!lowest) throw new Error('This service of the demo catalogue has no review.');
  // The last link of the star distribution shows the reviews with the fewest stars.
  await tap(
    main(page)
      .getByRole('link', { name: /^[1-5] stars? ?[1-9]/ })
      .last(),
  );
  await expect(main(page).getByRole('row').nth(1)).toContainText(lowest.review.slice(0, 40));
  expect(await taps()).toBeLessThanOrEqual(4);
});

test('a customer who starts on the home page sends a review with at most 5 taps', async ({ page, backend }) => {
  const customer = await backend.customer();
  await page.setViewportSize({ width: 1280, height: 900 });
  await openSignedIn(page, customer);
  await page.setViewportSize(phone);
  // Adds services until the home page shows the last one. The home page shows only the three newest services, and other
  // tests add services at the same time.
  let service = await backend.service(customer);
  await expect(async () => {
    service = await backend.service(customer);
    await page.goto('/');
    await expect(card(page).filter({ hasText: service.title })).toBeVisible({ timeout: 5000 });
  }).toPass();
  const taps = await countTaps(page);
  await tap(card(page).filter({ hasText: service.title }).getByRole('link'));
  await tap(main(page).getByRole('link', { name: 'Add Review' }));
  await tap(
    main(page)
      .locator('label')
      .filter({ has: page.getByRole('radio', { name: /^4 stars/ }) }),
  );
  await tap(main(page).getByLabel('Your review', { exact: true }));
  await page.keyboard.type('Two days, no mess.');
  await tap(main(page).getByRole('button', { name: 'Send review' }));
  await expectToast(page, 'success', 'Thanks for Your Review');
  expect(await taps()).toBeLessThanOrEqual(5);
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ review: 'Two days, no mess.', rating: 4 }]);
});
