import type { ConversationDetails, OwnService } from '@rtr/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, bearerOf, isDeletedList, problem, signedIn } from '../support/api.ts';
import { fakeConfirm, open, saying, toastOf } from '../support/app.tsx';
import { aService } from '../support/catalogue.ts';
import { aConversation, aMessage, summaryOf } from '../support/conversations.ts';

const own = (n: number, given: Partial<OwnService> = {}): OwnService => {
  const { distribution: _, ...service } = aService({
    title: `Service ${n}`,
    price: `$${n}0`,
    createdAt: `2026-0${n}-02T10:00:00.000Z`,
  });
  return { ...service, unansweredCount: 0, ...given };
};

/** Fakes an API with these services of the customer. Returns the withdrawals and restores that it receives. */
async function fakeServices(...services: OwnService[]): Promise<string[]> {
  await signedIn();
  const withdrawn = new Set<unknown>();
  const calls: string[] = [];
  api.use(
    http.get('/api/account/services', ({ request }) => {
      expect(bearerOf(request)).toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
      const rows = services.filter(({ _id }) => withdrawn.has(_id) === isDeletedList(request));
      return HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } });
    }),
    http.delete('/api/services/:id', ({ params }) => {
      calls.push(`withdraw ${String(params.id)}`);
      withdrawn.add(params.id);
      return HttpResponse.json({ acknowledged: true, deletedCount: 1 });
    }),
    http.post('/api/services/:id/restore', ({ params }) => {
      calls.push(`restore ${String(params.id)}`);
      withdrawn.delete(params.id);
      return HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    }),
  );
  return calls;
}

test('the page My services shows the replies that a moderator has hidden, with the reasons', async () => {
  await fakeServices(own(1));
  const reviewId = '65f0c0ffee0ddba11ca11ab1';
  const at = '2026-11-04T10:00:00.000Z';
  const reply = { text: 'Go away', name: 'Lena', createdAt: at, updatedAt: at, reviewId, serviceId: reviewId };
  api.use(
    http.get('/api/account/replies', ({ request }) => {
      expect(new URL(request.url).searchParams.get('hidden')).toBe('true');
      return HttpResponse.json([{ ...reply, serviceName: 'Hood repair', hidden: { reason: 'An insult', at } }]);
    }),
  );
  await open('/myservices');
  const link = await screen.findByRole('link', { name: 'Reply to a review of Hood repair' });
  expect(link.getAttribute('href')).toBe(`/reply/${reviewId}`);
  screen.getByText('A moderator hid this reply on 4 November 2026. Only you and our moderators can still see this.');
  screen.getByText('Reason: An insult');
});

test('the page My services lists the services of the customer with price, stars and number of reviews, and links to the form that edits them', async () => {
  const [newer, older] = [own(2, { reviewCount: 3, ratingCount: 2, averageRating: 4.5 }), own(1)];
  await fakeServices(newer, older);
  await open('/myservices');
  await screen.findByText('2 services');
  await waitFor(() => expect(document.title).toBe('My services RTR Cloud Kitchen'));
  const [, first] = screen.getAllByRole('row');
  const row = within(first as HTMLElement);
  expect(row.getByRole('link', { name: 'Service 2' }).getAttribute('href')).toBe(`/services/${newer._id}`);
  row.getByText('$20');
  row.getByText('4.5 out of 5 stars, 2 ratings');
  row.getByText('3 reviews');
  expect(row.getByRole('link', { name: 'Edit Service 2' }).getAttribute('href')).toBe(`/editservice/${newer._id}`);
});

test('the page My services links to the reviews without a reply, and shows how many there are', async () => {
  const [many, one, none] = [
    own(3, { reviewCount: 200, unansweredCount: 100 }),
    own(2, { reviewCount: 3, unansweredCount: 1 }),
    own(1, { reviewCount: 3 }),
  ];
  await fakeServices(many, one, none);
  await open('/myservices');
  const links = (await screen.findAllByRole('link', { name: /without a reply/ })) as HTMLAnchorElement[];
  expect(links.map((link) => [link.textContent, link.ariaLabel, link.getAttribute('href')])).toEqual([
    [
      '99+ without a reply',
      '99+ without a reply: reviews of Service 3',
      `/services/${many._id}?sort=unanswered#reviews`,
    ],
    ['1 without a reply', '1 without a reply: reviews of Service 2', `/services/${one._id}?sort=unanswered#reviews`],
  ]);
});

test('the page My services shows the reason why a moderator has hidden a service, and offers only its withdrawal', async () => {
  await fakeServices(own(1, { hidden: { reason: 'Not a service', at: '2026-11-04T10:00:00.000Z' } }));
  await open('/myservices');
  await screen.findByText(
    'A moderator hid this service on 4 November 2026. Only you and our moderators can still see this.',
  );
  screen.getByText('Reason: Not a service');
  const row = within(screen.getAllByRole('row')[1] as HTMLElement);
  expect(row.queryAllByRole('link')).toEqual([]);
  row.getByRole('button', { name: 'Withdraw Service 1' });
});

test('the page My services shows the reason why a moderator has removed the picture of a service, and offers to edit the service', async () => {
  await fakeServices(own(1, { removedPicture: { reason: 'Somebody else’s photo', at: '2026-11-04T10:00:00.000Z' } }));
  await open('/myservices');
  await screen.findByText(
    'A moderator removed the picture of this service on 4 November 2026. You can choose another picture.',
  );
  screen.getByText('Reason: Somebody else’s photo');
  screen.getByRole('link', { name: 'Edit Service 1' });
});

test('on the page My services, a service is not withdrawn when the customer cancels the confirmation', async () => {
  const calls = await fakeServices(own(1));
  const asked = fakeConfirm(false);
  const { user } = await open('/myservices');
  await user.click(await screen.findByRole('button', { name: 'Withdraw Service 1' }));
  expect(asked).toHaveBeenCalledExactlyOnceWith(
    'Withdraw this service? Nobody can then see the service or its reviews on this site.',
  );
  expect(calls).toEqual([]);
  screen.getByText('1 service');
});

test('on the page My services, a withdrawn service moves to the section “Withdrawn”, also after a reload, and can be listed again', async () => {
  const [newer, older] = [own(2), own(1)];
  const calls = await fakeServices(newer, older);
  fakeConfirm(true);
  const app = await open('/myservices');
  await app.user.click(await screen.findByRole('button', { name: 'Withdraw Service 2' }));
  expect(await toastOf('Your service is withdrawn.')).toBe('success');
  await screen.findByRole('heading', { name: 'Withdrawn' });
  screen.getByText(saying('Service 2 is withdrawn.'));
  await screen.findByText('1 service');
  expect(screen.queryByRole('link', { name: 'Service 2' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'List again Service 2' }));
  await app.close();

  const { user } = await open('/myservices');
  const again = await screen.findByRole('button', { name: 'List again Service 2' });
  expect(document.activeElement).not.toBe(again);
  await user.click(again);
  expect(await toastOf('Your service is listed again.')).toBe('success');
  await screen.findByText('2 services');
  expect(screen.queryByRole('heading', { name: 'Withdrawn' })).toBeNull();
  expect(calls).toEqual([`withdraw ${newer._id}`, `restore ${newer._id}`]);
  // The service is above the older service again.
  expect(screen.getAllByText(/^Service \d$/).map(({ textContent }) => textContent)).toEqual(['Service 2', 'Service 1']);
});

test('the page of a withdrawn service says so to its lister, who can list it again there', async () => {
  const service = own(1);
  await fakeServices(service);
  let isListed = false;
  api.use(
    http.get('/api/services/:id', () =>
      isListed ? HttpResponse.json({ ...aService(), ...service }) : problem(404, 'No service has this id.'),
    ),
    http.get('/api/account/services', ({ request }) => {
      expect(new URL(request.url).searchParams.get('serviceId')).toBe(service._id);
      return HttpResponse.json(isDeletedList(request) === isListed ? [] : [service]);
    }),
    http.post('/api/services/:id/restore', () => {
      isListed = true;
      return HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    }),
    http.get('/api/allreview', () => HttpResponse.json([])),
    http.get('/api/review', () => HttpResponse.json([])),
    http.get('/api/services', () => HttpResponse.json([])),
  );
  const { user } = await open(`/services/${service._id}`);
  await screen.findByRole('heading', { name: 'You have withdrawn this service' });
  await user.click(screen.getByRole('button', { name: 'List again Service 1' }));
  await screen.findByText('About this service');
  expect(isListed).toBe(true);
});

test('when withdrawing a service fails, a toast and the row of the service show an error', async () => {
  await fakeServices(own(1));
  fakeConfirm(true);
  api.use(http.delete('/api/services/:id', () => problem(503, 'The database does not answer.')));
  const { user } = await open('/myservices');
  await user.click(await screen.findByRole('button', { name: 'Withdraw Service 1' }));
  expect(await toastOf('Your service was not withdrawn. Try again.')).toBe('error');
  await within(screen.getByRole('table')).findByText('Your service was not withdrawn. Try again.');
});

test('the page My services shows only the section “Withdrawn” after the last service is withdrawn', async () => {
  await fakeServices(own(1));
  fakeConfirm(true);
  const { user } = await open('/myservices');
  await user.click(await screen.findByRole('button', { name: 'Withdraw Service 1' }));
  await screen.findByRole('button', { name: 'List again Service 1' });
  await screen.findByText('0 services');
  expect(screen.queryByRole('heading', { name: 'You have not listed anything yet' })).toBeNull();
  expect(screen.queryByRole('table')).toBeNull();
});

test('the page My services shows a text and a link to the form that adds a service when the customer has listed nothing', async () => {
  await fakeServices();
  await open('/myservices');
  await screen.findByRole('heading', { name: 'You have not listed anything yet' });
  const link = within(screen.getByRole('main')).getByRole('link', { name: 'Add Service' });
  expect(link.getAttribute('href')).toBe('/addservices');
});

test('the button Load more on the page My services adds the next page', async () => {
  await fakeServices();
  api.use(
    http.get('/api/account/services', ({ request }) =>
      isDeletedList(request)
        ? HttpResponse.json([])
        : new URL(request.url).searchParams.get('after')
          ? HttpResponse.json([own(1)], { headers: { 'X-Total-Count': '2' } })
          : HttpResponse.json([own(2)], {
              headers: { 'X-Total-Count': '2', Link: '</account/services?limit=50&after=x>; rel="next"' },
            }),
    ),
  );
  const { user } = await open('/myservices');
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  await screen.findByText('Service 1');
  screen.getByText('Service 2');
});

describe('the list “Waiting for your answer” on the page My services', () => {
  const asked = (given: Partial<ConversationDetails> = {}) => summaryOf(aConversation(given));

  test('contains the open requests that the lister has not answered, and the reviews without a reply, over all services', async () => {
    const waiting = asked();
    await fakeServices(own(1, { unansweredCount: 2 }), own(2, { unansweredCount: 1 }), own(3));
    api.use(
      http.get('/api/requests', () =>
        HttpResponse.json([
          waiting,
          asked({ _id: 'a'.repeat(24), messages: [aMessage({ isOwn: true })] }),
          asked({ _id: 'b'.repeat(24), status: 'closed' }),
          asked({ _id: 'c'.repeat(24), role: 'customer' }),
          asked({ _id: 'd'.repeat(24), other: { name: '', picture: '', isClosed: true } }),
        ]),
      ),
    );
    await open('/myservices');
    const title = await screen.findByRole('heading', { name: 'Waiting for your answer' });
    const list = within(title.closest('section') as HTMLElement).getByRole('list');
    expect(
      within(list)
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Amira Haddad asks about Hood repair', `/requests/${waiting._id}#newest`],
      ['2 reviews of Service 1', expect.stringMatching(/^\/services\/[0-9a-f]{24}\?sort=unanswered#reviews$/)],
      ['1 review of Service 2', expect.stringMatching(/^\/services\/[0-9a-f]{24}\?sort=unanswered#reviews$/)],
    ]);
  });

  test('is loaded again when there is news', async () => {
    const service = own(1);
    let count = 0;
    await fakeServices(service);
    api.use(
      http.get('/api/news/count', () => HttpResponse.json({ count })),
      http.get('/api/requests', () =>
        HttpResponse.json(count === 0 ? [] : [asked()], { headers: { 'X-Total-Count': String(count) } }),
      ),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open('/myservices');
    await screen.findByRole('link', { name: 'Service 1' });
    count = 1;
    service.unansweredCount = 1;
    await act(() => vi.advanceTimersByTimeAsync(4000));
    await screen.findByRole('link', { name: /asks about/ });
    await screen.findByRole('link', { name: '1 review of Service 1' });
  });

  test('is not shown if nothing waits, and says so if the requests did not load', async () => {
    await fakeServices(own(1));
    const { close } = await open('/myservices');
    await screen.findByText('1 service');
    expect(screen.queryByRole('heading', { name: 'Waiting for your answer' })).toBeNull();
    await close();
    api.use(http.get('/api/requests', () => problem(500, 'A bug')));
    await open('/myservices');
    await screen.findByText('Your requests did not load. You can try again on the page Requests.');
  });
});
