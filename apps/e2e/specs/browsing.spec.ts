import { expectToast, logIn, main, navbar } from '../actions.ts';
import { expect, test } from '../test.ts';

test('home shows the carousel, the promo, three services and the figures', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Home RTR Cloud Kitchen');
  await expect(main(page).getByRole('heading', { name: 'Discover Our Kitchen' })).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Get Started' })).toBeVisible();
  for (const figure of ['25.6K', '2.6M', '2.6K', '96%']) await expect(main(page).getByText(figure)).toBeVisible();
  await expect(main(page).getByRole('article')).toHaveCount(3);
  await main(page)
    .getByRole('link', { name: /all services/i })
    .click();
  await expect(page).toHaveURL('/services');
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the next slide is there at once', async ({ page }) => {
    await page.goto('/');
    const carousel = main(page).locator('[aria-roledescription="carousel"]');
    await expect(carousel.getByRole('button', { name: 'Next' })).toBeVisible();
    // In one task: a slide that glides has not come far by its end.
    const arrived = await carousel.evaluate((section) => {
      const track = section.querySelector('ul');
      section.querySelector<HTMLElement>('button[aria-label^="Next"]')?.click();
      return track !== null && track.scrollLeft === track.clientWidth;
    });
    expect(arrived).toBe(true);
  });
});

test('a service leads to its details, its picture enlarges, and unknown ones have a page', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  const long = 'Grease leaves the kitchen where it is made. '.repeat(5);
  const service = await backend.service(customer, { description: long, price: '', ratting: '9 of 10' });
  await page.goto('/services');
  await expect(page).toHaveTitle('Services RTR Cloud Kitchen');
  const card = main(page).getByRole('article').filter({ hasText: service.title });
  await expect(card).toContainText(`${long.slice(0, 100)}...`);
  await expect(card).toContainText('Price on request');
  await card.getByRole('link').first().click();

  await expect(page).toHaveURL(`/services/${service.id}`);
  await expect(page).toHaveTitle(`${service.title} RTR Cloud Kitchen`);
  await expect(main(page).getByText('Lister’s own rating: 9 of 10')).toBeVisible();
  await main(page)
    .getByRole('button', { name: /enlarge/i })
    .click();
  const lightbox = page.getByRole('dialog');
  await expect(lightbox.getByRole('img')).toBeVisible();
  await lightbox
    .getByRole('button', { name: /rotate/i })
    .first()
    .click();
  await lightbox.getByRole('button', { name: /zoom in/i }).click();
  await page.keyboard.press('Escape');
  await expect(lightbox).toBeHidden();
});

test.describe('what is not there', () => {
  test.use({ expectedErrors: /status of 404/ });

  test('has a page that says so, with one way on', async ({ page }) => {
    await page.goto('/services/000000000000000000000000');
    await expect(main(page).getByText('This service is not listed')).toBeVisible();
    await main(page).getByRole('link', { name: 'See all services' }).click();
    await expect(page).toHaveURL('/services');

    await page.goto('/no/such/page');
    await expect(page).toHaveTitle('Not Found RTR Cloud Kitchen');
    await expect(main(page).getByRole('heading', { name: 'This page isn’t on the menu' })).toBeVisible();
    await main(page).getByRole('link', { name: 'Go Back Home' }).click();
    await expect(page).toHaveURL('/');
  });
});

test('a customer adds a service and finds it by searching', async ({ page, backend }) => {
  const customer = await backend.customer();
  await logIn(page, customer);
  await page.goto('/services');
  await navbar(page).getByRole('link', { name: 'Add Service', exact: true }).click();
  await expect(page).toHaveTitle('Add Service RTR Cloud Kitchen');
  const form = main(page);
  const title = `Wok range extractor ${customer.uid.slice(0, 6)}`;
  await form.getByLabel('Title', { exact: true }).fill(title);
  await form.getByLabel('Rating', { exact: true }).fill('4.9');
  await form.getByLabel('Price', { exact: true }).fill('from $1,200');
  await form.getByLabel('Description', { exact: true }).fill('For three burners.');
  await form.getByLabel('Title', { exact: true }).press('Enter');
  await expectToast(page, 'success', 'Service Add Successfully');
  await expect(page).toHaveURL('/services');
  await expect(main(page).getByRole('article').filter({ hasText: title })).toBeVisible();

  const search = page.getByRole('searchbox').first();
  await search.fill(title.toUpperCase());
  await search.press('Enter');
  await expect(main(page).getByRole('article')).toHaveCount(1);
  await expect(main(page).getByRole('article')).toContainText(title);
  await search.fill('zzzz no such thing');
  await search.press('Enter');
  await expect(main(page).getByText('Nothing found for “zzzz no such thing”')).toBeVisible();
});

test('the blog’s four cards open their answers', async ({ page }) => {
  await page.goto('/blogs');
  await expect(page).toHaveTitle('Blogs RTR Cloud Kitchen');
  await expect(main(page).getByRole('article')).toHaveCount(4);
  await main(page).getByRole('article').first().getByRole('button').click();
  await expect(page.getByRole('dialog')).toContainText(/SQL/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test.describe('when the reviews fail', () => {
  test.use({ expectedErrors: /status of 503/ });

  test('the service stands without them, and they come back with Try again', async ({ page, backend }) => {
    const customer = await backend.customer();
    const service = await backend.service(customer);
    await backend.review(customer, service.id, 'Read after the outage.');
    // The fake boundary is the API's answer to this one call.
    await page.route('**/api/allreview**', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`/services/${service.id}`);
    await expect(main(page).getByRole('heading', { name: service.title })).toBeVisible();
    await expect(main(page).getByText('The reviews did not load. The rest of this page is complete.')).toBeVisible();
    await page.unroute('**/api/allreview**');
    await main(page).getByRole('button', { name: 'Try again' }).click();
    await expect(main(page).getByText('Read after the outage.')).toBeVisible();
  });
});
