import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, bearerOf, problem, signedIn } from '../support/api.ts';
import { type Opened, open, toastOf } from '../support/app.tsx';

interface Sent {
  key: string | null;
  bearer: string | undefined;
  body: unknown;
}

function answering(answer: () => Response = created): Sent[] {
  const sent: Sent[] = [];
  api.use(
    http.post('/api/services', async ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      sent.push({ key, bearer: bearerOf(request), body: await request.json() });
      return answer();
    }),
  );
  return sent;
}

const created = () =>
  HttpResponse.json({ acknowledged: true, insertedId: '65f0c0ffee0ddba11ca11ab3' }, { status: 201 });

async function adding(): Promise<Opened> {
  await signedIn();
  const app = await open({ pathname: '/addservices', state: { from: { pathname: '/blogs', search: '', hash: '' } } });
  await screen.findByRole('heading', { name: 'Add a service' });
  return app;
}

const send = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Add service' }));

test('a service is sent as typed, and one ends where one came from', async () => {
  const sent = answering();
  const app = await adding();
  await waitFor(() => expect(document.title).toBe('Add Service RTR Cloud Kitchen'));
  await app.user.type(screen.getByLabelText('Title'), ' Fan balancing ');
  await app.user.type(screen.getByLabelText('Rating'), 'very good');
  await app.user.type(screen.getByLabelText('Picture URL'), 'https://pictures.example/fan.jpg');
  await app.user.type(screen.getByLabelText('Price'), 'from $90');
  await app.user.type(screen.getByLabelText('Description'), 'Where it hangs.');
  // The card beside the form is live.
  expect(screen.getByText('Lister’s own rating: very good')).toBeDefined();
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
      },
    },
  ]);
});

test('Enter also sends the field that is being typed in', async () => {
  const sent = answering();
  const app = await adding();
  await app.user.type(screen.getByLabelText('Title'), 'Quick one{Enter}');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ title: 'Quick one' });
});

test('what a field holds is captured when the focus leaves it', async () => {
  answering();
  await adding();
  const title = screen.getByLabelText<HTMLInputElement>('Title');
  // As a browser's autofill may do it: without a word of input.
  title.value = 'Filled in';
  fireEvent.blur(title);
  expect(screen.getByRole('heading', { name: 'Filled in', hidden: true })).toBeDefined();
});

test('an empty title is warned about once, and nothing is required', async () => {
  const sent = answering();
  const app = await adding();
  await send(app);
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  screen.getByText('Without a title it is shown as “Untitled service”. Add one, or send it as it is.');
  expect(sent).toEqual([]);
  await send(app);
  expect(await toastOf('Service Add Successfully')).toBe('success');
  expect(sent[0]?.body).toEqual({ title: '', ratting: '', img: '', price: '', description: '' });
});

test('a picture that is not on the web is refused beside its field', async () => {
  const sent = answering();
  const app = await adding();
  await app.user.type(screen.getByLabelText('Title'), 'With a picture');
  await app.user.type(screen.getByLabelText('Picture URL'), 'javascript:alert(1)');
  await send(app);
  await screen.findByText('Use an address that starts with https:// or http://, or leave it empty.');
  expect(sent).toEqual([]);
});

test('sending it again after a failure uses the same key, after a reload too', async () => {
  const sent = answering(() => problem(503, 'The database does not answer.'));
  const app = await adding();
  await app.user.type(screen.getByLabelText('Title'), 'Once only');
  await send(app);
  expect(await toastOf('We cannot reach the kitchen right now. Your text is safe here.')).toBe('error');
  await app.user.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  app.close();
  const again = await open('/addservices');
  expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Once only');
  await send(again);
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});
