import { limits, type Service, serviceInput } from '@rtr/shared';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { api, bearerOf, limitReached, problem, signedIn, subjectOf } from '../support/api.ts';
import { fillStorage, type Opened, open, saying, storedDrafts, toastOf } from '../support/app.tsx';
import { aService, serve } from '../support/catalogue.ts';

interface Sent {
  key: string | null;
  bearer: string | undefined;
  body: unknown;
}

function fakeApi(response: () => Response = created): Sent[] {
  const sent: Sent[] = [];
  api.use(
    http.post('/api/services', async ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      sent.push({ key, bearer: bearerOf(request), body: await request.json() });
      return response();
    }),
  );
  return sent;
}

const created = () =>
  HttpResponse.json({ acknowledged: true, insertedId: '65f0c0ffee0ddba11ca11ab3' }, { status: 201 });

async function openForm(): Promise<Opened> {
  await signedIn();
  const app = await open({ pathname: '/addservices', state: { from: { pathname: '/blogs', search: '', hash: '' } } });
  await screen.findByRole('heading', { name: 'Add a service' });
  return app;
}

const send = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Add service' }));

test('the form that adds a service shows the customer’s name from the access token and not from the Firebase profile, because the API stores the name from the token', async () => {
  const { idToken } = await signedIn();
  const claims = btoa(
    String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ sub: subjectOf(idToken), name: 'Zoë Duct' }))),
  );
  localStorage.setItem('rtr-cloud-kitchen-token', `e30.${claims}.`);
  await open('/addservices');
  await screen.findByText(
    saying(
      'Everyone can see these details. Your name, Zoë Duct, is shown with your service. It links to a page with your photo and your services.',
    ),
  );
});

test('the form that adds a service sends the text exactly as typed, and returns to the previous page', async () => {
  const sent = fakeApi();
  const app = await openForm();
  await waitFor(() => expect(document.title).toBe('Add Service RTR Cloud Kitchen'));
  await app.user.fill(screen.getByLabelText('Title'), ' Fan balancing ');
  await app.user.fill(screen.getByLabelText('Rating'), 'very good');
  await app.user.fill(screen.getByLabelText('Picture URL'), 'https://pictures.example/fan.jpg');
  await app.user.fill(screen.getByLabelText('Price'), 'from $90');
  await app.user.fill(screen.getByLabelText('Description'), 'Where it hangs.');
  await app.user.fill(screen.getByLabelText('Phone'), ' +1 (555) 0100 ');
  await app.user.fill(screen.getByLabelText('Website'), 'https://fans.example/');
  await app.user.fill(screen.getByLabelText('Area'), 'Brooklyn');
  await app.user.fill(screen.getByLabelText('Opening hours'), 'Mon to Fri');
  await app.user.fill(screen.getByLabelText('Licence'), 'Gas 4711');
  await app.user.selectOptions(screen.getByLabelText('Insured'), 'Yes');
  // The preview of the service shows the typed text.
  expect(screen.getByText(saying('Lister’s own rating: very good'))).toBeDefined();
  // Only a service that exists can have a heart button, so the preview of a new service has none.
  await vi.dynamicImportSettled();
  expect(screen.queryByRole('button', { name: /^Save / })).toBeNull();
  await send(app);
  expect(await toastOf('Service Add Successfully')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/blogs'));
  expect(sent).toEqual([
    {
      key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      bearer: localStorage.getItem('rtr-cloud-kitchen-token'),
      body: {
        title: ' Fan balancing ',
        ratting: 'very good',
        img: 'https://pictures.example/fan.jpg',
        price: 'from $90',
        description: 'Where it hangs.',
        phone: ' +1 (555) 0100 ',
        website: 'https://fans.example/',
        area: 'Brooklyn',
        hours: 'Mon to Fri',
        licence: 'Gas 4711',
        insured: 'yes',
      },
    },
  ]);
});

test('after a service is added, the toast links to the page of the service', async () => {
  const service = aService({ title: 'Fan balancing' });
  serve([service]);
  api.use(http.post('/api/services', () => HttpResponse.json({ acknowledged: true, insertedId: service._id })));
  const app = await openForm();
  await app.user.fill(screen.getByLabelText('Title'), 'Fan balancing');
  await send(app);
  await app.user.click(await screen.findByRole('link', { name: 'See your service' }));
  await screen.findByRole('heading', { level: 1, name: 'Fan balancing' });
  expect(app.address()).toBe(`/services/${service._id}`);
  expect(screen.queryByRole('link', { name: 'See your service' })).toBeNull();
});

test('if the customer opens the page My services while a service is being added, the app stays on that page and then shows the new service', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const rows: Service[] = [];
  const app = await openForm();
  api.use(
    http.post('/api/services', () => promise),
    http.get('/api/account/services', () =>
      HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } }),
    ),
  );
  await app.user.fill(screen.getByLabelText('Title'), 'Fan balancing');
  await send(app);
  await app.user.click(screen.getByRole('link', { name: 'My services' }));
  await screen.findByRole('heading', { name: 'You have not listed anything yet' });
  rows.push(aService({ title: 'Fan balancing' }));
  resolve(created());
  expect(await toastOf('Service Add Successfully')).toBe('success');
  await screen.findByRole('link', { name: 'Fan balancing' });
  expect(app.address()).toBe('/myservices');
});

test('the form that adds a service begins with the five fields of the specification, and says that the name of the customer will be shown', async () => {
  await openForm();
  const labels = screen.getAllByRole('textbox').map((field) => (field as HTMLInputElement).labels?.[0]?.textContent);
  const specified = ['Title', 'Rating', 'Picture URL', 'Price', 'Description'];
  expect(labels).toEqual([...specified, 'Phone', 'Website', 'Area', 'Opening hours', 'Licence']);
  screen.getByText(
    saying(
      'Everyone can see these details. Your name, Cora Customer, is shown with your service. It links to a page with your photo and your services.',
    ),
  );
});

test.each(['Phone', 'Website'])(
  'the form that adds a service says that customers will have no way to call, until the customer fills in the field “%s”',
  async (label) => {
    const app = await openForm();
    const warning = 'Without a phone number or a website, customers have no way to call you.';
    screen.getByText(warning);
    await app.user.fill(screen.getByLabelText(label), '5');
    expect(screen.queryByText(warning)).toBeNull();
  },
);

test('the form that adds a service focuses a field with an invalid text, and shows the error there', async () => {
  const sent = fakeApi();
  const app = await openForm();
  await app.user.fill(screen.getByLabelText('Title'), 'With contact details');
  for (const [label, value, error] of [
    ['Website', 'javascript:alert(1)', 'Enter a web address that begins with https:// or http://.'],
    [
      'Website',
      'https://cora:secret@example.com',
      'Remove the user name and password from this web address. Everyone who sees the service could read them.',
    ],
    ['Website', `https://example.com/${'a'.repeat(limits.urlLength)}`, 'Use 2,048 characters or fewer.'],
    ['Phone', 'room 1234', 'Enter a phone number with at least 5 digits, or leave this empty.'],
    ['Picture URL', 'javascript:alert(1)', /^Enter a web address that starts with https/],
    ['Picture URL', 'http://localhost/hood.jpg', /^Use a picture from a public website/],
    [
      'Picture URL',
      'https://cora:secret@pictures.example/hood.jpg',
      /^Remove the user name and password from this web address/,
    ],
  ] as const) {
    const field = screen.getByLabelText(label);
    await app.user.fill(field, value);
    await send(app);
    await screen.findByText(error);
    await waitFor(() => expect(document.activeElement).toBe(field));
    await app.user.clear(field);
  }
  expect(sent).toEqual([]);
});

test('the form that adds a service completes a website without “https://”', async () => {
  const sent = fakeApi();
  const app = await openForm();
  await app.user.fill(screen.getByLabelText('Title'), 'With a website');
  await app.user.type(screen.getByLabelText('Website'), 'berg.example/hoods {Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ body: { website: 'https://berg.example/hoods' } }]));
});

test('pressing Enter in a field sends the form that adds a service, including the text of this field', async () => {
  const sent = fakeApi();
  const app = await openForm();
  await app.user.type(screen.getByLabelText('Title'), 'Quick one{Enter}');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ title: 'Quick one' });
});

test('the form that adds a service uses a value that the browser filled in automatically, as soon as the focus leaves the field', async () => {
  fakeApi();
  await openForm();
  const title = screen.getByLabelText<HTMLInputElement>('Title');
  // The autofill of a browser can set the value without an input event.
  title.value = 'Filled in';
  fireEvent.blur(title);
  expect(screen.getByRole('heading', { name: 'Filled in', hidden: true })).toBeDefined();
});

const untitled =
  'Without a title, your service is shown as “Untitled service”. Add a title, or press “Add service” again to continue.';

test('the form that adds a service warns once about an empty title, but requires no field', async () => {
  const sent = fakeApi();
  const app = await openForm();
  await send(app);
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  screen.getByText(untitled);
  expect(sent).toEqual([]);
  await send(app);
  expect(await toastOf('Service Add Successfully')).toBe('success');
  expect(sent[0]?.body).toEqual(z.parse(serviceInput, {}));
});

test('the form that adds a service warns once if the title consists only of spaces, and then sends the title as it was typed', async () => {
  const sent = fakeApi();
  const app = await openForm();
  await app.user.fill(screen.getByLabelText('Title'), '  ');
  await send(app);
  screen.getByText(untitled);
  expect(sent).toEqual([]);
  await send(app);
  expect(await toastOf('Service Add Successfully')).toBe('success');
  expect(sent[0]?.body).toMatchObject({ title: '  ' });
});

test.for([
  ['the customer has reached the daily limit', (reason) => limitReached('services-per-day', reason)],
  ['the customer is not allowed to add the service', (reason) => problem(403, reason)],
] satisfies [string, (reason: string) => Response][])(
  'the form that adds a service stays open and shows the message of the API when %s',
  async ([, respond]) => {
    fakeApi(() => respond('This is why.'));
    const app = await openForm();
    await app.user.fill(screen.getByLabelText('Title'), 'The 101st');
    await send(app);
    expect(await toastOf('Your service was not added. Your text is still in the form.')).toBe('error');
    const alert = within(await within(screen.getByRole('main')).findByRole('alert'));
    alert.getByText('This is why.');
    expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'The 101st');
    expect(JSON.stringify(localStorage)).toContain('The 101st');
  },
);

test('the form that adds a service saves a draft before it sends the service, even if all fields are empty, and removes the draft after success', async () => {
  const drafts: unknown[] = [];
  const sent = fakeApi(() => {
    drafts.push(...storedDrafts());
    return created();
  });
  const app = await openForm();
  await send(app);
  expect(storedDrafts()).toEqual([]);
  await send(app);
  expect(await toastOf('Service Add Successfully')).toBe('success');
  expect(drafts).toEqual([
    {
      values: z.parse(serviceInput, {}),
      idempotencyKey: sent[0]?.key,
      at: expect.any(Number) as number,
    },
  ]);
  expect(storedDrafts()).toEqual([]);
});

test('the form that adds a service shows a message if Firebase cannot be reached for a new ID token', async () => {
  fakeApi(() => problem(401, 'The token has expired.'));
  const app = await openForm();
  api.use(
    http.post('/api/jwt', () => problem(401, 'The token has expired.')),
    http.post('*/securetoken.googleapis.com/v1/token', () => HttpResponse.error()),
  );
  await app.user.fill(screen.getByLabelText('Title'), 'Fan balancing');
  await send(app);
  expect(await toastOf('We cannot reach the kitchen right now. Your text is safe here.')).toBe('error');
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Fan balancing');
});

test('a service that is sent again after a failure has the same idempotency key, even after a reload', async () => {
  const sent = fakeApi(() => problem(503, 'The database does not answer.'));
  const app = await openForm();
  await app.user.fill(screen.getByLabelText('Title'), 'Once only');
  await send(app);
  expect(await toastOf('We cannot reach the kitchen right now. Your text is safe here.')).toBe('error');
  await app.user.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await app.close();
  const again = await open('/addservices');
  expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Once only');
  await send(again);
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

test('the form that adds a service stays open when the API does not confirm the service', async () => {
  const responses = [() => HttpResponse.json({}), created];
  const sent = fakeApi(() => (responses.shift() ?? created)());
  const app = await openForm();
  await app.user.fill(screen.getByLabelText('Title'), 'Kept');
  await send(app);
  const said = 'Your service was not added. Your text is still in the form.';
  expect(await toastOf(said)).toBe('error');
  const alert = await within(screen.getByRole('main')).findByRole('alert');
  expect(alert.textContent).toContain(said);
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Kept');
  await app.user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await toastOf('Service Add Successfully')).toBe('success');
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[0]?.key]);
});

test('the form that adds a service announces in a live region, not in a toast, that the draft is saved', async () => {
  const app = await openForm();
  const regions = within(screen.getByRole('main')).getAllByRole('status');
  await app.user.fill(screen.getByLabelText('Title'), 'One');
  expect(regions).toContain(screen.getByText('Draft kept on this device'));
  await vi.dynamicImportSettled();
  expect(document.querySelector('[data-toast]')).toBeNull();
});

describe('leaving the form that adds a service', () => {
  const dialog = () => screen.getByRole('dialog', { name: 'Leave without sending?' });
  const blogs = () => within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Blogs' });
  /** Returns true if the browser would ask for confirmation before it unloads the page. */
  const asksBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  test('asks for confirmation: “Stay” keeps the form open, and “Leave” keeps the text as a draft', async () => {
    const app = await openForm();
    await app.user.fill(screen.getByLabelText('Title'), 'Not yet');
    await app.user.click(blogs());
    within(dialog()).getByText('You have not sent this form yet. Your draft is kept on this device.');
    await app.user.click(within(dialog()).getByRole('button', { name: 'Stay' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(app.address()).toBe('/addservices');
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Not yet');

    await app.user.click(blogs());
    await app.user.click(within(dialog()).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(app.address()).toBe('/blogs'));
    const heading = await screen.findByRole('heading', { level: 1, name: 'Blogs' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    await app.go('/addservices');
    expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Not yet');
  });

  test('does not ask for confirmation when the customer has cleared the text', async () => {
    const app = await openForm();
    await app.user.fill(screen.getByLabelText('Title'), 'x');
    await app.user.clear(screen.getByLabelText('Title'));
    await app.user.click(blogs());
    await waitFor(() => expect(app.address()).toBe('/blogs'));
  });

  test('does not ask for confirmation if the customer reloads the page, or has not changed a restored draft, because the draft is kept', async () => {
    const app = await openForm();
    await app.user.fill(screen.getByLabelText('Title'), 'From before');
    expect(asksBeforeUnload()).toBe(false);
    await app.close();
    const again = await open('/addservices');
    await screen.findByText(/^We kept your draft from /);
    await again.user.click(blogs());
    await waitFor(() => expect(again.address()).toBe('/blogs'));
  });

  test('does not ask for confirmation when the customer goes to the login because the session has ended', async () => {
    fakeApi(() => problem(401, 'Send a current access token.'));
    const app = await openForm();
    await app.user.fill(screen.getByLabelText('Title'), 'Through the login');
    api.use(http.post('/api/jwt', () => problem(401, 'No.')));
    await send(app);
    await app.user.click(await within(screen.getByRole('main')).findByRole('link', { name: 'Log in' }));
    await waitFor(() => expect(app.address()).toBe('/login'));
  });

  test('if the browser storage is full, warns that no draft can be saved, and asks for confirmation even before a reload', async () => {
    const app = await openForm();
    fillStorage();
    expect(asksBeforeUnload()).toBe(false);
    await app.user.fill(screen.getByLabelText('Title'), 'Lost');
    await screen.findByText('Your browser cannot save drafts. Send this form before you leave the page.');
    expect(asksBeforeUnload()).toBe(true);
    await app.user.click(blogs());
    within(dialog()).getByText(
      'You have not sent this form yet, and your browser cannot save drafts. If you leave, you lose what you typed.',
    );
  });
});
