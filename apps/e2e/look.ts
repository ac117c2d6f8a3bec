import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const folder = fileURLToPath(new URL('../../reports/screens', import.meta.url));
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 900 } };
const narrowest = { width: 320, height: 640 };

/**
 * Checks the page in each width and theme: axe finds no violation, and nothing is wider than the window. Saves a screenshot
 * in reports/screens. Reports every problem, not only the first one.
 */
export async function look(
  page: Page,
  name: string,
  { only, fullPage = true }: { only?: keyof typeof sizes; fullPage?: boolean } = {},
): Promise<void> {
  await loadFontsAndPictures(page);
  await page.setViewportSize(narrowest);
  await expectNoSidewaysScroll(page, name);
  for (const [size, viewport] of Object.entries(sizes)) {
    if (only && only !== size) continue;
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page, name);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const shape = `${name}-${viewport.width}-${colorScheme}`;
      expect.soft(await violations(page, colorScheme), shape).toEqual([]);
      // A dialog is centred in the window, and a screenshot of the full page would stretch that window.
      const overlays = await page.locator('dialog[open], [data-toast]').count();
      await page.screenshot({ path: `${folder}/${shape}.png`, fullPage: fullPage && overlays === 0 });
    }
  }
}

/** Each violated rule with the elements that violate it. */
async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // The Content-Security-Policy allows no other script element, so axe is evaluated, once for each document.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (theme) => {
    const { run } = Reflect.get(window, 'axe') as typeof axe;
    // All default rules, including best practices, and a rule of WCAG 2.2 that is off by default.
    const all = {
      'target-size': { enabled: true },
      // A page that loads has a progress bar. Its heading comes with its content.
      'page-has-heading-one': { enabled: document.querySelector('main progress') === null },
    };
    // The dark theme differs only in its colours.
    const colours = { runOnly: ['color-contrast', 'link-in-text-block'] };
    const found = await run(document, {
      resultTypes: ['violations'],
      ...(theme === 'light' ? { rules: all } : colours),
    });
    return found.violations.map(({ id, nodes }) =>
      [id, ...nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)].join('\n'),
    );
  }, theme);
}

/** Neither the page nor an open dialog is wider than the window. */
export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const widerThanWindow = () =>
    page
      .locator('html, dialog[open]')
      .evaluateAll((boxes) =>
        boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => `${box.localName}: ${box.scrollWidth}`),
      );
  await expect
    .configure({ soft: true })
    .poll(widerThanWindow, { message: `${name} in ${page.viewportSize()?.width} px` })
    .toEqual([]);
}

/** Waits for the fonts and for all pictures, including those that are loaded when they are scrolled into view. */
async function loadFontsAndPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await document.fonts.ready;
  });
  await expect
    .poll(() => page.evaluate(() => [...document.images].every(({ complete }) => complete)), { message: 'pictures' })
    .toBe(true);
}
