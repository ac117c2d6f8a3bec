import type { Page } from '@playwright/test';
import { main, navbar, openSignedIn } from '../actions.ts';
import type { Customer } from '../backend.ts';
import {
  checkScreen,
  checkScreens,
  dismissToast,
  expectNoHorizontalScroll,
  keepToasts,
  openMenu,
  opensDialog,
  press,
  respond,
  showsText,
} from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// Some tests make responses fail, which the browser logs as errors.
test.use({ expectedErrors: /status of (400|403|404|412|503)/ });

const words = 'Quiet, level, and the flat above no longer complains.';
const reviewField = (page: Page) => main(page).getByLabel('Your review', { exact: true });
const field = (page: Page, label: string) => main(page).getByLabel(label, { exact: true });

let customer: Customer;
test.beforeEach(async ({ page, backend }) => {
  customer = await backend.customer();
  await openSignedIn(page, customer);
});

test('the customer’s own review is accessible and fits the window when it is displayed, edited and deleted', async ({
  page,
  backend,
}) => {
  const service = await backend.service(await backend.customer(), { title: 'Hood over a six-burner range' });
  const id = await backend.review(customer, service.id, words, 5);
  await checkScreens(page, {
    'details-own-review': { path: `/services/${service.id}`, show: showsText('Edit') },
    'my-reviews': { path: '/myreview', show: showsText(words) },
    'edit-review': { path: `/editreview/${id}` },
    'details-review-deleted': {
      path: `/services/${service.id}`,
      show: async (page) => {
        page.once('dialog', (dialog) => dialog.accept());
        await press(/^Delete/)(page);
        await dismissToast(page, 'success', 'Deleted Successfully');
        await showsText('Undo')(page);
      },
    },
  });
});

test('the page My Review with a deleted review and its toast, and the menu of a customer, are accessible and fit the window', async ({
  page,
  backend,
}) => {
  const service = await backend.service(customer, { title: 'Hood over a six-burner range' });
  await backend.review(customer, service.id, words, 5);
  await page.goto('/myreview');
  page.once('dialog', (dialog) => dialog.accept());
  await keepToasts(page);
  await press(/^Delete/)(page);
  await expectToast(page, 'success', 'Deleted Successfully');
  await checkScreen(page, 'my-reviews-deleted');
  await expect(page.locator('[data-toast]')).toBeVisible();
  await openMenu(page);
  await checkScreen(page, 'menu-signed-in', { only: 'phone' });
});

test('the review form is accessible and fits the window, even when sending fails or the form has a draft', async ({
  page,
  backend,
}) => {
  const service = await backend.service(customer, { title: 'Hood over a six-burner range' });
  await checkScreens(page, {
    'write-review': { path: `/review/${service.id}` },
    'write-review-failed': {
      path: `/review/${service.id}`,
      prepare: respond('review', 503),
      show: async (page) => {
        await main(page).getByRole('radio', { name: /4/ }).check({ force: true });
        await reviewField(page).fill('Two days, no mess. The hood hums.');
        await press('Send review')(page);
        await dismissToast(page, 'error', 'We cannot reach the kitchen right now. Your text is safe here.');
        await showsText('Your text is safe here.')(page);
      },
    },
    'write-review-draft': { path: `/review/${service.id}`, show: showsText('We kept your draft') },
    'write-review-forbidden': {
      path: `/review/${service.id}`,
      // Simulates a page that was opened before the customer changed their email address: it sends the old address.
      prepare: (page) =>
        page.route('**/api/review', (route) =>
          route.continue({ postData: { ...route.request().postDataJSON(), email: 'old@kitchen.test' } }),
        ),
      show: async (page) => {
        await press('Send review')(page);
        await dismissToast(page, 'error', 'Your review was not sent. The text is safe here.');
        await showsText('The email in the review is not the one that you are logged in with.')(page);
        await expect(reviewField(page)).toHaveValue('Two days, no mess. The hood hums.');
      },
    },
  });
});

test('the error pages for an unknown service, an unknown review and the review of another customer are accessible and fit the window', async ({
  page,
  backend,
}) => {
  const other = await backend.customer('Otto Other');
  const service = await backend.service(other, { title: 'Hood over a six-burner range' });
  const id = await backend.review(other, service.id, 'It took a day longer than said.', 3);
  const unknownId = '0'.repeat(24);
  await checkScreens(page, {
    'edit-forbidden': { path: `/editreview/${id}` },
    'edit-missing': { path: `/editreview/${unknownId}`, show: showsText('This review was not found') },
    'write-unlisted': { path: `/review/${unknownId}`, show: showsText('This service is not listed') },
  });
});

test('the page My Review is accessible and fits the window when it is empty, fails to load or belongs to a disabled account', async ({
  page,
  backend,
}) => {
  await checkScreens(page, {
    'my-reviews-failed': {
      path: '/myreview',
      prepare: respond('review?**', 503),
      show: showsText('Your reviews did not load'),
    },
    'my-reviews-empty': { path: '/myreview', show: showsText('You have not reviewed anything yet') },
    'turned-off': {
      path: '/myreview',
      prepare: () => backend.disable(customer),
      show: showsText('This account has been turned off'),
    },
  });
});

test('the form that adds a service is accessible and fits the window when it is empty and when it shows errors', async ({
  page,
}) => {
  await checkScreens(page, {
    'add-service': { path: '/addservices' },
    'add-service-untitled': {
      path: '/addservices',
      show: async (page) => {
        await field(page, 'Picture URL').fill('no address');
        await press('Add service')(page);
        await showsText('Without a title')(page);
      },
    },
    'add-service-rejected': {
      path: '/addservices',
      show: async (page) => {
        await field(page, 'Title').fill('Wok range extractor');
        await field(page, 'Picture URL').fill('no address');
        await press('Add service')(page);
        await expect(main(page).locator('[aria-invalid]')).toHaveCount(1);
      },
    },
  });
});

test('the form that adds a service is accessible and fits the window while it shows a loading toast or the dialog for leaving the form', async ({
  page,
}) => {
  await checkScreens(page, {
    'add-service-leave': {
      path: '/addservices',
      show: async (page) => {
        await field(page, 'Price').fill('from $1,200');
        await navbar(page).getByRole('link', { name: 'Blogs' }).click();
        await expect(page.getByRole('dialog', { name: 'Leave without sending?' })).toBeVisible();
      },
    },
    'toast-loading': {
      path: '/addservices',
      prepare: (page) => page.route('**/api/services', () => {}),
      show: async (page) => {
        await field(page, 'Title').fill('Wok range extractor');
        await press('Add service')(page);
        await expect(page.locator('[data-toast=loading]')).toBeVisible();
      },
    },
  });
});

test('the page My services and the form that edits a service are accessible and fit the window', async ({
  page,
  backend,
}) => {
  await checkScreens(page, {
    'my-services-empty': { path: '/myservices', show: showsText('You have not listed anything yet') },
  });
  const contact = { phone: '+1 555 0100', website: 'https://ducts.example/', area: 'Brooklyn', insured: 'yes' };
  const service = await backend.service(customer, { title: 'Hood over a six-burner range', ...contact });
  await checkScreens(page, {
    'details-contact': { path: `/services/${service.id}`, show: showsText('Listed by') },
    'my-services': { path: '/myservices', show: showsText('1 service') },
    'edit-service': { path: `/editservice/${service.id}` },
    'edit-service-conflict': {
      path: `/editservice/${service.id}`,
      show: async (page) => {
        await field(page, 'Price').fill('from $75');
        await backend.editService(customer, service.id, { price: 'from $80', description: 'Now with lamps.' });
        await press('Save changes')(page);
        await showsText('Saved version')(page);
      },
    },
    'my-services-withdrawn': {
      path: '/myservices',
      show: async (page) => {
        page.once('dialog', (dialog) => dialog.accept());
        await press(/^Withdraw/)(page);
        await dismissToast(page, 'success', 'Your service is withdrawn.');
        await showsText('List again')(page);
      },
    },
    'edit-service-missing': {
      path: `/editservice/${service.id}`,
      show: showsText('This service was not found'),
    },
  });
});

test('the account page is accessible and fits the window, even with an invalid name and with the dialog that deletes the account', async ({
  page,
  backend,
}) => {
  const service = await backend.service(customer);
  await backend.review(customer, service.id, words);
  await checkScreens(page, {
    account: { path: '/account', show: showsText('your 1 review') },
    'account-rejected': {
      path: '/account',
      show: async (page) => {
        await field(page, 'Name').fill('V'.repeat(90));
        await press('Save changes')(page);
        await showsText('Enter a name of 1 to 80 characters.')(page);
      },
    },
    'account-delete': { path: '/account', show: opensDialog('Delete my account') },
    'account-delete-again': {
      path: '/account',
      prepare: respond('account', 403),
      show: async (page) => {
        await opensDialog('Delete my account')(page);
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Delete my account' }).click();
        await expect(dialog.getByText('You logged in more than 5 minutes ago.')).toBeVisible();
      },
    },
  });
});

test('the navbar of a customer has the link My services at each width from 960 px, and leaves space for the search field', async ({
  page,
}) => {
  await page.goto('/blogs');
  const myServices = navbar(page).getByRole('link', { name: 'My services' });
  for (const width of [960, 1024, 1151, 1152, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    await expect(myServices, `at ${width} px`).toBeInViewport({ ratio: 1 });
    await expectNoHorizontalScroll(page, 'the page Blogs');
    const field = await page.getByRole('banner').getByRole('combobox').boundingBox();
    expect(field?.width, `the search field at ${width} px`).toBeGreaterThan(170);
  }
});

test('the Useful button is accessible and fits the window with an error text, and measures at least 44 px', async ({
  page,
  backend,
}) => {
  const author = await backend.customer('Ada');
  const { id } = await backend.service(author);
  await backend.review(author, id, 'Review A.', 4);
  await page.goto(`/services/${id}`);
  const useful = main(page)
    .getByRole('row')
    .getByRole('button', { name: /^Useful/ });
  await page.route('**/api/review/*/useful', (route) => route.fulfill({ status: 503 }));
  await useful.click();
  await dismissToast(page, 'error', 'Your vote was not saved. Try again.');
  await checkScreen(page, 'details-useful');
  await page.setViewportSize({ width: 320, height: 640 });
  const { width = 0, height = 0 } = (await useful.boundingBox()) ?? {};
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
});
