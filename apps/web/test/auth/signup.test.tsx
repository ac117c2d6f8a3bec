import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { accessTokenFor, api, bearerOf, customer, problem, providerCall, providerError } from '../support/api.ts';
import { type Opened, open, toastOf } from '../support/app.tsx';

const newEmail = () => `new-${crypto.randomUUID()}@example.com`;

interface Typed {
  name?: string;
  email?: string;
  password?: string;
  confirm?: string;
}

async function fill(
  { user }: Opened,
  { name = 'Nora New', email = newEmail(), password = 'secret1', confirm = password }: Typed = {},
) {
  await user.fill(await screen.findByLabelText('Name'), name);
  await user.click(screen.getByRole('button', { name: 'Drawing 2' }));
  await user.fill(screen.getByLabelText('Email'), email);
  await user.fill(screen.getByLabelText('Password'), password);
  await user.fill(screen.getByLabelText('Confirm password'), confirm);
}

const send = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Sign Up' }));

test('the sign-up form requires a name, a picture, an email and a password, and sets no minimum length in HTML', async () => {
  await open('/signup');
  for (const label of ['Name', 'Picture URL', 'Email', 'Password']) {
    expect(await screen.findByLabelText(label)).toHaveProperty('required', true);
    expect(screen.getByLabelText(label)).toHaveProperty('minLength', -1);
  }
  await waitFor(() => expect(document.title).toBe('Sign Up RTR Cloud Kitchen'));
});

test('the sign-up shows an error and creates no account when the password is too short or the two passwords differ', async () => {
  const app = await open('/signup');
  await fill(app, { password: 'abcde', confirm: 'abcd' });
  await send(app);
  const main = within(screen.getByRole('main'));
  await main.findByText('Password should be 6 character or more');
  main.getByText('Your Password did not match');
  await app.user.fill(screen.getByLabelText('Password'), 'f');
  await send(app);
  expect(await toastOf('Your Password did not match')).toBe('error');
  expect(main.queryByText('Password should be 6 character or more')).toBeNull();
  expect(app.session.getState().user).toBeNull();
});

test('the sign-up shows an error beside the field and creates no account when the picture is on a private network', async () => {
  const app = await open('/signup');
  await fill(app);
  await app.user.clear(screen.getByLabelText('Picture URL'));
  await app.user.fill(screen.getByLabelText('Picture URL'), 'http://printer.local/me.png');
  await send(app);
  await within(screen.getByRole('main')).findByText(/^Use a picture from a public website/);
  expect(app.session.getState().user).toBeNull();
});

test('the sign-up announces that the passwords differ when the focus leaves the field “Confirm password”', async () => {
  const app = await open('/signup');
  await fill(app, { confirm: 'secret2' });
  expect(screen.queryByText('Your Password did not match')).toBeNull();
  const regions = [...document.querySelectorAll('main [aria-live=polite]')];
  await app.user.tab();
  expect(regions).toContain(screen.getByText('Your Password did not match').closest('[aria-live]'));
});

test('the sign-up requests the first access token with an ID token that contains the name and the picture, and the navbar shows both', async () => {
  const seen: unknown[] = [];
  api.use(
    http.post('/api/jwt', ({ request }) => {
      const idToken = bearerOf(request) ?? '';
      seen.push(JSON.parse(atob(idToken.split('.')[1] ?? '')));
      return Response.json({ token: accessTokenFor(idToken) });
    }),
  );
  const app = await open('/signup');
  const email = newEmail();
  await fill(app, { email });
  await send(app);
  expect(await toastOf('Registration Successfully')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/'));
  const picture = 'http://localhost:3000/pictures/avatar-2.svg';
  expect(seen).toEqual([expect.objectContaining({ email, name: 'Nora New', picture })]);
  expect(await screen.findByRole('img', { name: 'Logged in as Nora New' })).toHaveProperty('src', picture);
});

test('the sign-up shows an error when the email already has an account', async () => {
  const cora = await customer();
  const app = await open('/signup');
  await fill(app, { email: cora.email });
  await send(app);
  expect(await toastOf('Email Already Used')).toBe('error');
  expect(app.address()).toBe('/signup');
});

test.for([
  ['SOMETHING_NEW', 'Email Already Used'],
  ['USER_DISABLED', 'This account has been turned off, so you were signed out.'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many tries. Wait a few minutes, or set a new password.'],
  [
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
    'Choose a stronger password. Make it longer, and use capital letters, numbers and symbols.',
  ],
] as const)('the sign-up shows a message for the Firebase error %s', async ([message, text]) => {
  api.use(http.post(providerCall('signUp'), () => providerError(message)));
  const app = await open('/signup');
  await fill(app);
  await send(app);
  expect(await toastOf(text)).toBe('error');
});

test.for([
  ['   ', 'Enter a name of 1 to 80 characters.'],
  ['\u202e\u200b', 'Enter a name of 1 to 80 characters.'],
  ['R.T.R. CIoud Kitchen', 'Your name cannot contain “RTR Cloud Kitchen”. Enter another name.'],
] as const)(
  'the sign-up rejects the name %j with an error beside the field and in a toast, and creates no account',
  async ([name, said]) => {
    const app = await open('/signup');
    await fill(app, { name });
    await send(app);
    expect(await toastOf(said)).toBe('error');
    const field = screen.getByLabelText('Name');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(said);
    expect(app.session.getState().user).toBeNull();
  },
);

test('the sign-up keeps the new account when Firebase does not save the name and photo, and says that they were not saved', async () => {
  api.use(http.post(providerCall('update'), () => providerError('OPERATION_NOT_ALLOWED')));
  const app = await open('/signup');
  await fill(app);
  await send(app);
  expect(await toastOf('Your name and photo were not saved. You can add them on your account page.')).toBe('error');
  expect(await toastOf('Registration Successfully')).toBe('success');
});

test('the sign-up form can be sent again after the request for the access token failed', async () => {
  api.use(http.post('/api/jwt', () => problem(503, 'Firebase does not answer.')));
  const app = await open('/signup');
  await fill(app);
  await send(app);
  await screen.findByText('We could not log you in because our server did not respond. Nothing you typed is lost.');
  api.resetHandlers();
  await send(app);
  expect(await toastOf('Registration Successfully')).toBe('success');
});
