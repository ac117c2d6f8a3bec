import { expect, type Page } from '@playwright/test';

/** An element that got the focus. Null means that the focus left the page, after its last element. */
type Stop = { html: string; isVisible: boolean } | null;

/** Presses Tab several times. Checks that each element that gets the focus, or its label, has a visible focus indicator. */
async function pressTabAndCheckFocus(page: Page, times: number): Promise<Stop[]> {
  await page.evaluate(() => {
    const isRecording = Reflect.has(window, 'focusStops');
    // Scripts may have moved the focus since the last call, so the list begins empty.
    Reflect.set(window, 'focusStops', []);
    if (isRecording) return;
    const record = (stop: Stop) => (Reflect.get(window, 'focusStops') as Stop[]).push(stop);
    const hasIndicator = (element: Element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const hasOutline = outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2 && width > 8 && height > 8;
      return hasOutline && outlineColor !== 'rgba(0, 0, 0, 0)';
    };
    addEventListener('focusin', ({ target }) => {
      const focused = target as Element;
      const isVisible = [focused, focused.closest('label')].some((element) => element && hasIndicator(element));
      record({ html: focused.outerHTML.slice(0, 200), isVisible });
    });
    addEventListener('focusout', ({ relatedTarget }) => {
      if (!relatedTarget) record(null);
    });
  });
  for (let count = 0; count < times; count++) await page.keyboard.press('Tab');
  const stops = await page.evaluate(() => Reflect.get(window, 'focusStops') as Stop[]);
  for (const stop of stops) expect(stop?.isVisible ?? true, `the focus is visible on ${stop?.html}`).toBe(true);
  return stops;
}

/** Presses Tab and checks the focus indicator. Returns the focused element as HTML. */
export async function tab(page: Page): Promise<string | undefined> {
  return (await pressTabAndCheckFocus(page, 1)).at(-1)?.html;
}

/** Presses Tab until the end of the page, and checks each focus indicator. Returns the number of tab stops. */
export async function checkTabStops(page: Page): Promise<number> {
  for (let count = 0; ; ) {
    const stops = await pressTabAndCheckFocus(page, 10);
    const end = stops.indexOf(null);
    if (end !== -1) return count + end;
    count += stops.length;
  }
}
