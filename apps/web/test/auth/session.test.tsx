import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import {
  accessTokenFor,
  api,
  bearerOf,
  customer,
  heldSession,
  holdSession,
  problem,
  providerCall,
  signedIn,
  silence,
  subjectOf,
  turnOff,
} from '../support/api.ts';
import { open, toastOf } from '../support/app.tsx';

const tokenKey = 'rtr-cloud-kitchen-token';
const mine = { query: { email: 'cora@example.com' }, as: 'customer' } as const;

/** What another tab's change to the storage does in this one. */
function inAnotherTab(act: () => void) {
  const before: Record<string, string> = Object.fromEntries(Object.entries(localStorage));
  act();
  for (const key of new Set([...Object.keys(before), ...Object.keys(localStorage)])) {
    const [oldValue, newValue] = [before[key] ?? null, localStorage.getItem(key)];
    if (oldValue !== newValue) dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }));
  }
}

test('a visitor is known as one at once, and Firebase is not asked for', async () => {
  let asked = false;
  api.use(
    http.get('/config.json', () => {
      asked = true;
      return HttpResponse.json({});
    }),
  );
  const app = await open('/');
  expect(app.auth.session.getSnapshot()).toMatchObject({ user: null, loading: false, signingIn: false });
  await screen.findByRole('heading', { name: 'Discover Our Kitchen' });
  expect(asked).toBe(false);
});

test('a reload keeps the customer signed in', async () => {
  const cora = await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  expect(app.auth.session.getSnapshot().user).toMatchObject({ uid: cora.uid, displayName: 'Cora Customer' });
  screen.getByRole('button', { name: 'Sign Out' });
});

test.for(['/', '/addservices'])('while the provider (faked) does not answer, %s shows progress bars', async (path) => {
  await signedIn();
  api.use(http.post(providerCall('lookup'), silence));
  const app = await open(path);
  expect((await screen.findAllByRole('progressbar')).length).toBeGreaterThan(0);
  expect(app.auth.session.getSnapshot().loading).toBe(true);
  expect(app.address()).toBe(path);
});

test('Sign Out takes away the token, the session and the drafts, and leads home', async () => {
  const cora = await signedIn();
  localStorage.setItem(`rtr-draft:${cora.uid}:service`, '{}');
  localStorage.setItem('rtr-draft:somebody-else:service', '{}');
  const asked = vi.fn<typeof confirm>().mockReturnValueOnce(false).mockReturnValueOnce(true);
  vi.stubGlobal('confirm', asked);
  const app = await open('/addservices');
  await app.user.type(await screen.findByLabelText('Title'), 'Not sent');
  const signOut = screen.getByRole('button', { name: 'Sign Out' });
  await app.user.click(signOut);
  expect(asked).toHaveBeenCalledExactlyOnceWith('Signing out drops what you have not sent yet. Sign out all the same?');
  expect(app.auth.session.getSnapshot().user?.uid).toBe(cora.uid);
  await app.user.click(signOut);
  expect(await toastOf('Logout Successfully')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/'));
  expect(Object.keys(localStorage)).toEqual(['rtr-draft:somebody-else:service']);
});

test('Sign Out in another tab ends this one too', async () => {
  await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  inAnotherTab(() => {
    localStorage.removeItem(tokenKey);
    localStorage.removeItem(heldSession());
  });
  await waitFor(() => expect(app.address()).toBe('/login'));
  expect(within(screen.getByRole('main')).queryByRole('alert')).toBeNull();
});

test('a login in another tab signs this one in', async () => {
  const app = await open('/blogs');
  await screen.findByRole('heading', { level: 1 });
  expect(app.auth.session.getSnapshot().user).toBeNull();
  const cora = await customer();
  inAnotherTab(() => holdSession(cora));
  await screen.findByRole('button', { name: 'Sign Out' });
});

test('a customer who was disabled is signed out on the next visit, and told', async () => {
  const cora = await signedIn();
  await turnOff(cora.uid);
  const app = await open('/addservices');
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByText('This account has been turned off, so you were signed out.');
  expect(Object.keys(localStorage)).toEqual([]);
});

test('a customer who is disabled meanwhile is signed out when the token is renewed, and told', async () => {
  const cora = await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  await turnOff(cora.uid);
  api.use(
    http.get('/api/review', () => problem(401, 'Send a current access token.')),
    http.post('/api/jwt', () => problem(401, 'This account is disabled.')),
  );
  await expect(app.http('GET /review', mine)).rejects.toMatchObject({ status: 401 });
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByText('This account has been turned off, so you were signed out.');
});

test('calls whose token was refused share one renewal, and are repeated with what it brought', async () => {
  await signedIn();
  const old = localStorage.getItem(tokenKey);
  let renewals = 0;
  const used: (string | undefined)[] = [];
  api.use(
    http.get('/api/review', ({ request }) => {
      used.push(bearerOf(request));
      return bearerOf(request) === old ? problem(401, 'Expired.') : HttpResponse.json([]);
    }),
    http.post('/api/jwt', ({ request }) => {
      renewals += 1;
      return HttpResponse.json({ token: accessTokenFor(bearerOf(request) ?? '') });
    }),
  );
  const app = await open('/blogs');
  await app.auth.ready();
  await Promise.all([app.http('GET /review', mine), app.http('GET /review', mine), app.http('GET /review', mine)]);
  const fresh = localStorage.getItem(tokenKey);
  expect(fresh).not.toBe(old);
  expect(renewals).toBe(1);
  expect(used.filter((token) => token === old)).toHaveLength(3);
  expect(used.filter((token) => token === fresh)).toHaveLength(3);
});

test('a token that another tab renewed meanwhile is taken as it is', async () => {
  const cora = await signedIn();
  const app = await open('/blogs');
  await app.auth.ready();
  const refused = localStorage.getItem(tokenKey);
  const theirs = accessTokenFor(cora.idToken);
  localStorage.setItem(tokenKey, theirs);
  api.use(http.post('/api/jwt', () => problem(503, 'Not to be asked.')));
  expect(await app.auth.renewAccessToken(refused)).toBe(theirs);
});

test('the token of another customer is never used', async () => {
  await signedIn();
  const somebody = await customer();
  localStorage.setItem(tokenKey, accessTokenFor(somebody.idToken));
  const app = await open('/blogs');
  const user = await app.auth.ready();
  expect(app.auth.accessToken()).toBeNull();
  const renewed = await app.auth.renewAccessToken();
  expect(subjectOf(renewed ?? '')).toBe(user?.uid);
});

test('a renewal is dropped when another customer is signed in by then', async () => {
  const first = await signedIn();
  const second = await customer();
  const app = await open('/blogs');
  await app.auth.ready();
  const before = localStorage.getItem(tokenKey);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  api.use(
    http.post('/api/jwt', async () => {
      asked.resolve();
      await answer.promise;
      return HttpResponse.json({ token: accessTokenFor(first.idToken) });
    }),
  );
  const renewal = app.auth.renewAccessToken();
  await asked.promise;
  const provider = await app.auth.openSession();
  await provider.logIn(second.email, second.password);
  answer.resolve();
  expect(await renewal).toBeNull();
  expect(localStorage.getItem(tokenKey)).toBe(before);
  expect(app.auth.accessToken()).toBeNull();
});

test('a server that is away does not end a session', async () => {
  const cora = await signedIn();
  const app = await open('/blogs');
  await app.auth.ready();
  api.use(http.post('/api/jwt', () => problem(503, 'Firebase does not answer.')));
  await expect(app.auth.renewAccessToken()).rejects.toMatchObject({ status: 503 });
  expect(app.auth.session.getSnapshot().user?.uid).toBe(cora.uid);
});
