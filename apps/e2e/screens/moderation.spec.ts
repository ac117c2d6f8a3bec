import { main, openSignedIn } from '../actions.ts';
import type { Backend } from '../backend.ts';
import { addReview, caseOf, closeDialog, dialog, signOut } from '../moderation.ts';
import { checkScreens, expectNoHorizontalScroll, opensDialog, respond, showsText } from '../screens.ts';
import { expect, test } from '../test.ts';
import { word } from './long-texts.ts';

// The browser logs responses with an error status. A moderator who acts on an outdated moderation case gets 412. Some tests
// fake a response with 503.
test.use({ expectedErrors: /status of (404|412|503)/ });

test('the button that sends a report is visible on a phone without scrolling', async ({ page, backend }) => {
  const { reporter, service } = await addReview(backend, 'Buy my filters instead.');
  await openSignedIn(page, reporter);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/services/${service.id}`);
  for (const name of [/^Report the review by Sam Spam/, new RegExp(`^Report ${service.title}`)]) {
    await main(page).getByRole('button', { name }).click();
    const send = dialog(page).getByRole('button', { name: 'Send report' });
    await expect(send).toBeInViewport({ ratio: 1 });
    await send.click();
    await expect(dialog(page).getByText('Choose a reason.')).toBeInViewport({ ratio: 1 });
    await closeDialog(page);
  }
});

test.describe('the screens of moderation', () => {
  async function addReports(backend: Backend) {
    const reported = await addReview(backend, 'Buy my filters instead. They are cheaper.');
    const text = 'He sells filters, and writes this everywhere.';
    await backend.report(await backend.customer(), reported.id, { reason: 'spam', text });
    await backend.report(await backend.customer(), reported.id, { reason: 'other' });
    return reported;
  }

  test('are accessible and fit the window for a moderator, even after another moderator has decided the same case', async ({
    page,
    backend,
  }) => {
    const { moderator, service, id } = await addReports(backend);
    await openSignedIn(page, moderator);
    await checkScreens(page, {
      'moderation-failed': {
        path: '/moderation',
        prepare: respond('moderation?**', 503),
        show: showsText('The cases did not load'),
      },
      'moderation-empty': {
        path: '/moderation',
        prepare: (page) =>
          page.route('**/api/moderation?**', (route) => route.fulfill({ headers: { 'X-Total-Count': '0' }, json: [] })),
        show: showsText('No open cases'),
      },
      moderation: { path: '/moderation', show: () => expect(caseOf(page, service.title)).toBeVisible() },
      'moderation-hide': {
        path: '/moderation',
        show: async (page) => {
          await caseOf(page, service.title).getByRole('button', { name: 'Hide' }).click();
          await dialog(page).getByRole('button', { name: 'Hide the review' }).click();
          await expect(dialog(page).getByText('Enter a reason.')).toBeVisible();
        },
      },
      'moderation-outdated': {
        path: '/moderation',
        show: async (page) => {
          const row = caseOf(page, service.title);
          await expect(row).toBeVisible();
          await backend.moderate(moderator, id, { action: 'hide', reason: 'It is an advert.' });
          await row.getByRole('button', { name: 'Dismiss' }).click();
          await expect(row.getByText('This case or its content has changed.')).toBeVisible();
          await expect(row.getByText('Review hidden')).toBeVisible();
        },
      },
      'moderation-closed': {
        path: '/moderation?status=closed',
        show: () => expect(caseOf(page, service.title)).toBeVisible(),
      },
      'account-moderator': { path: '/account', show: showsText('See the reported content') },
    });
  });

  test('are accessible and fit the window for the author of a hidden review, and for the customer who reports it', async ({
    page,
    backend,
  }) => {
    const { author, reporter, moderator, service, id } = await addReports(backend);
    const path = `/services/${service.id}`;
    await openSignedIn(page, reporter);
    await checkScreens(page, {
      'details-report': { path, show: showsText('Report') },
      'report-dialog': { path, show: opensDialog(/^Report the review/) },
      'report-sent': {
        path,
        show: async (page) => {
          await opensDialog(/^Report the review/)(page);
          await dialog(page).getByRole('radio', { name: 'Spam or advertising' }).check();
          await dialog(page).getByRole('button', { name: 'Send report' }).click();
          await expect(dialog(page).getByText('Your report is sent.')).toBeVisible();
        },
      },
      'report-failed': {
        path,
        prepare: respond('review/*/report', 503),
        show: async (page) => {
          await opensDialog(/^Report the review/)(page);
          await dialog(page).getByRole('radio', { name: 'Something else' }).check();
          await dialog(page).getByRole('button', { name: 'Send report' }).click();
          await expect(dialog(page).getByText('Your report was not sent. Try again.')).toBeVisible();
        },
      },
      'account-reports': { path: '/account', show: showsText('A moderator has not decided yet.') },
    });
    await backend.moderate(moderator, id, { action: 'hide', reason: 'It is an advert.' });
    await checkScreens(page, {
      'account-reports-hidden': { path: '/account', show: showsText('A moderator has hidden the review.') },
    });
    // The report that could not be sent is still a draft, so Sign Out asks for confirmation before it deletes the draft.
    page.once('dialog', (confirmation) => void confirmation.accept());
    await signOut(page);
    await openSignedIn(page, author);
    await checkScreens(page, {
      'my-reviews-hidden': { path: '/myreview', show: showsText('Reason: It is an advert.') },
      'my-reviews-appeal': {
        path: '/myreview',
        show: async (page) => {
          await main(page).getByRole('button', { name: 'Ask for another look' }).click();
          await main(page).getByRole('button', { name: 'Send to the moderators' }).click();
          await expect(main(page).getByText('Enter your reason.')).toBeVisible();
        },
      },
      'edit-review-hidden': { path: `/editreview/${id}`, show: showsText('You cannot edit this review.') },
    });
  });
});

test('the page Moderation and the reports of a customer do not scroll sideways in a window of 320 px, even with a long word', async ({
  page,
  backend,
}) => {
  const moderator = await backend.customer(word, undefined, { moderator: true });
  const service = await backend.service(await backend.customer(word), { title: word });
  const id = await backend.review(await backend.customer(word), service.id, word.repeat(3), 2);
  await backend.report(moderator, id, { reason: 'other', text: word.repeat(2) });
  await openSignedIn(page, moderator);
  await page.setViewportSize({ width: 320, height: 640 });
  const expectFits = async (path: string) => {
    await page.goto(path);
    // Other tests report reviews of services with the same title.
    await expect(main(page).getByText(`Review of ${word}`).first()).toBeVisible();
    await expectNoHorizontalScroll(page, path);
  };
  await expectFits('/moderation');
  await expectFits('/account');
  await backend.moderate(moderator, id, { action: 'hide', reason: word });
  await expectFits('/moderation?status=closed');
  await expectFits('/account');
});
