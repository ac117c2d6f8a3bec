import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { accessTokenFor, api, bearerOf, limitReached, problem, signedIn, type TestCustomer } from '../support/api.ts';
import { fillStorage, logIn, type Opened, open, storedDrafts, toastOf } from '../support/app.tsx';
import { aReview, aService } from '../support/catalogue.ts';

const serviceId = '65f0c0ffee0ddba11ca11ab1';
const service = aService({
  _id: serviceId,
  title: 'Hood repair: rattling fans',
  img: 'http://localhost:3000/pictures/hood-repair-rattle.svg',
});

interface Sent {
  key: string | null;
  bearer: string | undefined;
  body: Record<string, unknown>;
}

/** Fakes an API with one service. Returns the reviews that it receives. */
function fakeApi(response: () => Response | Promise<Response> = created): Sent[] {
  const sent: Sent[] = [];
  api.use(
    http.get(`/api/services/${serviceId}`, () => HttpResponse.json(service)),
    http.get('/api/allreview', () => HttpResponse.json([])),
    http.get('/api/review', () => HttpResponse.json([])),
    http.get('/api/review/:id', () => problem(404, 'There is no review with this id.')),
    http.post('/api/review', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push({ key: request.headers.get('Idempotency-Key'), bearer: bearerOf(request), body });
      return response();
    }),
  );
  return sent;
}

const reviewId = '65f0c0ffee0ddba11ca11ab2';
const created = () => HttpResponse.json({ acknowledged: true, insertedId: reviewId }, { status: 201 });

async function openForm(
  from = { pathname: `/services/${serviceId}`, search: '', hash: '#reviews' },
): Promise<{ app: Opened; cora: TestCustomer }> {
  const cora = await signedIn();
  const app = await open({ pathname: `/review/${serviceId}`, state: { from } });
  await screen.findByRole('heading', { name: 'Write a review' });
  return { app, cora };
}

const send = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Send review' }));
/** Sends a review with stars and no text. */
async function sendStars(app: Opened) {
  await app.user.click(screen.getByRole('radio', { name: '4 stars: Very good' }));
  await send(app);
}
const words = () => screen.getByLabelText<HTMLTextAreaElement>('Your review');

test('the review form links to the review that the customer has already written of this service', async () => {
  fakeApi();
  const earlier = aReview(service, { _id: reviewId, review: 'Quiet again.' });
  let asked: URLSearchParams | undefined;
  api.use(
    http.get('/api/review', ({ request }) => {
      asked = new URL(request.url).searchParams;
      return HttpResponse.json([{ ...earlier, email: asked.get('email') }]);
    }),
  );
  await openForm();
  const link = await screen.findByRole('link', { name: 'Edit your review' });
  expect(link.getAttribute('href')).toBe(`/editreview/${reviewId}`);
  expect(link.closest('[role=status]')?.textContent).toContain('You have already reviewed this service.');
  expect(asked?.get('serviceId')).toBe(serviceId);
});

test('the review form sends the text exactly as typed, the stars and the other fields, and then opens the review on the service page', async () => {
  const sent = fakeApi();
  const { app, cora } = await openForm();
  await waitFor(() => expect(document.title).toBe('Review RTR Cloud Kitchen'));
  expect(screen.getByLabelText('Name')).toMatchObject({ value: 'Cora Customer', readOnly: true });
  expect(screen.getByLabelText('Email')).toMatchObject({ value: cora.email, readOnly: true });
  await app.user.type(words(), '  Quiet again.{Enter}Took an hour.  ');
  await app.user.click(screen.getByRole('radio', { name: '4 stars: Very good' }));
  await send(app);
  expect(await toastOf('Thanks for Your Review')).toBe('success');
  await waitFor(() => expect(app.address()).toBe(`/services/${serviceId}#review-${reviewId}`));
  expect(sent).toHaveLength(1);
  const [{ body, bearer, key }] = sent as [Sent];
  expect(body).toEqual({
    serviceId,
    serviceName: service.title,
    price: service.price,
    img: service.img,
    customer: 'Cora Customer',
    email: cora.email,
    costomerImg: '',
    review: '  Quiet again.\nTook an hour.  ',
    rating: 4,
    time: expect.stringMatching(/\d/) as string,
    date: expect.stringMatching(/\d/) as string,
  });
  expect(bearer).toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
  expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ['this page with a filter by stars', `/services/${serviceId}`, '?rating=1&sort=highest'],
  ['this page under another spelling of its address', `/Services/${serviceId}/`, ''],
])(
  'the page of a service focuses a new review and labels it “Yours”, even if the form was opened from %s',
  async (_, pathname, search) => {
    fakeApi();
    const said = aReview({ ...aService(), ...service }, { _id: reviewId, review: 'Quiet again.', rating: 4 });
    const { app, cora } = await openForm({ pathname, search, hash: '' });
    api.use(
      http.get('/api/allreview', ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.has('rating') ? [] : [said]),
      ),
      http.get('/api/review', () => HttpResponse.json([{ ...said, email: cora.email }])),
    );
    await sendStars(app);
    await waitFor(() => expect(app.address()).toBe(`/services/${serviceId}#review-${reviewId}`));
    await screen.findByText('Showing your review.');
    const row = screen.getByText('Quiet again.').closest('tr') as HTMLElement;
    expect(document.activeElement).toBe(row);
    within(row).getByText('Yours');
    within(row).getByRole('link', { name: /^Edit/ });
    within(row).getByRole('button', { name: /^Delete/ });
  },
);

test.each([
  ['a list of services', '/services', '?q=hood'],
  ['the page of another service', '/services/65f0c0ffee0ddba11ca11ab9', ''],
])(
  'after a review is sent, the form returns to the page from which it was opened, such as %s',
  async (_, pathname, search) => {
    fakeApi();
    api.use(
      http.get('/api/services/65f0c0ffee0ddba11ca11ab9', () =>
        HttpResponse.json({ ...service, _id: '65f0c0ffee0ddba11ca11ab9' }),
      ),
    );
    const { app } = await openForm({ pathname, search, hash: '' });
    await sendStars(app);
    await toastOf('Thanks for Your Review');
    await waitFor(() => expect(app.address()).toBe(pathname + search));
  },
);

test('the review form warns once about a review without text, stars and photos, and then accepts it', async () => {
  const sent = fakeApi();
  const { app } = await openForm();
  const warning =
    'Your review has no text, no stars and no photos. Add something, or press “Send review” again to continue.';
  await send(app);
  screen.getByText(warning);
  expect(document.activeElement).toBe(words());
  await app.user.click(screen.getByRole('radio', { name: '2 stars: Fair' }));
  expect(screen.queryByText(warning)).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Clear stars' }));
  await send(app);
  screen.getByText(warning);
  expect(sent).toEqual([]);
  await send(app);
  expect(await toastOf('Thanks for Your Review')).toBe('success');
  expect(sent[0]?.body).toMatchObject({ review: '' });
  expect(sent[0]?.body).not.toHaveProperty('rating');
});

test('the arrow keys set the stars of a review, a text shows the meaning of the stars, and the button Clear stars removes them', async () => {
  fakeApi();
  const { app } = await openForm();
  const star = (name: string) => screen.getByRole('radio', { name });
  await app.user.click(star('1 star: Poor'));
  await app.user.keyboard('{ArrowRight}{ArrowRight}');
  expect(star('3 stars: Good')).toHaveProperty('checked', true);
  screen.getByText('Good');
  await app.user.click(screen.getByRole('button', { name: 'Clear stars' }));
  expect(star('3 stars: Good')).toHaveProperty('checked', false);
  expect(document.activeElement).toBe(star('1 star: Poor'));
});

test('the review form keeps the text when the API is unavailable, and the button Try again sends the same idempotency key', async () => {
  let isUnavailable = true;
  const sent = fakeApi(() => (isUnavailable ? problem(503, 'The database does not answer.') : created()));
  const { app } = await openForm();
  await app.user.fill(words(), 'Kept.');
  await send(app);
  const said = 'We cannot reach the kitchen right now. Your text is safe here.';
  expect(await toastOf(said)).toBe('error');
  const alert = await within(screen.getByRole('main')).findByRole('alert');
  expect(alert.textContent).toContain(said);
  expect(words().value).toBe('Kept.');
  isUnavailable = false;
  await app.user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await toastOf('Thanks for Your Review')).toBe('success');
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test.each<[name: string, response: () => Response]>([
  ['`acknowledged` is false', () => HttpResponse.json({ acknowledged: false, insertedId: 'x' })],
  ['an empty object', () => HttpResponse.json({})],
  ['null', () => HttpResponse.json(null)],
  ['a list', () => HttpResponse.json([])],
  ['no body', () => new HttpResponse(null, { status: 204 })],
  ['the page of a captive portal', () => HttpResponse.html('<h1>Log in to the Wi-Fi</h1>')],
])('the review form stays open when the API sends an unexpected response: %s', async (_, response) => {
  const responses = [response, created];
  const sent = fakeApi(() => (responses.shift() ?? created)());
  const { app } = await openForm();
  await app.user.fill(words(), 'Kept.');
  await send(app);
  const said = 'Your review was not sent. The text is safe here.';
  expect(await toastOf(said)).toBe('error');
  const alert = await within(screen.getByRole('main')).findByRole('alert');
  expect(alert.textContent).toContain(said);
  expect(words().value).toBe('Kept.');
  await app.user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await toastOf('Thanks for Your Review')).toBe('success');
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[0]?.key]);
});

test('the review form restores its draft and idempotency key after a reload, and the button Start over discards the draft', async () => {
  const sent = fakeApi(() => problem(503, 'The API is unavailable.'));
  const { app } = await openForm();
  await app.user.fill(words(), 'Half a thought');
  await app.user.click(screen.getByRole('radio', { name: '2 stars: Fair' }));
  await within(screen.getByRole('main')).findByText('Draft kept on this device');
  await send(app);
  await waitFor(() => expect(sent).toHaveLength(1));
  await app.close();

  const again = await open(`/review/${serviceId}`);
  await screen.findByText(/^We kept your draft from /);
  expect(words().value).toBe('Half a thought');
  expect(screen.getByRole('radio', { name: '2 stars: Fair' })).toHaveProperty('checked', true);
  await send(again);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.key).toBe(sent[0]?.key);

  await again.user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(words().value).toBe('');
  expect(screen.queryByText(/^We kept your draft from /)).toBeNull();
});

test('the review form saves a draft before it sends a review, even an empty review, and removes the draft after success', async () => {
  const drafts: unknown[] = [];
  const sent = fakeApi(() => {
    drafts.push(...storedDrafts());
    return created();
  });
  const { app } = await openForm();
  await send(app);
  expect(storedDrafts()).toEqual([]);
  await send(app);
  expect(await toastOf('Thanks for Your Review')).toBe('success');
  expect(drafts).toEqual([
    { values: { review: '', rating: '' }, idempotencyKey: sent[0]?.key, at: expect.any(Number) as number },
  ]);
  expect(storedDrafts()).toEqual([]);
});

test('the draft of a review is not shown to another customer on the same device', async () => {
  fakeApi();
  const { app } = await openForm();
  await app.user.fill(words(), 'Mine alone');
  await within(screen.getByRole('main')).findByText('Draft kept on this device');
  await app.close();
  await openForm();
  expect(words().value).toBe('');
});

test('the review form keeps the text when the session has ended, and the login returns to the form', async () => {
  fakeApi(() => problem(401, 'Send a current access token.'));
  const { app, cora } = await openForm();
  await app.user.fill(words(), 'Typed.');
  api.use(http.post('/api/jwt', () => problem(401, 'No.')));
  await send(app);
  const said = 'Your session has ended. Log in again to go on; what you typed is kept.';
  // The only message is the notice, which announces itself.
  expect((await screen.findByText(said)).closest('[role=status]')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  // A toast about the pending request can be shown before.
  await waitFor(() => expect(document.querySelector('[data-toast]')).toBeNull());
  expect(words().value).toBe('Typed.');
  await app.user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  await waitFor(() => expect(app.address()).toBe('/login'));
  api.use(
    http.post('/api/jwt', ({ request }) => HttpResponse.json({ token: accessTokenFor(bearerOf(request) ?? '') })),
  );
  await logIn(app, cora);
  await waitFor(() => expect(app.address()).toBe(`/review/${serviceId}`));
  expect(words().value).toBe('Typed.');
});

test('the review form shows an error beside a text that is too long, and focuses the field after each attempt to send the form', async () => {
  const sent = fakeApi();
  const { app } = await openForm();
  fireEvent.input(words(), { target: { value: 'x'.repeat(5001) } });
  await send(app);
  await screen.findByText('Use 5,000 characters or fewer.');
  expect(document.activeElement).toBe(words());
  await send(app);
  await waitFor(() => expect(document.activeElement).toBe(words()));
  expect(sent).toEqual([]);
});

test.each([400, 403])(
  'the review form shows the message of the API, and has no button Try again, after a response with status %d',
  async (status) => {
    fakeApi(() => problem(status, 'Shorten the review.'));
    const { app } = await openForm();
    await app.user.fill(words(), 'Kept.');
    await send(app);
    const alert = within(await within(screen.getByRole('main')).findByRole('alert'));
    alert.getByText('Your review was not sent. The text is safe here.');
    alert.getByText('Shorten the review.');
    expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(words().value).toBe('Kept.');
  },
);

test('the review form has a button Try again after a response with status 408', async () => {
  fakeApi(() => problem(408, 'The request took too long.'));
  const { app } = await openForm();
  await sendStars(app);
  const alert = within(await within(screen.getByRole('main')).findByRole('alert'));
  alert.getByText('We cannot reach the kitchen right now. Your text is safe here.');
  alert.getByRole('button', { name: 'Try again' });
});

test('the review form says how long to wait after too many requests', async () => {
  fakeApi(() => problem(429, 'Slow down.', { 'Retry-After': '7' }));
  const { app } = await openForm();
  await sendStars(app);
  expect(await toastOf('That was quick. Try again in 7 seconds.')).toBe('error');
});

test.for([
  ['reviews-per-day', 'You can add the next one in 3 hours.'],
  ['reviews-per-service', 'Delete one of them to write another.'],
] as const)(
  'the review form keeps the text and shows the message of the API when the limit “%s” is reached',
  async ([limit, detail]) => {
    fakeApi(() => limitReached(limit, detail));
    const { app, cora } = await openForm();
    await app.user.fill(words(), 'One too many');
    await send(app);
    expect(await toastOf('Your review was not sent. The text is safe here.')).toBe('error');
    const alert = within(await within(screen.getByRole('main')).findByRole('alert'));
    alert.getByText('Your review was not sent. The text is safe here.');
    alert.getByText(detail);
    expect(alert.getByRole('link', { name: 'My Review' }).getAttribute('href')).toBe('/myreview');
    expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(words().value).toBe('One too many');
    expect(localStorage.getItem(`rtr-draft:${cora.uid}:${serviceId}`)).toContain('One too many');
  },
);

test('if the service was removed while the customer wrote the review, the form says so and its button Copy text copies the review', async () => {
  fakeApi(() => problem(404, 'There is no such service.'));
  const { app } = await openForm();
  await app.user.fill(words(), 'Worth keeping.');
  await send(app);
  await toastOf('This service was removed while you were writing. Copy your text if you want to keep it.');
  await app.user.click(await screen.findByRole('button', { name: 'Copy text' }));
  expect(await toastOf('Text copied')).toBe('success');
  expect(await navigator.clipboard.readText()).toBe('Worth keeping.');
});

test('if the service was removed while the customer wrote the review, its page says so when the customer goes back', async () => {
  fakeApi(() => problem(404, 'There is no such service.'));
  await signedIn();
  const app = await open(`/services/${serviceId}`);
  await screen.findByRole('heading', { name: service.title });
  await app.go(`/review/${serviceId}`);
  api.use(http.get(`/api/services/${serviceId}`, () => problem(404, 'There is no such service.')));
  await sendStars(app);
  await screen.findByRole('button', { name: 'Copy text' });
  await app.back();
  await screen.findByRole('heading', { name: 'This service is not listed' });
});

test('when the browser blocks copying, a click on “Copy text” shows a message that asks the customer to copy the text by hand', async () => {
  fakeApi(() => problem(404, 'There is no such service.'));
  const { app } = await openForm();
  await sendStars(app);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('Blocked', 'NotAllowedError'));
  await app.user.click(await screen.findByRole('button', { name: 'Copy text' }));
  expect(await toastOf('We could not copy your text. Select the text and copy it.')).toBe('error');
});

test('if the service was withdrawn after the customer closed the review form, the page of the form shows the draft, which can be copied', async () => {
  fakeApi();
  const { app } = await openForm();
  await app.user.fill(words(), 'They came at night.');
  await app.close();
  api.use(http.get(`/api/services/${serviceId}`, () => problem(404, 'No service has this id.')));
  const again = await open(`/review/${serviceId}`);
  await screen.findByRole('heading', { name: 'This service is not listed' });
  expect(screen.getByLabelText('Your text')).toMatchObject({ value: 'They came at night.', readOnly: true });
  await again.user.click(screen.getByRole('button', { name: 'Copy text' }));
  expect(await navigator.clipboard.readText()).toBe('They came at night.');
});

test('the review form of an unknown service is replaced by a page that says that the service is not listed', async () => {
  await signedIn();
  api.use(http.get('/api/services/nope', () => problem(404, 'There is nothing.')));
  await open('/review/nope');
  await screen.findByRole('heading', { name: 'This service is not listed' });
  screen.getByRole('link', { name: 'See all services' });
  await waitFor(() => expect(document.title).toBe('Not Found RTR Cloud Kitchen'));
});

test('the review form redirects a visitor to the login without loading the service', async () => {
  const app = await open(`/review/${serviceId}`);
  await screen.findByLabelText('Password');
  expect(app.address()).toBe('/login');
});

test('leaving the review form asks for confirmation only if the draft could not be saved', async () => {
  fakeApi();
  const { app } = await openForm();
  const leave = () =>
    app.user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Blogs' }));
  await app.user.fill(words(), 'Kept');
  await leave();
  await screen.findByRole('heading', { name: 'Blogs' });
  await app.go(`/review/${serviceId}`);
  await screen.findByText(/^We kept your draft from /);
  fillStorage();
  await app.user.fill(words(), ', and lost');
  await leave();
  const dialog = screen.getByRole('dialog', { name: 'Leave without sending?' });
  await app.user.click(within(dialog).getByRole('button', { name: 'Stay' }));
  // The review is sent, so the customer can leave the form without a confirmation.
  await send(app);
  await waitFor(() => expect(app.address()).toBe('/'));
});
