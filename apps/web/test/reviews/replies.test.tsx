import type { Reply, Review } from '@rtr/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, noResponse, problem, signedIn } from '../support/api.ts';
import { fakeConfirm, type Opened, open, storedDrafts, toastOf } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

const at = '2026-11-04T09:00:00.000Z';
const aReply = (given: Partial<Reply> = {}): Reply => ({
  text: 'Thank you, Amira.',
  name: 'Lena Fitter',
  createdAt: at,
  updatedAt: at,
  ...given,
});

interface FakeApi {
  reviews?: Partial<Review>[];
  isLister?: boolean;
  put?: (text: string) => Response | Promise<never> | undefined;
}

/**
 * Fakes an API with a service and its reviews. By default, the signed-in customer is the lister of the service. `calls`
 * contains the requests that write or delete a reply.
 */
async function fakeApi({ reviews: given = [{}], isLister = true, put }: FakeApi = {}) {
  await signedIn('Lena Fitter');
  const service = aService({ reviewCount: given.length });
  const reviews = given.map((fields) => aReview(service, fields));
  const calls: string[] = [];
  serve([service], reviews);
  const find = (id: unknown) => reviews.find(({ _id }) => _id === id) as Review;
  api.use(
    http.get('/api/review', () => HttpResponse.json([])),
    http.get('/api/account/services', ({ request }) => {
      expect(new URL(request.url).searchParams.get('serviceId')).toBe(service._id);
      return HttpResponse.json(isLister ? [{ ...service, unansweredCount: 1 }] : []);
    }),
    http.put('/api/review/:id/reply', async ({ params, request }) => {
      const { text } = (await request.json()) as { text: string };
      calls.push(`PUT ${text}`);
      const response = await put?.(text);
      if (response) return response;
      const review = find(params.id);
      review.reply = aReply({ ...review.reply, text });
      return HttpResponse.json(review.reply);
    }),
    http.delete('/api/review/:id/reply', ({ params }) => {
      calls.push('DELETE');
      const review = find(params.id);
      if (!review.reply) return problem(404, 'This review has no reply of yours.');
      delete review.reply;
      return HttpResponse.json({ acknowledged: true, deletedCount: 1 });
    }),
  );
  const [review] = reviews;
  return { service, review: review as Review, reviews, calls, path: `/services/${service._id}` };
}

const field = () => screen.findByLabelText<HTMLTextAreaElement>('Your reply');
const send = ({ user }: Opened, name = 'Send reply') => user.click(screen.getByRole('button', { name }));
const theReview = 'the review by Amira Haddad, 11/3/2026';
const shownReply = () => screen.findByRole('group', { name: /^Reply from/ });
test('the page of a service shows the reply of the lister below the review, with name, label, date and text', async () => {
  const { path } = await fakeApi({ reviews: [{ reply: aReply({ text: 'Thank you.\nCome back.' }) }], isLister: false });
  await open(path);
  const reply = within(await shownReply());
  reply.getByText('Lena Fitter');
  reply.getByText('Lister');
  expect(reply.getByText('4 November 2026').getAttribute('datetime')).toBe(at);
  expect(reply.getByText(/^Thank you/).textContent).toBe('Thank you.\nCome back.');
  expect(reply.queryByText(/edited/)).toBeNull();
});

test('an edited reply is marked as edited', async () => {
  const { path } = await fakeApi({ reviews: [{ reply: aReply({ updatedAt: '2026-11-05T09:00:00.000Z' }) }] });
  await open(path);
  expect((await shownReply()).textContent).toMatch(/· edited/);
});

test('the page My Review shows the reply to a review, but no buttons for the reply', async () => {
  const { email } = await signedIn();
  const review = aReview(aService(), { reply: aReply() });
  api.use(
    http.get('/api/review', () => HttpResponse.json([{ ...review, email }], { headers: { 'X-Total-Count': '1' } })),
  );
  await open('/myreview');
  within(await shownReply()).getByText('Thank you, Amira.');
  expect(screen.queryByRole('link', { name: /reply/i })).toBeNull();
});

test('only the lister sees buttons for replies, but not at a review that they have written themselves', async () => {
  const reviews = [{}, { reply: aReply() }, { byLister: true as const }];
  const { path } = await fakeApi({ reviews });
  const { go } = await open(path);
  await screen.findByRole('link', { name: `Reply to ${theReview}` });
  screen.getByRole('link', { name: `Edit reply to ${theReview}` });
  screen.getByRole('button', { name: `Delete reply to ${theReview}` });
  expect(screen.getAllByRole('link', { name: /reply to/i })).toHaveLength(2);
  const other = await fakeApi({ reviews, isLister: false });
  await go(other.path);
  await screen.findAllByText('The rattle is gone.');
  await waitFor(() => expect(screen.queryByRole('link', { name: /reply to/i })).toBeNull());
});

test('the lister opens the form from the review, sends the reply as typed, and returns to the review, which then shows the reply', async () => {
  const { review, path, calls } = await fakeApi();
  const app = await open(path);
  await app.user.click(await screen.findByRole('link', { name: `Reply to ${theReview}` }));
  await screen.findByRole('heading', { level: 1, name: 'Reply to this review' });
  expect(document.title).toBe('Reply RTR Cloud Kitchen');
  screen.getByText('The rattle is gone.');
  await app.user.fill(await field(), ' Thank you <b> ');
  await send(app);
  expect(await toastOf('Your reply is sent.')).toBe('success');
  await waitFor(() => expect(app.address()).toBe(`${path}#review-${review._id}`));
  expect(calls).toEqual(['PUT  Thank you <b> ']);
  expect((await shownReply()).textContent).toContain('Thank you <b>');
  expect(storedDrafts()).toEqual([]);
});

test('the form for an existing reply shows its text, and saves the changes', async () => {
  const { review, calls } = await fakeApi({ reviews: [{ reply: aReply() }] });
  const app = await open('/blogs', `/reply/${review._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Edit your reply' });
  expect((await field()).value).toBe('Thank you, Amira.');
  await app.user.fill(await field(), ' Come back.');
  await send(app, 'Save changes');
  expect(await toastOf('Your changes are saved.')).toBe('success');
  expect(calls).toEqual(['PUT Thank you, Amira. Come back.']);
});

test.each([
  ['', 'Write your reply first.'],
  ['   ', 'Write your reply first.'],
  ['x'.repeat(2001), 'Use 2,000 characters or fewer.'],
])(
  'the form for a reply rejects the text “%.5s” with an error at its field, and sends nothing',
  async (typed, error) => {
    const { review, calls } = await fakeApi();
    const app = await open(`/reply/${review._id}`);
    const input = await field();
    if (typed) {
      await app.user.click(input);
      await app.user.paste(typed);
    }
    await send(app);
    await screen.findByText(error);
    expect(document.activeElement).toBe(input);
    expect(input.value).toBe(typed);
    expect(calls).toEqual([]);
  },
);

test('a draft of a reply is stored while the lister types, and restored when the form opens again', async () => {
  const { review } = await fakeApi({ put: noResponse });
  const app = await open(`/reply/${review._id}`);
  await app.user.fill(await field(), 'Half a rep');
  await screen.findByText('Draft kept on this device');
  await open(`/reply/${review._id}`);
  expect((await field()).value).toBe('Half a rep');
  await screen.findByText(/^We kept your draft from/);
});

const failures: [response: () => Response, message: string][] = [
  [() => HttpResponse.error(), 'We cannot reach the kitchen right now. Your text is safe here.'],
  [() => problem(400, 'The request is invalid.'), 'Your reply was not sent. Your text is still in the form.'],
  [
    () => problem(403, 'A moderator has hidden your reply.'),
    'Your reply was not sent. Your text is still in the form.A moderator has hidden your reply.',
  ],
  [
    () => problem(404, 'No review has this id.'),
    'This review was deleted or hidden while you were writing. Your text is still in the form.',
  ],
  [
    () => problem(429, 'Too many.', { 'Retry-After': '7' }, { limit: 'writes-per-minute' }),
    'That was quick. Try again in 7 seconds.',
  ],
  [() => HttpResponse.json({}), 'Your reply was not sent. Your text is still in the form.'],
];

test.each(failures)(
  'the form for a reply keeps the text and its draft after a failure, and can be sent again (%#)',
  async (fail, message) => {
    const failures = [fail];
    const { review, calls } = await fakeApi({ put: () => failures.shift()?.() });
    const app = await open('/blogs', `/reply/${review._id}`);
    await app.user.fill(await field(), 'Thanks');
    await send(app);
    const alert = await within(screen.getByRole('main')).findByRole('alert');
    expect(alert.textContent).toContain(message);
    expect((await field()).value).toBe('Thanks');
    expect(storedDrafts().map(({ values }) => values)).toEqual([{ reply: 'Thanks' }]);
    await send(app);
    expect(await toastOf('Your reply is sent.')).toBe('success');
    await waitFor(() => expect(app.address()).toContain(`#review-${review._id}`));
    expect(calls).toEqual(['PUT Thanks', 'PUT Thanks']);
  },
);

test('customers who are not the lister see an explanation instead of the form for a reply', async () => {
  const { review, path } = await fakeApi({ isLister: false });
  await open(`/reply/${review._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Only the lister of this service can reply.' });
  expect(screen.getByRole('link', { name: 'See the service' }).getAttribute('href')).toBe(path);
  expect(screen.queryByLabelText('Your reply')).toBeNull();
});

test('if a moderator has hidden a reply, its page shows the lister the text of the reply and the reason, but no form', async () => {
  const { review } = await fakeApi();
  const hidden = { reason: 'An insult', at };
  const own = { ...aReply(), reviewId: review._id, serviceId: review.serviceId, serviceName: 'Hood', hidden };
  api.use(
    http.get('/api/account/replies', ({ request }) => {
      expect(new URL(request.url).searchParams.get('reviewId')).toBe(review._id);
      return HttpResponse.json([own]);
    }),
  );
  await open(`/reply/${review._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Your reply is hidden' });
  screen.getByText('Thank you, Amira.');
  screen.getByText('Reason: An insult');
  expect(screen.queryByLabelText('Your reply')).toBeNull();
});

test('the page of a hidden reply shows the draft of an edit of the reply, with a button that copies it', async () => {
  const { review } = await fakeApi();
  const app = await open(`/reply/${review._id}`);
  await app.user.fill(await field(), 'Too late');
  const hidden = { reason: 'An insult', at };
  const own = { ...aReply(), reviewId: review._id, serviceId: review.serviceId, serviceName: 'Hood', hidden };
  api.use(http.get('/api/account/replies', () => HttpResponse.json([own])));
  await open(`/reply/${review._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Your reply is hidden' });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('Too late');
  screen.getByRole('button', { name: 'Copy text' });
});

test('the reply page of a deleted review shows the draft of the reply, with a button that copies it', async () => {
  const { review, reviews } = await fakeApi();
  const app = await open(`/reply/${review._id}`);
  await app.user.fill(await field(), 'Too late');
  reviews.length = 0;
  await open(`/reply/${review._id}`);
  await screen.findByRole('heading', { level: 1, name: 'This review was not found' });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('Too late');
  screen.getByRole('button', { name: 'Copy text' });
});

test('the lister deletes a reply after a confirmation, and Undo restores the reply', async () => {
  const { path, calls } = await fakeApi({ reviews: [{ reply: aReply() }] });
  const asked = fakeConfirm(true);
  const { user } = await open(path);
  await user.click(await screen.findByRole('button', { name: `Delete reply to ${theReview}` }));
  expect(asked).toHaveBeenCalledExactlyOnceWith('Delete your reply? Nobody can then see it.');
  expect(await toastOf('Your reply is deleted.')).toBe('success');
  const undo = await screen.findByRole('button', { name: 'Undo' });
  expect(document.activeElement).toBe(undo);
  expect(screen.queryByText('Thank you, Amira.')).toBeNull();
  screen.getByText('The rattle is gone.');

  await user.click(undo);
  expect(await toastOf('Your reply is back.')).toBe('success');
  expect((await shownReply()).textContent).toContain('Thank you, Amira.');
  expect(calls).toEqual(['DELETE', 'PUT Thank you, Amira.']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: `Delete reply to ${theReview}` }));
});

test('a reply is not deleted when the lister cancels the confirmation', async () => {
  const { path, calls } = await fakeApi({ reviews: [{ reply: aReply() }] });
  fakeConfirm(false);
  const { user } = await open(path);
  await user.click(await screen.findByRole('button', { name: `Delete reply to ${theReview}` }));
  await shownReply();
  expect(calls).toEqual([]);
});

test('when deleting a reply fails, the reply stays with an error below it', async () => {
  const { path } = await fakeApi({ reviews: [{ reply: aReply() }] });
  fakeConfirm(true);
  api.use(http.delete('/api/review/:id/reply', () => problem(503, 'The database does not answer.')));
  const { user } = await open(path);
  await user.click(await screen.findByRole('button', { name: `Delete reply to ${theReview}` }));
  expect(await toastOf('Your reply was not deleted. Try again.')).toBe('error');
  await within(screen.getByRole('table')).findByText('Your reply was not deleted. Try again.');
  await shownReply();
});

test('when a deleted reply cannot be restored, an error is shown, and Undo can be clicked again', async () => {
  const failures = [problem(503, 'The database does not answer.')];
  const { path } = await fakeApi({ reviews: [{ reply: aReply() }], put: () => failures.shift() });
  fakeConfirm(true);
  const { user } = await open(path);
  await user.click(await screen.findByRole('button', { name: `Delete reply to ${theReview}` }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await toastOf('Your reply was not restored. Try again.')).toBe('error');
  await within(screen.getByRole('table')).findByText('Your reply was not restored. Try again.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await shownReply();
});

test('if the lister deletes a reply that another device has already deleted, the reply disappears without an Undo button, and the lister can reply again', async () => {
  const { path, review } = await fakeApi({ reviews: [{ reply: aReply() }] });
  fakeConfirm(true);
  const { user } = await open(path);
  const remove = await screen.findByRole('button', { name: `Delete reply to ${theReview}` });
  delete review.reply;
  await user.click(remove);
  expect(await toastOf('This reply was already deleted.')).toBe('blank');
  await screen.findByRole('link', { name: `Reply to ${theReview}` });
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('only the lister can sort the reviews so that those without a reply come first', async () => {
  const { path } = await fakeApi({ reviews: [{}, {}] });
  const { user, router, go } = await open(path);
  await screen.findAllByRole('link', { name: /^Reply to/ });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Without a reply first');
  await waitFor(() => expect(router.state.location.search).toBe('?sort=unanswered'));
  const other = await fakeApi({ reviews: [{}, {}], isLister: false });
  await go(other.path);
  await waitFor(() => expect(screen.queryByRole('option', { name: 'Without a reply first' })).toBeNull());
});
