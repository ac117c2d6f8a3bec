import type { Locator, Page } from '@playwright/test';
import { email, expectSignedIn, main, navbar, openSignedIn, searchField } from '../actions.ts';
import { tab } from '../keyboard.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// These tests use only the keyboard. They move the focus with Tab, and check that the focus indicator is visible.

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

test.describe('the dialog', () => {
  const dialogs = { 'with the enlarged picture': /^Enlarge/, 'that reports a service': /^Report/ };
  for (const [name, opener] of Object.entries(dialogs)) {
    test(`${name} traps the focus, and Esc and Close return the focus to the button that opened the dialog`, async ({
      page,
      backend,
    }) => {
      const { id } = await backend.service(await backend.customer());
      await openSignedIn(page, await backend.customer(), `/services/${id}`);
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
