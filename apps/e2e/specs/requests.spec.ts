import type { Page } from '@playwright/test';
import { logIn, main, navbar } from '../actions.ts';
import type { Backend } from '../backend.ts';
import { checkScreens, opensDialog, press, respond, showsText } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// The browser logs responses with an error status. Here, 404 is expected for a request of other customers, and 503 for a
// list that does not load.
test.use({ expectedErrors: /status of (404|503)/ });

/** A picture of one pixel. */
const photo = {
  name: 'grease.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** New messages must appear within this time. */
const appearsInTime = { timeout: 5000 };

async function createService(backend: Backend) {
  const [lister, asker] = [await backend.customer('Lena Fitter'), await backend.customer('Omar Cook')];
  return { lister, asker, service: await backend.service(lister) };
}

const messages = (page: Page) => main(page).getByRole('list', { name: 'Messages' }).locator('> li');
const widthOf = (page: Page, name: string) =>
  main(page)
    .getByRole('img', { name })
    .evaluate((image: HTMLImageElement) => image.naturalWidth);

test('a customer asks a lister with a photo, the lister sees the dot and answers, the customer reads the answer, and closes the account', async ({
  page,
  browser,
  backend,
}) => {
  const { lister, asker, service } = await createService(backend);
  await page.goto(`/services/${service.id}`);
  await main(page).getByRole('link', { name: 'Ask for a price' }).first().click();
  await page.getByLabel('Email', { exact: true }).fill(asker.email);
  await page.getByLabel('Password', { exact: true }).fill(asker.password);
  await press('Login')(page);
  await expect(page).toHaveURL(`/ask/${service.id}`);
  await main(page).getByLabel('Your request').fill('The hood rattles. What would a new fan cost?');
  await main(page).getByLabel('Add photos').setInputFiles(photo);
  await expect(main(page).getByText('Your photos are added.')).toBeVisible();
  await main(page).getByLabel('Description of photo 1').fill('Grease');

  const listerPage = await (await browser.newContext()).newPage();
  await logIn(listerPage, lister);
  await expect(navbar(listerPage).getByRole('link', { name: 'Blogs' })).toBeVisible();

  await press('Send request')(page);
  await expectToast(page, 'success', 'Your request is sent.');
  await expect(page).toHaveURL(/\/requests\/[0-9a-f]{24}#newest$/);
  await expect.poll(() => widthOf(page, 'Grease')).toBe(1);

  await navbar(listerPage).getByRole('link', { name: 'Blogs' }).click();
  await expect(listerPage).toHaveTitle('(1) Blogs RTR Cloud Kitchen', appearsInTime);
  await listerPage.getByRole('button', { name: 'Account menu' }).click();
  await navbar(listerPage).getByRole('link', { name: 'News (1 new)' }).click();
  await main(listerPage)
    .getByRole('link', { name: new RegExp(`^Omar Cook sent you a message about ${service.title} `) })
    .click();
  await expect(messages(listerPage)).toHaveCount(1);
  await expect(messages(listerPage)).toContainText('What would a new fan cost?');
  await expect.poll(() => widthOf(listerPage, 'Grease')).toBe(1);
  await main(listerPage)
    .getByRole('button', { name: /^Enlarge photo 1/ })
    .click();
  await expect(listerPage.getByRole('dialog', { name: 'Grease' }).getByRole('img', { name: 'Grease' })).toBeVisible();
  await listerPage.keyboard.press('Escape');
  await expect(listerPage).toHaveTitle('Request RTR Cloud Kitchen');
  await main(listerPage).getByLabel('Your message').fill('About $200. Friday at nine?');
  await press('Send message')(listerPage);

  await expect(messages(page)).toHaveCount(2, appearsInTime);
  await expect(messages(page).last()).toContainText('About $200. Friday at nine?');
  await expect(messages(page).last()).toContainText('Lena Fitter');

  await page.goto('/account');
  await press('Delete my account')(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
  await expectToast(page, 'success', 'Your account is deleted.');
  await expect(messages(listerPage).first()).toContainText('Closed account', appearsInTime);
  await expect(messages(listerPage).first()).toContainText('What would a new fan cost?');
  await expect(main(listerPage).getByRole('img', { name: 'Grease' })).toHaveCount(0);
  await listerPage.goto('/requests');
  await expect(main(listerPage).getByRole('article')).toContainText('Closed account');
  await listerPage.context().close();
});

test('nobody else can open a request or its photos', async ({ page, backend }) => {
  const { asker, lister, service } = await createService(backend);
  const id = await backend.ask(asker, service.id, 'Can you come?');
  await backend.answer(lister, id, 'Yes.');
  await logIn(page, await backend.customer('Sly Stranger'), `/requests/${id}`);
  await expect(main(page).getByRole('heading', { name: 'This request was not found' })).toBeVisible();
});

test('the pages of requests and news fit into the window and are accessible in every state', async ({
  page,
  backend,
}) => {
  test.slow();
  const { asker, lister, service } = await createService(backend);
  const other = await backend.service(lister);
  await logIn(page, lister);
  await checkScreens(page, {
    'requests-empty': { path: '/requests', show: showsText('No requests yet') },
    'news-empty': { path: '/news', show: showsText('No news yet') },
    'requests-failed': {
      path: '/blogs',
      prepare: respond('requests?*', 503),
      show: async (page) => {
        await page.getByRole('button', { name: 'Account menu' }).click();
        await navbar(page).getByRole('link', { name: 'Requests' }).click();
        await showsText('Your requests did not load')(page);
      },
    },
  });
  const id = await backend.ask(asker, service.id, `The hood rattles. ${'unplasticisedpolyvinylchloride'.repeat(4)}`);
  await backend.ask(asker, other.id, 'And this one?');
  await backend.review(asker, service.id, 'Quiet again.', 5);
  await checkScreens(page, {
    news: { path: '/news', show: showsText('reviewed') },
    requests: { path: '/requests', show: showsText('2 requests') },
    'my-services-desk': { path: '/myservices', show: showsText('Waiting for your answer') },
    request: { path: `/requests/${id}`, show: showsText('The hood rattles.') },
    'request-report': { path: `/requests/${id}`, show: opensDialog(/^Report the message/) },
    'request-close': { path: `/requests/${id}`, show: opensDialog('Close request') },
    'request-unknown': { path: `/requests/${'a'.repeat(24)}`, show: showsText('This request was not found') },
    'ask-own': { path: `/ask/${service.id}` },
  });
});

test('the form for a request fits into the window and is accessible', async ({ page, backend }) => {
  const { asker, service, lister } = await createService(backend);
  const other = await backend.service(lister);
  await backend.ask(asker, other.id, 'Can you come?');
  await logIn(page, asker);
  await checkScreens(page, {
    ask: { path: `/ask/${service.id}`, show: showsText('Your request') },
    'ask-empty': { path: `/ask/${service.id}`, show: press('Send request') },
    'ask-open': { path: `/ask/${other.id}`, show: showsText('You have an open request about this service.') },
  });
});
