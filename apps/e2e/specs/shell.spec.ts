import type { Page } from '@playwright/test';
import { main, navbar, openSignedIn, pauseClock } from '../actions.ts';
import { expect, test } from '../test.ts';

// These tests check what all pages share, such as the offline notice and the scroll position. They need a real browser.

/** Returns the addresses of visible pictures that failed to load. */
const brokenPictures = (page: Page) =>
  page.evaluate(() =>
    [...document.images]
      .filter((image) => image.checkVisibility() && image.complete && image.naturalWidth === 0)
      .map(({ src }) => src),
  );

test.describe('without a network,', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });
  const offlineNotice = 'You are offline. What you type is kept on this device.';

  test('loaded pages stay readable and are not moved by the offline notice, and missing data loads when the network is back', async ({
    page,
    context,
    backend,
  }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await backend.review(customer, service.id, 'Read before the line went.');
    await page.goto(`/services/${service.id}`);
    await expect(main(page).getByText('Read before the line went.')).toBeVisible();
    await navbar(page).getByRole('link', { name: 'Blogs' }).click();
    const heading = page.getByRole('heading', { level: 1, name: 'Blogs' });
    const before = await heading.boundingBox();

    await context.setOffline(true);
    await expect(page.getByText(offlineNotice)).toBeInViewport();
    expect(await heading.boundingBox()).toEqual(before);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: service.title })).toBeVisible();
    await expect(main(page).getByText('Read before the line went.')).toBeVisible();
    await navbar(page).getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(main(page).getByRole('article')).toHaveCount(0);
    await pauseClock(page);
    await context.setOffline(false);
    await expect(page.getByText('You are back online.')).toBeVisible();
    await page.clock.resume();
    await expect(main(page).getByRole('article').first()).toBeVisible();
    await expect(page.getByText(offlineNotice)).toBeHidden();
    await expect(page.getByText('You are back online.')).toBeHidden();
  });

  test('a page whose script could not be loaded opens as soon as the network is back, and a message says that the browser is online', async ({
    page,
    context,
  }) => {
    await page.goto('/blogs');
    await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'This page did not load' })).toBeVisible();
    await expect.poll(() => brokenPictures(page)).toEqual([]);
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
    await expect(page.getByText('You are back online.')).toBeVisible();
    await expect(page.getByText('You are back online.')).toBeHidden();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
    await expect(page.getByText('You are back online.')).toBeHidden();
  });

  test('pages do not show the browser’s icon for a broken picture', async ({ page, context, backend }) => {
    const service = await backend.service(await backend.customer());
    await page.goto(`/services/${service.id}`);
    await expect(page.getByRole('heading', { level: 1, name: service.title })).toBeVisible();
    const details = page.url();
    // All pictures of these pages fail to load.
    for (const path of ['/about', '/login']) {
      await page.route('**/pictures/**', (route) => route.abort());
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect.poll(() => brokenPictures(page), { message: path }).toEqual([]);
    }
    await context.setOffline(true);
    for (const name of ['Home', 'Blogs']) {
      await navbar(page).getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect.poll(() => brokenPictures(page), { message: name }).toEqual([]);
    }
    await context.setOffline(false);
    await page.goto(details);
    await expect(main(page).getByRole('img', { name: service.title })).toBeVisible();
    await expect.poll(() => brokenPictures(page), { message: 'details' }).toEqual([]);
  });
});

test.describe('the draft of a service', () => {
  test('is restored when the customer leaves the form with the Back button, confirms the warning and goes forward again', async ({
    page,
    backend,
  }) => {
    const customer = await backend.customer();
    await openSignedIn(page, customer);
    await navbar(page).getByRole('link', { name: 'Add Service' }).click();
    await main(page).getByLabel('Title', { exact: true }).fill('Half a service');
    await expect(main(page).getByText('Draft kept on this device')).toBeVisible();
    await page.goBack();
    const dialog = page.getByRole('dialog', { name: 'Leave without sending?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(page).toHaveURL('/addservices');
    await page.goBack();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/addservices');
    await page.goBack();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL('/');
    await page.goForward();
    await expect(main(page).getByLabel('Title', { exact: true })).toHaveValue('Half a service');
  });

  test('stays in the form if the customer goes back at the moment when the draft is stored, and then chooses Stay in the warning', async ({
    page,
    backend,
  }) => {
    await openSignedIn(page, await backend.customer());
    await navbar(page).getByRole('link', { name: 'Add Service' }).click();
    const title = main(page).getByLabel('Title', { exact: true });
    await expect(title).toBeVisible();
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (!document.body.textContent?.includes('Draft kept on this device')) return;
        observer.disconnect();
        history.back();
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await title.fill('Half a service');
    await page.getByRole('dialog', { name: 'Leave without sending?' }).getByRole('button', { name: 'Stay' }).click();
    await expect(title).toHaveValue('Half a service');
    await expect(page).toHaveURL('/addservices');
  });
});

test('a page that is opened by its address starts at the top, even if the previous page in the tab was scrolled down', async ({
  page,
}) => {
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
