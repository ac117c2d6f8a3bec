import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, isDeletedList, limitReached, problem, signedIn } from '../support/api.ts';
import { fakeConfirm, open, saying, toastOf } from '../support/app.tsx';

const row = (n: number) => ({
  _id: `65f0c0ffee0ddba11ca11a${n}0`,
  serviceId: `65f0c0ffee0ddba11ca11a${n}1`,
  serviceName: `Service ${n}`,
  price: `$${n}0`,
  img: '',
  customer: 'Cora Customer',
  costomerImg: '',
  email: 'cora@example.com',
  review: `Words ${n}`,
  time: '10:00:00 AM',
  date: `${n}/2/2026`,
  createdAt: `2026-0${n}-02T10:00:00.000Z`,
  updatedAt: `2026-0${n}-02T10:00:00.000Z`,
});

/**
 * Fakes an API with one review of the customer for each of the `numbers`. Returns the deletions and restores that it
 * receives.
 */
async function fakeReviews(...numbers: number[]) {
  const cora = await signedIn();
  const deleted = new Set<string>();
  const calls: string[] = [];
  api.use(
    http.get('/api/review', ({ request }) => {
      expect(new URL(request.url).searchParams.get('email')).toBe(cora.email);
      const rows = numbers.map(row).filter(({ _id }) => deleted.has(_id) === isDeletedList(request));
      return HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } });
    }),
    http.delete('/api/review/:id', ({ params }) => {
      calls.push(`DELETE ${String(params.id)}`);
      deleted.add(String(params.id));
      return HttpResponse.json({ acknowledged: true, deletedCount: 1 });
    }),
    http.post('/api/review/:id/restore', ({ params }) => {
      calls.push(`restore ${String(params.id)}`);
      deleted.delete(String(params.id));
      return HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    }),
  );
  return calls;
}

test('the page My Review shows the total and a table with the columns Delete, Date, Service Information, Review and Edit', async () => {
  await fakeReviews(3, 2, 1);
  await open('/myReview');
  await screen.findByText('Total Review: 3');
  await waitFor(() => expect(document.title).toBe('My Review RTR Cloud Kitchen'));
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Delete',
    'Date',
    'Service Information',
    'Review',
    'Edit',
  ]);
  const [, first] = screen.getAllByRole('row');
  expect(first?.textContent).toContain('3/2/2026');
  expect(first?.textContent).toContain('Words 3');
  const edit = within(first ?? document.body).getByRole('link', { name: 'Edit your review of Service 3' });
  expect(edit.getAttribute('href')).toBe(`/editreview/${row(3)._id}`);
});

test('the page My Review marks reviews that the customer wrote about their own services', async () => {
  await fakeReviews(2, 1);
  api.use(
    http.get('/api/review', ({ request }) =>
      HttpResponse.json(isDeletedList(request) ? [] : [{ ...row(2), byLister: true }, row(1)]),
    ),
  );
  await open('/myreview');
  const marks = await screen.findAllByText('By the lister');
  expect(marks.map((mark) => mark.closest('tr')?.textContent)).toEqual([expect.stringContaining('Service 2')]);
});

test('on the page My Review, a review of a service that is no longer listed has a mark and no link to the service, and can be deleted', async () => {
  const calls = await fakeReviews(2, 1);
  api.use(
    http.get('/api/review', ({ request }) =>
      isDeletedList(request) || calls.length > 0
        ? undefined
        : HttpResponse.json([{ ...row(2), isUnlisted: true }, row(1)]),
    ),
  );
  fakeConfirm(true);
  const { user } = await open('/myreview');
  const mark = await screen.findByText('No longer listed');
  const marked = within(mark.closest('tr') as HTMLElement);
  marked.getByText('Service 2');
  expect(marked.queryByRole('link', { name: 'Service 2' })).toBeNull();
  screen.getByRole('link', { name: 'Service 1' });
  await user.click(marked.getByRole('button', { name: 'Delete your review of Service 2' }));
  expect(await toastOf('Deleted Successfully')).toBe('success');
  expect(calls).toEqual([`DELETE ${row(2)._id}`]);
});

test('on the page My Review, a review is not deleted when the customer cancels the confirmation', async () => {
  const calls = await fakeReviews(2, 1);
  const asked = fakeConfirm(false);
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  expect(asked).toHaveBeenCalledExactlyOnceWith('Are you sure want to delete the review');
  expect(calls).toEqual([]);
  screen.getByText('Total Review: 2');
});

test('on the page My Review, an Undo button takes the place of a deleted review and restores the review there', async () => {
  const calls = await fakeReviews(2, 1);
  fakeConfirm(true);
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  expect(await toastOf('Deleted Successfully')).toBe('success');
  await screen.findByText(saying('Your review of Service 2 is deleted.'));
  await screen.findByText('Total Review: 1');
  expect(screen.queryByText('Words 2')).toBeNull();
  const undo = screen.getByRole('button', { name: 'Undo' });
  expect(document.activeElement).toBe(undo);

  await user.click(undo);
  expect(await toastOf('Your review is back.')).toBe('success');
  await screen.findByText('Words 2');
  await screen.findByText('Total Review: 2');
  expect(calls).toEqual([`DELETE ${row(2)._id}`, `restore ${row(2)._id}`]);
  // The restored review is above the older review again.
  expect(screen.getAllByText(/^Words/).map(({ textContent }) => textContent)).toEqual(['Words 2', 'Words 1']);
});

test('the page My Review keeps the Undo button of a deleted review after a reload', async () => {
  const calls = await fakeReviews(2, 1);
  fakeConfirm(true);
  const app = await open('/myreview');
  await app.user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  await screen.findByText('Total Review: 1');
  await app.close();

  const { user } = await open('/myreview');
  await screen.findByText(saying('Your review of Service 2 is deleted.'));
  screen.getByText('Total Review: 1');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Words 2');
  await screen.findByText('Total Review: 2');
  expect(calls).toEqual([`DELETE ${row(2)._id}`, `restore ${row(2)._id}`]);
});

test('on the page My Review, if the customer deletes a review that another device has already deleted, the review disappears without an Undo button', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id', () => problem(404, 'There is no such review.')));
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  expect(await toastOf('This review was already deleted.')).toBe('blank');
  await waitFor(() => expect(screen.queryByText('Words 2')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

/** Fakes an API on which another device has already deleted the review. */
const fakeAlreadyDeleted = () =>
  api.use(http.delete('/api/review/:id', () => problem(404, 'There is no such review.')));

test('on the page My Review, when the focused row is removed, the focus moves to the next row, or else to the previous row, or else to the heading', async () => {
  await fakeReviews(3, 2, 1);
  fakeConfirm(true);
  fakeAlreadyDeleted();
  const { user } = await open('/myreview');
  const deleteOf = (n: number) => screen.getByRole('button', { name: `Delete your review of Service ${n}` });
  await screen.findByText('Words 2');
  deleteOf(2).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('Words 2')).toBeNull());
  expect(document.activeElement).toBe(deleteOf(1));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('Words 1')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Edit your review of Service 3' }));
  deleteOf(3).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('Words 3')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
});

test('on the page My Review, the focus stays where it is when another row is removed', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  fakeAlreadyDeleted();
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  const edit = screen.getByRole('link', { name: 'Edit your review of Service 1' });
  edit.focus();
  await waitFor(() => expect(screen.queryByText('Words 2')).toBeNull());
  expect(document.activeElement).toBe(edit);
});

test('when deleting or restoring a review fails, a toast and the row of the review show an error', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id', () => problem(503, 'The database does not answer.')));
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  expect(await toastOf('Your review was not deleted. Try again.')).toBe('error');
  const row = within(screen.getByText('Words 2').closest('tr') as HTMLElement);
  await row.findByText('Your review was not deleted. Try again.');
  screen.getByText('Total Review: 2');
  api.use(http.delete('/api/review/:id', () => HttpResponse.json({ acknowledged: true, deletedCount: 1 })));
  api.use(http.post('/api/review/:id/restore', () => problem(503, 'The database does not answer.')));
  const again = row.getByRole('button', { name: 'Delete your review of Service 2' });
  await user.click(again);
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await user.click(undo);
  expect(await toastOf('Your review was not restored. Try again.')).toBe('error');
  const place = screen.getByText(saying('Your review of Service 2 is deleted.')).closest('tr') as HTMLElement;
  await within(place).findByText('Your review was not restored. Try again.');
});

test('the page My Review treats a deletion or a restore as failed when the API does not confirm it', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id', () => HttpResponse.json({})));
  const { user } = await open('/myreview');
  const remove = await screen.findByRole('button', { name: 'Delete your review of Service 2' });
  await user.click(remove);
  expect(await toastOf('Your review was not deleted. Try again.')).toBe('error');
  screen.getByText('Words 2');
  api.use(http.delete('/api/review/:id', () => HttpResponse.json({ acknowledged: true, deletedCount: 1 })));
  api.use(http.post('/api/review/:id/restore', () => HttpResponse.json({})));
  await user.click(remove);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await toastOf('Your review was not restored. Try again.')).toBe('error');
});

test('the page My Review shows the message of the API when the customer may not delete a review', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id', () => problem(403, 'This review belongs to someone else.')));
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  expect(await toastOf('This review belongs to someone else.')).toBe('error');
});

test('the Undo button shows an error and disappears when it is too late to restore the review', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  api.use(http.post('/api/review/:id/restore', () => problem(404, 'Too late.')));
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await toastOf('It is too late to bring this one back.')).toBe('error');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete your review of Service 1' }));
});

test('the Undo button shows an error and stays visible when the customer already has the maximum of reviews of this service', async () => {
  await fakeReviews(2, 1);
  fakeConfirm(true);
  const detail = 'You have 10 reviews of this service. Delete one of them to bring this one back.';
  api.use(http.post('/api/review/:id/restore', () => limitReached('reviews-per-service', detail)));
  const { user } = await open('/myreview');
  await user.click(await screen.findByRole('button', { name: 'Delete your review of Service 2' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await toastOf(detail)).toBe('error');
  await within(screen.getByRole('main')).findByText(detail);
  screen.getByRole('button', { name: 'Undo' });
});

test('the page My Review shows a text and a picture when the customer has no reviews', async () => {
  await fakeReviews();
  await open('/myreview');
  await screen.findByText('Total Review: 0');
  screen.getByRole('heading', { name: 'You have not reviewed anything yet' });
  expect(document.querySelector('img[src="/pictures/no-review.svg"]')).not.toBeNull();
  expect(screen.getByRole('link', { name: 'Find a service' }).getAttribute('href')).toBe('/services');
});
