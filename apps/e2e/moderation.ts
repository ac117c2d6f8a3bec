import { expect, type Page } from '@playwright/test';
import { expectSignedOut, main } from './actions.ts';
import type { Backend } from './backend.ts';

export const dialog = (page: Page) => page.getByRole('dialog');

export const caseOf = (page: Page, title: string) =>
  main(page)
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: `Review of ${title}` }) });

/** Adds a review of a service by “Sam Spam”, a customer who can report it, and a moderator. */
export async function addReview(backend: Backend, text: string) {
  const [author, reporter] = [await backend.customer('Sam Spam'), await backend.customer('Rita Reporter')];
  const moderator = await backend.customer('Mo Moderator', undefined, { moderator: true });
  const service = await backend.service(await backend.customer());
  return { author, reporter, moderator, service, id: await backend.review(author, service.id, text, 1) };
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignedOut(page);
}

/**
 * Waits while the form of the dialog is being sent, because the dialog ignores Esc during this time. Then closes the
 * dialog with Esc.
 */
export async function closeDialog(page: Page): Promise<void> {
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Escape');
}
