import type { Review } from '@rtr/shared';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { isPrivate, keyOf } from '../../src/lib/query-client.ts';
import { api, bearerOf, customer, limitReached, problem, signedIn } from '../support/api.ts';
import { logIn, open, toastOf } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

const service = aService({ reviewCount: 2 });

/**
 * Fakes an API with the reviews of a service. `calls` contains the requests that add or remove a vote. `readers` says who
 * requested the list of reviews each time: a customer or a visitor.
 */
function fakeReviews(
  reviews: Review[],
  { mine = [], vote }: { mine?: Review[]; vote?: () => Response | undefined } = {},
) {
  const calls: string[] = [];
  const readers: string[] = [];
  const votes = new Set<string>();
  const asRead = (review: Review, hasToken: boolean) => ({
    ...review,
    usefulCount: review.usefulCount + Number(votes.has(review._id)),
    ...(hasToken && { isUsefulToMe: votes.has(review._id) }),
  });
  const answer = (id: string, isUseful: boolean) => {
    calls.push(`${isUseful ? 'PUT' : 'DELETE'} ${id}`);
    const response = vote?.();
    if (response) return response;
    if (isUseful) votes.add(id);
    else votes.delete(id);
    const { usefulCount, isUsefulToMe } = asRead(reviews.find(({ _id }) => _id === id) as Review, true);
    return HttpResponse.json({ usefulCount, isUsefulToMe });
  };
  serve([service], reviews);
  api.use(
    http.get('/api/allreview', ({ request }) => {
      const token = bearerOf(request);
      readers.push(token ? 'customer' : 'visitor');
      const rows = reviews.map((review) => asRead(review, token !== undefined));
      return HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } });
    }),
    http.get('/api/review', () => HttpResponse.json(mine.map((review) => ({ ...review, email: 'cora@example.com' })))),
    http.put('/api/review/:id/useful', ({ params }) => answer(String(params.id), true)),
    http.delete('/api/review/:id/useful', ({ params }) => answer(String(params.id), false)),
  );
  return { calls, readers, votes };
}

const useful = (name: string | RegExp = /^Useful/) => screen.findByRole('button', { name });
const pressed = (button: HTMLElement) => button.getAttribute('aria-pressed');

test('a customer marks a review as useful, and removes the mark', async () => {
  const review = aReview(service, { usefulCount: 2 });
  const { calls } = fakeReviews([review]);
  await signedIn();
  const { user } = await open(`/services/${service._id}`);
  const button = await useful('Useful (2), the review by Amira Haddad, 11/3/2026');
  expect(pressed(button)).toBe('false');
  await user.click(button);
  await waitFor(() => expect(button.textContent).toMatch(/^Useful \(3\)/));
  expect(pressed(button)).toBe('true');
  await waitFor(() => expect(calls).toEqual([`PUT ${review._id}`]));
  await user.click(button);
  await waitFor(() => expect(calls).toEqual([`PUT ${review._id}`, `DELETE ${review._id}`]));
  await waitFor(() => expect(button.textContent).toMatch(/^Useful \(2\)/));
  expect(pressed(button)).toBe('false');
});

test('a vote for a review is shown before the API has responded, and a second click before the response sends nothing', async () => {
  const review = aReview(service);
  const { calls } = fakeReviews([review]);
  const response = Promise.withResolvers<void>();
  api.use(
    http.put('/api/review/:id/useful', async () => {
      calls.push('PUT');
      await response.promise;
      return HttpResponse.json({ usefulCount: 5, isUsefulToMe: true });
    }),
  );
  await signedIn();
  const { user } = await open(`/services/${service._id}`);
  const button = await useful();
  await user.click(button);
  await waitFor(() => expect(button.textContent).toMatch(/^Useful \(1\)/));
  expect(pressed(button)).toBe('true');
  fireEvent.click(button);
  response.resolve();
  await waitFor(() => expect(button.textContent).toMatch(/^Useful \(5\)/));
  expect(calls).toEqual(['PUT']);
});

test('a linked review that is shown above the list says whether the customer marked it as useful', async () => {
  const reviews = Array.from({ length: 25 }, (_, index) => aReview(service, { review: `Words ${index + 1}.` }));
  const last = reviews.at(-1) as Review;
  serve([service], reviews);
  api.use(
    http.get('/api/review', () => HttpResponse.json([])),
    http.get('/api/review/:id', ({ request }) =>
      HttpResponse.json({ ...last, usefulCount: 1, ...(bearerOf(request) && { isUsefulToMe: true }) }),
    ),
  );
  await signedIn();
  await open(`/services/${service._id}#review-${last._id}`);
  const row = (await screen.findByText('Words 25.')).closest('tr') as HTMLElement;
  expect(await within(row).findByRole('button', { name: /^Useful \(1\)/, pressed: true })).toBeTruthy();
});

test('at the next visit, a customer sees which reviews they marked as useful, because the list is requested with their token', async () => {
  const [first, second] = [aReview(service, { review: 'One.' }), aReview(service, { review: 'Two.' })];
  const { votes, readers } = fakeReviews([first, second]);
  votes.add(second._id);
  await signedIn();
  await open(`/services/${service._id}`);
  await screen.findByRole('button', { name: /^Useful \(1\)/, pressed: true });
  const rows = screen.getAllByRole('row').filter((row) => within(row).queryByRole('button', { pressed: true }));
  expect(rows.map((row) => within(row).getByText(/^(One|Two)\./).textContent)).toEqual(['Two.']);
  expect(readers.at(-1)).toBe('customer');
});

test.each([401, 503])(
  'if the request for a new token fails with %i, the reviews are shown as visitors see them, even on later pages',
  async (status) => {
    const reviews = Array.from({ length: 25 }, (_, index) => aReview(service, { review: `Words ${index + 1}.` }));
    serve([service], reviews);
    await signedIn();
    const { go, user } = await open('/about');
    await screen.findByRole('button', { name: 'Sign Out' });
    api.use(
      http.get('/api/review', () => problem(401, 'Expired.')),
      http.post('/api/jwt', () => problem(status, 'No token for you.')),
      http.get('/api/allreview', ({ request }) => (bearerOf(request) ? problem(401, 'Expired.') : undefined)),
    );
    await go(`/services/${service._id}`);
    await screen.findByText('Words 1.');
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('Words 25.')).toBeTruthy();
  },
);

const failures: [string, () => Response, string][] = [
  ['the network fails', () => HttpResponse.error(), 'Your vote was not saved. Try again.'],
  [
    'the review was deleted',
    () => problem(404, 'No review has this id.'),
    'Your vote was not saved, because this review is no longer listed.',
  ],
  ['the request is invalid', () => problem(400, 'The id is invalid.'), 'The id is invalid.'],
  ['the review is the customer’s own', () => problem(403, 'This is your own review.'), 'This is your own review.'],
  [
    'the review has too many votes',
    () => limitReached('votes-per-review', '10,000 customers have marked this review as useful.'),
    '10,000 customers have marked this review as useful.',
  ],
  [
    'the customer votes too often',
    () => problem(429, 'Slow down.', { 'Retry-After': '7' }, { limit: 'writes-per-minute' }),
    'That was quick. Try again in 7 seconds.',
  ],
  ['the API does not confirm the vote', () => HttpResponse.json({}), 'Your vote was not saved. Try again.'],
];

test.each(failures)(
  'when %s, the vote for a review is undone, and a toast and a text show an error',
  async (_, vote, message) => {
    fakeReviews([aReview(service, { usefulCount: 4 })], { vote });
    await signedIn();
    const { user } = await open(`/services/${service._id}`);
    const button = await useful();
    await user.click(button);
    expect(await toastOf(message)).toBe('error');
    await waitFor(() => expect(pressed(button)).toBe('false'));
    expect(button.textContent).toMatch(/^Useful \(4\)/);
    await within(screen.getByRole('table')).findByText(message);
  },
);

test('the second click of a double click does not remove a vote that the first click has saved', async () => {
  const [review, other] = [aReview(service, { customer: 'Ada' }), aReview(service, { customer: 'Ben' })];
  const { calls } = fakeReviews([review, other]);
  await signedIn();
  await open(`/services/${service._id}`);
  const button = await useful(/^Useful.*Ada/);
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  fireEvent.click(button, { detail: 1 });
  await waitFor(() => expect(button.textContent).toMatch(/^Useful \(1\)/));
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  fireEvent.click(button, { detail: 2 });
  fireEvent.click(await useful(/^Useful.*Ben/), { detail: 1 });
  await waitFor(() => expect(calls).toContain(`PUT ${other._id}`));
  expect(calls).toEqual([`PUT ${review._id}`, `PUT ${other._id}`]);
});

test('the error text of a failed vote disappears when a second attempt succeeds', async () => {
  let isDown = true;
  fakeReviews([aReview(service)], { vote: () => (isDown ? problem(500, 'Broken') : undefined) });
  await signedIn();
  const { user } = await open(`/services/${service._id}`);
  const button = await useful();
  await user.click(button);
  const table = within(screen.getByRole('table'));
  await table.findByText('Your vote was not saved. Try again.');
  isDown = false;
  await user.click(button);
  await waitFor(() => expect(table.queryByText('Your vote was not saved. Try again.')).toBeNull());
  expect(pressed(button)).toBe('true');
});

test('the customer’s own review has no Useful button, but says how many customers found it useful', async () => {
  const [own, other] = [aReview(service, { usefulCount: 1, review: 'Mine.' }), aReview(service, { usefulCount: 3 })];
  fakeReviews([own, other], { mine: [own] });
  await signedIn();
  await open(`/services/${service._id}`);
  const row = (await screen.findByText('Yours')).closest('tr') as HTMLElement;
  within(row).getByText('1 customer found this useful');
  expect(within(row).queryByRole('button', { name: /^Useful/ })).toBeNull();
  await useful(/^Useful \(3\)/);
});

test('the vote of a visitor who clicks Useful is cast after the login, which returns to the same review in the same sort order', async () => {
  const cora = await customer();
  const reviews = [aReview(service, { review: 'One.' }), aReview(service, { review: 'Two.' })];
  const { calls } = fakeReviews(reviews);
  const app = await open(`/services/${service._id}?sort=useful`);
  const row = (await screen.findByText('Two.')).closest('tr') as HTMLElement;
  await app.user.click(within(row).getByRole('button', { name: /^Useful/ }));
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByText('Log in to mark the review as useful.');
  await logIn(app, cora);
  await waitFor(() => expect(app.address()).toBe(`/services/${service._id}?sort=useful#review-${reviews[1]?._id}`));
  await waitFor(() => expect(document.activeElement?.id).toBe(`review-${reviews[1]?._id}`));
  await waitFor(() => expect(calls).toEqual([`PUT ${reviews[1]?._id}`]));
});

test('reviews can be sorted by usefulness, even if they are filtered by stars', async () => {
  const { lists } = serve([aService({ ...service, ratingCount: 1 })], [aReview(service)]);
  const { user, address } = await open(`/services/${service._id}?rating=5`);
  await user.selectOptions(await screen.findByLabelText('Sort by'), 'Most useful');
  await waitFor(() => expect(address()).toBe(`/services/${service._id}?rating=5&sort=useful`));
  await waitFor(() => expect(lists).toContainEqual(expect.stringMatching(/sort=useful.*rating=5/)));
});

test('the page My Review shows how many customers found a review useful, unless the number is 0', async () => {
  const cora = await signedIn();
  const rows = [5, 1, 0].map((usefulCount) => ({ ...aReview(service, { usefulCount }), email: cora.email }));
  api.use(http.get('/api/review', () => HttpResponse.json(rows, { headers: { 'X-Total-Count': '3' } })));
  await open('/myReview');
  await screen.findByText('5 customers found this useful');
  expect(screen.getAllByText(/found this useful$/).map(({ textContent }) => textContent)).toEqual([
    '5 customers found this useful',
    '1 customer found this useful',
  ]);
});

test('isPrivate returns true for cached data that was loaded for one customer, and false for cached data that was loaded for visitors', () => {
  const query = { serviceId: service._id, sort: 'newest' };
  expect(isPrivate(keyOf('GET /allreview', { ...query, reader: 'uid' }))).toBe(true);
  expect(isPrivate(keyOf('GET /review', { email: 'cora@example.com' }))).toBe(true);
  expect(isPrivate(keyOf('GET /account/services', {}))).toBe(true);
  expect(isPrivate(keyOf('GET /moderation', {}))).toBe(true);
  expect(isPrivate(keyOf('GET /allreview', { ...query, reader: undefined }))).toBe(false);
  expect(isPrivate(['GET /services'])).toBe(false);
});
