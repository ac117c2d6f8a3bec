import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { accessTokenFor, api, bearerOf, problem, signedIn } from '../support/api.ts';
import { logIn, open } from '../support/app.tsx';

const page = `/editservice/${'a'.repeat(24)}`;

/** Fakes an API that accepts an access token only while `isAccepted` returns true. */
function guardServices(isAccepted: () => boolean): void {
  api.use(
    http.get('/api/services/:id', () => problem(404, 'There is no service.')),
    http.get('/api/account/services', () =>
      isAccepted() ? HttpResponse.json([]) : problem(401, 'Send a current access token.'),
    ),
    http.get('/api/news/count', () =>
      isAccepted() ? HttpResponse.json({ count: 0 }) : problem(401, 'Send a current access token.'),
    ),
  );
}

test('a customer whose sign-in provider was unlinked from the account must log in again, and then returns to the same page', async () => {
  const cora = await signedIn();
  let isUnlinked = true;
  guardServices(() => !isUnlinked);
  api.use(
    http.post('/api/jwt', ({ request }) =>
      isUnlinked
        ? problem(401, 'This way to log in is no longer linked to your account.')
        : HttpResponse.json({ token: accessTokenFor(bearerOf(request) ?? '') }),
    ),
  );
  const app = await open(page);
  const notice = /^Your session has ended\./;
  await screen.findByText(notice);
  // The header shows a visitor.
  await screen.findByRole('link', { name: 'Login' });
  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull();
  const main = within(screen.getByRole('main'));
  await main.findByRole('heading', { level: 1, name: 'This page did not load' });
  const [link] = main.getAllByRole('link', { name: 'Log in' });
  await app.user.click(link as HTMLElement);
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByLabelText('Password');
  screen.getByText(notice);
  isUnlinked = false;
  await logIn(app, cora);
  await screen.findByRole('heading', { level: 1, name: 'This service was not found' });
  expect(app.address()).toBe(page);
  expect(screen.queryByText(notice)).toBeNull();
});

test('if the API rejects even a new access token, a notice says what to do, and the login page shows its form instead of redirecting the customer', async () => {
  const cora = await signedIn();
  let isBroken = true;
  guardServices(() => !isBroken);
  const app = await open(page);
  const notice = /^You are logged in, but our server does not accept your login\./;
  await screen.findByText(notice);
  const [link] = await within(screen.getByRole('main')).findAllByRole('link', { name: 'Log in' });
  await app.user.click(link as HTMLElement);
  await screen.findByLabelText('Password');
  expect(app.address()).toBe('/login');
  await logIn(app, cora);
  await screen.findByText(notice);
  expect(app.address()).toBe(page);
  isBroken = false;
  await app.http('GET /account/services', { as: 'customer', query: {} });
  await waitFor(() => expect(screen.queryByText(notice)).toBeNull());
});

test('Sign Out removes the notice that the API does not accept the login', async () => {
  await signedIn();
  guardServices(() => false);
  const app = await open('/blogs');
  const signOut = await screen.findByRole('button', { name: 'Sign Out' });
  const notice = /^You are logged in, but our server does not accept your login\./;
  // The button is shown before Firebase has restored the session. Until then, the API is not called.
  await waitFor(async () => {
    await app.http('GET /account/services', { as: 'customer', query: {} }).catch(() => null);
    screen.getByText(notice);
  });
  await app.user.click(signOut);
  await screen.findByRole('link', { name: 'Login' });
  expect(screen.queryByText(notice)).toBeNull();
});
