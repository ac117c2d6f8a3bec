import { expect, type Page } from '@playwright/test';

/** Returns the focused element, and whether it or its label has a visible focus indicator. */
const focusedElement = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return undefined;
    const candidates = [focused, focused.closest('label')].filter((element) => element !== null);
    const visible = candidates.some((element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const hasOutline = outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2 && width > 8 && height > 8;
      return hasOutline && outlineColor !== 'rgba(0, 0, 0, 0)';
    });
    return { visible, html: focused.outerHTML.slice(0, 200) };
  });

/** Presses Tab and checks the focus indicator. Returns the focused element as HTML. */
export async function tab(page: Page): Promise<string | undefined> {
  await page.keyboard.press('Tab');
  const focused = await focusedElement(page);
  expect(focused?.visible ?? true, `the focus is visible on ${focused?.html}`).toBe(true);
  return focused?.html;
}
