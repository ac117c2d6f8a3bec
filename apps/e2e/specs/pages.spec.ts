import { main, navbar } from '../actions.ts';
import { expect, test } from '../test.ts';

// These tests check the HTML for crawlers and link previews, robots.txt, the sitemap and favicon.ico.

const canonical = 'link[rel="canonical"]';

test('the HTML of a service page contains metadata and structured data, and a navigation to another page replaces the metadata', async ({
  page,
  request,
  backend,
  run,
}) => {
  const customer = await backend.customer();
  const service = await backend.service(await backend.customer(), {
    title: 'Hoods & ducts </title><script>alert(1)</script>',
    description: '"We" mend <b>hoods</b>.',
    ratting: '4.97 of 5',
    img: `${run.web}/pictures/preview.png`,
  });
  await backend.review(customer, service.id, 'Quiet again.', 4);
  const address = `${run.web}/services/${service.id}`;
  // Wait until the API has counted the stars. It counts them in the background, possibly after its response to the review.
  const ratingCount = async () => (await (await backend.call(`/services/${service.id}`)).json()).ratingCount;
  await expect.poll(ratingCount).toBe(1);

  const response = await request.get(address);
  const source = await response.text();
  expect(source).toContain(`<link rel="canonical" href="${address}"`);
  expect(source).not.toContain('<script>alert');
  expect(response.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining("script-src 'self'"),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cache-control': 'no-cache',
  });

  // If the Content-Security-Policy blocked a script, the browser would log an error, which fails the test.
  await page.goto(address);
  await expect(main(page).getByRole('heading', { level: 1, name: service.title })).toBeVisible();
  await expect(page).toHaveTitle(`${service.title} RTR Cloud Kitchen`);
  const content = (key: string) => page.locator(`meta[name="${key}"], meta[property="${key}"]`);
  for (const [key, value] of [
    ['description', '"We" mend <b>hoods</b>.'],
    ['og:title', service.title],
    ['og:url', address],
    ['og:image', service.img],
  ] as const)
    await expect(content(key)).toHaveAttribute('content', value);
  await expect(page.locator('head > title')).toHaveCount(1);
  expect((await request.get(service.img)).headers()['content-type']).toBe('image/png');
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(data).toMatchObject({ name: service.title, aggregateRating: { ratingValue: 4, ratingCount: 1 } });
  expect(JSON.stringify(data)).not.toContain('4.97');

  await navbar(page).getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveTitle('Home RTR Cloud Kitchen');
  await expect(page.locator(canonical)).toHaveCount(1);
  await expect(page.locator(canonical)).toHaveAttribute('href', `${run.web}/`);
  await expect(content('og:image')).toHaveAttribute('content', `${run.web}/pictures/preview.png`);
});

test('/favicon.ico is an icon that a browser can show', async ({ page, request }) => {
  const response = await request.get('/favicon.ico');
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/vnd.microsoft.icon']);
  await page.goto('/about');
  const iconWidthPx = await page.evaluate(async () => {
    const icon = new Image();
    icon.src = '/favicon.ico';
    await icon.decode();
    return icon.naturalWidth;
  });
  expect(iconWidthPx).toBe(48);
});
