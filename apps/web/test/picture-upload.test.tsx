import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { api, bearerOf, limitReached, noResponse, problem, signedIn } from './support/api.ts';
import { type Opened, open, storedDrafts } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';

const url = `http://localhost:3000/pictures/u/${'a'.repeat(24)}`;
const uploaded = () => HttpResponse.json({ url, width: 1280, height: 960 }, { status: 201 });

const photo = (type = 'image/png', bytes = 10, name = 'photo') => new File([new Uint8Array(bytes)], name, { type });

/**
 * Fakes the API route for uploads. The first responses are the `rejections`, and later responses are a success. Returns the
 * requests.
 */
function fakeUploads(...rejections: (() => Response | Promise<never>)[]) {
  const sent: { type: string | null; bearer: string | undefined; bytes: number }[] = [];
  api.use(
    http.post('/api/pictures', async ({ request }) => {
      const { byteLength: bytes } = await request.arrayBuffer();
      sent.push({ type: request.headers.get('Content-Type'), bearer: bearerOf(request), bytes });
      return rejections.shift()?.() ?? uploaded();
    }),
  );
  return sent;
}

const control = () => screen.getByLabelText<HTMLInputElement>('Upload a picture');
const address = () => screen.getByLabelText<HTMLInputElement>('Picture URL').value;

async function openAddForm(): Promise<Opened> {
  await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  return app;
}

describe('the upload of a picture', () => {
  test('sends the file with the access token, and enters the URL into the field, the preview and the draft', async () => {
    const sent = fakeUploads();
    const app = await openAddForm();
    await app.user.fill(screen.getByLabelText('Title'), 'Fan balancing');
    await app.user.upload(control(), photo());
    await screen.findByText('Your picture is uploaded.');
    expect(sent).toEqual([{ type: 'image/png', bearer: localStorage.getItem('rtr-cloud-kitchen-token'), bytes: 10 }]);
    expect(address()).toBe(url);
    const [picture] = screen.getByRole('region', { name: 'Preview' }).getElementsByTagName('img');
    await waitFor(() => expect(picture?.getAttribute('src')).toBe(url));
    expect(storedDrafts()).toMatchObject([{ values: { title: 'Fan balancing', img: url } }]);
  });

  test('shows the picture instead of the field for its URL, until the picture is removed', async () => {
    fakeUploads();
    const app = await openAddForm();
    await app.user.upload(control(), photo());
    await screen.findByText('Your picture is uploaded.');
    expect(screen.getByRole('img', { name: 'Your picture' }).getAttribute('src')).toBe(url);
    expect(screen.queryByRole('textbox', { name: 'Picture URL' })).toBeNull();
    await app.user.click(screen.getByRole('button', { name: 'Remove the picture' }));
    expect(screen.getByRole('textbox', { name: 'Picture URL' })).toHaveProperty('value', '');
    expect(screen.queryByText('Your picture is uploaded.')).toBeNull();
    expect(document.activeElement).toBe(control());
  });

  test('is repeated with a new access token when the API rejects the token', async () => {
    const sent = fakeUploads(() => problem(401, 'The token has expired.'));
    const app = await openAddForm();
    const before = localStorage.getItem('rtr-cloud-kitchen-token');
    await app.user.upload(control(), photo());
    await waitFor(() => expect(address()).toBe(url));
    expect(sent.map(({ bearer }) => bearer)).toEqual([before, localStorage.getItem('rtr-cloud-kitchen-token')]);
    expect(before).not.toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
  });

  test('keeps the name that the customer types during the upload of a profile photo', async () => {
    let respond = () => {};
    const waiting = new Promise<void>((resolve) => {
      respond = resolve;
    });
    api.use(
      http.get('/api/review', () => HttpResponse.json([])),
      http.post('/api/pictures', async () => {
        await waiting;
        return uploaded();
      }),
    );
    await signedIn();
    const app = await open('/account');
    await app.user.upload(await screen.findByLabelText('Upload a picture'), photo());
    await app.user.fill(screen.getByLabelText('Name'), ' the Cook');
    respond();
    await waitFor(() => expect(address()).toBe(url));
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cora Customer the Cook');
  });

  test('blocks the form until the upload has ended, and can be cancelled', async () => {
    fakeUploads(noResponse);
    const app = await openAddForm();
    await app.user.fill(screen.getByLabelText('Picture URL'), 'https://pictures.example/fan.jpg');
    await app.user.upload(control(), photo());
    await screen.findByRole('progressbar', { name: 'Upload progress' });
    expect(control().validationMessage).toBe('Wait until the picture is uploaded, or cancel the upload.');
    await app.user.click(screen.getByRole('button', { name: 'Cancel upload' }));
    await screen.findByText('The upload is cancelled.');
    expect(control().validationMessage).toBe('');
    await waitFor(() => expect(document.activeElement).toBe(control()));
    expect(address()).toBe('https://pictures.example/fan.jpg');
  });

  test('continues when another file is chosen, and says that the customer must wait', async () => {
    const sent = fakeUploads(noResponse);
    const app = await openAddForm();
    await app.user.upload(control(), photo());
    await screen.findByRole('progressbar', { name: 'Upload progress' });
    await waitFor(() => expect(sent).toHaveLength(1));
    fireEvent.change(control(), { target: { files: [photo('image/jpeg')] } });
    await screen.findByText('Wait until the upload has ended.');
    expect(sent).toHaveLength(1);
    screen.getByRole('progressbar', { name: 'Upload progress' });
  });

  test.for([
    [
      'a file that is not a picture',
      photo('application/pdf'),
      'This file is not a JPEG, PNG, WebP, AVIF or GIF picture. Choose another file.',
    ],
    [
      'a file of more than 10 MB',
      photo('image/jpeg', 10_000_001),
      'This file has more than 10 MB. Choose a smaller picture.',
    ],
  ] as const)('does not send %s, and says why', async ([, file, message]) => {
    const sent = fakeUploads();
    await openAddForm();
    fireEvent.change(control(), { target: { files: [file] } });
    await screen.findByText(message);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(sent).toEqual([]);
  });

  test.for([
    [
      'too many requests',
      () => problem(429, 'Slow down.', { 'Retry-After': '7' }),
      'That was quick. Try again in 7 seconds.',
    ],
    [
      'a busy server',
      () => problem(503, 'Too many pictures are being uploaded right now. Try again.'),
      'Too many pictures are being uploaded right now. Try again.',
    ],
    ['no connection', () => HttpResponse.error(), 'No connection. Check your network and try again.'],
    [
      'a response without a URL',
      () => HttpResponse.json({}, { status: 201 }),
      'The server sent an unexpected response.',
    ],
  ] as const)(
    'that fails because of %s shows a message, keeps the text of the form, and can be tried again',
    async ([, rejection, message]) => {
      const sent = fakeUploads(rejection);
      const app = await openAddForm();
      await app.user.fill(screen.getByLabelText('Title'), 'Fan balancing');
      await app.user.upload(control(), photo());
      await screen.findByText(message);
      expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Fan balancing');
      expect(address()).toBe('');
      await app.user.click(screen.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(address()).toBe(url));
      expect(sent).toHaveLength(2);
    },
  );

  const rejections: [response: () => Response, detail: string][] = [
    [
      () => problem(400, 'This picture is damaged or incomplete. Choose another file.'),
      'This picture is damaged or incomplete. Choose another file.',
    ],
    [
      () => problem(409, 'A moderator has hidden this picture. Choose another one.'),
      'A moderator has hidden this picture. Choose another one.',
    ],
    [() => problem(415, 'Send the picture as the body.'), 'Send the picture as the body.'],
    [() => limitReached('pictures-per-customer', 'You have uploaded 200 pictures.'), 'You have uploaded 200 pictures.'],
  ];

  test.for(rejections)(
    'cannot be tried again if the API would reject the same file again (%#)',
    async ([rejection, detail]) => {
      fakeUploads(rejection);
      const app = await openAddForm();
      await app.user.upload(control(), photo());
      await screen.findByText(detail);
      screen.getByText('Your picture was not uploaded.');
      expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    },
  );

  test('starts when a picture is pasted into the field or dropped on it, but not when a text is pasted', async () => {
    const sent = fakeUploads();
    await openAddForm();
    const field = screen.getByLabelText('Picture URL');
    const clipboard = (text: string) => ({ clipboardData: { files: [photo()], getData: () => text } });
    fireEvent.paste(field, clipboard('a text with a picture of the text'));
    fireEvent.paste(field, clipboard(''));
    await waitFor(() => expect(address()).toBe(url));
    fireEvent.drop(field, { dataTransfer: { files: [photo('image/gif')] } });
    await waitFor(() => expect(sent.map(({ type }) => type)).toEqual(['image/png', 'image/gif']));
  });
});

describe('the photos of a review', () => {
  const other = `http://localhost:3000/pictures/u/${'b'.repeat(24)}`;
  const names = () => screen.queryAllByRole('button', { name: /^Remove photo/ }).map((button) => button.ariaLabel);

  /** Fakes the API route that adds or edits a review. Returns the bodies of the requests. */
  function fakeReview(method: 'post' | 'patch', path: string): unknown[] {
    const sent: unknown[] = [];
    api.use(
      http[method](path, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ acknowledged: true, insertedId: 'a'.repeat(24), matchedCount: 1, modifiedCount: 1 });
      }),
    );
    return sent;
  }

  test('are sent with a new review, each with a description, and are kept in the draft', async () => {
    const service = aService();
    serve([service]);
    fakeUploads();
    const sent = fakeReview('post', '/api/review');
    await signedIn();
    const app = await open(`/review/${service._id}`);
    await app.user.upload(await screen.findByLabelText('Add photos'), photo());
    await app.user.fill(await screen.findByLabelText('Description of photo 1'), 'The new hood');
    const photos = [{ url, alt: 'The new hood' }];
    expect(JSON.parse(storedDrafts()[0]?.values.photos ?? '')).toEqual(photos);
    await app.close();
    const again = await open(`/review/${service._id}`);
    expect(await screen.findByLabelText('Description of photo 1')).toHaveProperty('value', 'The new hood');
    await again.user.click(screen.getByRole('button', { name: 'Send review' }));
    await waitFor(() => expect(sent).toMatchObject([{ photos }]));
  });

  test('can be described and removed in the form that edits the review, which sends the list of the remaining photos', async () => {
    const photos = [
      { url, alt: '' },
      { url: other, alt: 'Before' },
    ];
    const review = aReview(aService(), { photos });
    api.use(
      http.get('/api/review/:id', () => HttpResponse.json({ ...review, email: 'cora@example.com' })),
      http.get('/api/review', () => HttpResponse.json([])),
    );
    const sent = fakeReview('patch', '/api/review/:id');
    await signedIn();
    const app = await open('/blogs', `/editreview/${review._id}`);
    await app.user.click(await screen.findByRole('button', { name: 'Remove photo 1' }));
    expect(names()).toEqual(['Remove photo 1']);
    await app.user.fill(screen.getByLabelText('Description of photo 1'), ' and after');
    await app.user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(sent).toMatchObject([{ photos: [{ url: other, alt: 'Before and after' }] }]));
  });

  test('can be pasted into the text of the review or elsewhere on the page, but not into another form, such as the search', async () => {
    const service = aService();
    serve([service]);
    const pictures = [url, other].map((url) => () => HttpResponse.json({ url, width: 8, height: 8 }, { status: 201 }));
    const sent = fakeUploads(...pictures);
    await signedIn();
    await open(`/review/${service._id}`);
    const clipboard = { clipboardData: { files: [photo()], getData: () => '' } };
    const field = await screen.findByLabelText('Your review');
    // The page listens to pastes only after it has shown the field.
    await waitFor(() => expect(fireEvent.paste(field, clipboard)).toBe(false));
    await screen.findByLabelText('Description of photo 1');
    fireEvent.paste(screen.getByRole('combobox', { name: 'Search services' }), clipboard);
    expect(fireEvent.paste(document.body, clipboard)).toBe(false);
    await screen.findByLabelText('Description of photo 2');
    expect(sent).toHaveLength(2);
  });

  test('can be removed, and the text “Your photos are added.” then disappears', async () => {
    const service = aService();
    serve([service]);
    fakeUploads();
    await signedIn();
    const app = await open(`/review/${service._id}`);
    for (let round = 0; round < 2; round += 1) {
      await app.user.upload(await screen.findByLabelText('Add photos'), photo());
      await screen.findByText('Your photos are added.');
      await app.user.click(screen.getByRole('button', { name: 'Remove photo 1' }));
      expect(screen.queryByText('Your photos are added.')).toBeNull();
    }
  });

  test('can be chosen, dropped and pasted together up to four, and the files for which there is no room are named', async () => {
    const service = aService();
    serve([service]);
    const uploads = ['a', 'b', 'c', 'd'].map(
      (letter) => () =>
        HttpResponse.json(
          { url: url.replaceAll('a'.repeat(24), letter.repeat(24)), width: 8, height: 8 },
          { status: 201 },
        ),
    );
    const sent = fakeUploads(...uploads);
    const files = (...names: string[]) => names.map((name) => photo('image/png', 10, name));
    await signedIn();
    const app = await open(`/review/${service._id}`);
    await app.user.upload(await screen.findByLabelText('Add photos'), files('1.png', '2.png'));
    await screen.findByLabelText('Description of photo 2');
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    fireEvent.drop(screen.getByLabelText('Add photos'), { dataTransfer: { files: files('3.png') } });
    await screen.findByLabelText('Description of photo 3');
    const clipboardData = { files: files('4.png', '5.png', '6.png'), getData: () => '' };
    fireEvent.paste(document.body, { clipboardData });
    await screen.findByLabelText('Description of photo 4');
    screen.getByText('Not added: 5.png, 6.png. A review can have up to 4 photos.');
    expect(sent).toHaveLength(4);
    expect(screen.queryByLabelText('Add photos')).toBeNull();
    await app.user.click(screen.getByRole('button', { name: 'Remove photo 4' }));
    screen.getByLabelText('Add photos');
  });

  test('that fail are named and can be tried again, and the other photos are added', async () => {
    const service = aService();
    serve([service]);
    fakeUploads(
      () => problem(503, 'Too many pictures are being uploaded right now. Try again.'),
      () => HttpResponse.json({ url: other, width: 8, height: 8 }, { status: 201 }),
    );
    await signedIn();
    const app = await open(`/review/${service._id}`);
    const chosen = [photo('image/png', 10, 'before.png'), photo('image/png', 10, 'after.png')];
    await app.user.upload(await screen.findByLabelText('Add photos'), chosen);
    await screen.findByText('before.png');
    await waitFor(() => expect(names()).toHaveLength(1));
    await app.user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(names()).toHaveLength(2));
    expect(screen.queryByText('before.png')).toBeNull();
  });

  test('are shown with their descriptions, and can be enlarged in a dialog', async () => {
    const service = aService();
    serve(
      [service],
      [
        aReview(service, {
          photos: [
            { url, alt: 'The new hood' },
            { url: other, alt: '' },
          ],
        }),
      ],
    );
    const app = await open(`/services/${service._id}`);
    await screen.findByText('The new hood');
    await app.user.click(screen.getByRole('button', { name: /^Enlarge photo 1 of/ }));
    const dialog = await screen.findByRole('dialog', { name: 'The new hood' });
    expect(dialog.querySelector('img')?.getAttribute('src')).toBe(url);
    await app.user.click(screen.getByRole('button', { name: 'Close' }));
    await app.user.click(screen.getByRole('button', { name: /^Enlarge photo 2 of/ }));
    await screen.findByRole('dialog', { name: /^Photo 2 of/ });
  });
});

test('the sign-up form offers no upload, because an upload needs an account', async () => {
  await open('/signup');
  await screen.findByLabelText('Picture URL');
  expect(screen.queryByLabelText('Upload a picture')).toBeNull();
});

describe('an uploaded picture', () => {
  beforeEach(() => {
    const service = aService({ img: url });
    serve([service, aService({ img: 'https://pictures.example/fan.jpg' })], [aReview(service, { costomerImg: url })]);
  });

  test('has a `srcset` with the widths 320 and 640 pixels on a card, and a picture of another site has none', async () => {
    await open('/services');
    await screen.findAllByRole('article');
    const sources = [...document.querySelectorAll('article img')].map((image) => image.getAttribute('srcset'));
    expect(sources).toEqual([`${url}?w=320 320w, ${url}?w=640 640w`, null]);
  });
});
