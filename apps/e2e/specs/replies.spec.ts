import type { Page } from '@playwright/test';
import { logIn, main, navbar } from '../actions.ts';
import type { Backend, Customer } from '../backend.ts';
import { checkScreens, dismissToast, press, showsText } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// The browser logs responses with an error status. Two of them are expected here: 503 when a customer sends a reply
// while the API is down, and 404 for a review that does not exist.
test.use({ expectedErrors: /status of (404|50\d)/ });

const longWord = 'unplasticisedpolyvinylchloride'.repeat(4);

/** Creates a service, and two reviews of it by a customer who is not its lister. `newer` was written last. */
async function createReviews(backend: Backend) {
  const [lister, author] = [await backend.customer('Lena Fitter'), await backend.customer('Omar Cook')];
  const service = await backend.service(lister);
  const older = await backend.review(author, service.id, 'The fan is quiet again.', 5);
  const newer = await backend.review(author, service.id, 'They came an hour late.', 3);
  return { lister, author, service, older, newer };
}

const reply = (page: Page) => main(page).getByRole('textbox', { name: 'Your reply' });
const reviewWith = (page: Page, text: string) => main(page).getByRole('row').filter({ hasText: text });
const acceptDialog = (page: Page) => page.once('dialog', (dialog) => dialog.accept());

test('a lister finds the reviews without a reply, and writes, edits, deletes and restores a reply, which the author of the review can read', async ({
  page,
  browser,
  backend,
}) => {
  const { lister, author, service } = await createReviews(backend);
  await logIn(page, lister, '/myservices');
  await main(page).getByRole('link', { name: '2 without a reply' }).click();
  await expect(page).toHaveURL(`/services/${service.id}?sort=unanswered#reviews`);
  await reviewWith(page, 'an hour late')
    .getByRole('link', { name: /^Reply to/ })
    .click();
  await expect(main(page).getByText('They came an hour late.')).toBeVisible();
  await reply(page).fill('Sorry, Omar. The bridge was closed.');
  await press('Send reply')(page);
  await expectToast(page, 'success', 'Your reply is sent.');
  await expect(page).toHaveURL(({ pathname, hash }) =>
    `${pathname}${hash}`.startsWith(`/services/${service.id}#review-`),
  );
  const answered = reviewWith(page, 'an hour late');
  await expect(answered.getByRole('group', { name: 'Reply from Lena Fitter' })).toContainText('The bridge was closed.');
  await expect(answered).toBeFocused();

  await answered.getByRole('link', { name: /^Edit reply/ }).click();
  await expect(reply(page)).toHaveValue('Sorry, Omar. The bridge was closed.');
  await reply(page).fill('Sorry, Omar. The bridge was closed, and I did not call.');
  await press('Save changes')(page);
  await expectToast(page, 'success', 'Your changes are saved.');
  await expect(answered).toContainText('and I did not call.');
  await expect(answered).toContainText('edited');

  const authorPage = await (await browser.newContext()).newPage();
  await logIn(authorPage, author, '/myreview');
  await expect(reviewWith(authorPage, 'an hour late')).toContainText('Reply from Lena Fitter');
  await expect(reviewWith(authorPage, 'an hour late')).toContainText('and I did not call.');
  await authorPage.context().close();

  acceptDialog(page);
  await answered.getByRole('button', { name: /^Delete reply/ }).click();
  await expectToast(page, 'success', 'Your reply is deleted.');
  await expect(main(page).getByText('and I did not call.')).toBeHidden();
  await main(page).getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'success', 'Your reply is back.');
  await expect(main(page).getByText('and I did not call.')).toBeVisible();
  await navbar(page).getByRole('link', { name: 'My services' }).click();
  await expect(main(page).getByRole('link', { name: '1 without a reply' })).toBeVisible();
});

test('if the API is down when a reply is sent, the reply stays in the form, even after a reload, and can be sent again', async ({
  page,
  backend,
}) => {
  const { lister, newer, service } = await createReviews(backend);
  await logIn(page, lister, `/reply/${newer}`);
  await page.route('**/api/review/*/reply', (route) => route.fulfill({ status: 503, json: {} }));
  await reply(page).fill('Sorry, Omar.');
  await press('Send reply')(page);
  const said = 'We cannot reach the kitchen right now. Your text is safe here.';
  await expect(main(page).getByRole('alert')).toContainText(said);
  await page.reload();
  await expect(reply(page)).toHaveValue('Sorry, Omar.');
  await page.unrouteAll();
  await press('Send reply')(page);
  await expectToast(page, 'success', 'Your reply is sent.');
  await expect.poll(async () => (await backend.reviewsOf(service.id))[0]?.reply?.text).toBe('Sorry, Omar.');
});

test('visitors can read the reply of the lister, but see no buttons for it', async ({ page, backend }) => {
  const { lister, newer, service } = await createReviews(backend);
  await backend.reply(lister, newer, 'Sorry, Omar.');
  await page.goto(`/services/${service.id}`);
  await expect(reviewWith(page, 'an hour late')).toContainText('Sorry, Omar.');
  await expect(main(page).getByRole('link', { name: /reply to/i })).toHaveCount(0);
});

test('the reviews with replies and the form for a reply are accessible and fit the window', async ({
  page,
  browser,
  backend,
}) => {
  const { lister, author, service, older, newer } = await createReviews(backend);
  await backend.reply(lister, newer, `Sorry, Omar. The bridge was closed.\n\n${longWord}`);
  const path = `/services/${service.id}`;
  await logIn(page, lister);
  const deleted = async (page: Page) => {
    acceptDialog(page);
    await press(/^Delete reply/)(page);
    await dismissToast(page, 'success', 'Your reply is deleted.');
    await showsText('Undo')(page);
  };
  await checkScreens(page, {
    'my-services-unanswered': { path: '/myservices', show: showsText('1 without a reply') },
    'details-lister': { path: `${path}?sort=unanswered`, show: showsText('Lister') },
    reply: { path: `/reply/${older}` },
    'reply-empty': {
      path: `/reply/${older}`,
      show: async (page) => {
        await press('Send reply')(page);
        await showsText('Write your reply first.')(page);
      },
    },
    'reply-edit': { path: `/reply/${newer}`, show: showsText('Edit your reply') },
    'reply-missing': { path: '/reply/000000000000000000000000', show: showsText('This review was not found') },
    'details-reply-deleted': { path, show: deleted },
  });
  await backend.reply(lister, newer, `Sorry, Omar. ${longWord}`);
  await expectScreensOf(author, {
    'my-reviews-reply': { path: '/myreview', show: showsText('Reply from') },
    'details-reply-own': { path, show: showsText('Yours') },
    'reply-forbidden': { path: `/reply/${newer}`, show: showsText('Only the lister of this service can reply.') },
  });

  async function expectScreensOf(customer: Customer, screens: Parameters<typeof checkScreens>[1]): Promise<void> {
    const other = await (await browser.newContext()).newPage();
    await logIn(other, customer);
    await checkScreens(other, screens);
    await other.context().close();
  }
});
