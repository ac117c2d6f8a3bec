import type { Page } from '@playwright/test';
import { openSignedIn } from '../actions.ts';
import { tab } from '../keyboard.ts';
import { expect, test } from '../test.ts';

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
  await openSignedIn(page, customer);
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
