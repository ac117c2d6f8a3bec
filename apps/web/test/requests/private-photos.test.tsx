import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { api, bearerOf, problem, signedIn } from '../support/api.ts';
import { open, storedDrafts } from '../support/app.tsx';
import { aConversation, aMessage, conversationId, fakeConversation } from '../support/conversations.ts';

const photoId = '65f0c0ffee0ddba11ca11ad1';
const path = `/requests/${conversationId}`;

/** The blob URLs that exist. jsdom has no blob URLs. */
const urls = new Set<string>();
let urlCount = 0;
beforeEach(() => {
  urls.clear();
  URL.createObjectURL = () => {
    urlCount += 1;
    urls.add(`blob:${urlCount}`);
    return `blob:${urlCount}`;
  };
  URL.revokeObjectURL = (url) => void urls.delete(url);
});

const picture = () => new HttpResponse(new Uint8Array([1, 2, 3]), { headers: { 'Content-Type': 'image/webp' } });

/** Fakes the route of private pictures. The first responses are the `rejections`. Returns the queries of the requests. */
function fakePictures(...rejections: (() => Response)[]): string[] {
  const asked: string[] = [];
  api.use(
    http.get('/api/pictures/p/:id', ({ request }) => {
      expect(bearerOf(request)).toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
      asked.push(new URL(request.url).search);
      return rejections.shift()?.() ?? picture();
    }),
  );
  return asked;
}

const withPhoto = () => aConversation({ messages: [aMessage({ photos: [{ id: photoId, alt: 'Grease' }] })] });

test('a private photo is requested with the access token, shown as a blob URL, enlarged, and freed when the page closes', async () => {
  fakeConversation(withPhoto());
  const asked = fakePictures();
  await signedIn();
  const { user, go } = await open(path);
  const thumbnail = await screen.findByRole('img', { name: 'Grease' });
  expect(urls).toContain(thumbnail.getAttribute('src'));
  expect(asked).toEqual(['?w=320']);
  await user.click(screen.getByRole('button', { name: /^Enlarge photo 1 of the message from Amira Haddad/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Grease' }));
  const large = await dialog.findByRole('img', { name: 'Grease' });
  expect(urls).toContain(large.getAttribute('src'));
  expect(asked).toEqual(['?w=320', '?w=1280']);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await go('/blogs');
  await waitFor(() => expect([...urls]).toEqual([]));
});

test('a private photo that does not load offers a retry', async () => {
  fakeConversation(withPhoto());
  fakePictures(() => problem(500, 'A bug'));
  await signedIn();
  const { user } = await open(path);
  await screen.findByText('This photo did not load.');
  await user.click(screen.getByRole('button', { name: /^Try again to load photo 1/ }));
  await screen.findByRole('img', { name: 'Grease' });
});

test('a photo of a message is uploaded as a private picture, shown in the form, kept in the draft, and sent with its description', async () => {
  const { sent } = fakeConversation(aConversation());
  fakePictures();
  const uploads: (string | undefined)[] = [];
  api.use(
    http.post('/api/pictures/p', ({ request }) => {
      uploads.push(bearerOf(request));
      return HttpResponse.json({ _id: photoId, id: photoId, width: 1280, height: 960 }, { status: 201 });
    }),
  );
  await signedIn();
  const { user } = await open(path);
  const file = new File([new Uint8Array(10)], 'grease.png', { type: 'image/png' });
  await user.upload(await screen.findByLabelText('Add photos'), file);
  await screen.findByText('Your photos are added.');
  expect(uploads).toEqual([localStorage.getItem('rtr-cloud-kitchen-token')]);
  await waitFor(() => expect(urls.size).toBe(1));
  await user.type(screen.getByLabelText('Description of photo 1'), 'Grease');
  const photos = [{ id: photoId, alt: 'Grease' }];
  expect(storedDrafts()).toMatchObject([{ values: { photos: JSON.stringify(photos) } }]);
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await waitFor(() => expect(sent).toMatchObject([{ body: { text: '', photos } }]));
});
