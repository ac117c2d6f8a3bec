import type { Page } from '@playwright/test';
import { main, openSignedIn } from '../actions.ts';
import { checkScreen } from '../screens.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 360, height: 740 } });

const contact = { phone: '+1 555 0100', website: 'https://ducts.example/', description: 'A long text. '.repeat(100) };
const bar = (page: Page) => page.getByRole('region', { name: 'Contact' });
const scrollToEnd = (page: Page) => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));

test('on a phone, Call and Website stay at the bottom of the window while the contact block is out of sight', async ({
  page,
  backend,
}) => {
  const { id } = await backend.service(await backend.customer(), contact);
  await page.goto(`/services/${id}`);
  await expect(bar(page).getByRole('link', { name: 'Call +1 555 0100' })).toBeInViewport({ ratio: 1 });
  await checkScreen(page, 'service-contact-bar', { only: 'phone', fullPage: false });

  await main(page).getByRole('link', { name: 'Call +1 555 0100' }).scrollIntoViewIfNeeded();
  await expect(bar(page)).toHaveCount(0);

  await scrollToEnd(page);
  await expect(bar(page).getByRole('link', { name: 'Website ducts.example' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 740 });
  await expect(bar(page)).toBeHidden();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ media: 'print' });
  await expect(bar(page)).toBeHidden();
});

test('the links at the bottom of the window cover neither the focused element nor a toast', async ({
  page,
  backend,
  context,
}) => {
  await context.grantPermissions(['clipboard-write']);
  const { id, title } = await backend.service(await backend.customer(), contact);
  await page.goto(`/services/${id}`);
  // Loads the similar services first. Otherwise they could load while a link of the footer has the focus, and push it down.
  await scrollToEnd(page);
  await expect(
    page.getByRole('region', { name: 'Similar services' }).getByRole('heading', { level: 3 }),
  ).not.toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 0));
  await expect(bar(page)).toBeVisible();
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const covered = await page.evaluate(() => {
      const [element, links] = [document.activeElement, document.querySelector('[data-region=bar] > *')];
      // While nothing has the focus, the body is the active element.
      if (!element || element === document.body || !links || links.contains(element)) return null;
      const isCovered = element.getBoundingClientRect().bottom > links.getBoundingClientRect().top;
      return isCovered ? element.textContent : null;
    });
    expect(covered).toBeNull();
  }
  await page.evaluate(() => scrollTo(0, 0));
  await main(page)
    .getByRole('button', { name: `Share ${title}` })
    .click();
  const toast = page.locator('[data-toast]').first();
  await expect(toast).toBeVisible();
  await expect(bar(page)).toBeVisible();
  const [box, barBox] = [await toast.boundingBox(), await bar(page).boundingBox()];
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(barBox?.y ?? 0);
});

test('the lister of a service has no links to themselves at the bottom of the window', async ({ page, backend }) => {
  const lister = await backend.customer();
  const { id } = await backend.service(lister, contact);
  await page.setViewportSize({ width: 1280, height: 740 });
  await openSignedIn(page, lister);
  await page.setViewportSize({ width: 360, height: 740 });
  await Promise.all([page.waitForResponse('**/api/account/services?*'), page.goto(`/services/${id}`)]);
  await scrollToEnd(page);
  await expect(page.getByRole('contentinfo')).toBeInViewport();
  await expect(bar(page)).toHaveCount(0);
});
