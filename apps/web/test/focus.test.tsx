import type { ServiceDetails } from '@rtr/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import {
  api,
  isDeletedList,
  problem,
  providerCall,
  providerError,
  providerSessionKey,
  signedIn,
} from './support/api.ts';
import { inAnotherTab, type Opened, open, toastOf } from './support/app.tsx';
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

describe('the focus when the focused element is removed', () => {
  test.each([
    ['all services', '/services', '/api/services', 'Services'],
    ['the newest services', '/', '/api/services', 'Newest services'],
    ['the reviews of a service', `/services/${service._id}`, '/api/allreview', 'Total Review: 1'],
    ['the customer’s own reviews', '/myreview', '/api/review', 'My Review'],
    ['the customer’s own services', '/myservices', '/api/account/services', 'My services'],
    ['the cases for moderators', '/moderation', '/api/moderation', 'Moderation'],
  ])(
    'stays on the button “Try again” during a retry, and moves to the heading when the retry has loaded %s',
    async (_, page, call, heading) => {
      if (page.startsWith('/m')) await signedIn();
      serve([service], [aReview(service)]);
      const empty = () => HttpResponse.json([], { headers: { 'X-Total-Count': '0' } });
      api.use(
        http.get('/api/review', empty),
        http.get('/api/account/services', empty),
        http.get('/api/moderation', empty),
      );
      const { promise, resolve } = Promise.withResolvers<void>();
      let calls = 0;
      api.use(
        http.get(call, async ({ request }) => {
          if (isDeletedList(request)) return undefined;
          calls += 1;
          if (calls === 1) return problem(500, 'Something broke on our side.');
          await promise;
          return undefined;
        }),
      );
      const app = await open(page);
      await pressed(app, 'Try again');
      const button = within(screen.getByRole('main')).getByRole('button', { name: 'Try again' });
      await waitFor(() => expect(calls).toBe(2));
      expect(document.activeElement).toBe(button);
      expect(button.getAttribute('aria-disabled')).toBe('true');
      resolve();
      await focused(heading);
      expect(button.isConnected).toBe(false);
    },
  );

  test('moves to the heading of the services after another search on the same page', async () => {
    serve([service]);
    const { user, address } = await open('/services');
    await screen.findByRole('article');
    await user.type(screen.getAllByRole('combobox', { name: 'Search services' })[0] as HTMLElement, 'hood{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=hood'));
    await focused('Services');
  });

  test('moves to the heading of the reviews when the customer removes the filter', async () => {
    serve([service], [aReview(service)]);
    const { user } = await open(`/services/${service._id}?rating=5`);
    (await screen.findByRole('link', { name: 'Show all reviews' })).focus();
    await user.keyboard('{Enter}');
    await focused('Total Review: 1');
  });

  test('moves to the heading of the form when the customer discards a draft with the button Start over', async () => {
    await signedIn();
    serve([service]);
    const app = await open(`/review/${service._id}`);
    await app.user.fill(await screen.findByLabelText('Your review'), 'Half a thought');
    await app.close();
    const again = await open(`/review/${service._id}`);
    await screen.findByText(/^We kept your draft from /);
    await pressed(again, 'Start over');
    await focused('Write a review');
  });

  test('moves to the next service when a refresh removes the focused service from the list', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [first, second, third] = ['First hood', 'Second hood', 'Third hood'].map((title) => aService({ title }));
    serve([first, second, third] as ServiceDetails[]);
    await open('/services');
    (await screen.findByRole('link', { name: 'Second hood' })).focus();
    serve([first, third] as ServiceDetails[]);
    // The services are stale after 30 s. The app then fetches them again when the tab becomes visible.
    vi.setSystemTime(Date.now() + 60_000);
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Second hood' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Third hood' }));
  });

  test('moves to the heading of the page when a sign-out in another tab removes the focused link', async () => {
    await signedIn();
    const { session } = await open('/blogs');
    await session.waitForUser();
    const heading = await screen.findByRole('heading', { level: 1 });
    (await screen.findByRole('link', { name: 'My Review' })).focus();
    inAnotherTab(() => {
      localStorage.removeItem('rtr-cloud-kitchen-token');
      localStorage.removeItem(providerSessionKey());
    });
    await screen.findByRole('link', { name: 'Login' });
    expect(document.activeElement).toBe(heading);
  });

  test('moves to the heading of the home page when the customer signs out there', async () => {
    await signedIn();
    const { user } = await open('/');
    (await screen.findByRole('button', { name: 'Sign Out' })).focus();
    await user.keyboard('{Enter}');
    await toastOf('Logout Successfully');
    await focused('RTR Cloud Kitchen');
  });
});

test('dismissing a toast returns the focus to the field that was focused before', async () => {
  api.use(http.post(providerCall('signInWithPassword'), () => providerError('INVALID_LOGIN_CREDENTIALS')));
  const { user } = await open('/login');
  await user.fill(await screen.findByLabelText('Email'), 'cora@example.com');
  const password = screen.getByLabelText('Password');
  await user.type(password, 'secret1{Enter}');
  await toastOf('Your Email or Password Wrong');
  screen.getByRole('button', { name: 'Dismiss' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(password));
});

test('the focus stays where it is when another element is removed', async () => {
  api.use(http.get('/api/services', () => HttpResponse.error()));
  const { user } = await open('/services');
  (await screen.findByRole('button', { name: 'Try again' })).focus();
  await user.click(document.body);
  serve([service]);
  for (const change of ['offline', 'online']) act(() => void window.dispatchEvent(new Event(change)));
  await screen.findByRole('article');
  expect(document.activeElement).toBe(document.body);
});
