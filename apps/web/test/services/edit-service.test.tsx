import { pickServiceFields } from '@rtr/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { suggestionsQuery } from '../../src/features/services/queries.ts';
import { api, bearerOf, problem, signedIn } from '../support/api.ts';
import { inAnotherTab, type Opened, open, saying, storedDrafts, toastOf } from '../support/app.tsx';
import { aService } from '../support/catalogue.ts';

interface Sent {
  version: string | null;
  body: unknown;
}

const service = aService({ title: 'Fan repair', phone: '+1 555 0100', listerName: 'Cora Customer' });
const fields = pickServiceFields(service);

const saved = () => HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });

/**
 * Fakes an API with one service of the customer. `change` simulates an edit in another tab: the service gets another
 * version, and edits of an earlier version are rejected.
 */
async function fakeApi(response: () => Response = saved) {
  await signedIn();
  let current = { row: { ...service, img: '' }, etag: '"1-first"' };
  const sent: Sent[] = [];
  api.use(
    http.get(`/api/services/${service._id}`, () => HttpResponse.json(current.row, { headers: { ETag: current.etag } })),
    http.get('/api/account/services', () => HttpResponse.json([current.row])),
    http.patch(`/api/services/${service._id}`, async ({ request }) => {
      expect(bearerOf(request)).toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
      const version = request.headers.get('If-Match');
      sent.push({ version, body: await request.json() });
      return version === current.etag
        ? response()
        : problem(412, 'Edited in the meantime.', {}, { current: current.row });
    }),
  );
  const change = (edit: Partial<typeof service>) => {
    current = { row: { ...current.row, ...edit }, etag: `"2-${JSON.stringify(edit).length}"` };
  };
  return { sent, change, etag: () => current.etag };
}

const path = `/editservice/${service._id}`;
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' });
const save = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Save changes' }));

test('the form that edits a service sends all fields with the version that was opened, and returns to the previous page', async () => {
  const { sent } = await fakeApi();
  const app = await open('/blogs', path);
  expect((await field('Title')).value).toBe('Fan repair');
  await waitFor(() => expect(document.title).toBe('Edit service RTR Cloud Kitchen'));
  expect((await field('Phone')).value).toBe('+1 555 0100');
  screen.getByText(
    saying(
      'Everyone can see these details. Your name, Cora Customer, is shown with your service. It links to a page with your photo and your services.',
    ),
  );
  await app.user.fill(await field('Title'), ' and cleaning');
  await app.user.fill(await field('Area'), 'Brooklyn');
  await save(app);
  expect(await toastOf('Your service is updated.')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  const body = { ...fields, img: '', title: 'Fan repair and cleaning', area: 'Brooklyn' };
  expect(sent).toEqual([{ version: '"1-first"', body }]);
  expect(storedDrafts()).toEqual([]);
});

test('if the customer clicks a link during the save, the form that edits a service does not go back', async () => {
  await fakeApi();
  const { promise, resolve } = Promise.withResolvers<Response>();
  api.use(http.get('/api/services', () => promise));
  const app = await open('/blogs', path);
  await field('Title');
  // Simulates a click at a time when the router has the result of the save, but React has not rendered it yet.
  const stop = app.router.subscribe(({ actionData }) => {
    if (!actionData) return;
    stop();
    queueMicrotask(() => void app.router.navigate('/services'));
  });
  await save(app);
  expect(await toastOf('Your service is updated.')).toBe('success');
  resolve(HttpResponse.json([]));
  await waitFor(() => expect(app.address()).toMatch(/^\/(services|blogs)$/));
  expect(app.address()).toBe('/services');
});

test('if there is no previous page, the form that edits a service opens the page My services after a save', async () => {
  await fakeApi();
  const app = await open(path);
  await app.user.fill(await field('Title'), '!');
  await save(app);
  await waitFor(() => expect(app.address()).toBe('/myservices'));
});

test('the button Cancel of the form that edits a service goes back and saves nothing', async () => {
  const { sent } = await fakeApi();
  const app = await open('/blogs', path);
  await field('Title');
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  expect(sent).toEqual([]);
});

test('an edit of a service removes the cached search suggestions', async () => {
  await fakeApi();
  const app = await open('/blogs', path);
  const { queryKey } = suggestionsQuery(app.http, 'fan');
  app.queries.setQueryData(queryKey, [{ kind: 'search', text: 'Fan repair' }]);
  await app.user.fill(await field('Title'), '!');
  await save(app);
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  expect(app.queries.getQueryData(queryKey)).toBeUndefined();
});

test('the form that edits a service keeps a draft on this device, and restores it', async () => {
  await fakeApi();
  const app = await open(path);
  await app.user.fill(await field('Title'), ' today');
  expect(storedDrafts()).toMatchObject([{ values: { title: 'Fan repair today', version: '"1-first"' } }]);
  await app.close();
  const again = await open(path);
  expect((await field('Title')).value).toBe('Fan repair today');
  await again.user.click(screen.getByRole('button', { name: 'Start over' }));
  expect((await field('Title')).value).toBe('Fan repair');
});

test('the form that edits a service stays open when the API does not confirm the edit', async () => {
  const responses = [() => HttpResponse.json({}), saved];
  const { sent } = await fakeApi(() => (responses.shift() ?? saved)());
  const app = await open('/blogs', path);
  await app.user.fill(await field('Title'), ' today');
  await save(app);
  expect(await toastOf('Your changes were not saved. Your text is still in the form.')).toBe('error');
  expect((await field('Title')).value).toBe('Fan repair today');
  const alert = await within(screen.getByRole('main')).findByRole('alert');
  await app.user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await toastOf('Your service is updated.')).toBe('success');
  expect(sent).toHaveLength(2);
});

test('after a failed save, the form that edits a service stays open even if the service is not cached and cannot be loaded', async () => {
  const failed = () => problem(500, 'Something broke on our side.');
  await fakeApi(failed);
  const app = await open(path);
  await app.user.fill(await field('Title'), ' today');
  app.queries.clear();
  api.use(http.get(`/api/services/${service._id}`, failed));
  await save(app);
  expect(await toastOf('We cannot reach the kitchen right now. Your text is safe here.')).toBe('error');
  await within(screen.getByRole('main')).findByRole('button', { name: 'Try again' });
  expect((await field('Title')).value).toBe('Fan repair today');
});

const conflictText =
  'This service was changed in another tab or on another device. Compare both versions, and choose one. Your version is still in the form.';

/** Edits the title in the form. Another tab then edits the title and the price. Then tries to save the form. */
async function openConflict(response = saved) {
  const fake = await fakeApi(response);
  const app = await open('/blogs', path);
  await app.user.fill(await field('Title'), ' by me');
  fake.change({ title: 'Fan repair by them', price: '$99' });
  await save(app);
  await within(screen.getByRole('main')).findByText(conflictText);
  return { ...fake, app };
}

test('when the service was edited elsewhere, the form that edits a service shows both versions of each field that differs, and no other fields', async () => {
  await openConflict();
  const title = within(screen.getByRole('group', { name: 'Title' }));
  expect(title.getAllByRole('heading', { level: 3 }).map((heading) => heading.parentElement?.textContent)).toEqual([
    'Saved versionFan repair by them',
    'Your versionFan repair by me',
  ]);
  within(screen.getByRole('group', { name: 'Price' })).getByText('$99');
  expect(screen.queryByRole('group', { name: 'Description' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Title' }));
  expect((await field('Title')).value).toBe('Fan repair by me');
});

test('when the service was edited elsewhere, the form that edits a service shows the pictures of the saved version and of the customer’s version, each with its address', async () => {
  const { change } = await fakeApi(saved);
  const app = await open('/blogs', path);
  const [theirs, mine] = ['https://pictures.example/theirs.jpg', 'https://pictures.example/mine.jpg'];
  await app.user.clear(await field('Picture URL'));
  await app.user.fill(await field('Picture URL'), mine);
  change({ img: theirs });
  await save(app);
  const group = within(await screen.findByRole('group', { name: 'Picture URL' }));
  for (const [version, src] of [
    ['Saved version', theirs],
    ['Your version', mine],
  ] as const) {
    expect(group.getByRole('img', { name: version }).getAttribute('src')).toBe(src);
    group.getByText(src);
  }
});

test('after the customer has seen the version of the service that was saved elsewhere, the button “Save your version” overwrites that version', async () => {
  const { sent, etag, app } = await openConflict();
  await app.user.click(screen.getByRole('button', { name: 'Save your version' }));
  expect(await toastOf('Your service is updated.')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  expect(sent[1]).toMatchObject({ version: etag(), body: { title: 'Fan repair by me', price: 'from $120' } });
});

test('when “Save your version” has failed, the button “Try again” overwrites the version of the service that was saved elsewhere', async () => {
  const responses = [() => problem(503, 'The database does not answer.'), saved];
  const { sent, etag, app } = await openConflict(() => (responses.shift() ?? saved)());
  await app.user.click(screen.getByRole('button', { name: 'Save your version' }));
  await app.user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await toastOf('Your service is updated.')).toBe('success');
  expect(sent.map(({ version }) => version)).toEqual(['"1-first"', etag(), etag()]);
});

test('if a third version of the service is saved elsewhere while the form shows two versions, the button “Save your version” shows the third version and does not overwrite it', async () => {
  const { change, app } = await openConflict();
  change({ title: 'Third' });
  await app.user.click(screen.getByRole('button', { name: 'Save your version' }));
  await within(await screen.findByRole('group', { name: 'Title' })).findByText('Third');
});

test('the button “Use the saved version” fills the form with the version of the service that was saved elsewhere, and removes the draft', async () => {
  const { sent, etag, app } = await openConflict();
  await app.user.click(screen.getByRole('button', { name: 'Use the saved version' }));
  expect((await field('Title')).value).toBe('Fan repair by them');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Edit your service' }));
  expect((await field('Price')).value).toBe('$99');
  expect(screen.queryByRole('button', { name: 'Save your version' })).toBeNull();
  expect(storedDrafts()).toEqual([]);
  await save(app);
  expect(await toastOf('Your service is updated.')).toBe('success');
  expect(sent.at(-1)).toMatchObject({ version: etag(), body: { title: 'Fan repair by them' } });
});

test('if another tab has saved the service and removed the draft that both tabs share, an attempt to save the form in this tab fails, and stores the text of the form as a draft again', async () => {
  const { change } = await fakeApi();
  const app = await open(path);
  await app.user.fill(await field('Title'), ' by me');
  const draft = Object.keys(localStorage).find((key) => key.startsWith('rtr-draft:')) ?? '';
  inAnotherTab(() => localStorage.removeItem(draft));
  change({ title: 'Fan repair by them' });
  await save(app);
  await screen.findByText(conflictText);
  expect(storedDrafts()).toMatchObject([{ values: { title: 'Fan repair by me' } }]);
});

test('if a restored draft is based on an older version of the service, an attempt to save the form shows both versions first', async () => {
  const { change } = await fakeApi();
  const app = await open(path);
  await app.user.fill(await field('Title'), ' by me');
  await app.close();
  change({ title: 'Fan repair by them' });
  const again = await open(path);
  expect((await field('Title')).value).toBe('Fan repair by me');
  await save(again);
  await screen.findByText(conflictText);
  await within(await screen.findByRole('group', { name: 'Title' })).findByText('Fan repair by them');
});

test('if the service was withdrawn while the form was open, the form that edits a service keeps the typed text and shows a link to the page My services', async () => {
  await fakeApi(() => problem(404, 'No service has this id.'));
  const app = await open(path);
  await app.user.fill(await field('Title'), ' by me');
  await save(app);
  expect(await toastOf('This service was withdrawn while you were editing. Your text is still in the form.')).toBe(
    'error',
  );
  expect((await field('Title')).value).toBe('Fan repair by me');
  const link = await screen.findByRole('link', { name: 'See your services' });
  expect(link.getAttribute('href')).toBe('/myservices');
});

test('if a moderator has hidden the service while the form was open, the form that edits a service keeps the typed text, and shows the reason with a link to the page My services', async () => {
  const hidden = 'A moderator has hidden your service, so you cannot edit it.';
  await fakeApi(() => problem(403, hidden));
  const app = await open(path);
  await app.user.fill(await field('Title'), ' by me');
  await save(app);
  expect(await toastOf('Your changes were not saved. Your text is still in the form.')).toBe('error');
  const alert = within(await within(screen.getByRole('main')).findByRole('alert'));
  alert.getByText('Your changes were not saved. Your text is still in the form.');
  alert.getByText(hidden);
  expect(alert.getByRole('link', { name: 'See your services' }).getAttribute('href')).toBe('/myservices');
  expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect((await field('Title')).value).toBe('Fan repair by me');
});

test.each([
  ['withdrawn', 'This service was not found', () => HttpResponse.json([])],
  ['hidden', 'This service is hidden', () => HttpResponse.json([service])],
])(
  'the draft of an edit is shown, and can be copied, when the service was %s after the form was closed',
  async (_, heading, ownServices) => {
    await fakeApi();
    let app = await open(path);
    await app.user.fill(await field('Title'), ' by me');
    await app.user.fill(await field('Area'), 'Brooklyn');
    await app.close();
    api.use(
      http.get('/api/services/:id', () => problem(404, 'No service has this id.')),
      http.get('/api/account/services', ownServices),
    );
    app = await open(path);
    await screen.findByRole('heading', { name: heading });
    expect(screen.getByLabelText('Title')).toMatchObject({ value: 'Fan repair by me', readOnly: true });
    expect(screen.getByLabelText('Area')).toMatchObject({ value: 'Brooklyn', readOnly: true });
    expect(screen.queryByLabelText('Website')).toBeNull();
    await app.user.click(screen.getByRole('button', { name: 'Copy text' }));
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain('Title: Fan repair by me\n');
    expect(copied).toContain('Area: Brooklyn');
  },
);

test('the edit page of another customer’s service shows an error and a link to the service', async () => {
  await fakeApi();
  api.use(http.get('/api/account/services', () => HttpResponse.json([])));
  await open(path);
  await screen.findByRole('heading', { name: 'Only its lister can edit this service.' });
  expect(screen.getByRole('link', { name: 'See the service' }).getAttribute('href')).toBe(`/services/${service._id}`);
  expect(screen.queryByLabelText('Title')).toBeNull();
});

test('the edit page of an unknown service shows an error and a link to the page My services', async () => {
  await fakeApi();
  api.use(http.get('/api/services/:id', () => problem(404, 'No service has this id.')));
  await open('/editservice/nope');
  await screen.findByRole('heading', { name: 'This service was not found' });
  expect(screen.getByRole('link', { name: 'See your services' }).getAttribute('href')).toBe('/myservices');
});

test('the page that edits a service says why a moderator has removed its picture', async () => {
  await fakeApi();
  const removedPicture = { at: '2026-11-04T10:00:00.000Z', reason: 'A face' };
  api.use(http.get('/api/account/services', () => HttpResponse.json([{ ...service, img: '', removedPicture }])));
  await open(path);
  await screen.findByText(
    'A moderator removed the picture of this service on 4 November 2026. You can choose another picture.',
  );
  screen.getByText('Reason: A face');
});

test('the edit page of a service that a moderator has hidden says that it cannot be edited', async () => {
  await fakeApi();
  api.use(http.get('/api/services/:id', () => problem(404, 'No service has this id.')));
  await open(path);
  await screen.findByRole('heading', { name: 'This service is hidden' });
  screen.getByText(/^A moderator has hidden this service, so you cannot edit it\./);
});
