import type { Page } from '@playwright/test';
import { logIn, main, navbar, signUpButton, stopTime, tryToSignUp } from '../actions.ts';
import { expect, test } from '../test.ts';

// What stands around every page, as far as only a browser tells.

/** The addresses of pictures that are shown as broken. */
const brokenPictures = (page: Page) =>
  page.evaluate(() =>
    [...document.images]
      .filter((image) => image.checkVisibility() && image.complete && image.naturalWidth === 0)
      .map(({ src }) => src),
  );

test.describe('without a network', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });
  const offline = 'You are offline. You can read what is already here; what you type is kept on this device.';

  test('what was read can be read, nothing is moved, and what was missed comes when it is back', async ({
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
    await expect(page.getByText(offline)).toBeInViewport();
    expect(await heading.boundingBox()).toEqual(before);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: service.title })).toBeVisible();
    await expect(main(page).getByText('Read before the line went.')).toBeVisible();
    await navbar(page).getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(main(page).getByRole('article')).toHaveCount(0);
    await stopTime(page);
    await context.setOffline(false);
    await expect(page.getByText('You are back online.')).toBeVisible();
    await page.clock.resume();
    await expect(main(page).getByRole('article').first()).toBeVisible();
    await expect(page.getByText(offline)).toBeHidden();
    await expect(page.getByText('You are back online.')).toBeHidden();
  });

  test('a page whose scripts were missed loads by itself when it is back, which is said there too', async ({
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

  test('no page shows the browser’s sign of a broken picture', async ({ page, context, backend }) => {
    const service = await backend.service(await backend.customer());
    await page.goto(`/services/${service.id}`);
    await expect(page.getByRole('heading', { level: 1, name: service.title })).toBeVisible();
    const details = page.url();
    // Their scripts are there, their pictures are not.
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

  test('what is typed is kept on this device', async ({ page, context, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await logIn(page, customer, `/review/${service.id}`);
    const words = main(page).getByLabel('Your review', { exact: true });
    await context.setOffline(true);
    await words.fill('Typed in the dark.');
    await context.setOffline(false);
    await page.reload();
    await expect(words).toHaveValue('Typed in the dark.');
  });
});

test.describe("where it is narrow, '/'", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('opens the menu, and goes to the field in it', async ({ page }) => {
    await page.goto('/blogs');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await expect(page.getByRole('banner').getByRole('searchbox')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
  });

  test('goes to the page’s own field where there is one', async ({ page }) => {
    await page.goto('/services');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await expect(main(page).getByRole('searchbox')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  });
});

test.describe('a service that is not sent', () => {
  test('is asked about on the way Back too, and is there on return', async ({ page, backend }) => {
    const customer = await backend.customer();
    await logIn(page, customer);
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
});

test('toasts are 8 pixels apart', async ({ page }) => {
  await page.goto('/signup');
  const toasts = page.locator('[data-toast]');
  await expect(signUpButton(page)).toBeVisible();
  await stopTime(page);
  // Two fields are wrong.
  const who = { name: 'Nadia Newcomer', picture: 'ftp://kitchen.test/a.png', email: 'nadia@kitchen.test' };
  await tryToSignUp(page, { ...who, password: 'short' });
  await expect(toasts).toHaveCount(2);
  const boxes = await Promise.all([0, 1].map(async (at) => toasts.nth(at).boundingBox()));
  const [upper, lower] = boxes.map((box) => box ?? { y: Number.NaN, height: Number.NaN });
  expect((lower?.y ?? 0) - ((upper?.y ?? 0) + (upper?.height ?? 0))).toBeCloseTo(8, 1);
});

test('what the browser draws around the page has the chosen theme too, from the first paint on', async ({ page }) => {
  // Of the colours offered the browser takes the first whose media hold.
  const around = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
          ({ media }) => matchMedia(media).matches,
        )?.content,
    );
  await page.goto('/about');
  await expect.poll(around).toBe('#ffffff');
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect.poll(around).toBe('#141f1d');
  await page.route('**/assets/entry-client-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
  await page.reload();
  expect(await around()).toBe('#141f1d');
});

test('an address that is typed opens at its top, whatever page stood in the tab before', async ({ page }) => {
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test.describe('on paper', () => {
  test.use({ colorScheme: 'dark', expectedErrors: /status of 40[34]/ });

  test('a page is its words in light colours, without what one presses', async ({ page, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await backend.review(customer, service.id, 'Worth a sheet of paper.', 4);
    await logIn(page, customer, '/myreview');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    for (const [path, words] of [
      [`/services/${service.id}`, 'Worth a sheet of paper.'],
      ['/myreview', 'Worth a sheet of paper.'],
      ['/privacy', 'Neither says who you are.'],
    ] as const) {
      await page.goto(path);
      await expect(main(page).getByText(words)).toBeVisible();
      await page.emulateMedia({ media: 'print' });
      await expect(main(page).getByText(words)).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('banner')).toBeHidden();
      await expect(page.getByRole('contentinfo')).toBeHidden();
      for (const pressed of [
        main(page).locator('button:not(:has(img))'),
        main(page).locator('.button, select, label, [data-screen-only]'),
      ])
        await expect(pressed.filter({ visible: true })).toHaveCount(0);
      const colours = () =>
        page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          return [backgroundColor, color];
        });
      await expect.poll(colours).toEqual(['rgb(255, 255, 255)', 'rgb(16, 33, 31)']);
      await page.emulateMedia({ media: 'screen' });
    }
  });
});
