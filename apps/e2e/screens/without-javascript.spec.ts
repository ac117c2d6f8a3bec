import type { Page } from '@playwright/test';
import { main } from '../actions.ts';
import { expect, test } from '../test.ts';

// In these tests, the browser runs no scripts.

test.use({ javaScriptEnabled: false, expectedErrors: /status of 404/ });

/** Opens a page and checks its status code. Does not wait for hydration, which needs JavaScript. */
async function open(page: Page, path: string, status = 200): Promise<void> {
  const response = await page.goto(path, { waitUntil: 'load' });
  expect(response?.status(), path).toBe(status);
}

test('without JavaScript, the home page is complete, and its links open the page of a newly added service and the list of services', async ({
  page,
  backend,
}) => {
  const { id, title } = await backend.service(await backend.customer());
  await open(page, '/');
  for (const heading of [
    'A hood that clears the air',
    'Repaired before the dinner rush',
    'Cool air for a hot kitchen',
    'Discover Our Kitchen',
  ])
    await expect(main(page).getByRole('heading', { name: heading })).toBeVisible();
  await expect(main(page).getByRole('article')).toHaveCount(3);
  await expect(main(page).getByText('25.6K')).toBeVisible();
  await main(page).getByRole('article').getByRole('link', { name: title }).click();
  await expect(page).toHaveURL(`/services/${id}`);
  await page.goBack({ waitUntil: 'load' });
  await main(page).getByRole('link', { name: 'See all services' }).click();
  await expect(page).toHaveURL('/services');
  await expect(main(page).getByRole('article').first()).toBeVisible();
});

test('without JavaScript, the list of services can be searched, sorted and filtered, and has a second page', async ({
  page,
  backend,
}) => {
  const lister = await backend.customer();
  const word = `Canopy${lister.uid.slice(0, 6)}`;
  const titles = Array.from({ length: 61 }, (_, index) => `${word} ${String(index + 1).padStart(2, '0')}`);
  for (const title of titles) await backend.service(lister, { title });
  const cards = main(page).getByRole('article');
  const search = page.getByRole('searchbox').first();

  await open(page, '/services');
  await search.fill(word);
  await search.press('Enter');
  await expect(page).toHaveURL(`/services?q=${word}`);
  await expect(main(page).getByText(`61 services for “${word}”`)).toBeVisible();

  await main(page).getByLabel('Sort by').selectOption('Title (A–Z)');
  await main(page).getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(`/services?sort=title&q=${word}`);
  await expect(cards).toHaveCount(60);
  await expect(cards.first()).toContainText(`${word} 01`);

  await main(page).getByRole('link', { name: 'Load more' }).click();
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText(`${word} 61`);
  await main(page).getByRole('link', { name: 'Back to the first page' }).click();
  await expect(cards).toHaveCount(60);

  await main(page).getByRole('link', { name: 'Hood repair', exact: true }).click();
  await expect(page).toHaveURL('/services?q=hood+repair&sort=title');
  await expect(cards.first()).toContainText(/hood/i);

  await search.fill('zzzzzz');
  await search.press('Enter');
  await expect(main(page).getByText('Nothing found for “zzzzzz”')).toBeVisible();
});

test('without JavaScript, the page of a service is complete, its reviews can be filtered and sorted, and they have a second page', async ({
  page,
  backend,
}) => {
  const [author, other] = [await backend.customer('Ada Author'), await backend.customer()];
  const service = await backend.service(await backend.customer(), {
    price: 'from $120',
    description: 'Fitted in a day.',
    phone: '+1 555 0100',
    area: 'Brooklyn',
  });
  await backend.review(other, service.id, 'Review number 1.', 2);
  for (let number = 2; number <= 21; number += 1)
    await backend.review(author, service.id, `Review number ${number}.`, 5);
  // Wait until the API has counted the stars. It counts them in the background, possibly after its response to the last
  // review.
  const ratingCount = async () => (await (await backend.call(`/services/${service.id}`)).json()).ratingCount;
  await expect.poll(ratingCount).toBe(2);
  const reviews = main(page).getByText(/^Review number \d+\.$/);

  await open(page, `/services/${service.id}`);
  await expect(page.getByRole('heading', { level: 1, name: service.title })).toBeVisible();
  for (const text of [
    'from $120',
    'Fitted in a day.',
    'Area: Brooklyn',
    'Total Review: 21',
    'Ada Author',
    'Review number 21.',
  ])
    await expect(main(page).getByText(text, { exact: true }).first()).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Call +1 555 0100' })).toHaveAttribute('href', 'tel:+15550100');
  await expect(reviews).toHaveCount(20);

  await main(page).getByRole('link', { name: 'Load more' }).click();
  await expect(reviews).toHaveText(['Review number 1.']);
  await main(page).getByRole('link', { name: 'Back to the first page' }).click();
  await expect(reviews).toHaveCount(20);

  await main(page)
    .getByRole('link', { name: /^2 stars/ })
    .click();
  await expect(page).toHaveURL(`/services/${service.id}?rating=2`);
  await expect(reviews).toHaveText(['Review number 1.']);
  await main(page).getByRole('link', { name: 'Show all reviews' }).click();
  await main(page).getByLabel('Sort by').selectOption('Most useful');
  await main(page).getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(`/services/${service.id}?sort=useful`);
  await expect(main(page).getByRole('button', { name: /^Useful/ })).toHaveCount(0);
  await main(page).getByLabel('Sort by').selectOption('Lowest rated');
  await main(page).getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(`/services/${service.id}?sort=lowest`);
  await expect(reviews.first()).toHaveText('Review number 1.');
});

for (const [path, title, lastText] of [
  ['/about', 'About', 'Hot air from the stove is red, and cool air is blue.'],
  ['/how-reviews-work', 'How reviews work', 'cannot edit, hide or delete single reviews'],
  ['/privacy', 'Privacy', 'Everything else in our database that is linked to you is erased within about a day.'],
  ['/terms', 'Terms', 'We cannot promise that the site will always be available or free of errors.'],
] as const)
  test(`without JavaScript, the page ${title} is complete`, async ({ page }) => {
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(main(page).getByText(lastText)).toBeVisible();
  });

test('without JavaScript, each answer on the page Blogs can be opened', async ({ page }) => {
  await open(page, '/blogs');
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
  const articles = await main(page).getByRole('article').all();
  expect(articles).toHaveLength(4);
  for (const article of articles) {
    const answer = article.locator('details p').last();
    await expect(answer).toBeHidden();
    await article.locator('summary').click();
    await expect(answer).toBeVisible();
  }
});

test('without JavaScript, the 404 page of an unknown address links to the home page, and the 404 page of an unknown service links to all services', async ({
  page,
}) => {
  await open(page, '/no/such/page', 404);
  await main(page).getByRole('link', { name: 'Go Back Home' }).click();
  await expect(page).toHaveURL('/');
  await open(page, '/services/000000000000000000000000', 404);
  await main(page).getByRole('link', { name: 'See all services' }).click();
  await expect(page).toHaveURL('/services');
});

// Without `exact`, Playwright finds no text inside a `<noscript>` element.
const expectNeedsScript = (page: Page, what: 'form' | 'page') =>
  expect(
    main(page).getByText(`This ${what} needs JavaScript. Turn it on and reload the page.`, { exact: true }),
  ).toBeVisible();

test('pages with a form or with data of a customer say that they need JavaScript', async ({ page, backend }) => {
  const customer = await backend.customer();
  const { id } = await backend.service(customer);
  const review = await backend.review(customer, id, 'Quiet at last.');
  for (const [path, what] of [
    ['/login', 'form'],
    ['/signup', 'form'],
    [`/unsubscribe/${'a'.repeat(32)}`, 'form'],
    ['/addservices', 'page'],
    [`/review/${id}`, 'page'],
    [`/editreview/${review}`, 'page'],
    ['/myreview', 'page'],
    ['/account', 'page'],
    ['/myservices', 'page'],
    ['/moderation', 'page'],
    [`/editservice/${id}`, 'page'],
    [`/reply/${review}`, 'page'],
    [`/ask/${id}`, 'page'],
    ['/requests', 'page'],
    [`/requests/${id}`, 'page'],
    ['/news', 'page'],
    ['/services?saved', 'page'],
  ] as const)
    await test.step(path, async () => {
      await open(page, path);
      await expectNeedsScript(page, what);
    });
});

test('when the session cookie is set, pages that wait for the session say that they need JavaScript', async ({
  page,
  context,
  run,
}) => {
  await context.addCookies([{ name: 'rtr-session', value: '1', url: run.web }]);
  for (const path of ['/', '/login', '/signup', '/addservices'])
    await test.step(path, async () => {
      await open(page, path);
      await expectNeedsScript(page, 'page');
    });
});

test('without JavaScript, the filters of the list of services work together, and each can be removed', async ({
  page,
  backend,
}) => {
  const lister = await backend.customer();
  const area = `Harbour ${lister.uid.slice(0, 6)}`;
  await backend.service(lister, { area, phone: '+1 555 0100' });
  await backend.service(lister, { area, phone: '', website: '' });
  const cards = main(page).getByRole('article');
  const openFilters = () => main(page).getByText('Filters', { exact: true }).click();

  await open(page, '/services');
  await openFilters();
  await main(page).getByLabel('Another area').fill(area);
  await main(page).getByLabel('Another area').press('Enter');
  await expect(page).toHaveURL(`/services?area=${area.replace(' ', '+')}`);
  await expect(main(page).getByText('2 services')).toBeVisible();
  await expect(cards).toHaveCount(2);
  await expect(cards.first().getByText(area)).toBeVisible();

  await openFilters();
  await main(page).getByRole('link', { name: 'Phone or website', exact: true }).click();
  await expect(page).toHaveURL(`/services?area=${area.replace(' ', '+')}&contact=1`);
  await expect(cards).toHaveCount(1);
  await main(page).getByRole('link', { name: 'Remove the filter Phone or website' }).click();
  await expect(cards).toHaveCount(2);
  await main(page).getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/services');
});
