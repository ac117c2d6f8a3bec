import { logIn, main } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// These tests stop and start the real processes of the API and of MongoDB.

test.describe.configure({ mode: 'serial' });
test.use({ expectedErrors: /status of 503/ });

test('the list of services shows an error while the API is down, and loads when the API is back', async ({
  page,
  backend,
}) => {
  const { title } = await backend.service(await backend.customer());
  await backend.whileStopped('api', async () => {
    // No other test opens this address, so the web server has no cached page to send.
    await page.goto(`/services?q=${encodeURIComponent(title)}`);
    await expect(main(page).getByText('The services did not load')).toBeVisible();
    await expect(main(page).getByText('The connection or our server failed. Nothing is lost.')).toBeVisible();
  });
  await expect(main(page).getByRole('article').first()).toBeVisible();
});

test('a review that could not be sent while the database was down can be sent when the database is back', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  const service = await backend.service(customer);
  await logIn(page, customer, `/review/${service.id}`);
  await main(page).getByLabel('Your review', { exact: true }).fill('Written through an outage.');
  const send = main(page).getByRole('button', { name: 'Send review' });
  await backend.whileStopped('mongodb', async () => {
    await send.click();
    await expect(main(page).getByText('We cannot reach the kitchen right now. Your text is safe here.')).toBeVisible();
  });
  await expect(async () => {
    expect((await backend.call('/readyz')).status).toBe(200);
  }).toPass();
  await send.click();
  await expectToast(page, 'success', 'Thanks for Your Review');
  await page.goto(`/services/${service.id}`);
  await expect(main(page).getByText('Written through an outage.')).toBeVisible();
  expect(await backend.reviewsOf(service.id)).toHaveLength(1);
});

test('while the database or the API is down, a page responds with 503 and shows an error, and its content loads automatically when both are back', async ({
  page,
  request,
  backend,
}) => {
  const service = await backend.service(await backend.customer());
  const path = `/services/${service.id}`;
  for (const process of ['mongodb', 'api'] as const) {
    await backend.whileStopped(process, async () => {
      const response = await request.get(path);
      expect([response.status(), response.headers()['retry-after']], process).toEqual([503, '2']);
      await page.goto(path);
      await expect(main(page).getByRole('heading', { name: 'This page did not load' })).toBeVisible();
    });
    await expect(main(page).getByRole('heading', { level: 1, name: service.title })).toBeVisible();
  }
});
