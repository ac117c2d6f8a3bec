import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { api, customer, limitReached, problem, signedIn } from '../support/api.ts';
import { logIn, type Opened, open, storedDrafts, toastOf } from '../support/app.tsx';
import { aService, serve } from '../support/catalogue.ts';
import { aConversation, conversationId, fakeConversation, summaryOf } from '../support/conversations.ts';

const service = aService({ title: 'Hood repair', listerId: '65f0c0ffee0ddba11ca11ae1', listerName: 'Mina Duct' });
const path = `/ask/${service._id}`;

/** Fakes an API that accepts requests. Returns the requests that it receives. */
function fakeAsking(response: () => Response = created) {
  serve([service]);
  const sent: { key: string | null; body: unknown; id: unknown }[] = [];
  api.use(
    http.post('/api/services/:id/requests', async ({ request, params }) => {
      sent.push({ key: request.headers.get('Idempotency-Key'), body: await request.json(), id: params.id });
      return response();
    }),
  );
  return sent;
}

const created = () => HttpResponse.json({ acknowledged: true, insertedId: conversationId }, { status: 201 });

const ownOpenRequest = () =>
  summaryOf(aConversation({ serviceId: service._id, role: 'customer', other: { name: 'Mina Duct', picture: '' } }));

async function openForm(): Promise<Opened> {
  await signedIn();
  const app = await open(path);
  await screen.findByRole('heading', { level: 1, name: 'Ask for a price' });
  return app;
}

const words = () => screen.findByLabelText<HTMLTextAreaElement>('Your request');
const send = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Send request' }));

describe('the link “Ask for a price” on the page of a service', () => {
  test('leads a visitor through the login to the open form', async () => {
    serve([service]);
    const cora = await customer();
    const app = await open(`/services/${service._id}`);
    await app.user.click(await screen.findByRole('link', { name: 'Ask for a price' }));
    await logIn(app, cora);
    await waitFor(() => expect(app.address()).toBe(path));
    expect((await words()).value).toBe('');
  });

  test('is not shown to the lister, and not if the account of the lister is closed', async () => {
    const gone = aService({ listerId: '' });
    serve([service, gone]);
    await signedIn();
    const { distribution: _, ...own } = service;
    api.use(http.get('/api/account/services', () => HttpResponse.json([{ ...own, unansweredCount: 0 }])));
    const { go } = await open(`/services/${service._id}`);
    await screen.findByRole('link', { name: 'Edit your service' });
    expect(screen.queryByRole('link', { name: 'Ask for a price' })).toBeNull();
    api.use(http.get('/api/account/services', () => HttpResponse.json([])));
    await go(`/services/${gone._id}`);
    await screen.findByText('No phone or website given');
    expect(screen.queryByRole('link', { name: 'Ask for a price' })).toBeNull();
  });
});

describe('the form for a request', () => {
  test('keeps a draft, sends the text with an idempotency key, and opens the conversation', async () => {
    const sent = fakeAsking();
    const app = await openForm();
    await app.user.type(await words(), 'The hood rattles.');
    expect(storedDrafts()).toMatchObject([{ values: { text: 'The hood rattles.' } }]);
    fakeConversation(aConversation());
    await send(app);
    expect(await toastOf('Your request is sent.')).toBe('success');
    await waitFor(() => expect(app.address()).toBe(`/requests/${conversationId}#newest`));
    expect(sent).toEqual([
      {
        id: service._id,
        key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        body: { text: 'The hood rattles.', photos: [] },
      },
    ]);
    expect(storedDrafts()).toEqual([]);
  });

  test('restores the draft after a reload', async () => {
    fakeAsking();
    const { user } = await openForm();
    await user.type(await words(), 'The hood rattles.');
    await open(path);
    expect((await words()).value).toBe('The hood rattles.');
  });

  test('is replaced by a link if the customer has an open request about the service', async () => {
    fakeAsking();
    api.use(
      http.get('/api/requests', ({ request }) => {
        expect(new URL(request.url).searchParams.get('serviceId')).toBe(service._id);
        return HttpResponse.json([ownOpenRequest()]);
      }),
    );
    await openForm();
    await screen.findByRole('heading', { name: 'You have an open request about this service.' });
    expect(screen.getByRole('link', { name: 'See your open request' }).getAttribute('href')).toBe(
      `/requests/${conversationId}#newest`,
    );
    expect(screen.queryByLabelText('Your request')).toBeNull();
  });

  test('is shown if the earlier request is closed, or if the customer is the lister in it', async () => {
    fakeAsking();
    api.use(
      http.get('/api/requests', () =>
        HttpResponse.json([
          { ...ownOpenRequest(), status: 'closed' },
          { ...ownOpenRequest(), role: 'lister' },
        ]),
      ),
    );
    await openForm();
    expect((await words()).value).toBe('');
    expect(screen.queryByRole('link', { name: 'See your open request' })).toBeNull();
  });

  test('is replaced by the link and the text to copy if the API says that there is an open request', async () => {
    fakeAsking(() => problem(409, 'You have an open request about this service.'));
    const app = await openForm();
    await app.user.type(await words(), 'The hood rattles.');
    api.use(http.get('/api/requests', () => HttpResponse.json([ownOpenRequest()])));
    await send(app);
    await screen.findByRole('link', { name: 'See your open request' });
    expect(screen.getByLabelText('Your text')).toHaveProperty('value', 'The hood rattles.');
    screen.getByRole('button', { name: 'Copy text' });
  });

  test.each([
    [
      'has reached the daily limit',
      () => limitReached('conversations-per-day', 'Try again tomorrow.'),
      'Try again tomorrow.',
    ],
    [
      'asks about a service that was withdrawn in the meantime',
      () => problem(404, 'There is no such service.'),
      'This service was removed while you were writing. Copy your text if you want to keep it.',
    ],
    [
      'asks while the API is down',
      () => problem(503, 'The database is away.'),
      'We cannot reach the kitchen right now. Your text is safe here.',
    ],
  ])('keeps the text and says why if the customer %s', async (_, response, message) => {
    fakeAsking(response);
    const app = await openForm();
    await app.user.type(await words(), 'The hood rattles.');
    await send(app);
    await screen.findByText(message, { selector: 'main *' });
    expect((await words()).value).toBe('The hood rattles.');
  });

  test('is not shown to the lister of the service', async () => {
    fakeAsking();
    const { distribution: _, ...own } = service;
    api.use(http.get('/api/account/services', () => HttpResponse.json([{ ...own, unansweredCount: 0 }])));
    await signedIn();
    await open(path);
    await screen.findByRole('heading', { level: 1, name: 'This is your own service' });
  });
});
