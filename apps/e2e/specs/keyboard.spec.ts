import type { Locator, Page } from '@playwright/test';
import { email, expectSignedIn, logIn, main, navbar, searchField } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// These tests use only the keyboard. They move the focus with Tab, and check that the focus indicator is visible.

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
async function tab(page: Page): Promise<string | undefined> {
  await page.keyboard.press('Tab');
  const focused = await focusedElement(page);
  expect(focused?.visible ?? true, `the focus is visible on ${focused?.html}`).toBe(true);
  return focused?.html;
}

async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await tab(target.page());
  }
  throw new Error(`Tab does not reach ${String(target)}.`);
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

test('the first Tab on a page focuses the link that skips the navigation', async ({ page }) => {
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

test('a customer logs in, writes, edits, deletes and restores a review with the keyboard alone', async ({
  page,
  backend,
}) => {
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

  page.once('dialog', (dialog) => dialog.accept());
  await press(main(page).getByRole('button', { name: /^Delete/ }));
  await expectToast(page, 'success', 'Deleted Successfully');
  const undo = main(page).getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(main(page).getByRole('button', { name: /^Delete/ })).toBeFocused();
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ review: 'Three days, in truth.' }]);
});

test('a visitor opens a suggested service with the keyboard alone', async ({ page, backend }) => {
  const { id, title } = await backend.service(await backend.customer());
  await page.goto('/blogs');
  await type(searchField(page), title.slice(0, -2));
  const option = page.getByRole('option', { name: title }).first();
  await expect(option).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(option).toBeHidden();
  await expect(searchField(page)).toHaveValue(title.slice(0, -2));
  await page.keyboard.press('ArrowUp');
  await expect(option).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/services/${id}`);
  await expect(heading(page, title)).toBeFocused();
});

/** Presses Tab until the end of the page, and checks the focus indicator of each element. */
async function expectVisibleFocus(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await page.waitForLoadState('networkidle');
  let stops = 0;
  // After the last tab stop, the focus leaves the page.
  while (await tab(page)) stops++;
  expect(stops, path).toBeGreaterThan(20);
}

test('every tab stop of the home page, the services, the page Blogs, the login and the sign-up has a visible focus indicator', async ({
  page,
  backend,
}) => {
  const service = await backend.service(await backend.customer());
  // Opens a search that finds only this service. The complete list would also contain the services of other tests.
  const list = `/services?q=${encodeURIComponent(service.title)}`;
  for (const path of ['/', list, `/services/${service.id}`, '/blogs', '/login', '/signup'])
    await expectVisibleFocus(page, path);
});

test('every tab stop of the pages for customers and moderators has a visible focus indicator', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer('Mo Moderator', undefined, { moderator: true });
  const service = await backend.service(await backend.customer());
  const own = await backend.service(customer);
  const id = await backend.review(customer, service.id, 'Quiet at last.', 5);
  await backend.report(await backend.customer(), id, { reason: 'spam' });
  const received = await backend.review(await backend.customer(), own.id, 'On time.');
  const request = await backend.ask(await backend.customer(), own.id, 'Can you come?');
  await logIn(page, customer);
  for (const path of [
    `/services/${service.id}`,
    `/review/${service.id}`,
    `/editreview/${id}`,
    '/addservices',
    '/myreview',
    '/account',
    '/myservices',
    `/editservice/${own.id}`,
    '/moderation',
    `/services/${own.id}`,
    `/reply/${received}`,
    `/ask/${service.id}`,
    '/requests',
    `/requests/${request}`,
    '/news',
  ])
    await expectVisibleFocus(page, path);
});

test.describe('the dialog', () => {
  const dialogs: Record<string, { path: string; opener: string | RegExp; isForCustomers?: true }> = {
    'with an answer on the page Blogs': { path: '/blogs', opener: 'Read the answer: SQL vs NoSQL' },
    'for a forgotten password': { path: '/login', opener: 'Forgot password?' },
    'for Google sign-in in a demonstration': { path: '/login', opener: 'Continue with Google' },
    'with the enlarged picture': { path: '/services/', opener: /^Enlarge/ },
    'that reports a service': { path: '/services/', opener: /^Report/, isForCustomers: true },
    'that deletes the account': { path: '/account', opener: 'Delete my account', isForCustomers: true },
  };
  for (const [name, { path, opener, isForCustomers }] of Object.entries(dialogs)) {
    test(`${name} traps the focus, and Esc and Close return the focus to the button that opened the dialog`, async ({
      page,
      backend,
    }) => {
      if (isForCustomers) await logIn(page, await backend.customer());
      const isService = path === '/services/';
      await page.goto(isService ? path + (await backend.service(await backend.customer())).id : path);
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
