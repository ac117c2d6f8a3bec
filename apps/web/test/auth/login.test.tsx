import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import {
  api,
  customer,
  disableCustomer,
  problem,
  providerCall,
  providerError,
  providerSessionKey,
  signedIn,
  subjectOf,
} from '../support/api.ts';
import { logIn, open, saying, toastOf } from '../support/app.tsx';

const tokenKey = 'rtr-cloud-kitchen-token';
const wrong = 'Your Email or Password Wrong';

async function attemptLogin(email: string, password: string) {
  const app = await open('/login');
  await app.user.fill(await screen.findByLabelText('Email'), email);
  await app.user.fill(screen.getByLabelText('Password'), password);
  await app.user.click(screen.getByRole('button', { name: 'Login' }));
  return app;
}

test('the login stores the access token before it opens the next page', async () => {
  const cora = await customer();
  const app = await open('/login');
  const stored: (string | null)[] = [];
  app.router.subscribe(({ location }) => {
    if (location.pathname === '/') stored.push(localStorage.getItem(tokenKey));
  });
  await logIn(app, cora);
  expect(await toastOf('Login Successfully')).toBe('success');
  expect(app.address()).toBe('/');
  expect(subjectOf(stored[0] ?? '')).toBe(cora.uid);
});

test('the login form requires an email and a password, but sets no minimum length for the password', async () => {
  await open('/login');
  expect(await screen.findByLabelText('Email')).toHaveProperty('required', true);
  expect(screen.getByLabelText('Password')).toHaveProperty('required', true);
  expect(screen.getByLabelText('Password')).toHaveProperty('minLength', -1);
  await waitFor(() => expect(document.title).toBe('Login RTR Cloud Kitchen'));
});

test('the login says in a toast and beside the form that the password is wrong, and starts no session', async () => {
  const cora = await customer();
  const app = await attemptLogin(cora.email, 'not-it-1');
  expect(await toastOf(wrong)).toBe('error');
  const alert = await within(screen.getByRole('main')).findByRole('alert');
  expect(alert.textContent).toBe(`${wrong}Check both, or set a new password.`);
  expect(screen.getByLabelText('Email')).toHaveProperty('value', cora.email);
  expect(app.session.getState()).toMatchObject({ user: null, loading: false, signingIn: false });
  expect(localStorage.getItem(tokenKey)).toBeNull();
});

test('the login shows the same text for an unknown email as for a wrong password', async () => {
  await attemptLogin(`nobody-${crypto.randomUUID()}@example.com`, 'secret1');
  expect(await toastOf(wrong)).toBe('error');
});

test('the login tells a disabled customer that the account is turned off', async () => {
  const cora = await customer();
  await disableCustomer(cora.uid);
  await attemptLogin(cora.email, cora.password);
  expect(await toastOf('This account has been turned off, so you were signed out.')).toBe('error');
});

test.for([
  ['TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many tries. Wait a few minutes, or set a new password.'],
  ['INVALID_LOGIN_CREDENTIALS', wrong],
  ['INVALID_PASSWORD', wrong],
  ['INVALID_IDENTIFIER', wrong],
  ['SOMETHING_NEW', wrong],
  ['CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'Log in again to continue.'],
] as const)('the login shows a message for the Firebase error %s', async ([message, text]) => {
  api.use(http.post(providerCall('signInWithPassword'), () => providerError(message)));
  await attemptLogin('cora@example.com', 'secret1');
  expect(await toastOf(text)).toBe('error');
});

test('the login says that there is no connection when Firebase cannot be reached', async () => {
  api.use(http.post(providerCall('signInWithPassword'), () => HttpResponse.error()));
  await attemptLogin('cora@example.com', 'secret1');
  expect(await toastOf('No connection. Check your network and try again.')).toBe('error');
});

test('the login page stays open when the request for the access token fails, and its button “Try again” repeats only this request', async () => {
  const cora = await customer();
  let signInCount = 0;
  const countSignIns = http.post(providerCall('signInWithPassword'), () => {
    signInCount += 1;
  });
  api.use(
    countSignIns,
    http.post('/api/jwt', () => problem(503, 'Firebase does not answer.')),
  );
  const app = await attemptLogin(cora.email, cora.password);
  await screen.findByText('We could not log you in because our server did not respond. Nothing you typed is lost.');
  expect(app.address()).toBe('/login');
  expect(localStorage.getItem(tokenKey)).toBeNull();

  api.resetHandlers();
  api.use(countSignIns);
  await app.user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(app.address()).toBe('/'));
  expect(subjectOf(localStorage.getItem(tokenKey) ?? '')).toBe(cora.uid);
  expect(signInCount).toBe(1);
});

test('the login form stays open when the API sends no access token', async () => {
  const cora = await customer();
  api.use(http.post('/api/jwt', () => HttpResponse.json({})));
  const app = await attemptLogin(cora.email, cora.password);
  await screen.findByText('We could not log you in because our server did not respond. Nothing you typed is lost.');
  expect(screen.getByLabelText('Email')).toHaveProperty('value', cora.email);
  expect(app.address()).toBe('/login');
});

test('a protected page redirects a visitor to the login, and opens after the login with the same search parameters and hash', async () => {
  const cora = await customer();
  const app = await open('/blogs', '/addservices?a=1#b');
  await screen.findByLabelText('Password');
  expect(app.address()).toBe('/login');
  await logIn(app, cora);
  await screen.findByRole('heading', { name: 'Add a service' });
  expect(app.address()).toBe('/addservices?a=1#b');
  await app.back();
  await waitFor(() => expect(app.address()).toBe('/blogs'));
});

test('a protected page that opens after the login still has its history state', async () => {
  const cora = await customer();
  const from = { pathname: '/services', search: '?q=hood', hash: '' };
  const app = await open({ pathname: '/addservices', state: { from } });
  await logIn(app, cora);
  await waitFor(() => expect(app.router.state.location.state).toEqual({ from }));
});

test('the login opens the home page when the page to return to is on another site', async () => {
  const cora = await customer();
  const app = await open({
    pathname: '/login',
    state: { from: { pathname: '//evil.example/', search: '', hash: '' } },
  });
  await logIn(app, cora);
  expect(app.address()).toBe('/');
});

test('the link from the login to the sign-up keeps the page to return to', async () => {
  const app = await open('/myReview');
  await app.user.click(await within(screen.getByRole('main')).findByRole('link', { name: 'Sign Up' }));
  await waitFor(() => expect(app.address()).toBe('/signup'));
  expect(app.router.state.location.state).toMatchObject({ from: { pathname: '/myReview' } });
});

test('the links Login, Sign Up and Add Service of the navbar store the page to return to in the history state, even if such a form is already open', async () => {
  const from = expect.objectContaining({ pathname: '/services', search: '?q=hood' }) as unknown;
  const app = await open('/services?q=hood');
  const item = (name: string) => within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name });
  await screen.findByRole('heading', { level: 1, name: 'Services' });
  // The link Sign Up is clicked on the login page. It must store the page from which the visitor came, and not the login
  // page.
  for (const [name, path] of [
    ['Login', '/login'],
    ['Sign Up', '/signup'],
  ] as const) {
    await app.user.click(item(name));
    await waitFor(() => expect(app.address()).toBe(path));
    expect(app.router.state.location.state).toEqual({ from });
  }
  await app.close();

  await signedIn();
  const again = await open({ pathname: '/addservices', state: { from: { pathname: '/services', search: '?q=hood' } } });
  await screen.findByRole('heading', { name: 'Add a service' });
  const { key } = again.router.state.location;
  await again.user.click(item('Add Service'));
  await waitFor(() => expect(again.router.state.location.key).not.toBe(key));
  expect(again.router.state.location.state).toEqual({ from });
});

test('a password reset shows the same text whether or not the email has an account', async () => {
  const cora = await customer();
  const app = await open('/login');
  await app.user.fill(await screen.findByLabelText('Email'), cora.email);
  await app.user.click(screen.getByRole('button', { name: 'Forgot password?' }));
  const dialog = within(screen.getByRole('dialog'));
  const address = dialog.getByLabelText('Email');
  expect(address).toHaveProperty('value', cora.email);
  // A screen reader announces only a text that is added to an existing live region. So the region must exist before the
  // text.
  const region = dialog.getAllByRole('status')[0] as HTMLElement;
  for (const email of [cora.email, `nobody-${crypto.randomUUID()}@example.com`]) {
    await app.user.clear(address);
    await app.user.fill(address, email);
    await app.user.click(dialog.getByRole('button', { name: 'Send the link' }));
    await within(region).findByText(saying(`If ${email} has an account, a link to set a new password is on its way.`));
    dialog.getByText('Demo: the link is printed in the terminal.');
  }
});

describe('a signed-in customer on the login or sign-up page', () => {
  const from = { pathname: '/services', search: '?q=hood', hash: '', state: { from: { pathname: '/about' } } };

  test.each(['/login', '/signup'])(
    'is redirected from %s to the page to return to, and does not see the form while the app opens',
    async (path) => {
      await signedIn();
      const app = await open('/blogs', { pathname: path, state: { from } });
      // The form must be hidden while it is unknown whether the customer is signed in.
      expect(screen.queryByLabelText('Password')).toBeNull();
      await screen.findByRole('heading', { level: 1, name: 'Services' });
      expect(app.address()).toBe('/services?q=hood');
      expect(app.router.state.location.state).toEqual(from.state);
      await app.router.navigate(-1);
      await waitFor(() => expect(app.address()).toBe('/blogs'));
    },
  );

  test('is redirected to the home page when the history state contains no page to return to', async () => {
    await signedIn();
    const app = await open('/blogs');
    await screen.findByRole('button', { name: 'Sign Out' });
    await app.router.navigate('/login');
    await waitFor(() => expect(app.address()).toBe('/'));
    await app.router.navigate(-1);
    await waitFor(() => expect(app.address()).toBe('/blogs'));
  });

  test('is redirected even if they opened the page first and then used another tab to log in', async () => {
    const app = await open({ pathname: '/login', state: { from } });
    await screen.findByLabelText('Password');
    await signedIn();
    const key = providerSessionKey();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) })));
    await waitFor(() => expect(app.address()).toBe('/services?q=hood'));
  });
});
