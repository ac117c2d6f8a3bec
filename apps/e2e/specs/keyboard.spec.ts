import type { Locator, Page } from '@playwright/test';
import { email, expectSignedIn, logIn, main, navbar } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// The pointer is never used here: what a test reaches, it reaches by Tab, and sees where it is at each stop.

/** What has the focus and how that shows: on itself, or on the label around a control that is drawn by it. */
const stop = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return undefined;
    const ringed = [focused, focused.closest('label')].filter((element) => element !== null);
    const visible = ringed.some((element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const drawn = outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2 && width > 8 && height > 8;
      return drawn && outlineColor !== 'rgba(0, 0, 0, 0)';
    });
    return { visible, html: focused.outerHTML.slice(0, 200) };
  });

/** One press of Tab. Whatever it comes to shows that it has the focus. */
async function tab(page: Page): Promise<string | undefined> {
  await page.keyboard.press('Tab');
  const focused = await stop(page);
  expect(focused?.visible ?? true, `the focus shows on ${focused?.html}`).toBe(true);
  return focused?.html;
}

async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await tab(target.page());
  }
  throw new Error(`Tab does not come to ${String(target)}.`);
}

async function press(target: Locator): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press('Enter');
}

async function type(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press('ControlOrMeta+A');
  await target.page().keyboard.type(text);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('the first Tab skips to the content, past the navigation', async ({ page }) => {
  await page.goto('/blogs');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(heading(page, 'Blogs')).toBeVisible();
  await tab(page);
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(main(page)).toBeFocused();
  await tab(page);
  await expect(main(page).getByRole('button').first()).toBeFocused();
});

test('a customer logs in, writes, edits and deletes a review by keyboard alone', async ({ page, backend }) => {
  const customer = await backend.customer();
  const service = await backend.service(customer);
  await page.goto(`/services/${service.id}`);

  await press(main(page).getByRole('link', { name: 'Login for Add Review' }).first());
  await expect(heading(page, 'Log in')).toBeFocused();
  await type(email(page), customer.email);
  await type(main(page).getByLabel('Password', { exact: true }), customer.password);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Write a review')).toBeFocused();
  await expectSignedIn(page);

  await tabTo(main(page).getByRole('radio', { name: /^1 star/ }));
  for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(main(page).getByRole('radio', { name: /^4 stars/ })).toBeChecked();
  await type(main(page).getByLabel('Your review', { exact: true }), 'Two days, no mess.');
  await press(main(page).getByRole('button', { name: 'Send review' }));
  await expectToast(page, 'success', 'Thanks for Your Review');
  await expect(main(page).getByRole('row').filter({ hasText: 'Two days, no mess.' })).toBeFocused();
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ review: 'Two days, no mess.', rating: 4 }]);

  await press(navbar(page).getByRole('link', { name: 'My Review', exact: true }));
  await expect(heading(page, 'My Review')).toBeFocused();
  await press(main(page).getByRole('link', { name: /^Edit/ }));
  await expect(heading(page, 'Edit your review')).toBeFocused();
  await type(main(page).getByLabel('Your review', { exact: true }), 'Three days, in truth.');
  await press(main(page).getByRole('button', { name: 'Save changes' }));
  await expectToast(page, 'success', 'You review Updated');
  await expect(heading(page, 'My Review')).toBeFocused();

  // The browser's own question.
  page.once('dialog', (dialog) => dialog.accept());
  await press(main(page).getByRole('button', { name: /^Delete/ }));
  await expectToast(page, 'success', 'Deleted Successfully');
  const undo = main(page).getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(main(page).getByRole('button', { name: /^Delete/ })).toBeFocused();
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ review: 'Three days, in truth.' }]);
});

test('whatever Tab comes to on the main screens shows that it has the focus', async ({ page, backend }) => {
  test.slow();
  const customer = await backend.customer();
  const service = await backend.service(await backend.customer());
  const id = await backend.review(customer, service.id, 'Quiet at last.', 5);
  // A search that finds no other test's services, however many there are.
  const found = `/services?q=${encodeURIComponent(service.title)}`;
  const walk = async (path: string, least: number) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await page.waitForLoadState('networkidle');
    let stops = 0;
    while (await tab(page)) stops++;
    // Past the last one the browser itself would be next; here the page has lost the focus by then.
    expect(stops, path).toBeGreaterThan(least);
  };
  for (const path of ['/', found, `/services/${service.id}`, '/blogs', '/login', '/signup']) await walk(path, 20);
  await logIn(page, customer);
  for (const path of [`/services/${service.id}`, `/review/${service.id}`, `/editreview/${id}`, '/addservices'])
    await walk(path, 20);
  for (const path of ['/myreview', '/account']) await walk(path, 20);
});

test.describe('a dialog', () => {
  const dialogs = {
    'with a blog’s answer': { path: '/blogs', opener: 'Read the answer: SQL vs NoSQL' },
    'for a forgotten password': { path: '/login', opener: 'Forgot password?' },
    'for the demo’s Google accounts': { path: '/login', opener: 'Continue with Google' },
    'with the enlarged picture': { path: '/services/', opener: /^Enlarge/ },
    'before an account is deleted': { path: '/account', opener: 'Delete my account' },
  };
  for (const [name, { path, opener }] of Object.entries(dialogs)) {
    test(`${name} keeps the focus, and gives it back on Esc and on Close`, async ({ page, backend }) => {
      const customer = await backend.customer();
      if (path === '/account') await logIn(page, customer);
      await page.goto(path === '/services/' ? `/services/${(await backend.service(customer)).id}` : path);
      const button = main(page).getByRole('button', { name: opener });
      await press(button);
      const dialog = page.getByRole('dialog');
      await expect(dialog).toBeVisible();
      const controls = await dialog.locator('button, input, a').count();
      for (let presses = 0; presses < 2 * controls + 2; presses++) {
        await tab(page);
        const outside = await page.evaluate(
          () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
        );
        expect(outside, `the focus left the dialog after ${presses + 1} presses`).toBe(false);
      }
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(button).toBeFocused();

      await page.keyboard.press('Enter');
      await press(dialog.getByRole('button', { name: 'Close' }));
      await expect(dialog).toBeHidden();
      await expect(button).toBeFocused();
    });
  }
});
