import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { logIn } from '../actions.ts';
import { expect, test } from '../test.ts';

// Pictures of every screen for people to look at, in reports/screens; and no screen may be wider than its window.

const folder = fileURLToPath(new URL('../../../reports/screens', import.meta.url));
const sizes = { 360: { width: 360, height: 740 }, 1280: { width: 1280, height: 900 } };

async function photograph(page: Page, name: string, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth, `${name} at ${size}`).toBeLessThanOrEqual(clientWidth);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, fullPage: true });
    }
  }
}

test.describe('every screen', () => {
  test.use({ expectedErrors: /status of 40[34]/ });
  test.slow();

  test('as a visitor sees it', async ({ page, backend }) => {
    const services: { _id: string }[] = await (await backend.call('/services?limit=1&sort=rating')).json();
    const screens = {
      home: '/',
      services: '/services',
      'nothing-found': '/services?q=zzzz',
      details: `/services/${services[0]?._id}`,
      login: '/login',
      signup: '/signup',
      blogs: '/blogs',
      about: '/about',
      'how-reviews-work': '/how-reviews-work',
      privacy: '/privacy',
      terms: '/terms',
      'service-unknown': '/services/000000000000000000000000',
      'not-found': '/no/such/page',
    };
    for (const [name, path] of Object.entries(screens)) await photograph(page, name, path);
  });

  test('as a customer sees it', async ({ page, backend }) => {
    const customer = await backend.customer();
    const stranger = await backend.customer('Otto Other');
    const service = await backend.service(customer, { title: 'Hood over a six-burner range' });
    const review = await backend.review(
      customer,
      service.id,
      'Quiet, level, and the flat above no longer complains.',
      5,
    );
    const foreign = await backend.review(stranger, service.id, 'It took a day longer than said.', 3);
    await logIn(page, customer);
    const screens = {
      'details-signed-in': `/services/${service.id}`,
      'my-reviews': '/myreview',
      'add-service': '/addservices',
      'write-review': `/review/${service.id}`,
      'edit-review': `/editreview/${review}`,
      account: '/account',
      'edit-forbidden': `/editreview/${foreign}`,
    };
    for (const [name, path] of Object.entries(screens)) await photograph(page, name, path);
  });
});
