import type { Page } from '@playwright/test';
import type { ServiceInput } from '@rtr/shared';
import { email, main, openSignedIn } from '../actions.ts';
import type { Backend, Customer } from '../backend.ts';
import { expectNoHorizontalScroll } from '../screens.ts';
import { expect, test } from '../test.ts';
import { longService, longTimes, word } from './long-texts.ts';

// In these tests, most texts that a customer typed are one long word that cannot be broken. every-page.spec.ts opens each page
// with such a word. These tests check dialogs and other states. The files visitor.spec.ts and customer.spec.ts check the
// screens with ordinary texts.

const narrow = { width: 320, height: 640 };

test.use({ viewport: narrow });

let customer: Customer;
let service: ServiceInput & { id: string };

const addService = (backend: Backend) => backend.service(customer, longService);

test.beforeEach(async ({ backend }) => {
  customer = await backend.customer(word);
  service = await addService(backend);
});

/**
 * Opens the page, waits until the page contains the long word of these tests, calls `show`, and checks that nothing is
 * wider than the window.
 */
async function expectFits(page: Page, path: string, show: () => Promise<unknown>): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(word.slice(0, 40)).first()).toBeAttached();
  await show();
  await expectNoHorizontalScroll(page, path);
}

async function expectHomeFits(page: Page, backend: Backend): Promise<void> {
  // Adds services until the home page shows one of them. The home page shows only the three newest services, and other tests
  // add services at the same time.
  await expect(async () => {
    await addService(backend);
    await page.goto('/');
    await expect(main(page).getByText(word.slice(0, 40)).first()).toBeAttached({ timeout: 5000 });
  }).toPass();
  await expectNoHorizontalScroll(page, '/');
}

/** Logs in with a wide window, because `openSignedIn` waits for the Sign Out button, which a narrow window hides in a menu. */
async function logInWide(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 640 });
  await openSignedIn(page, customer);
  await page.setViewportSize(narrow);
}

test('for a visitor, the home page, a search without results, the filters and an enlarged picture do not scroll sideways at 320 px, even with a long word', async ({
  page,
  backend,
}) => {
  await expectHomeFits(page, backend);
  await expectFits(page, `/services?q=${word}zz`, () => expect(main(page).getByText('Nothing found')).toBeVisible());
  await expectFits(page, `/services?area=${word}`, () => main(page).getByText('Filters', { exact: true }).click());
  await expectFits(page, `/services/${service.id}`, async () => {
    await main(page)
      .getByRole('button', { name: /^Enlarge/ })
      .click();
    await expect(page.getByRole('dialog').getByText(word)).toBeVisible();
  });
});

test.describe('the dialog for a new password', () => {
  // The Auth emulator returns an error for an unknown email, and the browser logs it.
  test.use({ expectedErrors: /sendOobCode/ });

  test('does not scroll sideways in a window of 320 px, even with a long email', async ({ page }) => {
    await page.goto('/login');
    await email(page).fill(`${word.slice(0, 64)}@kitchen.test`);
    await main(page).getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByRole('dialog').getByText('is on its way')).toBeVisible();
    await expectNoHorizontalScroll(page, 'the sent link');
  });
});

test('for a customer, the dialog that deletes the account and the menu do not scroll sideways at 320 px, even with a long word', async ({
  page,
}) => {
  await logInWide(page);
  await expectFits(page, '/account', () => main(page).getByRole('button', { name: 'Delete my account' }).click());
  await expectFits(page, '/account', async () => {
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
  });
});

test('the preview of a service and a deleted review do not scroll sideways at 320 px, even with a long word', async ({
  page,
  backend,
}) => {
  await backend.review(customer, service.id, word.repeat(3), 2, longTimes);
  await logInWide(page);
  await page.goto('/addservices');
  for (const label of ['Title', 'Price', 'Rating', 'Description'])
    await main(page).getByLabel(label, { exact: true }).fill(word.slice(0, 40));
  const preview = main(page).getByRole('region', { name: 'Preview' });
  await expect(preview.getByText(word.slice(0, 40)).first()).toBeVisible();
  await expectNoHorizontalScroll(page, 'the preview of a service');
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/myreview');
  await main(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(main(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectNoHorizontalScroll(page, 'the deleted row and its toast');
});

test('with a font size of 200 %, icons grow too, and the menu button stays beside the name of the site', async ({
  page,
}) => {
  await page.setViewportSize({ ...narrow, width: 390 });
  await page.goto('/login');
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  const menu = page.getByRole('button', { name: 'Open menu' });
  expect(await menu.locator('svg').boundingBox()).toMatchObject({ width: 48, height: 48 });
  const brand = page.getByRole('banner').getByRole('link', { name: 'RTR Cloud Kitchen' });
  const brandBox = await brand.boundingBox();
  expect((await menu.boundingBox())?.y).toBeLessThan((brandBox?.y ?? 0) + (brandBox?.height ?? 0));
});

test.describe('the form that edits a service', () => {
  test.use({ expectedErrors: /status of 412/ });

  test('does not scroll sideways at 320 px, even with a long word in two versions of the service', async ({
    page,
    backend,
  }) => {
    await logInWide(page);
    await expectFits(page, `/editservice/${service.id}`, async () => {
      await backend.editService(customer, service.id, { description: word.repeat(3) });
      await main(page).getByRole('button', { name: 'Save changes' }).click();
      await expect(main(page).getByRole('button', { name: 'Save your version' })).toBeVisible();
    });
  });
});
