import { main, openSignedIn } from '../actions.ts';
import { expect, test } from '../test.ts';

test('the theme-color tag has the colour of the chosen theme, even before the app script has loaded', async ({
  page,
}) => {
  const headerColour = () => page.getByRole('banner').evaluate((header) => getComputedStyle(header).backgroundColor);
  // Returns the colour of the first theme-color tag whose media query matches, because browsers use this tag. A
  // temporary element converts this colour to the format of `getComputedStyle`.
  const themeColour = () =>
    page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
      const probe = document.createElement('span');
      probe.style.color = metas.find(({ media }) => matchMedia(media).matches)?.content ?? '';
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
  await page.goto('/about');
  const lightColour = await headerColour();
  await expect.poll(themeColour).toBe(lightColour);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect.poll(headerColour).not.toBe(lightColour);
  const darkColour = await headerColour();
  await expect.poll(themeColour).toBe(darkColour);
  await page.route('**/assets/entry-client-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
  // The app script is empty, so the page is never hydrated.
  await page.reload({ waitUntil: 'load' });
  expect([await headerColour(), await themeColour()]).toEqual([darkColour, darkColour]);
});

test.describe('in print,', () => {
  test.use({ colorScheme: 'dark', expectedErrors: /status of 40[34]/ });

  test('a page shows its text in the colours of the light theme, and hides its controls', async ({ page, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer, { phone: '+1 555 0100' });
    await backend.review(customer, service.id, 'Worth a sheet of paper.', 4);
    await openSignedIn(page, customer, '/myreview');
    // The review moves the choice of the theme when it loads.
    await expect(main(page).getByText('Worth a sheet of paper.')).toBeVisible();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    for (const [path, words] of [
      [`/services/${service.id}`, 'Worth a sheet of paper.'],
      [`/services/${service.id}`, 'Call +1 555 0100'],
      ['/myreview', 'Worth a sheet of paper.'],
      ['/myservices', service.title],
      ['/privacy', 'They do not identify you.'],
    ] as const) {
      await page.goto(path);
      await expect(main(page).getByText(words)).toBeVisible();
      const controls = main(page)
        .locator('button:not(:has(img)), select, label')
        .or(main(page).getByRole('link', { name: /^(Add Review|Edit)/ }))
        .filter({ visible: true });
      if (path !== '/privacy') await expect(controls.first()).toBeVisible();
      await page.emulateMedia({ media: 'print' });
      await expect(main(page).getByText(words)).toBeVisible();
      await expect(main(page).getByText(`RTR Cloud Kitchen · ${new URL(path, page.url()).href} · `)).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('banner')).toBeHidden();
      await expect(page.getByRole('contentinfo')).toBeHidden();
      await expect(controls).toHaveCount(0);
      const isDarkTextOnLight = () =>
        page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          const lightness = (rgb: string) => (rgb.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);
          return lightness(backgroundColor) > lightness(color);
        });
      await expect.poll(isDarkTextOnLight).toBe(true);
      await page.emulateMedia({ media: 'screen' });
    }
  });
});
