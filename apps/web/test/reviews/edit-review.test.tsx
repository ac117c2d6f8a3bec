import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, problem, signedIn } from '../support/api.ts';
import { type Opened, open, storedDrafts, toastOf } from '../support/app.tsx';

const id = '65f0c0ffee0ddba11ca11ab2';
const serviceId = '65f0c0ffee0ddba11ca11ab1';
const review = {
  _id: id,
  serviceId,
  serviceName: 'Hood repair: rattling fans',
  price: 'from $120',
  img: '',
  customer: 'Cora Customer',
  costomerImg: '',
  review: 'First words',
  rating: 3,
  time: '10:00:00',
  date: '1/2/2026',
  createdAt: '2026-01-02T10:00:00.000Z',
  updatedAt: '2026-01-02T10:00:00.000Z',
};

/** Fakes an API with one review of the customer. Returns the bodies of the edits that it receives. */
function fakeApi(response: () => Response = saved): unknown[] {
  const sent: unknown[] = [];
  api.use(
    http.get(`/api/review/${id}`, () => HttpResponse.json({ ...review, email: 'cora@example.com' })),
    http.get('/api/review', () => HttpResponse.json([])),
    http.patch(`/api/review/${id}`, async ({ request }) => {
      sent.push(await request.json());
      return response();
    }),
  );
  return sent;
}

const saved = () => HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
const words = () => screen.findByLabelText<HTMLTextAreaElement>('Your review');
const save = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Save changes' }));

test('the form that edits a review sends the text exactly as typed, and returns to the previous page', async () => {
  const sent = fakeApi();
  await signedIn();
  const app = await open('/blogs', `/editreview/${id}`);
  expect((await words()).value).toBe('First words');
  await waitFor(() => expect(document.title).toBe('Edit Review RTR Cloud Kitchen'));
  expect(screen.getByLabelText('Service ID')).toMatchObject({ value: serviceId, readOnly: true });
  expect(screen.getByLabelText('Name')).toMatchObject({ value: 'Cora Customer', readOnly: true });
  expect(screen.getByLabelText('Email')).toMatchObject({ value: 'cora@example.com', readOnly: true });
  await app.user.clear(await words());
  await app.user.fill(await words(), ' Second words\n');
  await save(app);
  expect(await toastOf('You review Updated')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  expect(sent).toEqual([{ review: ' Second words\n', rating: 3 }]);
});

test('the page that edits a review says why a moderator has removed photos of the review', async () => {
  fakeApi();
  const removedPhotos = { at: '2026-11-04T10:00:00.000Z', reason: 'A face' };
  const own = { ...review, email: 'cora@example.com', removedPhotos };
  api.use(http.get(`/api/review/${id}`, () => HttpResponse.json(own)));
  await signedIn();
  await open(`/editreview/${id}`);
  await screen.findByText('A moderator removed photos of this review on 4 November 2026. You can add other photos.');
  screen.getByText('Reason: A face');
});

test('if there is no previous page, the form that edits a review opens the page My Review after a save', async () => {
  fakeApi();
  await signedIn();
  const app = await open(`/editreview/${id}`);
  await words();
  await save(app);
  await waitFor(() => expect(app.address()).toBe('/myreview'));
});

test('if there is no previous page, the button Cancel of the form that edits a review opens the page My Review', async () => {
  const sent = fakeApi();
  await signedIn();
  const app = await open(`/editreview/${id}`);
  await words();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(app.address()).toBe('/myreview'));
  expect(sent).toEqual([]);
});

test('the form that edits a review has a button Clear stars that removes the stars of the review', async () => {
  const sent = fakeApi();
  await signedIn();
  const app = await open(`/editreview/${id}`);
  await app.user.click(await screen.findByRole('button', { name: 'Clear stars' }));
  await save(app);
  await waitFor(() => expect(sent).toEqual([{ review: 'First words', rating: null }]));
});

test('the form that edits a review keeps the changes when saving fails', async () => {
  fakeApi(() => problem(503, 'The database does not answer.'));
  await signedIn();
  const app = await open(`/editreview/${id}`);
  await app.user.fill(await words(), ' and more');
  await save(app);
  expect(await toastOf('We cannot reach the kitchen right now. Your text is safe here.')).toBe('error');
  await within(screen.getByRole('main')).findByRole('alert');
  expect((await words()).value).toBe('First words and more');
  expect(app.address()).toBe(`/editreview/${id}`);
});

test('if the customer may not edit the review any more, the form that edits a review keeps the changes, shows the reason and has a button Copy text', async () => {
  fakeApi(() => problem(403, 'This review belongs to someone else.'));
  await signedIn();
  const app = await open(`/editreview/${id}`);
  await app.user.fill(await words(), ' and more');
  await save(app);
  expect(await toastOf('Your changes were not saved. Your text is still in the form.')).toBe('error');
  const alert = within(await within(screen.getByRole('main')).findByRole('alert'));
  alert.getByText('Your changes were not saved. Your text is still in the form.');
  alert.getByText('This review belongs to someone else.');
  expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect((await words()).value).toBe('First words and more');
  await app.user.click(alert.getByRole('button', { name: 'Copy text' }));
  expect(await toastOf('Text copied')).toBe('success');
  expect(await navigator.clipboard.readText()).toBe('First words and more');
});

test('the form that edits a review saves a draft while the customer types, and removes the draft after the review is saved', async () => {
  const drafts: unknown[] = [];
  fakeApi(() => {
    drafts.push(...storedDrafts().map(({ values }) => values));
    return saved();
  });
  await signedIn();
  const app = await open('/blogs', `/editreview/${id}`);
  await app.user.fill(await words(), ' and more');
  await save(app);
  expect(await toastOf('You review Updated')).toBe('success');
  expect(drafts).toEqual([{ review: 'First words and more', rating: '3', version: '' }]);
  expect(storedDrafts()).toEqual([]);
});

const matchesNothing = () => HttpResponse.json({ acknowledged: true, matchedCount: 0, modifiedCount: 0 });

const countsNothing = () => HttpResponse.json({ acknowledged: true });

test.each([
  ['it is an empty object', () => HttpResponse.json({})] as const,
  ['`matchedCount` is 0', matchesNothing] as const,
  ['the counts are missing', countsNothing] as const,
])('the form that edits a review stays open when the API sends an unexpected response: %s', async (_, response) => {
  const responses = [response, saved];
  const sent = fakeApi(() => (responses.shift() ?? saved)());
  await signedIn();
  const app = await open('/blogs', `/editreview/${id}`);
  await app.user.fill(await words(), ' and more');
  await save(app);
  const said = 'Your changes were not saved. Your text is still in the form.';
  expect(await toastOf(said)).toBe('error');
  const alert = await within(screen.getByRole('main')).findByRole('alert');
  expect(alert.textContent).toContain(said);
  expect((await words()).value).toBe('First words and more');
  await app.user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await toastOf('You review Updated')).toBe('success');
  expect(sent).toHaveLength(2);
});

test('when the review was edited elsewhere, the form that edits a review shows both versions, and lets the customer choose one', async () => {
  await signedIn();
  let current = { row: { ...review, email: 'cora@example.com' }, etag: '"1-a"' };
  const sent: unknown[] = [];
  api.use(
    http.get(`/api/review/${id}`, () => HttpResponse.json(current.row, { headers: { ETag: current.etag } })),
    http.patch(`/api/review/${id}`, async ({ request }) => {
      const version = request.headers.get('If-Match');
      sent.push({ version, body: await request.json() });
      return version === current.etag ? saved() : problem(412, 'Edited in the meantime.', {}, { current: current.row });
    }),
  );
  const app = await open('/blogs', `/editreview/${id}`);
  await app.user.fill(await words(), ' of mine');
  current = { row: { ...current.row, review: 'Other words', rating: 1 }, etag: '"2-b"' };
  await save(app);
  const message =
    'This review was changed in another tab or on another device. Compare both versions, and choose one. Your version is still in the form.';
  await within(screen.getByRole('main')).findByText(message);
  expect(document.querySelector('[data-toast=error]')).toBeNull();
  const group = (name: string) => within(screen.getByRole('group', { name }));
  await screen.findByRole('group', { name: 'Text' });
  group('Text').getByText('Other words');
  group('Text').getByText('First words of mine');
  group('Stars').getByText('1 star');
  group('Stars').getByText('3 stars');
  expect(storedDrafts()).toMatchObject([{ values: { review: 'First words of mine' } }]);

  await app.user.click(screen.getByRole('button', { name: 'Use the saved version' }));
  expect((await words()).value).toBe('Other words');
  expect(storedDrafts()).toEqual([]);

  await app.user.fill(await words(), ' of mine');
  current = { row: { ...current.row, review: 'Third words' }, etag: '"3-c"' };
  await save(app);
  await app.user.click(await screen.findByRole('button', { name: 'Save your version' }));
  expect(await toastOf('You review Updated')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  expect(sent.at(-1)).toEqual({ version: '"3-c"', body: { review: 'Other words of mine', rating: 1 } });
});

test('when “Save your version” has failed, the button “Try again” overwrites the version of the review that was saved elsewhere', async () => {
  await signedIn();
  let current = { row: { ...review, email: 'cora@example.com' }, etag: '"1-a"' };
  const versions: (string | null)[] = [];
  const responses = [() => problem(503, 'The database does not answer.'), saved];
  api.use(
    http.get(`/api/review/${id}`, () => HttpResponse.json(current.row, { headers: { ETag: current.etag } })),
    http.patch(`/api/review/${id}`, ({ request }) => {
      const version = request.headers.get('If-Match');
      versions.push(version);
      return version === current.etag ? responses.shift()?.() : problem(412, 'Edited in the meantime.');
    }),
  );
  const app = await open('/blogs', `/editreview/${id}`);
  await app.user.fill(await words(), ' of mine');
  current = { row: { ...current.row, review: 'Other words' }, etag: '"2-b"' };
  await save(app);
  await app.user.click(await screen.findByRole('button', { name: 'Save your version' }));
  await app.user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await toastOf('You review Updated')).toBe('success');
  expect(versions).toEqual(['"1-a"', '"2-b"', '"2-b"']);
});

test('when the review was edited elsewhere, the form that edits a review shows the photos of both versions, even if the photos have the same descriptions', async () => {
  await signedIn();
  const photo = (letter: string) => ({ url: `http://localhost:3000/pictures/u/${letter.repeat(24)}`, alt: 'The hood' });
  let current = { row: { ...review, email: 'cora@example.com', photos: [photo('a')] }, etag: '"1-a"' };
  api.use(
    http.get(`/api/review/${id}`, () => HttpResponse.json(current.row, { headers: { ETag: current.etag } })),
    http.patch(`/api/review/${id}`, () => problem(412, 'Edited in the meantime.')),
  );
  const app = await open('/blogs', `/editreview/${id}`);
  await words();
  current = { row: { ...current.row, photos: [photo('b')] }, etag: '"2-b"' };
  await save(app);
  await screen.findByRole('button', { name: 'Save your version' });
  const shown = screen.getAllByRole('img', { name: 'The hood' });
  expect(shown.map((picture) => picture.getAttribute('src'))).toEqual([photo('b').url, photo('a').url]);
  expect(screen.queryByText('Both versions are the same.')).toBeNull();
});

test('if the review was deleted while the form was open, the form keeps the edited text, even after a reload, and the button Copy text copies it', async () => {
  fakeApi(() => problem(404, 'There is no such review.'));
  await signedIn();
  let app = await open(`/editreview/${id}`);
  await app.user.fill(await words(), ' and more');
  await save(app);
  expect(await toastOf('This review was deleted while you were editing. Your text is still in the form.')).toBe(
    'error',
  );
  expect((await words()).value).toBe('First words and more');
  await app.user.click(await screen.findByRole('button', { name: 'Copy text' }));
  expect(await navigator.clipboard.readText()).toBe('First words and more');

  await app.close();
  api.use(http.get(`/api/review/${id}`, () => problem(404, 'There is no review with this id.')));
  app = await open(`/editreview/${id}`);
  await screen.findByRole('heading', { name: 'This review was not found' });
  expect(screen.getByLabelText('Your text')).toMatchObject({ value: 'First words and more', readOnly: true });
  await navigator.clipboard.writeText('');
  await app.user.click(screen.getByRole('button', { name: 'Copy text' }));
  expect(await navigator.clipboard.readText()).toBe('First words and more');
});

test('the edit page of another customer’s review shows an error and a link to the service', async () => {
  await signedIn();
  api.use(http.get(`/api/review/${id}`, () => HttpResponse.json(review)));
  await open(`/editreview/${id}`);
  await screen.findByRole('heading', { name: 'Only its author can edit this review.' });
  expect(screen.getByRole('link', { name: 'See the service' }).getAttribute('href')).toBe(`/services/${serviceId}`);
  expect(screen.queryByLabelText('Your review')).toBeNull();
  await waitFor(() => expect(document.title).toBe('Edit Review RTR Cloud Kitchen'));
});

test('the edit page of an unknown review shows an error and a link to the page My Review', async () => {
  await signedIn();
  api.use(http.get('/api/review/nope', () => problem(404, 'There is nothing.')));
  await open('/editreview/nope');
  await screen.findByRole('heading', { name: 'This review was not found' });
  expect(screen.getByRole('link', { name: 'See your reviews' }).getAttribute('href')).toBe('/myreview');
  await waitFor(() => expect(document.title).toBe('Not Found RTR Cloud Kitchen'));
});
