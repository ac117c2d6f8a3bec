import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { main } from './actions.ts';
import { expectToast } from './toasts.ts';

const folder = fileURLToPath(new URL('../../reports/screenshots', import.meta.url));
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
const narrowest = { width: 320, height: 640 };

export interface Screen {
  path: string;
  /**
   * If set, the test opens `path` and clicks this link to open the screen. The browser then requests the data of the screen
   * from the API. If the screen were opened by its URL, the HTML from the server would already contain the data.
   */
  link?: string;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Brings the page into the state that is checked. By default, waits for the heading. */
  show?: (page: Page) => Promise<unknown>;
  /** False if the screenshot shows only the window. A screenshot of the full page would move a carousel to another slide. */
  fullPage?: boolean;
}

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

export const showsText = (text: string) => (page: Page) =>
  expect(main(page).getByText(text).filter({ visible: true }).first()).toBeVisible();

export const press = (name: string | RegExp) => (page: Page) =>
  main(page).getByRole('button', { name }).first().click();

export const opensDialog = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await expect(page.getByRole('dialog')).toBeVisible();
};

/** Fakes the response to each request to an API route, including retries. */
export const respond =
  (call: string, status: number, json: object = { status }) =>
  (page: Page) =>
    page.route(`**/api/${call}`, (route) => route.fulfill({ status, headers: { 'X-Total-Count': '0' }, json }));

/**
 * Waits for a toast, and dismisses all toasts. Otherwise, they would be visible on some of the screenshots but not on
 * others.
 */
export async function dismissToast(page: Page, kind: 'success' | 'error', text: string): Promise<void> {
  await expectToast(page, kind, text);
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(async () => {
    if (await dismiss.count()) await dismiss.first().click({ timeout: 500 });
    expect(await dismiss.count()).toBe(0);
  }).toPass();
}

/** Keeps the focus on the first toast of this page, because a toast does not disappear while it has the focus. */
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
 * Checks the page at several window widths: nothing may be wider than the window, and axe must find no accessibility violation
 * on a phone and on a desktop, with the colours of the light and the dark theme. A failed check does not stop the test, so one
 * run reports all problems. If the variable SCREENSHOTS is set, saves screenshots in reports/screenshots.
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
    // The colours are the same at both widths, and the dark theme differs only in its colours.
    const hasColourCheck = size === (only ?? 'desktop');
    const rulesByTheme = {
      light: hasColourCheck ? 'all' : 'others',
      dark: hasColourCheck ? 'colours' : undefined,
    } as const;
    for (const [colorScheme, rules] of Object.entries(rulesByTheme)) {
      if (!rules && !process.env.SCREENSHOTS) continue;
      await page.emulateMedia({ colorScheme: colorScheme as keyof typeof rulesByTheme, reducedMotion: 'reduce' });
      const variant = `${name}-${viewport.width}-${colorScheme}`;
      if (rules) expect.soft(await violations(page, rules), variant).toEqual([]);
      if (process.env.SCREENSHOTS) await saveScreenshot(page, variant, fullPage);
    }
  }
}

async function saveScreenshot(page: Page, name: string, fullPage: boolean): Promise<void> {
  // While a dialog or a toast is shown, take a screenshot of the window only. A screenshot of the full page would move
  // the dialog or the toast, because it enlarges the window.
  const overlays = await page.locator('dialog[open], [data-toast]').count();
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: fullPage && overlays === 0 });
}

/**
 * Returns the accessibility rules that the page violates, each with the elements that violate it. Checks all rules, only those
 * about colours, which need the most time, or only the others.
 */
async function violations(page: Page, rules: 'all' | 'colours' | 'others'): Promise<string[]> {
  // `evaluate` adds axe to the page, because the Content-Security-Policy blocks new script elements.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (wanted) => {
    const { run } = Reflect.get(window, 'axe') as typeof axe;
    const colourRules = ['color-contrast', 'link-in-text-block'];
    const isOn = (enabled: boolean) => ({ enabled });
    const rules = {
      // By default, axe does not check this rule of WCAG 2.2.
      'target-size': isOn(true),
      // While a page loads, it has a progress bar and no heading, so this rule is off.
      'page-has-heading-one': isOn(document.querySelector('main progress') === null),
      ...Object.fromEntries(colourRules.map((rule) => [rule, isOn(wanted === 'all')])),
    };
    const found = await run(document, {
      resultTypes: ['violations'],
      // Axe would load and parse the style sheets for one rule, about a locked orientation. The app has no rules for it.
      preload: false,
      ...(wanted === 'colours' ? { runOnly: colourRules } : { rules }),
    });
    return found.violations.map(({ id, nodes }) =>
      [id, ...nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)].join('\n'),
    );
  }, rules);
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
