import { main, openSignedIn } from '../actions.ts';
import { test } from '../own-stack.ts';
import { expect } from '../test.ts';
import { expectToast } from '../toasts.ts';

test.use({ expectedErrors: /status of 503/ });

test('a customer verifies their address, gets an email about a review, and stops the emails with its links', async ({
  page,
  request,
  backend,
  stackControl,
}) => {
  const customer = await backend.customer();
  const { id, title } = await backend.service(customer);
  await openSignedIn(page, customer, '/account');
  await main(page).getByRole('button', { name: 'Send a link to verify it' }).click();
  await expect(main(page).getByText('The link is on its way.')).toBeVisible();
  const [link = ''] = await backend.verificationLinks(customer);
  // The link leads to the origin of the web app, which passes it to the emulator.
  const { pathname, search } = new URL(link);
  const tab = await page.context().newPage();
  await tab.goto(pathname + search, { waitUntil: 'load' });
  await expect(tab.getByText('The email has been successfully verified.')).toBeVisible();
  await tab.close();
  // Chromium does not hide a page when another tab opens.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const emails = main(page).getByRole('checkbox', { name: 'Email me about news' });
  await emails.check();
  await expectToast(page, 'success', 'You get emails about news.');

  await backend.review(await backend.customer('Omar Cook'), id, 'Quiet again.', 5);
  await stackControl.makeNewsDue(id);
  await stackControl.whileStopped('api', async () => {});
  await expect.poll(() => stackControl.emailsTo(customer.email)).toHaveLength(1);
  const [email] = stackControl.emailsTo(customer.email);
  expect(email?.text).toContain(`Omar Cook reviewed ${title} with 5 stars.`);

  const [, address = ''] = /Stop these emails: (\S+)/.exec(email?.text ?? '') ?? [];
  await page.goto(address);
  await main(page).getByRole('button', { name: 'Stop these emails' }).click();
  await expect(main(page).getByRole('heading', { name: 'The emails are stopped' })).toBeVisible();
  await page.goto('/account');
  await expect(emails).not.toBeChecked();
  await emails.check();
  await expectToast(page, 'success', 'You get emails about news.');
  // Mail clients send this request if the person presses their own button to unsubscribe.
  const oneClick = /^<(.*)>$/.exec(email?.headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  const response = await request.post(oneClick, { form: { 'List-Unsubscribe': 'One-Click' } });
  expect(response.status()).toBe(204);
  await page.reload();
  await expect(emails).not.toBeChecked();
});
