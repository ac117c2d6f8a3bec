import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { api, problem, providerCall, providerError, signedIn, silence } from './support/api.ts';
import { type Opened, open, toastOf } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';

const focused = (heading: string) =>
  waitFor(() =>
    expect(document.activeElement).toBe(within(screen.getByRole('main')).getByRole('heading', { name: heading })),
  );

const pressed = async ({ user }: Opened, name: string) => {
  (await within(screen.getByRole('main')).findByRole('button', { name })).focus();
  await user.keyboard('{Enter}');
};

const service = aService({ reviewCount: 1, ratingCount: 1, distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 1 } });

describe('what had the focus goes, and the heading of its part of the page takes it', () => {
  test.each([
    ['all services', '/services', '/api/services', 'Services'],
    ['the newest services', '/', '/api/services', 'Newest services'],
    ['reviews', `/services/${service._id}`, '/api/allreview', 'Total Review: 1'],
    ['own reviews', '/myreview', '/api/review', 'My Review'],
  ])('another try goes on: %s', async (_, page, call, heading) => {
    if (page === '/myreview') await signedIn();
    serve([service]);
    api.use(http.get(call, () => problem(500, 'Something broke on our side.')));
    const app = await open(page);
    await within(screen.getByRole('main')).findByRole('button', { name: 'Try again' });
    api.use(http.get(call, silence));
    await pressed(app, 'Try again');
    await focused(heading);
  });

  test('another search is made on the page that shows them', async () => {
    serve([service]);
    const { user, address } = await open('/services');
    await screen.findByRole('article');
    await user.type(screen.getAllByRole('searchbox')[0] as HTMLElement, 'hood{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=hood'));
    await focused('Services');
  });

  test('reviews are no longer narrowed', async () => {
    serve([service], [aReview(service)]);
    const { user } = await open(`/services/${service._id}?rating=5`);
    (await screen.findByRole('link', { name: 'Show all reviews' })).focus();
    await user.keyboard('{Enter}');
    await focused('Total Review: 1');
  });

  test('a draft is started over', async () => {
    await signedIn();
    serve([service]);
    const app = await open(`/review/${service._id}`);
    await app.user.type(await screen.findByLabelText('Your review'), 'Half a thought');
    app.close();
    const again = await open(`/review/${service._id}`);
    await screen.findByText(/^We kept your draft from /);
    await pressed(again, 'Start over');
    await focused('Write a review');
  });

  test('one signs out where one is led to', async () => {
    await signedIn();
    const { user } = await open('/');
    (await screen.findByRole('button', { name: 'Sign Out' })).focus();
    await user.keyboard('{Enter}');
    await toastOf('Logout Successfully');
    await focused('RTR Cloud Kitchen');
  });
});

test('a message that is dismissed gives the focus back', async () => {
  api.use(http.post(providerCall('signInWithPassword'), () => providerError('INVALID_LOGIN_CREDENTIALS')));
  const { user } = await open('/login');
  await user.type(await screen.findByLabelText('Email'), 'cora@example.com');
  const password = screen.getByLabelText('Password');
  await user.type(password, 'secret1{Enter}');
  await toastOf('Your Email or Password Wrong');
  screen.getByRole('button', { name: 'Dismiss' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(password));
});

test('a press beside what had the focus keeps the page from taking it, whatever goes then', async () => {
  api.use(http.get('/api/services', () => HttpResponse.error()));
  const { user } = await open('/services');
  (await screen.findByRole('button', { name: 'Try again' })).focus();
  await user.click(document.body);
  serve([service]);
  for (const change of ['offline', 'online']) act(() => void window.dispatchEvent(new Event(change)));
  await screen.findByRole('article');
  expect(document.activeElement).toBe(document.body);
});
