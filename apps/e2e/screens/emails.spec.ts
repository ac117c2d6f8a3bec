import { main, openSignedIn } from '../actions.ts';
import { checkScreens, press, respond, showsText } from '../screens.ts';
import { expect, test } from '../test.ts';

// The browser logs responses with an error status. Here, 404 is expected for an unknown key, and 503 for a failed request.
test.use({ expectedErrors: /status of (404|503)/ });

const unsubscribe = `/unsubscribe/${'a'.repeat(32)}`;

test('the page that stops emails fits into the window and is accessible in every state', async ({ page }) => {
  await checkScreens(page, {
    unsubscribe: { path: unsubscribe },
    'unsubscribe-unknown': {
      path: unsubscribe,
      show: async (page) => {
        await press('Stop these emails')(page);
        await showsText('This link does not work')(page);
      },
    },
    'unsubscribe-done': {
      path: unsubscribe,
      prepare: (page) => page.route('**/api/unsubscribe/*', (route) => route.fulfill({ status: 204 })),
      show: async (page) => {
        await press('Stop these emails')(page);
        await showsText('The emails are stopped')(page);
      },
    },
    'unsubscribe-failed': {
      path: unsubscribe,
      prepare: respond('unsubscribe/*', 503),
      show: async (page) => {
        await press('Stop these emails')(page);
        await showsText('The emails were not stopped. Try again.')(page);
      },
    },
  });
});

test('the section about emails on the account page fits into the window and is accessible in every state', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  await openSignedIn(page, customer);
  await checkScreens(page, {
    'account-link-sent': {
      path: '/account',
      show: async (page) => {
        await press('Send a link to verify it')(page);
        await showsText('The link is on its way.')(page);
      },
    },
  });
  await backend.verify(customer);
  const emails = main(page).getByRole('checkbox', { name: 'Email me about news' });
  await checkScreens(page, {
    'account-verified': { path: '/account', show: () => expect(emails).toBeVisible() },
    'account-emails-not-saved': {
      path: '/account',
      prepare: (page) =>
        page.route('**/api/account/emails', (route) =>
          route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
        ),
      show: async (page) => {
        await emails.click();
        await showsText('Your choice was not saved. Try again.')(page);
      },
    },
  });
});
