import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { main } from './actions.ts';
import { expectToast } from './toasts.ts';

const folder = fileURLToPath(new URL('../../reports/screens', import.meta.url));
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
const narrowest = { width: 320, height: 640 };

export interface Screen {
  path: string;
  /**
   * The link on the page at `path` that opens the screen. The browser then requests the data of the screen from the API,
   * which it would not do for a page that the server renders.
   */
  link?: string;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Brings the page into the state to check. By default, waits for the heading. */
  show?: (page: Page) => Promise<unknown>;
  /** False if a screenshot of the full page would move the slides of a carousel (scroll snap). */
  fullPage?: boolean;
}

/** Opens and checks each screen. */
export async function checkScreens(page: Page, screens: Record<string, Screen>): Promise<void> {
  for (const [name, { path, link, prepare, show, fullPage = true }] of Object.entries(screens)) {
    await test.step(name, async () => {
      await page.setViewportSize(sizes.desktop);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await prepare?.(page);
      await page.goto(path);
      if (link) await page.getByRole('link', { name: link, exact: true }).first().click();
      if (show) await show(page);
      else await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await checkScreen(page, name, { fullPage });
      await page.unrouteAll();
    });
  }
}

export const showsText = (text: string) => (page: Page) => expect(main(page).getByText(text).first()).toBeVisible();

export const press = (name: string | RegExp) => (page: Page) =>
  main(page).getByRole('button', { name }).first().click();

export const opensDialog = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await expect(page.getByRole('dialog')).toBeVisible();
};

/** Replaces the response to a call of the API, also when the page repeats the call. */
export const respond =
  (call: string, status: number, json: object = { status }) =>
  (page: Page) =>
    page.route(`**/api/${call}`, (route) => route.fulfill({ status, headers: { 'X-Total-Count': '0' }, json }));

/** Waits for a toast and dismisses all toasts, which would otherwise be visible on some screenshots only. */
export async function dismissToast(page: Page, kind: 'success' | 'error', text: string): Promise<void> {
  await expectToast(page, kind, text);
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(async () => {
    if (await dismiss.count()) await dismiss.first().click({ timeout: 500 });
    expect(await dismiss.count()).toBe(0);
  }).toPass();
}

/** Focuses each toast of this page from now on, because a toast stays as long as it has the focus. */
export const keepToasts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const focusToast = () => document.querySelector<HTMLElement>('[data-toast] button')?.focus();
    new MutationObserver(focusToast).observe(document.body, { childList: true, subtree: true });
    // Focuses the toast again if another element, such as the Undo button, takes the focus.
    addEventListener('focusin', focusToast);
  });

export async function openMenu(page: Page): Promise<void> {
  await page.setViewportSize(sizes.phone);
  await page.goto('/blogs');
  await page.getByRole('button', { name: 'Open menu' }).click();
}

/**
 * Checks the page in each width and theme: axe finds no violation, and nothing is wider than the window. Collects all
 * problems before it fails. Saves screenshots in reports/screens if the variable SCREENSHOTS is set.
 */
export async function checkScreen(
  page: Page,
  name: string,
  { only, fullPage = true }: { only?: keyof typeof sizes; fullPage?: boolean } = {},
): Promise<void> {
  await loadFontsAndPictures(page);
  await page.setViewportSize(narrowest);
  await expectNoHorizontalScroll(page, name);
  for (const [size, viewport] of Object.entries(sizes)) {
    if (only && only !== size) continue;
    await page.setViewportSize(viewport);
    await expectNoHorizontalScroll(page, name);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const variant = `${name}-${viewport.width}-${colorScheme}`;
      expect.soft(await violations(page, colorScheme), variant).toEqual([]);
      if (process.env.SCREENSHOTS) await saveScreenshot(page, variant, fullPage);
    }
  }
}

async function saveScreenshot(page: Page, name: string, fullPage: boolean): Promise<void> {
  // A screenshot of the full page enlarges the window, which would move an open dialog or a toast.
  const overlays = await page.locator('dialog[open], [data-toast]').count();
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: fullPage && overlays === 0 });
}

/** Returns the accessibility rules that the page violates, each with the elements that violate it. */
async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // Adds axe to the document with `evaluate`, because the Content-Security-Policy forbids script elements of tests.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (theme) => {
    const { run } = Reflect.get(window, 'axe') as typeof axe;
    const allRules = {
      // This rule of WCAG 2.2 is off by default.
      'target-size': { enabled: true },
      // While a page is loading, it has a progress bar and no heading.
      'page-has-heading-one': { enabled: document.querySelector('main progress') === null },
    };
    // The dark theme differs only in its colours, so only these rules are checked again.
    const colourRules = { runOnly: ['color-contrast', 'link-in-text-block'] };
    const found = await run(document, {
      resultTypes: ['violations'],
      ...(theme === 'light' ? { rules: allRules } : colourRules),
    });
    return found.violations.map(({ id, nodes }) =>
      [id, ...nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)].join('\n'),
    );
  }, theme);
}

/** Checks that neither the page nor an open dialog is wider than the window. */
export async function expectNoHorizontalScroll(page: Page, name: string): Promise<void> {
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

/** Waits until the fonts and all pictures are loaded, including pictures below the visible part of the page. */
async function loadFontsAndPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await document.fonts.ready;
  });
  await expect
    .poll(() => page.evaluate(() => [...document.images].every(({ complete }) => complete)), { message: 'pictures' })
    .toBe(true);
}
