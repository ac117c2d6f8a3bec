import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  accessTokenFor,
  api,
  bearerOf,
  problem,
  providerCall,
  providerError,
  signedIn,
  silence,
  subjectOf,
} from './support/api.ts';
import { type Opened, open, toastOf } from './support/app.tsx';

const tokenKey = 'rtr-cloud-kitchen-token';

const review = (n: number, given: object = {}) => ({
  _id: n.toString(16).padStart(24, '0'),
  serviceId: n.toString(16).padStart(24, 'f'),
  serviceName: `Service ${n}`,
  price: '$10',
  img: '',
  customer: 'Cora Customer',
  costomerImg: '',
  email: 'cora@example.com',
  review: `Words ${n}`,
  time: '10:00:00 AM',
  date: '2/2/2026',
  createdAt: '2026-02-02T10:00:00.000Z',
  updatedAt: '2026-02-02T10:00:00.000Z',
  ...given,
});

/** The API (faked) holds these reviews of the customer's, and gives at most `most` of them a page. */
function holding(reviews: object[], most = 100) {
  api.use(
    http.get('/api/review', ({ request }) => {
      const { searchParams: query } = new URL(request.url);
      const from = Number(query.get('after') ?? 0);
      const to = from + Math.min(most, Number(query.get('limit')));
      const headers: Record<string, string> = { 'X-Total-Count': String(reviews.length) };
      if (to < reviews.length) headers.Link = `</review?after=${to}>; rel="next"`;
      return HttpResponse.json(reviews.slice(from, to), { headers });
    }),
  );
}

/** The API (faked) deletes the account, or answers otherwise first. What it was sent is told. */
function deleting(...refusals: (() => Response)[]) {
  const sent: string[] = [];
  api.use(
    http.delete('/api/account', ({ request }) => {
      sent.push(bearerOf(request) ?? '');
      return refusals.shift()?.() ?? HttpResponse.json({ acknowledged: true, deletedCount: 1 });
    }),
  );
  return sent;
}

const claims = (token = '') => JSON.parse(atob(token.split('.')[1] ?? '')) as Record<string, unknown>;

async function account() {
  const app = await open('/account');
  await screen.findByRole('heading', { level: 1, name: 'Account' });
  return app;
}

async function askToDelete({ user }: Opened) {
  await user.click(screen.getByRole('button', { name: 'Delete my account' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Delete your account' }));
  await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  return dialog;
}

async function expectDeleted(app: Opened) {
  expect(await toastOf('Your account is deleted.')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/'));
  await screen.findByRole('link', { name: 'Login' });
  expect(screen.queryByText(/Your session has ended/)).toBeNull();
}

const tooLongAgo = () => problem(403, 'Log in again first.');

test('a visitor is sent to the login, and comes back', async () => {
  const app = await open('/account');
  await screen.findByLabelText('Password');
  expect(app.router.state.location.state).toMatchObject({ from: { pathname: '/account' } });
});

test('name, photo and email are shown, and that a review keeps those under which it was written', async () => {
  const cora = await signedIn();
  holding([]);
  await account();
  const main = within(screen.getByRole('main'));
  main.getByText('Cora Customer');
  main.getByText(cora.email);
  main.getByText(/A review keeps the name and photo under which it was written\./);
  await waitFor(() => expect(document.title).toBe('Account RTR Cloud Kitchen'));
});

test('a new name and photo are saved, shown, and in the access token of the next call', async () => {
  await signedIn();
  holding([]);
  const seen: Record<string, unknown>[] = [];
  api.use(
    http.post('/api/jwt', ({ request }) => {
      seen.push(claims(bearerOf(request)));
      return HttpResponse.json({ token: accessTokenFor(bearerOf(request) ?? '') });
    }),
  );
  const { user } = await account();
  const before = localStorage.getItem(tokenKey);
  await user.clear(screen.getByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'Cora Cook');
  await user.click(screen.getByRole('button', { name: 'Drawn picture 3' }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await toastOf('Your name and photo are saved.')).toBe('success');
  await screen.findByRole('img', { name: 'Signed in as Cora Cook' });
  const picture = 'http://localhost:3000/pictures/avatar-3.svg';
  expect(seen).toEqual([expect.objectContaining({ name: 'Cora Cook', picture })]);
  expect(localStorage.getItem(tokenKey)).not.toBe(before);
  within(screen.getByRole('main')).getByText('Cora Cook');
});

test('a photo can be taken away', async () => {
  await signedIn();
  holding([]);
  const { user, auth } = await account();
  await user.click(screen.getByRole('button', { name: 'Drawn picture 3' }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(auth.session.getSnapshot().user?.photoURL).toMatch(/avatar-3/));
  await user.clear(screen.getByLabelText('Picture URL'));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(auth.session.getSnapshot().user?.photoURL).toBe(''));
});

test('invisible characters are taken out of a new name, which is then no draft any more', async () => {
  await signedIn();
  holding([]);
  const { user } = await account();
  await user.type(screen.getByLabelText('Name'), ' the\u200b\u202e  Cook');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByRole('img', { name: 'Signed in as Cora Customer the Cook' });
  await waitFor(() => expect(screen.queryByText(/Draft kept/)).toBeNull());
});

test('a name that Firebase holds and reviews would not carry is not shown', async () => {
  const cora = await signedIn('RTR Cloud Kitchen');
  holding([]);
  await account();
  screen.getByText('No name yet');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', '');
  await screen.findByRole('img', { name: `Signed in as ${cora.email}` });
});

test('a token that says the old name is gone even when no new one is to be had', async () => {
  await signedIn();
  holding([]);
  const { user } = await account();
  api.use(http.post('/api/jwt', () => problem(503, 'Firebase does not answer.')));
  await user.type(screen.getByLabelText('Name'), ' the Cook');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await toastOf('Your name and photo are saved.')).toBe('success');
  expect(localStorage.getItem(tokenKey)).toBeNull();
});

test.for([
  ['Name', ' ', 'Give a name of 1 to 80 characters.'],
  ['Name', 'x'.repeat(81), 'Give a name of 1 to 80 characters.'],
  ['Name', '\u200b\u202e', 'Give a name of 1 to 80 characters.'],
  ['Name', 'rtr cloud kitchen team', 'A name cannot contain “RTR Cloud Kitchen”. Give another one.'],
  [
    'Picture URL',
    'ftp://a.example/b.png',
    'Use an address that starts with https:// or http://, up to 2,048 characters.',
  ],
  [
    'Picture URL',
    'http://192.168.1.1/b.png',
    'Use a picture from a public website. Other people cannot open an address on this device or a private network.',
  ],
] as const)('%s does not take what reviews would not carry: %s', async ([field, typed, said]) => {
  await signedIn();
  holding([]);
  const { user, auth } = await account();
  await user.clear(screen.getByLabelText(field));
  await user.type(screen.getByLabelText(field), typed);
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText(said);
  expect(auth.session.getSnapshot().user).toMatchObject({ displayName: 'Cora Customer', photoURL: '' });
});

test('a profile that the provider (faked) does not save is said in a toast and beside the form', async () => {
  await signedIn();
  holding([]);
  const { user } = await account();
  api.use(http.post(providerCall('update'), () => providerError('OPERATION_NOT_ALLOWED')));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await toastOf('Your name and photo were not saved. Try again in a minute.')).toBe('error');
  expect((await within(screen.getByRole('main')).findByRole('alert')).textContent).toBe(
    'Your name and photo were not saved. Try again in a minute.',
  );
});

describe('leaving what is not saved', () => {
  const dialog = () => screen.getByRole('dialog', { name: 'Leave without saving?' });
  const blogs = () => within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Blogs' });
  const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('rtr-draft:'));
  /** Whether the browser would ask before the page goes. */
  const asksBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const changing = async () => {
    await signedIn();
    holding([]);
    const app = await account();
    await app.user.type(screen.getByLabelText('Name'), ' the Cook');
    return app;
  };

  test('asks first; Stay keeps page and text, Leave goes and the draft is there on return, until it is saved', async () => {
    const app = await changing();
    expect(asksBeforeUnload()).toBe(false);
    await app.user.click(blogs());
    within(dialog()).getByText(
      'Your changes are not saved yet. The draft is kept on this device for when you come back.',
    );
    await app.user.click(within(dialog()).getByRole('button', { name: 'Stay' }));
    expect(app.address()).toBe('/account');
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer the Cook');
    await app.user.click(blogs());
    await app.user.click(within(dialog()).getByRole('button', { name: 'Leave' }));
    const heading = await screen.findByRole('heading', { level: 1, name: 'Blogs' });
    await waitFor(() => expect(document.activeElement).toBe(heading));

    await app.go('/account');
    expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Cora Customer the Cook');
    screen.getByText(/^We kept your draft from /);
    await app.user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await toastOf('Your name and photo are saved.')).toBe('success');
    await waitFor(() => expect(drafts()).toEqual([]));
    expect(screen.queryByText(/^We kept your draft from /)).toBeNull();
    await app.user.click(blogs());
    await screen.findByRole('heading', { level: 1, name: 'Blogs' });
  });

  test('asks before Back too, and whoever only chose a picture', async () => {
    await signedIn();
    holding([]);
    const app = await open('/blogs', '/account');
    await app.user.click(await screen.findByRole('button', { name: 'Drawn picture 3' }));
    await act(() => app.router.navigate(-1));
    await app.user.click(within(dialog()).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(app.address()).toBe('/blogs'));
  });

  test('asks nobody who took it all back, and keeps no draft of it', async () => {
    const app = await changing();
    expect(drafts()).toHaveLength(1);
    await app.user.type(screen.getByLabelText('Name'), '{Backspace>9/}');
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer');
    expect(drafts()).toEqual([]);
    await app.user.click(blogs());
    await waitFor(() => expect(app.address()).toBe('/blogs'));
  });

  test('starting over shows what is saved', async () => {
    const app = await changing();
    app.close();
    const again = await account();
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer the Cook');
    await again.user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer');
    expect(drafts()).toEqual([]);
  });

  test('where the browser keeps nothing says so, and asks before a reload too', async () => {
    await signedIn();
    holding([]);
    const { user } = await account();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    await user.type(screen.getByLabelText('Name'), ' the Cook');
    await screen.findByText('This browser keeps no drafts. Save this before you leave.');
    expect(asksBeforeUnload()).toBe(true);
    await user.click(blogs());
    within(dialog()).getByText(
      'Your changes are not saved yet, and this browser keeps no drafts. When you leave, they are gone.',
    );
  });

  test('does not stand in the way of who deletes the account', async () => {
    const app = await changing();
    deleting();
    await askToDelete(app);
    await expectDeleted(app);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(drafts()).toEqual([]);
  });
});

/** The files that were saved (jsdom saves none): each by name, with its text. */
function savedFiles() {
  const blobs: Blob[] = [];
  const files: { name: string; blob: Blob | undefined }[] = [];
  URL.createObjectURL = (blob) => `blob:test-${blobs.push(blob as Blob) - 1}`;
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    files.push({ name: this.download, blob: blobs[Number(this.href.split('-').at(-1))] });
  });
  return files;
}

/** As bytes, so that the mark at the beginning is not swallowed. */
async function textOf(blob: Blob | undefined): Promise<string> {
  const reader = new FileReader();
  const read = new Promise((resolve) => {
    reader.addEventListener('load', resolve);
  });
  reader.readAsArrayBuffer(blob ?? new Blob());
  await read;
  const bytes = new Uint8Array(reader.result as ArrayBuffer);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

test('the export as JSON holds every page of one’s reviews', async () => {
  await signedIn();
  const reviews = Array.from({ length: 5 }, (_, n) => review(n));
  holding(reviews, 2);
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as JSON' }));
  expect(await toastOf('5 reviews are in the file.')).toBe('success');
  expect(files[0]?.name).toMatch(/^rtr-cloud-kitchen-reviews-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse(await textOf(files[0]?.blob))).toEqual(reviews);
});

async function exportedCsv(...reviews: object[]): Promise<string> {
  await signedIn();
  holding(reviews);
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as CSV' }));
  await waitFor(() => expect(files[0]?.name).toMatch(/\.csv$/));
  return textOf(files[0]?.blob);
}

test('the export as CSV is RFC 4180 in UTF-8 with its mark', async () => {
  const csv = await exportedCsv(review(1, { rating: 4, review: 'Größe "XL",\nand quiet', serviceName: 'Hood' }));
  expect(csv).toBe(
    '\uFEFF"Service","Price","Stars","Review","Date","Time","Written at","Edited at","Name","Photo","Email","Service picture","Service id","Review id","By the lister"\r\n' +
      '"Hood","$10","4","Größe ""XL"",\nand quiet","2/2/2026","10:00:00 AM","2026-02-02T10:00:00.000Z","","Cora Customer","","cora@example.com","",' +
      '"fffffffffffffffffffffff1","000000000000000000000001",""\r\n',
  );
});

test('the exports say which reviews are by the lister of the service', async () => {
  const csv = await exportedCsv(review(1, { byLister: true, rating: 5 }), review(2));
  expect(csv.match(/"(By the lister|yes|)"\r\n/g)).toEqual(['"By the lister"\r\n', '"yes"\r\n', '""\r\n']);
});

test.for([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "\t'=1"],
  [' =1', " '=1"],
  ['\r\n=1', "\r\n'=1"],
  ['fine;=1', "fine;'=1"],
  ['fine;"=1"', `fine;""'=1""`],
  ['fine\n=1', "fine\n'=1"],
  ['a|=1', "a|'=1"],
  ['1 + 1 = 2, a-b', '1 + 1 = 2, a-b'],
])('no spreadsheet runs %j as a formula', async ([typed, kept]) => {
  expect(await exportedCsv(review(1, { review: typed }))).toContain(`,"${kept}",`);
});

test('reviews that could not be read leave no file, and that is said', async () => {
  await signedIn();
  holding([review(1)]);
  const files = savedFiles();
  const { user } = await account();
  api.use(http.get('/api/review', () => problem(503, 'The database does not answer.')));
  await user.click(await screen.findByRole('button', { name: 'Export as CSV' }));
  await screen.findByText('Your reviews were not exported. Try again.');
  expect(files).toEqual([]);
});

test('the account is deleted: signed out, token and drafts gone, and home', async () => {
  const cora = await signedIn();
  localStorage.setItem(`rtr-draft:${cora.uid}:service`, '{}');
  holding([review(1), review(2)]);
  const sent = deleting();
  const app = await account();
  await screen.findByText(
    'This deletes your account and your 2 reviews, for good. Export them first if you want to keep the words.',
  );
  const dialog = await askToDelete(app);
  await expectDeleted(app);
  expect(dialog.queryByLabelText('Password')).toBeNull();
  expect(sent).toHaveLength(1);
  expect(subjectOf(sent[0] ?? '')).toBe(cora.uid);
  expect(claims(sent[0])).toHaveProperty('auth_time');
  expect(Object.keys(localStorage)).toEqual([]);
});

test.for([
  [0, 'This deletes your account, for good.'],
  [1, 'This deletes your account and your 1 review, for good. Export them first if you want to keep the words.'],
] as const)('with %s reviews the warning says so', async ([total, said]) => {
  await signedIn();
  holding(Array.from({ length: total }, (_, n) => review(n)));
  await account();
  await screen.findByText(said);
});

test('the dialog can be left, and nothing is sent', async () => {
  await signedIn();
  holding([]);
  const sent = deleting();
  const app = await account();
  await app.user.click(screen.getByRole('button', { name: 'Delete my account' }));
  await app.user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent).toEqual([]);
});

test('an old login is asked for the password once more, and then the account is deleted', async () => {
  const cora = await signedIn();
  holding([]);
  const sent = deleting(tooLongAgo);
  const app = await account();
  const dialog = await askToDelete(app);
  const password = await dialog.findByLabelText('Password');
  expect(document.activeElement).toBe(password);
  expect(dialog.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
  await app.user.type(password, 'not-it-1');
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  await dialog.findByText('That password is not right. Check it, or sign out and set a new one at the login.');
  expect(sent).toHaveLength(1);

  // The emulator counts whole seconds: the new login is to be a later one.
  const first = Number(claims(sent[0]).auth_time);
  await waitFor(() => expect(Date.now() / 1000).toBeGreaterThan(first + 1), { interval: 100 });
  await app.user.clear(password);
  await app.user.type(password, cora.password);
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  await expectDeleted(app);
  expect(sent).toHaveLength(2);
  expect(Number(claims(sent[1]).auth_time)).toBeGreaterThan(first);
});

test('shows toasts in the dialog on top, in live regions that were there before, and on the page once it is closed', async () => {
  await signedIn();
  holding([]);
  const app = await open('/blogs', '/account');
  const regionIn = (part: HTMLElement) => within(part).getByRole('region', { name: 'Messages' });
  await app.user.type(await screen.findByLabelText('Name'), ' the Cook');
  api.use(http.delete('/api/account', silence));
  const dialog = await askToDelete(app);
  const regions = dialog.getByRole('region', { name: 'Messages' });
  const toast = () => screen.getByText('Deleting your account…');
  await screen.findByText('Deleting your account…');
  expect(regions.contains(toast())).toBe(true);

  const leaving = () => screen.getByRole('dialog', { name: 'Leave without saving?' });
  await act(() => app.router.navigate(-1));
  expect(regionIn(leaving()).contains(toast())).toBe(true);
  await app.user.click(within(leaving()).getByRole('button', { name: 'Stay' }));
  expect(regions.contains(toast())).toBe(true);

  await act(() => app.router.navigate(-1));
  await app.user.click(within(leaving()).getByRole('button', { name: 'Leave' }));
  await screen.findByRole('heading', { level: 1, name: 'Blogs' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(regionIn(document.body).contains(toast())).toBe(true);
});

test('who came by Google shows it by Google, in the demo at the press of a button', async () => {
  const app = await open({ pathname: '/login', state: { from: { pathname: '/account' } } });
  holding([]);
  await app.user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  const email = `g-${crypto.randomUUID()}@example.com`;
  await app.user.type(within(await screen.findByRole('dialog')).getByLabelText('Another email'), email);
  await app.user.click(screen.getByRole('button', { name: 'Continue with this email' }));
  await screen.findByRole('heading', { level: 1, name: 'Account' });
  const sent = deleting(tooLongAgo);
  const dialog = await askToDelete(app);
  await app.user.click(await dialog.findByRole('button', { name: 'Continue with Google' }));
  await expectDeleted(app);
  expect(dialog.queryByLabelText('Password')).toBeNull();
  expect(sent).toHaveLength(2);
});

test('an account whose deletion was interrupted half-way is closed, and treated so', async () => {
  const cora = await signedIn();
  localStorage.setItem(`rtr-draft:${cora.uid}:service`, '{}');
  holding([]);
  deleting(() => problem(503, 'Your account is closed.'));
  const app = await account();
  api.use(http.post('/api/jwt', () => problem(401, 'Its account is closed.')));
  await askToDelete(app);
  await expectDeleted(app);
  expect(Object.keys(localStorage)).toEqual([]);
});

test.for([
  [503, 'Your account is not deleted. Try again in a minute.'],
  [500, 'Your account is not deleted. Try again in a minute.'],
  [429, 'That was quick. Try again in 10 seconds.'],
  [401, 'This login no longer holds: your session has ended, or your account is deleted already.'],
] as const)('answered %i, the account stands and its customer stays', async ([status, said]) => {
  const cora = await signedIn();
  holding([]);
  deleting(() => problem(status, 'No.'));
  const app = await account();
  const dialog = await askToDelete(app);
  await dialog.findByText(said);
  expect(app.address()).toBe('/account');
  expect(app.auth.session.getSnapshot().user?.uid).toBe(cora.uid);
});

test('without an answer it is not known whether the account is gone, and that is said', async () => {
  await signedIn();
  holding([]);
  const app = await account();
  api.use(
    http.delete('/api/account', () => HttpResponse.error()),
    http.post('/api/jwt', () => HttpResponse.error()),
  );
  const dialog = await askToDelete(app);
  expect(app.address()).toBe('/account');
  await dialog.findByText('No answer came, so we do not know whether your account is deleted. Try again in a minute.');
});

afterEach(() => {
  vi.restoreAllMocks();
});
