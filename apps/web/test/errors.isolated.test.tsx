import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { api, isDeletedList, noResponse, problem, signedIn } from './support/api.ts';
import { open, toastOf } from './support/app.tsx';
import { aService, serve } from './support/catalogue.ts';

const heading = () => screen.findByRole('heading', { level: 1 });

describe('the error page', () => {
  test('says that the API is unavailable and keeps the navbar, and the button Try again loads the page', async () => {
    const service = aService();
    serve([service]);
    let asked = 0;
    api.use(
      http.get('/api/services/:id', () => {
        asked += 1;
        return asked <= 2 ? problem(503, 'The database does not answer right now.') : HttpResponse.json(service);
      }),
    );
    const { user } = await open(`/services/${service._id}`);
    expect((await heading()).textContent).toBe('This page did not load');
    expect(screen.getByText('We cannot reach the kitchen right now. Nothing is lost.')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
    expect(asked).toBe(2);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect((await heading()).textContent).toBe('Hood repair'));
  });

  test('says that the page did not load when both the request and its automatic retry fail because of the network', async () => {
    let asked = 0;
    api.use(
      http.get('/api/services/:id', () => {
        asked += 1;
        return HttpResponse.error();
      }),
      http.get('/api/allreview', () => HttpResponse.error()),
    );
    await open(`/services/${'0'.repeat(24)}`);
    expect((await heading()).textContent).toBe('This page did not load');
    expect(asked).toBe(2);
  });

  test('says how long to wait when the API responds with 429 (too many requests)', async () => {
    api.use(
      http.get('/api/services/:id', () => problem(429, 'Too many requests.', { 'Retry-After': '7' })),
      http.get('/api/allreview', () => problem(429, 'Too many requests.', { 'Retry-After': '7' })),
    );
    await open(`/services/${'0'.repeat(24)}`);
    expect(await screen.findByText('That was quick. Try again in 7 seconds.')).toBeTruthy();
  });

  test('says that something went wrong when the API responds with 500, and shows no details of the error', async () => {
    serve([]);
    let asked = 0;
    api.use(
      http.get('/api/services/:id', () => {
        asked += 1;
        return problem(500, 'secret detail');
      }),
    );
    await open(`/services/${'0'.repeat(24)}`);
    expect((await heading()).textContent).toBe('Something went wrong on this page');
    expect(asked).toBe(1);
    expect(document.body.textContent).not.toContain('secret detail');
    expect(screen.getByRole('link', { name: 'Go Back Home' }).getAttribute('href')).toBe('/');
  });

  test('shows the message for the status code when the body of an error response is not problem details (RFC 9457)', async () => {
    serve([]);
    api.use(http.get('/api/services/:id', () => new HttpResponse('<h1>Bad Gateway</h1>', { status: 502 })));
    await open(`/services/${'0'.repeat(24)}`);
    expect(await screen.findByText('We cannot reach the kitchen right now. Nothing is lost.')).toBeTruthy();
  });
});

describe('a page whose script does not load', () => {
  const terms = '../src/routes/terms.tsx';
  afterEach(() => {
    vi.doUnmock(terms);
  });

  test('shows an error, and the button Retry does not reload the page while the server cannot be reached', async () => {
    vi.doMock(terms, () => {
      throw new TypeError('Failed to fetch dynamically imported module: /assets/terms.js');
    });
    api.use(http.get('/version.json', () => HttpResponse.error()));
    const { user } = await open('/terms');
    expect((await heading()).textContent).toBe('This page did not load');
    expect(screen.getByText('The connection may have dropped. What you typed is kept on this device.')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No connection. Check your network and try again.')).toBeTruthy();
    expect((await heading()).textContent).toBe('This page did not load');
  });

  test('shows an error when the script does not load within 120 seconds', async () => {
    vi.doMock(terms, noResponse);
    api.use(http.get('/version.json', () => HttpResponse.error()));
    const { address } = await open('/about');
    await heading();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.click(screen.getByRole('link', { name: 'Terms' }));
    await act(() => vi.advanceTimersByTimeAsync(119_999));
    expect(address()).toBe('/about');
    await act(() => vi.advanceTimersByTimeAsync(1));
    vi.useRealTimers();
    await waitFor(async () => expect((await heading()).textContent).toBe('This page did not load'));
    expect(address()).toBe('/terms');
  });
});

test('the script of a page is loaded again when the first attempt fails', async () => {
  const terms = '../src/routes/terms.tsx';
  let attempts = 0;
  vi.doMock(terms, (original) => {
    attempts += 1;
    if (attempts === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return original<object>();
  });
  await open('/terms');
  await screen.findByRole('heading', { name: 'Terms' });
  expect(attempts).toBe(2);
  vi.doUnmock(terms);
});

test('the login fails with a message if the script of Firebase does not load within 120 seconds', async () => {
  const firebase = '../src/features/auth/firebase.ts';
  vi.doMock(firebase, noResponse);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await open('/login');
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'cora@example.com' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret1' } });
  fireEvent.click(screen.getByRole('button', { name: 'Login' }));
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  vi.useRealTimers();
  expect(await toastOf('No connection. Check your network and try again.')).toBe('error');
  vi.doUnmock(firebase);
});

test('if the script of a dialog does not load, the page stays visible with a toast, and the next click opens the dialog', async () => {
  const lightbox = '../src/ui/lightbox.tsx';
  let attempts = 0;
  vi.doMock(lightbox, (original) => {
    attempts += 1;
    if (attempts <= 2) throw new TypeError('Failed to fetch dynamically imported module');
    return original<object>();
  });
  const service = aService();
  serve([service]);
  const { user } = await open(`/services/${service._id}`);
  const enlarge = await screen.findByRole('button', { name: 'Enlarge the picture of Hood repair' });
  await user.click(enlarge);
  expect(await toastOf('The dialog did not load')).toBe('error');
  expect((await heading()).textContent).toBe('Hood repair');
  await user.click(enlarge);
  await screen.findByRole('dialog', { name: 'Hood repair' });
  expect(attempts).toBe(3);
  vi.doUnmock(lightbox);
});

test('if the script of a dialog does not load and the server cannot be reached, the Reload button of the toast shows an error and does not reload the page', async () => {
  const lightbox = '../src/ui/lightbox.tsx';
  vi.doMock(lightbox, () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  api.use(http.get('/version.json', () => HttpResponse.error()));
  const service = aService();
  serve([service]);
  const { user } = await open(`/services/${service._id}`);
  await user.click(await screen.findByRole('button', { name: 'Enlarge the picture of Hood repair' }));
  await user.click(await screen.findByRole('button', { name: 'Reload' }));
  expect(await toastOf('No connection. Check your network and try again.')).toBe('error');
  expect(screen.queryByText('The dialog did not load')).toBeNull();
  vi.doUnmock(lightbox);
});

describe('when a list does not load,', () => {
  const service = aService();
  test.each([
    ['all services', '/services', '/api/services', 'Loading services…', 'The services did not load'],
    ['the newest services', '/', '/api/services', 'Loading services…', 'The services did not load'],
    ['the customer’s own reviews', '/myreview', '/api/review', 'Loading reviews…', 'Your reviews did not load'],
    [
      'the customer’s own services',
      '/myservices',
      '/api/account/services',
      'Loading services…',
      'Your services did not load',
    ],
    [
      'the reviews of a service',
      `/services/${service._id}`,
      '/api/allreview',
      'Loading reviews…',
      'The reviews did not load. The rest of this page is complete.',
    ],
  ])(
    'the page of %s shows an error in place of the list, which stays visible during an automatic retry, and is announced again only after a click on “Try again”',
    async (...list) => {
      const [, page, call, loading, failed] = list;
      if (page.startsWith('/my')) await signedIn();
      serve([service]);
      let response = () => {};
      let calls = 0;
      api.use(
        http.get(call, async ({ request }) => {
          if (isDeletedList(request)) return;
          calls += 1;
          if (calls > 1)
            await new Promise<void>((resolve) => {
              response = resolve;
            });
          return problem(500, 'Something broke on our side.');
        }),
      );
      const { user } = await open(page);
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toContain(failed);
      expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('Something went wrong on this page');
      const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
      const button = within(alert).getByRole('button', { name: 'Try again' });
      const isPending = (pending: boolean) =>
        waitFor(() => expect(button.getAttribute('aria-disabled') === 'true').toBe(pending));

      for (const change of ['offline', 'online']) act(() => void window.dispatchEvent(new Event(change)));
      await waitFor(() => expect(calls).toBe(2));
      await isPending(true);
      expect(announced()).not.toContain(loading);
      response();
      await isPending(false);
      expect(screen.getByRole('alert')).toBe(alert);
      expect(announced()).not.toContain(failed);

      await user.click(button);
      await waitFor(() => expect(calls).toBe(3));
      await waitFor(() => expect(announced()).toContain(loading));
      response();
      await waitFor(() => expect(announced()).toContain(failed));
      expect(screen.getByRole('alert')).toBe(alert);
    },
  );
});
