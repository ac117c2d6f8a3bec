import type { Review } from '@rtr/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, problem, signedIn } from '../support/api.ts';
import { fakeConfirm, open, saying, toastOf } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

/**
 * Fakes an API with a service and its reviews. `mine` contains the positions of the customer's own reviews, counted from 1.
 */
async function fakeReviews({ count, mine }: { count: number; mine: number[] }) {
  const cora = await signedIn();
  const all = Array.from({ length: count }, (_, at) => ({ review: `Words ${at + 1}.`, rating: at % 2 ? 4 : 5 }));
  const service = aService({ reviewCount: count });
  const reviews = all.map((given, at) =>
    aReview(service, { ...given, createdAt: new Date(Date.UTC(2026, 9, 30) - at * 60_000).toISOString() }),
  );
  const own = mine.map((at) => reviews[at - 1] as Review);
  const live = [...reviews];
  const calls: string[] = [];
  serve([service], live);
  const isLive = ({ _id }: Review) => live.some((review) => review._id === _id);
  api.use(
    http.get('/api/services/suggestions', () => HttpResponse.json([])),
    http.get('/api/services/:id', () => HttpResponse.json({ ...service, reviewCount: live.length })),
    http.get('/api/review', () =>
      HttpResponse.json(own.filter(isLive).map((review) => ({ ...review, email: cora.email }))),
    ),
    http.delete('/api/review/:id', ({ params }) => {
      calls.push(`DELETE ${String(params.id)}`);
      live.splice(
        live.findIndex(({ _id }) => _id === params.id),
        1,
      );
      return HttpResponse.json({ acknowledged: true, deletedCount: 1 });
    }),
    http.post('/api/review/:id/restore', ({ params }) => {
      calls.push(`restore ${String(params.id)}`);
      live.push(reviews.find(({ _id }) => _id === params.id) as Review);
      live.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      return HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    }),
  );
  return { service, own, calls };
}

const deletes = () => screen.findAllByRole('button', { name: 'Delete your review of Hood repair' });
const words = () => screen.getAllByText(/^Words/).map(({ textContent }) => textContent);
const deletedText = 'Your review of Hood repair is deleted.';

test('on the page of a service, only the customer’s own reviews have an Edit link and a Delete button', async () => {
  const { service } = await fakeReviews({ count: 4, mine: [2, 3] });
  await open(`/services/${service._id}`);
  expect(await deletes()).toHaveLength(2);
  const marked = screen.getAllByRole('row').filter((row) => within(row).queryByText('Yours'));
  expect(marked.map((row) => within(row).getByText(/^Words/).textContent)).toEqual(['Words 2.', 'Words 3.']);
  expect(screen.getAllByRole('link', { name: /^Edit your review of/ })).toHaveLength(2);
});

test('on the page of a service, the Undo button does not take the focus from a field in which the customer is typing', async () => {
  const { service } = await fakeReviews({ count: 2, mine: [2] });
  fakeConfirm(true);
  const asked = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  api.use(
    http.delete('/api/review/:id', async () => {
      asked.resolve();
      await isReleased;
    }),
  );
  const { user } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  await asked.promise;
  const field = screen.getByRole('combobox', { name: 'Search services' });
  await user.fill(field, 'hoo');
  release();
  const undo = await screen.findByRole('button', { name: 'Undo' });
  expect(document.activeElement).toBe(field);
  await user.click(undo);
  await user.fill(field, 'd');
  await deletes();
  expect(document.activeElement).toBe(field);
});

test('on the page of a service, an Undo button takes the place of a deleted review and restores the review there', async () => {
  const { service, own, calls } = await fakeReviews({ count: 3, mine: [2] });
  const asked = fakeConfirm(true);
  const { user } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  expect(asked).toHaveBeenCalledExactlyOnceWith('Are you sure want to delete the review');
  expect(await toastOf('Deleted Successfully')).toBe('success');
  await screen.findByRole('heading', { name: 'Total Review: 2' });
  const undo = screen.getByRole('button', { name: 'Undo' });
  expect(document.activeElement).toBe(undo);
  expect(undo.closest('[data-toast]')).toBeNull();
  expect(screen.getAllByRole('row')[2]?.textContent).toContain(deletedText);
  expect(words()).toEqual(['Words 1.', 'Words 3.']);

  await user.click(undo);
  expect(await toastOf('Your review is back.')).toBe('success');
  await screen.findByRole('heading', { name: 'Total Review: 3' });
  expect(words()).toEqual(['Words 1.', 'Words 2.', 'Words 3.']);
  expect(calls).toEqual([`DELETE ${own[0]?._id}`, `restore ${own[0]?._id}`]);
  expect(document.activeElement).toBe((await deletes())[0]);
});

test('on the page of a service, the row of a deleted review is sorted and filtered like the other rows, and disappears when the customer leaves the page', async () => {
  const { service } = await fakeReviews({ count: 3, mine: [1] });
  fakeConfirm(true);
  const { user, router, go } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  await screen.findByText(saying(deletedText));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Lowest rated');
  await waitFor(() => expect(router.state.location.search).toBe('?sort=lowest'));
  // The rows with four stars come first, then those with five stars. Both groups are sorted by date, newest first.
  const rowTexts = () => screen.getAllByRole('row').map(({ textContent }) => /Words \d|deleted/.exec(textContent)?.[0]);
  await waitFor(() => expect(rowTexts().slice(1)).toEqual(['Words 2', 'deleted', 'Words 3']));
  await go(`/services/${service._id}?rating=4`);
  await waitFor(() => expect(rowTexts().slice(1)).toEqual(['Words 2']));
  await go(`/services/${service._id}?rating=5`);
  await waitFor(() => expect(rowTexts().slice(1)).toEqual(['deleted', 'Words 3']));
  const next = aService({ title: 'Next door' });
  api.use(http.get(`/api/services/${next._id}`, () => HttpResponse.json(next)));
  await go(`/services/${next._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Next door' });
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await go(`/services/${service._id}`);
  await screen.findByText('Words 2.');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('after a lister deletes a review of their own service, the page My services shows the new number of reviews', async () => {
  const { service, calls } = await fakeReviews({ count: 3, mine: [2] });
  api.use(
    http.get('/api/account/services', () =>
      HttpResponse.json([{ ...service, reviewCount: 3 - calls.length, unansweredCount: 0 }]),
    ),
  );
  fakeConfirm(true);
  const { user, go } = await open('/myservices');
  await screen.findByText('3 reviews');
  await go(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  expect(await toastOf('Deleted Successfully')).toBe('success');
  await go('/myservices');
  await screen.findByText('2 reviews');
});

test('deleting the only review of a service shows the text “No reviews yet” together with an Undo button', async () => {
  const { service } = await fakeReviews({ count: 1, mine: [1] });
  fakeConfirm(true);
  const { user } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  await screen.findByRole('heading', { name: 'Total Review: 0' });
  screen.getByRole('heading', { name: 'No reviews yet' });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByRole('heading', { name: 'Total Review: 1' });
  expect(words()).toEqual(['Words 1.']);
});

test('a linked review that is shown above the list can be deleted and restored there', async () => {
  const { service, own } = await fakeReviews({ count: 25, mine: [25] });
  fakeConfirm(true);
  const { user } = await open(`/services/${service._id}#review-${own[0]?._id}`);
  await screen.findByText('From your link');
  await user.click((await deletes())[0] as HTMLElement);
  await screen.findByRole('heading', { name: 'Total Review: 24' });
  expect(screen.getAllByRole('row')[1]?.textContent).toContain(deletedText);
  expect(screen.queryByText(/review from your link was not found/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('heading', { name: 'Total Review: 25' });
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('Words 25.');
  expect(screen.getAllByText('Words 25.')).toHaveLength(1);
});

test('deleting a review that was already deleted on another device removes its row and offers no Undo', async () => {
  const { service } = await fakeReviews({ count: 2, mine: [1] });
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id', () => problem(404, 'There is no review with this id.')));
  const { user } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  expect(await toastOf('This review was already deleted.')).toBe('blank');
  await waitFor(() => expect(words()).toEqual(['Words 2.']));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(document.activeElement?.closest('[role=row]')?.textContent).toContain('Words 2.');
});

test('if the customer deletes the only review and another device has already deleted it, the focus moves to the heading of the reviews', async () => {
  const { service } = await fakeReviews({ count: 1, mine: [1] });
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id', () => problem(404, 'There is no review with this id.')));
  const { user } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByText('Words 1.')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Total Review: / })));
});

test('deleting a review after the session has ended shows one notice and keeps the review', async () => {
  const { service } = await fakeReviews({ count: 1, mine: [1] });
  fakeConfirm(true);
  api.use(
    http.delete('/api/review/:id', () => problem(401, 'Send a current access token.')),
    http.post('/api/jwt', () => problem(401, 'No.')),
  );
  const { user } = await open(`/services/${service._id}`);
  await user.click((await deletes())[0] as HTMLElement);
  const said = 'Your session has ended. Log in again to go on; what you typed is kept.';
  await screen.findByText(said);
  // A toast about the pending request can be shown before.
  await waitFor(() => expect(document.querySelector('[data-toast]')).toBeNull());
  const again = () => screen.getByRole('button', { name: 'Delete your review of Hood repair' });
  await waitFor(() => expect(document.activeElement).toBe(again()));
  await waitFor(() => expect(again().getAttribute('aria-disabled')).toBeNull());
  expect(words()).toEqual(['Words 1.']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
