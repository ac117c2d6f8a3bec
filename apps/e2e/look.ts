import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const folder = fileURLToPath(new URL('../../reports/screens', import.meta.url));
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 900 } };
const narrowest = { width: 320, height: 640 };

/**
 * Looks at what stands on the page in each width and theme: axe finds nothing wrong, nothing is wider than its window,
 * and a picture for people to look at goes to reports/screens. All that is wrong is told, not only the first.
 */
export async function look(
  page: Page,
  name: string,
  { only, fullPage = true }: { only?: keyof typeof sizes; fullPage?: boolean } = {},
): Promise<void> {
  await settled(page);
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
      // What stands over the page is centred in the window, which a picture of the whole page would stretch.
      const over = await page.locator('dialog[open], [data-toast]').count();
      await page.screenshot({ path: `${folder}/${shape}.png`, fullPage: fullPage && over === 0 });
    }
  }
}

/** Each broken rule with the elements that break it. */
async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // Evaluated, as the Content-Security-Policy lets no foreign script in; once for each document.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (theme) => {
    const { run } = Reflect.get(window, 'axe') as typeof axe;
    // All rules that are on by default, best practices included, and the one of WCAG 2.2 that is not.
    const all = {
      'target-size': { enabled: true },
      // A page that is still on its way has progress bars, and gets its heading with what it is about.
      'page-has-heading-one': { enabled: document.querySelector('main progress') === null },
    };
    // The other theme is the same page in other colours.
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

/** The page, and an open dialog, fit the window. */
export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const wide = () =>
    page
      .locator('html, dialog[open]')
      .evaluateAll((boxes) =>
        boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => `${box.localName}: ${box.scrollWidth}`),
      );
  await expect
    .configure({ soft: true })
    .poll(wide, { message: `${name} in ${page.viewportSize()?.width} px` })
    .toEqual([]);
}

/** Waits for the fonts, and for pictures that only come when they are scrolled to. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await document.fonts.ready;
  });
  await expect
    .poll(() => page.evaluate(() => [...document.images].every(({ complete }) => complete)), { message: 'pictures' })
    .toBe(true);
}
