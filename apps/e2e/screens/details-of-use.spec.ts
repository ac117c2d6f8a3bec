import type { Locator, Page } from '@playwright/test';
import { main, openSignedIn, searchField } from '../actions.ts';
import { expectNoHorizontalScroll } from '../screens.ts';
import { expect, test } from '../test.ts';

// These tests measure the positions of elements on the page, in the window of a phone and of a desktop.

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

const button = (page: Page, name: RegExp | string) => main(page).getByRole('button', { name }).first();

/** Returns the distance from the top of the page to the lower edge of an element, in heights of the window. */
async function screensTo(page: Page, locator: Locator): Promise<number> {
  await expect(locator).toBeVisible();
  const bottom = await locator.evaluate((element) => element.getBoundingClientRect().bottom + scrollY);
  return bottom / (page.viewportSize()?.height ?? 1);
}

const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height ?? 0;

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  test('the home page has a search field and the complete first service within the first two screens', async ({
    page,
    backend,
  }) => {
    // On the card of this service, the title takes two lines, and the excerpt of the description has the maximum
    // length.
    const title = 'Hood installation over an island range';
    await backend.service(await backend.customer(), { title, description: 'We fit a hood. '.repeat(10) });
    await page.goto('/');
    expect(await screensTo(page, searchField(main(page)))).toBeLessThan(0.25);
    expect(await screensTo(page, main(page).getByRole('article').first())).toBeLessThan(2);
    await searchField(main(page)).fill('hood');
    await searchField(main(page)).press('Enter');
    await expect(page).toHaveURL('/services?q=hood');
  });

  test('the review form has its Send review button within the first 1.2 screens', async ({ page, backend }) => {
    const customer = await backend.customer();
    const { id } = await backend.service(customer, { title: 'Hood installation over an island range' });
    await page.setViewportSize(desktop);
    await openSignedIn(page, customer);
    await page.setViewportSize(phone);
    await page.goto(`/review/${id}`);
    expect(await screensTo(page, button(page, 'Send review'))).toBeLessThan(1.2);
    await main(page).getByText(`Vera Vent, ${customer.email}`).click();
    for (const label of ['Name', 'Email'])
      await expect(main(page).getByLabel(label, { exact: true })).not.toBeEditable();
    await expectNoHorizontalScroll(page, 'the review form');
  });

  test('the list of services scrolls its row of links “What do you need?” until the selected link is visible', async ({
    page,
  }) => {
    await page.goto('/services?q=gas+safety');
    const marked = main(page)
      .getByRole('navigation', { name: 'What do you need?' })
      .getByRole('link', { name: 'Gas safety' });
    await expect(marked).toHaveAttribute('aria-current', 'true');
    await expect(marked).toBeInViewport({ ratio: 0.95 });
  });
});

test('on a desktop, the buttons on the pages My Review and My services have a text and not only an icon', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  const { id } = await backend.service(customer);
  await backend.review(customer, id, 'Two days, no mess.');
  await page.setViewportSize(desktop);
  await openSignedIn(page, customer);
  for (const [path, ...words] of [
    ['/myreview', 'Delete', 'Edit'],
    ['/myservices', 'Withdraw', 'Edit'],
  ] as const) {
    await page.goto(path);
    for (const word of words) {
      const label = main(page).getByRole('cell').getByText(word, { exact: true });
      await expect(label).toBeVisible();
      expect((await label.boundingBox())?.width, word).toBeGreaterThan(20);
    }
    for (const width of [1440, 1152, 1151, 960, 640]) {
      await page.setViewportSize({ ...desktop, width });
      await expectNoHorizontalScroll(page, path);
    }
    await page.setViewportSize(desktop);
  }
});

test('an enlarged picture is larger than the picture on the page, at every window size, and fills the width of a phone', async ({
  page,
  backend,
}) => {
  const service = await backend.service(await backend.customer());
  await page.goto(`/services/${service.id}`);
  const enlarge = main(page).getByRole('button', { name: /enlarge/i });
  const lightbox = page.getByRole('dialog');
  const widthOf = async (picture: Locator) => (await picture.boundingBox())?.width ?? 0;
  const sizes: [width: number, height: number][] = [
    [320, 640],
    [360, 740],
    [390, 664],
    [640, 800],
    [700, 800],
    [740, 360],
    [844, 390],
    [768, 1024],
    [1024, 600],
    [1280, 560],
    [1280, 720],
    [1440, 900],
  ];
  for (const [width, height] of sizes) {
    const window = `${width} x ${height}`;
    await page.setViewportSize({ width, height });
    const before = await widthOf(enlarge.getByRole('img'));
    await enlarge.click();
    const picture = lightbox.getByRole('img');
    await expect.poll(() => widthOf(picture), { message: window }).toBeGreaterThan(before);
    if (width < height) expect(await widthOf(picture), window).toBe(width);
    for (const name of ['Close', 'Zoom in', 'Reset'])
      await expect(lightbox.getByRole('button', { name }), window).toBeInViewport({ ratio: 1 });
    await lightbox.getByRole('button', { name: 'Rotate' }).click();
    await expect(picture, window).toBeInViewport({ ratio: 0.99 });
    await page.keyboard.press('Escape');
    await expect(lightbox).toBeHidden();
  }
});

test('on the page My Review, the text about a deleted review fits in one line', async ({ page, backend }) => {
  const customer = await backend.customer();
  const { id } = await backend.service(customer, { title: 'Installation of a hood over an island range, with a duct' });
  await backend.review(customer, id, 'Two days, no mess.');
  await page.setViewportSize(desktop);
  await openSignedIn(page, customer);
  await page.goto('/myreview');
  page.once('dialog', (dialog) => dialog.accept());
  await button(page, /^Delete/).click();
  const row = main(page).getByRole('row').nth(1);
  await expect(row).toContainText('is deleted.');
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport);
    expect(await heightOf(row.getByText('Your review of')), `the text at ${viewport.width} px`).toBeLessThan(32);
    expect(await heightOf(row), `the row at ${viewport.width} px`).toBeLessThan(80);
    await expect(row.getByText('is deleted.')).toBeInViewport({ ratio: 1 });
    await expect(button(page, 'Undo')).toBeInViewport({ ratio: 1 });
    await expectNoHorizontalScroll(page, 'the row of a deleted review');
  }
});
