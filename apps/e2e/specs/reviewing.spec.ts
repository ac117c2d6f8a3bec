import type { Page, Request } from '@playwright/test';
import type { Service } from '@rtr/shared';
import { expectSignedIn, main, openSignedIn, tokenKey, tryToLogIn } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

const reviewField = (page: Page) => main(page).getByLabel('Your review', { exact: true });
const send = (page: Page) => main(page).getByRole('button', { name: 'Send review' });

test('a customer writes, sees, edits and deletes a review', async ({ page, backend }) => {
  const customer = await backend.customer();
  const service = await backend.service(customer);
  await openSignedIn(page, customer);
  await page.goto(`/services/${service.id}`);
  await expect(page).toHaveTitle(`${service.title} RTR Cloud Kitchen`);
  await expect(main(page).getByText('Total Review: 0')).toBeVisible();
  await expect(main(page).getByText('No reviews yet')).toBeVisible();

  await main(page).getByRole('link', { name: 'Add Review', exact: true }).first().click();
  await expect(page).toHaveURL(`/review/${service.id}`);
  await expect(main(page).getByLabel('Name', { exact: true })).toHaveValue(customer.name);
  await expect(main(page).getByLabel('Name', { exact: true })).not.toBeEditable();
  await expect(main(page).getByLabel('Email', { exact: true })).toHaveValue(customer.email);
  await expect(main(page).getByLabel('Email', { exact: true })).not.toBeEditable();
  await main(page).getByRole('radio', { name: /4/ }).check({ force: true });
  await reviewField(page).fill('  Two days, no mess.\nThe hood hums.  ');
  await send(page).click();

  await expectToast(page, 'success', 'Thanks for Your Review');
  const [written] = await backend.reviewsOf(service.id);
  await expect(page).toHaveURL(`/services/${service.id}#review-${written?._id}`);
  await expect(main(page).getByText('Total Review: 1')).toBeVisible();
  const row = main(page).getByRole('row').filter({ hasText: 'Two days, no mess.' });
  await expect(row).toContainText(customer.name);
  expect(written).toMatchObject({ review: '  Two days, no mess.\nThe hood hums.  ', rating: 4 });

  await page.goto('/myreview');
  await expect(main(page).getByText('Total Review: 1')).toBeVisible();
  for (const name of ['Delete', 'Date', 'Service Information', 'Review', 'Edit'])
    await expect(main(page).getByRole('columnheader', { name, exact: true })).toBeVisible();
  await main(page).getByRole('link', { name: /^Edit/ }).click();
  await expect(page).toHaveURL(`/editreview/${written?._id}`);
  await expect(page).toHaveTitle('Edit Review RTR Cloud Kitchen');
  await reviewField(page).fill('Three days, in truth.');
  await main(page).getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'success', 'You review Updated');
  await expect(page).toHaveURL('/myreview');
  await expect(main(page).getByText('Three days, in truth.')).toBeVisible();

  const deletions = recordRequests(page, 'DELETE');
  page.once('dialog', async (dialog) => {
    expect(dialog.type()).toBe('confirm');
    expect(dialog.message()).toBe('Are you sure want to delete the review');
    await dialog.dismiss();
  });
  await main(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(main(page).getByText('Three days, in truth.')).toBeVisible();
  expect(deletions).toEqual([]);

  page.once('dialog', (dialog) => dialog.accept());
  await main(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expectToast(page, 'success', 'Deleted Successfully');
  await expect(main(page).getByText('Total Review: 0')).toBeVisible();
  expect(await backend.reviewsOf(service.id)).toEqual([]);
});

test('after a customer sends a review, the reloaded page contains the review, even if the web server has cached the page without it', async ({
  page,
  request,
  backend,
}) => {
  const { id } = await backend.service(await backend.customer());
  await openSignedIn(page, await backend.customer());
  await page.goto(`/services/${id}`);
  await main(page).getByRole('link', { name: 'Add Review', exact: true }).first().click();
  await reviewField(page).fill('Fresh from the kitchen.');
  // Just before the API saves the review, a visitor opens the page. The web server caches this page without the review
  // for one second. The reload below must show the review nevertheless.
  await page.route('**/api/review', async (route) => {
    await request.get(`/services/${id}`);
    await route.continue();
  });
  await send(page).click();
  await page.waitForURL(/#review-/);
  const response = await page.reload({ waitUntil: 'commit' });
  expect(await response?.text()).toContain('Fresh from the kitchen.');
  await expect(main(page).getByText('Fresh from the kitchen.')).toBeVisible();
});

test.describe('on a phone,', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('a link to the oldest of 45 reviews opens the page of the service with this review focused and in view', async ({
    page,
    backend,
  }) => {
    const lister = await backend.customer();
    const service = await backend.service(lister);
    // A customer can have only 10 reviews of a service, so five customers write the reviews.
    const authors = await Promise.all(Array.from({ length: 5 }, () => backend.customer('Ada Author')));
    const write = (n: number, words: string, stars?: number) =>
      backend.review(authors[n % authors.length] ?? lister, service.id, words, stars);
    const first = await write(1, 'The very first.', 2);
    await Promise.all(Array.from({ length: 43 }, (_, n) => write(n + 2, `Visit ${n + 2}.`)));
    const newest = await write(45, 'Visit 45.');
    await page.goto(`/services/${service.id}#review-${first}`);
    const row = main(page).getByRole('row').filter({ hasText: 'The very first.' });
    await expect(row).toBeFocused();
    await expect(row).toBeInViewport();
    await expect(row.getByText('From your link', { exact: true })).toBeVisible();
    await expect(row.getByRole('cell')).toHaveCount(4);
    await expect(main(page).getByRole('table').getByRole('columnheader')).toHaveText([
      'Reviewer',
      'Date',
      'Time',
      'Review',
    ]);

    // The list does not show the linked review a second time, even when all pages of the list are loaded.
    await main(page).evaluate((content) => {
      const scroll = () =>
        [...content.querySelectorAll('button')].find((button) => button.innerText === 'Load more')?.scrollIntoView();
      new MutationObserver(scroll).observe(content, { childList: true, subtree: true });
      scroll();
    });
    await expect(main(page).getByRole('row')).toHaveCount(46);
    await expect(main(page).getByText('The very first.')).toHaveCount(1);

    // If the part `#review-…` of the address changes to another review, that review gets the focus.
    await page.evaluate((id) => {
      location.hash = `#review-${id}`;
    }, newest);
    const other = main(page).getByRole('row').filter({ hasText: 'Visit 45.' });
    await expect(other).toBeFocused();
    await expect(other).toBeInViewport();
  });
});

test.describe('on a device without a share dialog,', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('the share buttons copy the address of a service or a review', async ({ page, backend }) => {
    // The test removes the share dialog, because it belongs to the operating system and tests cannot use it.
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
    const author = await backend.customer('Ada Author');
    const service = await backend.service(await backend.customer());
    const id = await backend.review(author, service.id, 'Worth passing on.', 5);
    await page.goto(`/services/${service.id}?sort=lowest&rating=5`);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const origin = new URL(page.url()).origin;

    await main(page)
      .getByRole('button', { name: `Share ${service.title}`, exact: true })
      .click();
    await expectToast(page, 'success', 'Link copied');
    expect(await copied()).toBe(`${origin}/services/${service.id}`);
    const share = main(page).getByRole('button', { name: /^Share the review by Ada Author/ });
    const box = await share.boundingBox();
    expect([box?.width, box?.height]).toEqual([48, 48]);
    await share.focus();
    await page.keyboard.press('Enter');
    await expect.poll(copied).toBe(`${origin}/services/${service.id}#review-${id}`);
    await page.goto(await copied());
    await expect(main(page).getByRole('row').filter({ hasText: 'Worth passing on.' })).toBeFocused();
  });
});

test.describe('the draft of a review', () => {
  test.use({ expectedErrors: /status of 40[01]/ });

  test('is kept after a reload and after the session expires', async ({ page, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await openSignedIn(page, customer, `/review/${service.id}`);
    await reviewField(page).fill('Half a thought');
    await expect(main(page).getByText('Draft kept on this device')).toBeVisible();
    await page.reload();
    await expect(reviewField(page)).toHaveValue('Half a thought');

    await backend.endSessions(customer);
    await page.evaluate(
      ([key = '', token = '']) => localStorage.setItem(key, token),
      [tokenKey, backend.expiredToken(customer)],
    );
    await send(page).click();
    const message = 'Your session has ended. Log in again to go on; what you typed is kept.';
    const notice = page.getByRole('status').filter({ hasText: message });
    await expect(notice.getByText(message)).toBeInViewport();
    await expect(page.getByText(message)).toHaveCount(1);
    await expect(reviewField(page)).toHaveValue('Half a thought');
    await notice.getByRole('link', { name: 'Log in' }).click();
    await tryToLogIn(page, customer);
    await expect(page).toHaveURL(`/review/${service.id}`);
    await expect(reviewField(page)).toHaveValue('Half a thought');
    await send(page).click();
    await expectToast(page, 'success', 'Thanks for Your Review');
    await page.goto(`/review/${service.id}`);
    await expect(reviewField(page)).toHaveValue('');
  });
});

test.describe('if the response to a new review is lost, the review', () => {
  test.use({ expectedErrors: /status of 503|net::ERR/ });

  test('stays in the form, and is saved only once when the customer sends it again', async ({ page, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await openSignedIn(page, customer, `/review/${service.id}`);
    await reviewField(page).fill('Sent twice, kept once.');

    // The API saves the review, but the browser does not receive its response.
    const keys: (string | undefined)[] = [];
    await page.route('**/api/review', async (route) => {
      const headers = route.request().headers();
      keys.push(headers['idempotency-key']);
      await route.fetch({ headers: { ...headers, connection: 'close' } });
      await route.abort('connectionreset');
    });
    await send(page).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'We cannot reach the kitchen right now. Your text is safe here.' }),
    ).toBeVisible();
    await expect(reviewField(page)).toHaveValue('Sent twice, kept once.');
    await page.unroute('**/api/review');
    await page.reload();
    await expect(reviewField(page)).toHaveValue('Sent twice, kept once.');
    const secondRequest = page.waitForRequest('**/api/review');
    await send(page).click();
    expect((await secondRequest).headers()['idempotency-key']).toBe(keys[0]);
    await expectToast(page, 'success', 'Thanks for Your Review');
    expect(await backend.reviewsOf(service.id)).toHaveLength(1);
  });
});

const markup = `<img src=x onerror="document.title='owned'">`;

test('HTML markup in names, services and reviews is displayed as plain text', async ({ page, backend }) => {
  const customer = await backend.customer(markup);
  const title = `${markup} hood ${customer.uid}`;
  await openSignedIn(page, customer, '/addservices');
  const form = main(page);
  for (const label of ['Title', 'Price', 'Rating', 'Description']) {
    await form.getByLabel(label, { exact: true }).fill(label === 'Title' ? title : markup.slice(0, 40));
  }
  await form.getByRole('button', { name: 'Add service' }).click();
  await expectToast(page, 'success', 'Service Add Successfully');
  const found = await backend.call(`/services?q=${customer.uid}`);
  const [service]: Service[] = await found.json();
  expect(service?.title).toBe(title);
  const id = service?._id ?? '';

  await page.goto(`/review/${id}`);
  await reviewField(page).fill(markup);
  await send(page).click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  for (const path of [`/services/${id}`, `/services?q=${encodeURIComponent(markup)}`, '/myreview', '/services', '/']) {
    await page.goto(path);
    await expectSignedIn(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('img[onerror]')).toHaveCount(0);
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
    await expect(page).not.toHaveTitle('owned');
  }
  await page.goto('/myreview');
  await expect(main(page).getByText(markup, { exact: true }).first()).toBeVisible();
});

function recordRequests(page: Page, method: string): string[] {
  const urls: string[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === method) urls.push(request.url());
  });
  return urls;
}
