import type { Page } from '@playwright/test';
import { expectSignedIn, openSignedIn } from '../actions.ts';
import { expect, test } from '../test.ts';

// From the first paint until the page is ready, nothing moves. The web font arrives after the first paint.

test.use({ expectedErrors: /status of 404/ });

test.beforeEach(async ({ page }) => {
  // Records what moves. `getShifts` waits for the next frame, because the browser reports a shift after it.
  await page.addInitScript(() => {
    const moved: string[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: { node: Node | null }[] })[])
        for (const { node } of sources)
          moved.push((node instanceof Element ? node.outerHTML : node?.textContent)?.slice(0, 200) ?? 'a removed node');
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, {
      getShifts: () =>
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)))),
    });
  });
});

const getShifts = (page: Page): Promise<string[]> => page.evaluate('getShifts()');
const hasEntry = (page: Page, name: string) =>
  page.waitForFunction((entry) => performance.getEntriesByName(entry).length > 0, name);

for (const width of [390, 1280])
  test(`in a window of ${width} px, no page moves its content when the web font arrives late`, async ({
    page,
    backend,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const { id } = await backend.service(await backend.customer());
    let painted = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async (route) => {
      await painted.promise;
      // Otherwise the browser would find the font in its cache on the next page.
      await route.fulfill({ response: await route.fetch(), headers: { 'Cache-Control': 'no-store' } });
    });
    for (const path of ['/', '/services', `/services/${id}`, '/signup', '/blogs', '/privacy', '/nowhere']) {
      painted = Promise.withResolvers<void>();
      await page.goto(path, { waitUntil: 'commit' });
      await hasEntry(page, 'first-contentful-paint');
      painted.resolve();
      await page.waitForFunction(() => [...document.fonts].some(({ status }) => status === 'loaded'));
      await hasEntry(page, 'ready');
      expect(await getShifts(page), path).toEqual([]);
      // Chromium sometimes reports that this section has moved, unless it has no height.
      await expect(page.getByRole('region', { name: 'Notifications' })).toHaveCSS('height', '0px');
    }
  });

test('the header of a customer keeps its layout when the session is known', async ({ page, backend }) => {
  const { id } = await backend.service(await backend.customer());
  await openSignedIn(page, await backend.customer());
  for (const path of ['/', `/services/${id}`]) {
    await page.goto(path);
    await expectSignedIn(page);
    expect(await getShifts(page), path).toEqual([]);
  }
});
