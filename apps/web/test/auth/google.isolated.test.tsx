import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { api } from '../support/api.ts';
import { open, toastOf } from '../support/app.tsx';

const signInWithPopup = vi.hoisted(() => vi.fn<(auth: unknown, provider: unknown) => Promise<unknown>>());
vi.mock('firebase/auth', async (original) => ({ ...(await original<object>()), signInWithPopup }));

async function press(page: '/login' | '/signup', name: string) {
  const app = await open(page);
  await app.user.click(await screen.findByRole('button', { name }));
  return app;
}

test('in a demonstration, the Google button opens a dialog with “Demo” in its title, and a customer logs in with one of its accounts', async () => {
  const app = await press('/login', 'Continue with Google');
  const dialog = within(await screen.findByRole('dialog', { name: 'Demo: Google sign-in' }));
  expect(dialog.getAllByRole('button', { name: /^Continue as / })).toHaveLength(2);
  await app.user.click(dialog.getByRole('button', { name: /^Continue as Noor Haddad/ }));
  expect(await toastOf('Login Successfully')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/'));
  expect(app.session.getState().user).toMatchObject({
    displayName: 'Noor Haddad',
    photoURL: 'http://localhost:3000/pictures/avatar-2.svg',
  });
});

test('in a demonstration, a visitor can sign up with any email in the Google dialog', async () => {
  const app = await press('/signup', 'Sign up with Google');
  const email = `g-${crypto.randomUUID()}@example.com`;
  const dialog = within(await screen.findByRole('dialog'));
  await app.user.fill(dialog.getByLabelText('Use another email'), email);
  await app.user.click(dialog.getByRole('button', { name: 'Continue with this email' }));
  expect(await toastOf('Registration Successfully')).toBe('success');
  expect(app.session.getState().user?.email).toBe(email);
});

/** Fakes a deployment with a real Firebase project, in which Google's sign-in popup fails with this error code. */
function windowFailsWith(code: string) {
  api.use(http.get('/config.json', () => HttpResponse.json({ apiKey: 'k', authDomain: 'a.example', projectId: 'p' })));
  signInWithPopup.mockReset().mockRejectedValue(Object.assign(new Error(code), { code: `auth/${code}` }));
  return signInWithPopup;
}

test.for([
  ['popup-blocked', 'Your browser blocked the Google window. Allow it, then press the button again.'],
  ['unauthorized-domain', 'Google sign-in is not set up for this address. Use email and password.'],
  ['network-request-failed', 'No connection. Check your network and try again.'],
  ['too-many-requests', 'Too many tries. Wait a few minutes, or set a new password.'],
  ['user-disabled', 'This account has been turned off, so you were signed out.'],
  ['internal-error', 'Google sign-in did not work. Try again, or use email and password.'],
] as const)('the login shows an error when Google’s sign-in popup fails with the code “%s”', async ([code, text]) => {
  windowFailsWith(code);
  const app = await press('/login', 'Continue with Google');
  expect(await toastOf(text)).toBe('error');
  await within(screen.getByRole('main')).findByText(text);
  expect(app.session.getState()).toMatchObject({ user: null, loading: false, signingIn: false });
});

test.for(['popup-closed-by-user', 'cancelled-popup-request'])(
  'the login shows no error when Google’s sign-in popup fails with the code “%s”',
  async (code) => {
    const popup = windowFailsWith(code);
    const app = await press('/login', 'Continue with Google');
    await waitFor(() => expect(popup).toHaveBeenCalledOnce());
    await waitFor(() => expect(app.session.getState().loading).toBe(false));
    expect(document.querySelector('[data-toast]')).toBeNull();
    expect(within(screen.getByRole('main')).queryByRole('alert')).toBeNull();
  },
);

test('the Google button opens Google’s sign-in popup with the scope “profile”', async () => {
  const popup = windowFailsWith('popup-closed-by-user');
  await press('/signup', 'Sign up with Google');
  await waitFor(() => expect(popup).toHaveBeenCalledOnce());
  const [, provider] = popup.mock.calls[0] as unknown as [unknown, { getScopes(): string[] }];
  expect(provider.getScopes()).toContain('profile');
});
