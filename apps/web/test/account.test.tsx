import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  accessTokenFor,
  api,
  bearerOf,
  noResponse,
  problem,
  providerCall,
  providerError,
  signedIn,
  subjectOf,
} from './support/api.ts';
import { fillStorage, type Opened, open, toastOf } from './support/app.tsx';
import { aConversation, aMessage, fakeConversation, summaryOf } from './support/conversations.ts';

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

/** Fakes the API route for the customer's reviews. A page contains at most `maxPageSize` reviews. */
function fakeReviews(reviews: object[], maxPageSize = 100) {
  api.use(
    http.get('/api/review', ({ request }) => {
      const { searchParams: query } = new URL(request.url);
      const from = Number(query.get('after') ?? 0);
      const to = from + Math.min(maxPageSize, Number(query.get('limit')));
      const headers: Record<string, string> = { 'X-Total-Count': String(reviews.length) };
      if (to < reviews.length) headers.Link = `</review?after=${to}>; rel="next"`;
      return HttpResponse.json(reviews.slice(from, to), { headers });
    }),
  );
}

/**
 * Fakes the API route that deletes the account. The first responses are the `rejections`, and later responses are a
 * success. Returns the access tokens of the requests.
 */
function fakeDeletion(...rejections: (() => Response)[]) {
  const sent: string[] = [];
  api.use(
    http.delete('/api/account', ({ request }) => {
      sent.push(bearerOf(request) ?? '');
      return rejections.shift()?.() ?? HttpResponse.json({ acknowledged: true, deletedCount: 1 });
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

test('the account page redirects a visitor to the login, and stores itself in the history state as the page to return to', async () => {
  const app = await open('/account');
  await screen.findByLabelText('Password');
  expect(app.router.state.location.state).toMatchObject({ from: { pathname: '/account' } });
});

test('the account page shows the name and email, and says that earlier reviews keep the old name and photo', async () => {
  const cora = await signedIn();
  fakeReviews([]);
  await account();
  const main = within(screen.getByRole('main'));
  main.getByText('Cora Customer');
  main.getByText(cora.email);
  main.getByText(/Reviews you already wrote keep your old name and photo\./);
  await waitFor(() => expect(document.title).toBe('Account RTR Cloud Kitchen'));
});

test('the profile form saves a new name and photo, and then requests an access token with an ID token that contains them', async () => {
  await signedIn();
  fakeReviews([]);
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
  await user.fill(screen.getByLabelText('Name'), 'Cora Cook');
  await user.click(screen.getByRole('button', { name: 'Drawing 3' }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await toastOf('Your name and photo are saved.')).toBe('success');
  await screen.findByRole('img', { name: 'Logged in as Cora Cook' });
  const picture = 'http://localhost:3000/pictures/avatar-3.svg';
  expect(seen).toEqual([expect.objectContaining({ name: 'Cora Cook', picture })]);
  expect(localStorage.getItem(tokenKey)).not.toBe(before);
  within(screen.getByRole('main')).getByText('Cora Cook');
});

test('the profile form can remove the photo', async () => {
  await signedIn();
  fakeReviews([]);
  const { user, session } = await account();
  await user.click(screen.getByRole('button', { name: 'Drawing 3' }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(session.getState().user?.photoURL).toMatch(/avatar-3/));
  await user.clear(screen.getByLabelText('Picture URL'));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(session.getState().user?.photoURL).toBe(''));
});

test('the profile form removes invisible characters from a new name, and deletes its draft after the save', async () => {
  await signedIn();
  fakeReviews([]);
  const { user } = await account();
  await user.fill(screen.getByLabelText('Name'), ' the\u200b\u202e  Cook');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByRole('img', { name: 'Logged in as Cora Customer the Cook' });
  await waitFor(() => expect(screen.queryByText(/Draft kept/)).toBeNull());
});

test('the account page shows no name if the Firebase profile has a forbidden name, such as the name of the product', async () => {
  const cora = await signedIn('RTR Cloud Kitchen');
  fakeReviews([]);
  await account();
  screen.getByText('No name yet');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', '');
  await screen.findByRole('img', { name: `Logged in as ${cora.email}` });
});

test('saving a new name removes the access token with the old name, even if the request for a new token fails', async () => {
  await signedIn();
  fakeReviews([]);
  const { user } = await account();
  api.use(http.post('/api/jwt', () => problem(503, 'Firebase does not answer.')));
  await user.fill(screen.getByLabelText('Name'), ' the Cook');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await toastOf('Your name and photo are saved.')).toBe('success');
  expect(localStorage.getItem(tokenKey)).toBeNull();
});

test.for([
  ['Name', ' ', 'Enter a name of 1 to 80 characters.'],
  ['Name', 'x'.repeat(81), 'Enter a name of 1 to 80 characters.'],
  ['Name', '\u200b\u202e', 'Enter a name of 1 to 80 characters.'],
  ['Name', 'rtr cloud kitchen team', 'Your name cannot contain “RTR Cloud Kitchen”. Enter another name.'],
  [
    'Picture URL',
    'ftp://a.example/b.png',
    'Enter a web address that starts with https:// or http:// and has up to 2,048 characters.',
  ],
  [
    'Picture URL',
    'http://192.168.1.1/b.png',
    'Use a picture from a public website. Other people cannot open addresses on your device or on a private network.',
  ],
] as const)('the field “%s” of the profile form shows an error for the value %j', async ([field, typed, said]) => {
  await signedIn();
  fakeReviews([]);
  const { user, session } = await account();
  await user.clear(screen.getByLabelText(field));
  await user.fill(screen.getByLabelText(field), typed);
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText(said);
  expect(session.getState().user).toMatchObject({ displayName: 'Cora Customer', photoURL: '' });
});

test('the profile form shows an error in a toast and beside the form when Firebase does not save the profile', async () => {
  await signedIn();
  fakeReviews([]);
  const { user } = await account();
  api.use(http.post(providerCall('update'), () => providerError('OPERATION_NOT_ALLOWED')));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await toastOf('Your name and photo were not saved. Try again in a minute.')).toBe('error');
  expect((await within(screen.getByRole('main')).findByRole('alert')).textContent).toBe(
    'Your name and photo were not saved. Try again in a minute.',
  );
});

describe('leaving the account page with an unsaved profile', () => {
  const dialog = () => screen.getByRole('dialog', { name: 'Leave without saving?' });
  const blogs = () => within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Blogs' });
  const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('rtr-draft:'));
  /** Returns true if the browser would ask for confirmation before it unloads the page. */
  const asksBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const changing = async () => {
    await signedIn();
    fakeReviews([]);
    const app = await account();
    await app.user.fill(screen.getByLabelText('Name'), ' the Cook');
    return app;
  };

  test('asks for confirmation: “Stay” keeps the form open, and “Leave” keeps the text as a draft until the profile is saved', async () => {
    const app = await changing();
    expect(asksBeforeUnload()).toBe(false);
    await app.user.click(blogs());
    within(dialog()).getByText('You have not saved your changes yet. Your draft is kept on this device.');
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

  test('asks for confirmation when the customer goes back in the history, even if the customer has changed only the picture', async () => {
    await signedIn();
    fakeReviews([]);
    const app = await open('/blogs', '/account');
    await app.user.click(await screen.findByRole('button', { name: 'Drawing 3' }));
    await act(() => app.router.navigate(-1));
    await app.user.click(within(dialog()).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(app.address()).toBe('/blogs'));
  });

  test('does not ask for confirmation and keeps no draft when the customer has undone all changes', async () => {
    const app = await changing();
    expect(drafts()).toHaveLength(1);
    await app.user.type(screen.getByLabelText('Name'), '{Backspace>9/}');
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer');
    expect(drafts()).toEqual([]);
    await app.user.click(blogs());
    await waitFor(() => expect(app.address()).toBe('/blogs'));
  });

  test('keeps a draft for the next visit, where the button Start over discards the draft', async () => {
    const app = await changing();
    await app.close();
    const again = await account();
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer the Cook');
    await again.user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer');
    expect(drafts()).toEqual([]);
  });

  test('if the browser storage is full, warns that no draft can be saved, and asks for confirmation even before a reload', async () => {
    await signedIn();
    fakeReviews([]);
    const { user } = await account();
    fillStorage();
    await user.fill(screen.getByLabelText('Name'), ' the Cook');
    await screen.findByText('Your browser cannot save drafts. Save your changes before you leave the page.');
    expect(asksBeforeUnload()).toBe(true);
    await user.click(blogs());
    within(dialog()).getByText(
      'You have not saved your changes yet, and your browser cannot save drafts. If you leave, you lose them.',
    );
  });

  test('shows no warning about unsaved changes after the customer deleted the account', async () => {
    const app = await changing();
    fakeDeletion();
    await askToDelete(app);
    await expectDeleted(app);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(drafts()).toEqual([]);
  });
});

/** Returns a list to which each download adds a file. The downloads are faked, because jsdom cannot save files. */
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

/** Decodes the content of a file and keeps its byte order mark, which `blob.text()` would remove. */
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

test('the JSON export contains all reviews of the customer, even if the API returns them in several pages', async () => {
  await signedIn();
  const reviews = Array.from({ length: 5 }, (_, n) => review(n));
  fakeReviews(reviews, 2);
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as JSON' }));
  expect(await toastOf('5 reviews exported.')).toBe('success');
  expect(files[0]?.name).toMatch(/^rtr-cloud-kitchen-reviews-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse(await textOf(files[0]?.blob))).toEqual({
    reviews,
    replies: [],
    votes: [],
    reports: [],
    requests: [],
    emailsAboutNews: false,
  });
});

const reply = (n: number, given = {}) => ({
  text: `Thank you ${n}`,
  name: 'Cora Customer',
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
  reviewId: `65f0c0ffee0ddba11ca11ab${n}`,
  serviceId: '65f0c0ffee0ddba11ca11ab0',
  serviceName: 'Hood repair',
  ...given,
});

/** Fakes an API with these replies of the customer. Each page contains one reply. */
function fakeReplies(...replies: object[]): void {
  api.use(
    http.get('/api/account/replies', ({ request }) => {
      const from = Number(new URL(request.url).searchParams.get('after') ?? 0);
      const headers: Record<string, string> = { 'X-Total-Count': String(replies.length) };
      if (from + 1 < replies.length) headers.Link = `</account/replies?after=${from + 1}>; rel="next"`;
      return HttpResponse.json(replies.slice(from, from + 1), { headers });
    }),
  );
}

test('the JSON export contains the replies of a lister, even if they have written no reviews', async () => {
  await signedIn();
  fakeReviews([]);
  fakeReplies(reply(1), reply(2, { updatedAt: '2026-03-02T10:00:00.000Z' }));
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as JSON' }));
  expect(await toastOf('0 reviews and 2 replies exported.')).toBe('success');
  expect(JSON.parse(await textOf(files[0]?.blob))).toMatchObject({
    reviews: [],
    replies: [reply(1), { text: 'Thank you 2' }],
  });
});

test('the CSV export has a row for each reply of a lister', async () => {
  fakeReplies(reply(1), reply(2, { updatedAt: '2026-03-02T10:00:00.000Z' }));
  const [header, first, second] = (await exportedCsv()).split('\r\n');
  const cellsOf = (row = '') => {
    const names = header?.replace('\uFEFF', '').split(',');
    return Object.fromEntries(row.split(',').flatMap((cell, at) => (cell === '""' ? [] : [[names?.[at], cell]])));
  };
  expect(cellsOf(first)).toEqual({
    '"Service"': '"Hood repair"',
    '"Written at"': '"2026-03-01T10:00:00.000Z"',
    '"Name"': '"Cora Customer"',
    '"Service ID"': '"65f0c0ffee0ddba11ca11ab0"',
    '"Review ID"': '"65f0c0ffee0ddba11ca11ab1"',
    '"Your reply"': '"Thank you 1"',
  });
  expect(cellsOf(second)).toMatchObject({ '"Edited at"': '"2026-03-02T10:00:00.000Z"' });
});

/** Fakes an API with two votes of the customer. Each page contains one vote. */
function fakeVotes() {
  const votes = [1, 2].map((n) => ({ reviewId: review(n)._id, serviceId: review(n).serviceId, serviceName: 'Hood' }));
  api.use(
    http.get('/api/account/votes', ({ request }) => {
      const isSecond = new URL(request.url).searchParams.has('after');
      const headers: Record<string, string> = isSecond ? {} : { Link: '</account/votes?after=1>; rel="next"' };
      return HttpResponse.json([votes[isSecond ? 1 : 0]], { headers });
    }),
  );
  return votes;
}

test('the JSON export contains the reviews that the customer marked as useful', async () => {
  await signedIn();
  fakeReviews([review(3)]);
  const votes = fakeVotes();
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as JSON' }));
  expect(await toastOf('1 review exported.')).toBe('success');
  expect(JSON.parse(await textOf(files[0]?.blob))).toMatchObject({ votes });
});

test('the CSV export has a row for each review that the customer marked as useful', async () => {
  const votes = fakeVotes();
  const rows = (await exportedCsv(review(3))).split('\r\n').slice(2, -1);
  expect(rows.map((row) => row.match(/[^",]+/g))).toEqual(
    votes.map(({ reviewId, serviceId, serviceName }) => [serviceName, serviceId, reviewId, 'yes']),
  );
});

/**
 * Fakes an API with two reports that the customer has sent. The export reads the list of reports page by page, and each
 * page contains one report.
 */
function fakeReports() {
  const [reviewId, serviceId] = ['65f0c0ffee0ddba11ca11ab1', '65f0c0ffee0ddba11ca11ab0'];
  const report = { reason: 'fake', text: 'Not a customer', createdAt: '2026-03-01T10:00:00.000Z' };
  const target = { serviceId, title: 'Hood' };
  const decision = { status: 'closed', outcome: 'kept' };
  const reports = [
    { ...report, target: { ...target, kind: 'review', id: reviewId }, about: 'reply', status: 'open' },
    { ...report, target: { ...target, kind: 'service', id: serviceId }, about: 'service', ...decision },
  ];
  api.use(
    http.get('/api/account/reports', ({ request }) => {
      const { searchParams } = new URL(request.url);
      // A request for 100 reports comes from the export. Other requests come from the list of reports on the account page.
      if (searchParams.get('limit') !== '100') return HttpResponse.json(reports);
      const isSecond = searchParams.has('after');
      const headers: Record<string, string> = isSecond ? {} : { Link: '</account/reports?after=1>; rel="next"' };
      return HttpResponse.json([reports[isSecond ? 1 : 0]], { headers });
    }),
  );
  return reports;
}

test('the JSON export contains the reports of the customer', async () => {
  await signedIn();
  fakeReviews([]);
  const reports = fakeReports();
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as JSON' }));
  expect(await toastOf('0 reviews and 2 reports exported.')).toBe('success');
  expect(JSON.parse(await textOf(files[0]?.blob))).toMatchObject({ reports });
});

test('the CSV export has a row for each report of the customer, with its outcome', async () => {
  fakeReports();
  const rows = (await exportedCsv()).split('\r\n').slice(1, -1);
  const [reviewId, serviceId] = ['65f0c0ffee0ddba11ca11ab1', '65f0c0ffee0ddba11ca11ab0'];
  const sentAt = '2026-03-01T10:00:00.000Z';
  expect(rows.map((row) => row.match(/[^",]+/g))).toEqual([
    ['Hood', sentAt, serviceId, reviewId, 'reply', 'fake', 'Not a customer', 'open'],
    ['Hood', sentAt, serviceId, 'service', 'fake', 'Not a customer', 'kept'],
  ]);
});

test('the page Account says how many replies are deleted with the account', async () => {
  await signedIn();
  fakeReviews([review(1)]);
  fakeReplies(reply(1), reply(2));
  await account();
  await screen.findByText('Your 2 replies to reviews are deleted too.');
});

async function exportedCsv(...reviews: object[]): Promise<string> {
  await signedIn();
  fakeReviews(reviews);
  const files = savedFiles();
  const { user } = await account();
  await user.click(await screen.findByRole('button', { name: 'Export as CSV' }));
  await waitFor(() => expect(files[0]?.name).toMatch(/\.csv$/));
  return textOf(files[0]?.blob);
}

test('the CSV export follows RFC 4180 and is encoded in UTF-8 with a byte order mark', async () => {
  const photos = [1, 2].map((n) => ({ url: `https://kitchen.example/pictures/u/${n}`, alt: '' }));
  const csv = await exportedCsv(
    review(1, {
      rating: 4,
      review: 'Größe "XL",\nand quiet',
      photos,
      serviceName: 'Hood',
      usefulCount: 3,
      reply: { text: 'Thanks', name: 'Lena', createdAt: '2026-02-03T10:00:00.000Z', updatedAt: '' },
    }),
  );
  expect(csv).toBe(
    '\uFEFF"Service","Price","Stars","Review","Review photos","Date","Time","Written at","Edited at","Name","Photo","Email","Service picture","Reply","Reply by","Replied at","Found useful by","Service ID","Review ID","Your reply","Useful to you","Reported","Your reason","Your report","Outcome","Request ID","Message from","Message","Message photos","By the lister","No longer listed","Reason for hiding","Reason for removing photos"\r\n' +
      '"Hood","$10","4","Größe ""XL"",\nand quiet","https://kitchen.example/pictures/u/1\nhttps://kitchen.example/pictures/u/2","2/2/2026","10:00:00 AM","2026-02-02T10:00:00.000Z","","Cora Customer","","cora@example.com","","Thanks","Lena","2026-02-03T10:00:00.000Z",' +
      '"3","fffffffffffffffffffffff1","000000000000000000000001","","","","","","","","","","","","","",""\r\n',
  );
});

test('the last columns of the CSV export mark reviews of the customer’s own services, reviews of services that are no longer listed, and hidden content', async () => {
  const hidden = { at: '2026-03-01T10:00:00.000Z', reason: 'Advertising' };
  fakeReplies({ ...reply(1), hidden: { ...hidden, reason: 'An insult' } });
  const csv = await exportedCsv(
    review(1, { byLister: true, rating: 5 }),
    review(2, { isUnlisted: true }),
    review(3, { hidden }),
    review(4, { removedPhotos: { ...hidden, reason: 'A face' } }),
  );
  expect(csv.match(/("[^"]*",){3}"[^"]*"\r\n/g)).toEqual([
    '"By the lister","No longer listed","Reason for hiding","Reason for removing photos"\r\n',
    '"yes","","",""\r\n',
    '"","yes","",""\r\n',
    '"","","Advertising",""\r\n',
    '"","","","A face"\r\n',
    '"","","An insult",""\r\n',
  ]);
});

test('no spreadsheet program runs a text of the CSV export as a formula', async () => {
  const texts = [
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
  ] as const;
  const csv = await exportedCsv(...texts.map(([typed], index) => review(index, { review: typed })));
  for (const [, exported] of texts) expect(csv).toContain(`,"${exported}",`);
});

test('the export of reviews shows an error and downloads no file when the reviews fail to load', async () => {
  await signedIn();
  fakeReviews([review(1)]);
  const files = savedFiles();
  const { user } = await account();
  api.use(http.get('/api/review', () => problem(503, 'The database does not answer.')));
  await user.click(await screen.findByRole('button', { name: 'Export as CSV' }));
  await screen.findByText('Your reviews were not exported. Try again.');
  expect(files).toEqual([]);
});

test('deleting the account signs the customer out, removes the token and the drafts, and opens the home page', async () => {
  const cora = await signedIn();
  localStorage.setItem(`rtr-draft:${cora.uid}:service`, '{}');
  fakeReviews([review(1), review(2)]);
  const sent = fakeDeletion();
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
] as const)(
  'the text about the deletion of the account mentions the customer’s reviews only if there are any (number of reviews: %s)',
  async ([total, said]) => {
    await signedIn();
    fakeReviews(Array.from({ length: total }, (_, n) => review(n)));
    await account();
    await screen.findByText(said);
  },
);

test('closing the dialog about the deletion of the account sends no request', async () => {
  await signedIn();
  fakeReviews([]);
  const sent = fakeDeletion();
  const app = await account();
  await app.user.click(screen.getByRole('button', { name: 'Delete my account' }));
  await app.user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent).toEqual([]);
});

test('the deletion of the account asks for the password again when the last login was too long ago', async () => {
  const cora = await signedIn();
  fakeReviews([]);
  const sent = fakeDeletion(tooLongAgo);
  const app = await account();
  const dialog = await askToDelete(app);
  const password = await dialog.findByLabelText('Password');
  expect(document.activeElement).toBe(password);
  expect(dialog.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
  await app.user.fill(password, 'not-it-1');
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  await dialog.findByText(
    'This password is not correct. Try again, or sign out and set a new password on the login page.',
  );
  expect(sent).toHaveLength(1);

  // The Auth emulator stores the time of a login in whole seconds. Wait until the next login has a later time than the
  // first one.
  const first = Number(claims(sent[0]).auth_time);
  await waitFor(() => expect(Date.now() / 1000).toBeGreaterThan(first + 1), { interval: 100 });
  await app.user.clear(password);
  await app.user.fill(password, cora.password);
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  await expectDeleted(app);
  expect(sent).toHaveLength(2);
  expect(Number(claims(sent[1]).auth_time)).toBeGreaterThan(first);
});

test('a toast is shown in a live region of the topmost dialog, and moves to a live region of the page after all dialogs are closed', async () => {
  await signedIn();
  fakeReviews([]);
  const app = await open('/blogs', '/account');
  const regionIn = (part: HTMLElement) => within(part).getByRole('region', { name: 'Notifications' });
  await app.user.fill(await screen.findByLabelText('Name'), ' the Cook');
  api.use(http.delete('/api/account', noResponse));
  const dialog = await askToDelete(app);
  const regions = dialog.getByRole('region', { name: 'Notifications' });
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

test('a customer who signed in with Google confirms the deletion of the account by signing in with Google again', async () => {
  const app = await open({ pathname: '/login', state: { from: { pathname: '/account' } } });
  fakeReviews([]);
  await app.user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  const email = `g-${crypto.randomUUID()}@example.com`;
  await app.user.fill(within(await screen.findByRole('dialog')).getByLabelText('Use another email'), email);
  await app.user.click(screen.getByRole('button', { name: 'Continue with this email' }));
  await screen.findByRole('heading', { level: 1, name: 'Account' });
  const sent = fakeDeletion(tooLongAgo);
  const dialog = await askToDelete(app);
  await app.user.click(await dialog.findByRole('button', { name: 'Continue with Google' }));
  await expectDeleted(app);
  expect(dialog.queryByLabelText('Password')).toBeNull();
  expect(sent).toHaveLength(2);
});

test('the customer is signed out when the API has closed the account but could not finish its deletion', async () => {
  const cora = await signedIn();
  localStorage.setItem(`rtr-draft:${cora.uid}:service`, '{}');
  fakeReviews([]);
  fakeDeletion(() => problem(503, 'Your account is closed.'));
  const app = await account();
  api.use(http.post('/api/jwt', () => problem(401, 'Its account is closed.')));
  await askToDelete(app);
  await expectDeleted(app);
  expect(Object.keys(localStorage)).toEqual([]);
});

test.for([
  [503, 'Your account was not deleted. Try again in a minute.'],
  [500, 'Your account was not deleted. Try again in a minute.'],
  [429, 'That was quick. Try again in 10 seconds.'],
  [401, 'Your session has ended, or your account is already deleted. Log in again to check.'],
] as const)(
  'the customer stays signed in when the deletion of the account fails with the status %i',
  async ([status, said]) => {
    const cora = await signedIn();
    fakeReviews([]);
    fakeDeletion(() => problem(status, 'No.'));
    const app = await account();
    const dialog = await askToDelete(app);
    await dialog.findByText(said);
    expect(app.address()).toBe('/account');
    expect(app.session.getState().user?.uid).toBe(cora.uid);
  },
);

test('the account page says that it could not confirm the deletion of the account when the API sends no response', async () => {
  await signedIn();
  fakeReviews([]);
  const app = await account();
  api.use(
    http.delete('/api/account', () => HttpResponse.error()),
    http.post('/api/jwt', () => HttpResponse.error()),
  );
  const dialog = await askToDelete(app);
  expect(app.address()).toBe('/account');
  await dialog.findByText('We could not confirm that your account was deleted. Try again in a minute.');
});

test.for([
  [502, 503],
  [503, 429],
  [504, 403],
] as const)(
  'the account page says that it could not confirm the deletion of the account when the deletion fails with the status %i, and the request that checks the account fails with the status %i',
  async ([status, checkStatus]) => {
    await signedIn();
    fakeReviews([]);
    fakeDeletion(() => problem(status, 'No.'));
    const app = await account();
    api.use(http.post('/api/jwt', () => problem(checkStatus, 'No.')));
    const dialog = await askToDelete(app);
    await dialog.findByText('We could not confirm that your account was deleted. Try again in a minute.');
    expect(app.address()).toBe('/account');
  },
);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the export of requests', () => {
  const photos = [
    { id: 'a'.repeat(24), alt: 'Grease' },
    { id: 'b'.repeat(24), alt: '' },
  ];
  const conversation = aConversation({
    messages: [aMessage({ text: 'Can you come?', photos }), aMessage({ isOwn: true, text: 'Yes.' })],
  });
  const fakeRequest = () => {
    fakeConversation(conversation);
    api.use(http.get('/api/requests', () => HttpResponse.json([summaryOf(conversation)])));
  };

  test('the JSON export contains the requests with their messages', async () => {
    await signedIn();
    fakeReviews([]);
    fakeRequest();
    const files = savedFiles();
    const { user } = await account();
    await user.click(await screen.findByRole('button', { name: 'Export as JSON' }));
    expect(await toastOf('0 reviews and 1 request exported.')).toBe('success');
    expect(JSON.parse(await textOf(files[0]?.blob))).toMatchObject({ requests: [conversation] });
  });

  test('the CSV export has a row for each message, with the descriptions of the photos', async () => {
    fakeRequest();
    const csv = await exportedCsv();
    expect(csv).toContain('"Amira Haddad","Can you come?","Grease\nphoto"');
    expect(csv).toContain('"you","Yes.",""');
  });
});
