import type { Locator, Page } from '@playwright/test';
import {
  email,
  expectSignedIn,
  fillInLogin,
  fillInSignUp,
  logIn,
  logInButton,
  main,
  signUpButton,
} from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast, toastsOf } from '../toasts.ts';

/** Delays all requests to a URL with this method until the test calls `release`. `calls` is the number of requests so far. */
async function hold(page: Page, url: string, method = 'POST') {
  const held = { calls: 0, release: () => {} };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    held.calls++;
    await released;
    await route.continue();
  });
  return held;
}

/** Clicks twice in one task, so that the page cannot render between the clicks. */
const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });

/** Checks that a button is marked as disabled and ignores the pointer and the keyboard while its request is pending. */
async function expectPending(button: Locator, held: { calls: number }): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => held.calls).toBe(1);
  await button.click({ force: true });
  await button.press('Enter');
  await button.press('Space');
  expect(held.calls, 'sent only once').toBe(1);
}

const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });

test.describe('on a slow network, when a button is clicked twice,', () => {
  test('the button Login sends only one request', async ({ page, backend }) => {
    const customer = await backend.customer();
    await page.goto('/login');
    const held = await hold(page, '**/accounts:signInWithPassword?**');
    await fillInLogin(page, customer);
    await pressTwice(logInButton(page));
    await expectPending(logInButton(page), held);
    await email(page).press('Enter');
    expect(held.calls).toBe(1);
    held.release();
    await expectSignedIn(page);
    expect(held.calls).toBe(1);
  });

  test('the button Sign Up creates only one account', async ({ page, run }) => {
    await page.goto('/signup');
    const held = await hold(page, '**/accounts:signUp?**');
    const address = `${crypto.randomUUID()}@kitchen.test`;
    const picture = `${run.web}/pictures/avatar-2.svg`;
    await fillInSignUp(page, { name: 'Nadia Newcomer', picture, email: address, password: 'six-letters' });
    await pressTwice(signUpButton(page));
    await expectPending(signUpButton(page), held);
    held.release();
    await expectToast(page, 'success', 'Registration Successfully');
    await expectSignedIn(page);
    await expect(page).toHaveURL('/');
    expect(held.calls).toBe(1);
    expect(toastsOf(page)).toEqual([]);
  });

  test('the button Send the link sends only one email', async ({ page, backend }) => {
    const customer = await backend.customer();
    await page.goto('/login');
    await email(page).fill(customer.email);
    await button(page, 'Forgot password?').click();
    const held = await hold(page, '**/accounts:sendOobCode?**');
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send the link' });
    await pressTwice(send);
    await expectPending(send, held);
    held.release();
    await expect(page.getByRole('dialog').getByText('is on its way')).toBeVisible();
    expect(held.calls).toBe(1);
  });

  test('the button Add service adds only one service', async ({ page, backend }) => {
    const customer = await backend.customer();
    await logIn(page, customer, '/addservices');
    const title = `Slow hood ${customer.uid}`;
    await main(page).getByLabel('Title', { exact: true }).fill(title);
    const held = await hold(page, '**/api/services');
    await pressTwice(button(page, 'Add service'));
    await expectPending(button(page, 'Add service'), held);
    held.release();
    await expectToast(page, 'success', 'Service Add Successfully');
    const found = await backend.call(`/services?q=${customer.uid}`);
    expect(await found.json()).toHaveLength(1);
    expect(held.calls).toBe(1);
  });

  test('each of the review buttons “Send review”, “Save changes”, “Delete” and “Undo” sends only one request', async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await logIn(page, customer, `/review/${service.id}`);
    await main(page).getByLabel('Your review', { exact: true }).fill('Worth the wait.');
    const sending = await hold(page, '**/api/review');
    await pressTwice(button(page, 'Send review'));
    await expectPending(button(page, 'Send review'), sending);
    sending.release();
    await expectToast(page, 'success', 'Thanks for Your Review');
    const [written] = await backend.reviewsOf(service.id);
    expect(await backend.reviewsOf(service.id)).toHaveLength(1);

    await page.goto(`/editreview/${written?._id}`);
    await main(page).getByLabel('Your review', { exact: true }).fill('Well worth the wait.');
    const saving = await hold(page, '**/api/review/*', 'PATCH');
    await pressTwice(button(page, 'Save changes'));
    await expectPending(button(page, 'Save changes'), saving);
    saving.release();
    await expectToast(page, 'success', 'You review Updated');
    await expect(page).toHaveURL('/myreview');

    const deleting = await hold(page, '**/api/review/*', 'DELETE');
    page.on('dialog', (dialog) => dialog.accept());
    const remove = main(page).getByRole('button', { name: /^Delete/ });
    await pressTwice(remove);
    await expectPending(remove, deleting);
    deleting.release();
    await expectToast(page, 'success', 'Deleted Successfully');

    const restoring = await hold(page, '**/api/review/*/restore');
    await pressTwice(button(page, 'Undo'));
    await expectPending(button(page, 'Undo'), restoring);
    restoring.release();
    await expectToast(page, 'success', 'Your review is back.');
    expect([sending, saving, deleting, restoring].map(({ calls }) => calls)).toEqual([1, 1, 1, 1]);
  });

  test('on the account page, “Save changes” and “Delete my account” send only one request each', async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    await logIn(page, customer, '/account');
    await main(page).getByLabel('Name', { exact: true }).fill('Vera Chimney');
    const saving = await hold(page, '**/accounts:update?**');
    await pressTwice(button(page, 'Save changes'));
    await expectPending(button(page, 'Save changes'), saving);
    saving.release();
    await expectToast(page, 'success', 'Your name and photo are saved.');

    await button(page, 'Delete my account').click();
    const deleting = await hold(page, '**/api/account', 'DELETE');
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete my account' });
    await pressTwice(remove);
    await expectPending(remove, deleting);
    deleting.release();
    await expectToast(page, 'success', 'Your account is deleted.');
    expect([saving, deleting].map(({ calls }) => calls)).toEqual([1, 1]);
  });
});
