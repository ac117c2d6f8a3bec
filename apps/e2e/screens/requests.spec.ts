import { navbar, openSignedIn } from '../actions.ts';
import type { Backend } from '../backend.ts';
import { checkScreens, opensDialog, press, respond, showsText } from '../screens.ts';
import { test } from '../test.ts';

// The browser logs responses with an error status. Here, 404 is expected for an unknown request, and 503 for a list that does
// not load.
test.use({ expectedErrors: /status of (404|503)/ });

async function createService(backend: Backend) {
  const [lister, asker] = [await backend.customer('Lena Fitter'), await backend.customer('Omar Cook')];
  return { lister, asker, service: await backend.service(lister) };
}

test('the pages of requests and news fit into the window and are accessible in every state', async ({
  page,
  backend,
}) => {
  test.slow();
  const { asker, lister, service } = await createService(backend);
  const other = await backend.service(lister);
  await openSignedIn(page, lister);
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
  await openSignedIn(page, asker);
  await checkScreens(page, {
    ask: { path: `/ask/${service.id}`, show: showsText('Your request') },
    'ask-empty': { path: `/ask/${service.id}`, show: press('Send request') },
    'ask-open': { path: `/ask/${other.id}`, show: showsText('You have an open request about this service.') },
  });
});
