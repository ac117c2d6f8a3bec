import type { Locator, Page } from '@playwright/test';
import { main, openSignedIn } from '../actions.ts';
import { expect, test } from '../test.ts';

const lines = Array.from({ length: 40 }, (_, n) => `Line ${n + 1} of what was done.`);
const words = [...lines, 'The very last words.'].join('\n');

const more = (page: Page, what: RegExp) => main(page).getByRole('button', { name: what });
const visibleLineCount = (text: Locator) =>
  text.evaluate((element) =>
    Math.round(element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight)),
  );

/**
 * Scrolls to the end of a text. The browser does the same when the customer searches the page (Ctrl+F) for the last words,
 * but tests cannot use this search.
 */
const scrollToEnd = (text: Locator) =>
  text.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
    return element.scrollTop;
  });

for (const width of [320, 1280])
  test.describe(`at ${width} px,`, () => {
    test.use({ viewport: { width, height: 720 } });

    test('a review of more than 12 lines is collapsed, and a button shows and hides the rest', async ({
      page,
      backend,
    }) => {
      const author = await backend.customer('Ada Author');
      const service = await backend.service(await backend.customer());
      await backend.review(author, service.id, words, 4);
      await backend.review(author, service.id, 'Short.\nAnd good.');
      await page.goto(`/services/${service.id}`);
      const text = main(page).getByText('Line 1 of what was done.');
      const button = more(page, /^Show (more|less) of the review by Ada Author/);
      await expect(button).toHaveCount(1);
      await expect(button).toHaveAttribute('aria-expanded', 'false');
      expect(await visibleLineCount(text)).toBe(12);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

      await button.focus();
      await page.keyboard.press('Enter');
      await expect(button).toHaveText(/^Show less/);
      await expect(button).toHaveAttribute('aria-expanded', 'true');
      expect(await visibleLineCount(text)).toBeGreaterThanOrEqual(41);
      await page.keyboard.press('Enter');
      await expect(button).toHaveAttribute('aria-expanded', 'false');
      await expect(button).toBeFocused();
      await expect(button).toBeInViewport();
      expect(await visibleLineCount(text)).toBe(12);
    });

    test('a collapsed review is printed in full, and expands when the browser’s page search finds text in its hidden part', async ({
      page,
      backend,
    }) => {
      const author = await backend.customer('Ada Author');
      const service = await backend.service(await backend.customer());
      await backend.review(author, service.id, words);
      await page.setViewportSize({ width: 1280, height: 720 });
      await openSignedIn(page, author);
      await page.setViewportSize({ width, height: 720 });
      for (const path of [`/services/${service.id}`, '/myreview']) {
        await page.goto(path);
        const text = main(page).getByText('Line 1 of what was done.');
        const button = more(page, /^Show (more|less) of your review/);
        await expect(button).toHaveAttribute('aria-expanded', 'false');
        expect(await visibleLineCount(text)).toBe(12);

        await page.emulateMedia({ media: 'print' });
        expect(await visibleLineCount(text)).toBeGreaterThanOrEqual(41);
        await expect(button).toBeHidden();
        await page.emulateMedia({ media: 'screen' });
        expect(await visibleLineCount(text)).toBe(12);

        expect(await scrollToEnd(text)).toBeGreaterThan(0);
        await expect(button).toHaveAttribute('aria-expanded', 'true');
        expect(await visibleLineCount(text)).toBeGreaterThanOrEqual(41);
      }
    });
  });

test('if the browser’s page search finds hidden text of a collapsed review before hydration, the review expands after hydration', async ({
  page,
  backend,
}) => {
  const author = await backend.customer('Ada Author');
  const service = await backend.service(await backend.customer());
  await backend.review(author, service.id, words);
  const hydration = Promise.withResolvers<void>();
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await hydration.promise;
    await route.continue();
  });
  // Does not wait for the load event. The browser fires it only after the app script has loaded, and the test delays
  // this script.
  await page.goto(`/services/${service.id}`, { waitUntil: 'commit' });
  const text = main(page).getByText('Line 1 of what was done.');
  // Waits for the stylesheet, which limits the text to 12 lines. Before that, the text is not cut off, so it cannot be
  // scrolled.
  await expect.poll(() => visibleLineCount(text)).toBe(12);
  expect(await scrollToEnd(text)).toBeGreaterThan(0);
  hydration.resolve();
  await expect(more(page, /^Show less of the review by Ada Author/)).toBeVisible();
  expect(await visibleLineCount(text)).toBeGreaterThanOrEqual(41);
});

test('a review is collapsed only while the window is so narrow that the review has more than 12 lines', async ({
  page,
  backend,
}) => {
  const author = await backend.customer('Ada Author');
  const service = await backend.service(await backend.customer());
  await backend.review(author, service.id, 'It is quiet now and the flat above sleeps again. '.repeat(12));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`/services/${service.id}`);
  await expect(main(page).getByText('It is quiet now')).toBeVisible();
  const button = more(page, /^Show more/);
  await expect(button).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 720 });
  await expect(button).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(button).toHaveCount(0);
});
