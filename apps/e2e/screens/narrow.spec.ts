import type { Page } from '@playwright/test';
import type { ServiceInput } from '@rtr/shared';
import { email, main, openSignedIn } from '../actions.ts';
import type { Backend, Customer } from '../backend.ts';
import { expectNoHorizontalScroll } from '../screens.ts';
import { expect, test } from '../test.ts';

// In these tests, most texts that a customer typed are one long word that cannot be broken. The files
// visitor.spec.ts and customer.spec.ts check the screens with ordinary texts.

const word = 'Grease'.repeat(13);
const longTexts = { time: word.slice(0, 40), date: word.slice(0, 40) };
const narrow = { width: 320, height: 640 };

test.use({ viewport: narrow });

let customer: Customer;
let service: ServiceInput & { id: string };

const addService = (backend: Backend) =>
  backend.service(customer, {
    title: word,
    price: word.slice(0, 40),
    ratting: word.slice(0, 40),
    description: word.repeat(2),
    phone: '5'.repeat(40),
    website: `https://${word.slice(0, 60)}.example/`,
    area: word,
    hours: word,
    licence: word,
  });

test.beforeEach(async ({ backend }) => {
  customer = await backend.customer(word);
  service = await addService(backend);
});

/**
 * Opens the page, waits until the page contains the long word of these tests, calls `show`, and checks that nothing is
 * wider than the window.
 */
async function expectFits(page: Page, path: string, show?: () => Promise<unknown>): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(word.slice(0, 40)).first()).toBeAttached();
  await show?.();
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

test('for a visitor, the home page, the list of services and a service page do not scroll sideways at 320 px, even with a long word', async ({
  page,
  backend,
}) => {
  await backend.review(customer, service.id, word.repeat(3), 2, longTexts);
  const details = `/services/${service.id}`;
  await expectHomeFits(page, backend);
  await expectFits(page, '/services');
  await expectFits(page, `/services?q=${word}`);
  await expectFits(page, `/services?q=${word}zz`, () => expect(main(page).getByText('Nothing found')).toBeVisible());
  await expectFits(page, `/services?area=${word}`, () => main(page).getByText('Filters', { exact: true }).click());
  await expectFits(page, details);
  await expectFits(page, details, async () => {
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

test('for a customer, the home page, a service page and the account page do not scroll sideways at 320 px, even with a long word', async ({
  page,
  backend,
}) => {
  await backend.review(customer, service.id, word.repeat(3), 2, longTexts);
  await logInWide(page);
  await expectHomeFits(page, backend);
  await expectFits(page, `/services/${service.id}`);
  await expectFits(page, '/account');
  await expectFits(page, '/account', () => main(page).getByRole('button', { name: 'Delete my account' }).click());
  await expectFits(page, '/account', async () => {
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
  });
});

test('the review forms, the form that adds a service and the page My Review do not scroll sideways at 320 px, even with a long word', async ({
  page,
  backend,
}) => {
  const id = await backend.review(customer, service.id, word.repeat(3), 2, longTexts);
  await logInWide(page);
  await expectFits(page, `/review/${service.id}`);
  await expectFits(page, `/editreview/${id}`);
  await page.goto('/addservices');
  for (const label of ['Title', 'Price', 'Rating', 'Description'])
    await main(page).getByLabel(label, { exact: true }).fill(word.slice(0, 40));
  const preview = main(page).getByRole('region', { name: 'Preview' });
  await expect(preview.getByText(word.slice(0, 40)).first()).toBeVisible();
  await expectNoHorizontalScroll(page, 'the preview of a service');
  page.on('dialog', (dialog) => dialog.accept());
  await expectFits(page, '/myreview');
  await main(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(main(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectNoHorizontalScroll(page, 'the deleted row and its toast');
});

test('no page scrolls sideways at 320, 390 and 640 px with a font size of 200 %, and icons grow too', async ({
  page,
  backend,
}) => {
  test.slow();
  const ownReview = await backend.review(customer, service.id, word, 4);
  const review = await backend.review(await backend.customer(), service.id, word, 4);
  const asker = await backend.customer(word);
  const request = await backend.ask(asker, service.id, word.repeat(3));
  const otherService = await backend.service(asker, { title: word });
  const expectFitsLarge = async (path: string) => {
    await page.goto(path);
    await page.addStyleTag({ content: 'html { font-size: 200% }' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const width of [320, 390, 640]) {
      await page.setViewportSize({ ...narrow, width });
      await expectNoHorizontalScroll(page, `${path} at ${width} px`);
    }
  };
  for (const path of ['/login', '/signup', '/blogs', '/about', '/how-reviews-work', '/privacy', '/terms', '/services'])
    await expectFitsLarge(path);
  const menu = page.getByRole('button', { name: 'Open menu' });
  expect(await menu.locator('svg').boundingBox()).toMatchObject({ width: 48, height: 48 });
  await page.setViewportSize({ ...narrow, width: 390 });
  const brand = page.getByRole('banner').getByRole('link', { name: 'RTR Cloud Kitchen' });
  const brandBox = await brand.boundingBox();
  expect((await menu.boundingBox())?.y, 'the menu button is beside the name of the site').toBeLessThan(
    (brandBox?.y ?? 0) + (brandBox?.height ?? 0),
  );
  await logInWide(page);
  for (const path of [
    '/',
    '/account',
    '/addservices',
    `/editservice/${service.id}`,
    `/review/${service.id}`,
    `/editreview/${ownReview}`,
    `/reply/${review}`,
    '/myreview',
    '/myservices',
    `/services/${service.id}`,
    `/ask/${otherService.id}`,
    '/requests',
    `/requests/${request}`,
    '/news',
  ])
    await expectFitsLarge(path);
});

test.describe('the page My services and the form that edits a service', () => {
  test.use({ expectedErrors: /status of 412/ });

  test('do not scroll sideways at 320 px, even with a long word and with two versions of the service in the form', async ({
    page,
    backend,
  }) => {
    await logInWide(page);
    await expectFits(page, '/myservices');
    await expectFits(page, `/editservice/${service.id}`, async () => {
      await backend.editService(customer, service.id, { description: word.repeat(3) });
      await main(page).getByRole('button', { name: 'Save changes' }).click();
      await expect(main(page).getByRole('button', { name: 'Save your version' })).toBeVisible();
    });
  });
});
