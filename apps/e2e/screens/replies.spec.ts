import type { Page } from '@playwright/test';
import { openSignedIn } from '../actions.ts';
import type { Customer } from '../backend.ts';
import { checkScreens, dismissToast, press, showsText } from '../screens.ts';
import { test } from '../test.ts';

// The browser logs the response with the status 404 for a review that does not exist.
test.use({ expectedErrors: /status of 404/ });

const longWord = 'unplasticisedpolyvinylchloride'.repeat(4);

test('the reviews with replies and the form for a reply are accessible and fit the window', async ({
  page,
  browser,
  backend,
}) => {
  const [lister, author] = [await backend.customer('Lena Fitter'), await backend.customer('Omar Cook')];
  const service = await backend.service(lister);
  const older = await backend.review(author, service.id, 'The fan is quiet again.', 5);
  const newer = await backend.review(author, service.id, 'They came an hour late.', 3);
  await backend.reply(lister, newer, `Sorry, Omar. The bridge was closed.\n\n${longWord}`);
  const path = `/services/${service.id}`;
  await openSignedIn(page, lister);
  const deleted = async (page: Page) => {
    page.once('dialog', (dialog) => dialog.accept());
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
    await openSignedIn(other, customer);
    await checkScreens(other, screens);
    await other.context().close();
  }
});
