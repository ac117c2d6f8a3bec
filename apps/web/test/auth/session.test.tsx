import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import {
  accessTokenFor,
  api,
  bearerOf,
  customer,
  disableCustomer,
  noResponse,
  problem,
  providerCall,
  providerSessionKey,
  signedIn,
  storeProviderSession,
  subjectOf,
} from '../support/api.ts';
import { inAnotherTab, open, toastOf } from '../support/app.tsx';

const tokenKey = 'rtr-cloud-kitchen-token';
const mine = { query: { email: 'cora@example.com' }, as: 'customer' } as const;

test('a visitor without a stored session counts as signed out immediately, without loading Firebase', async () => {
  let asked = false;
  api.use(
    http.get('/config.json', () => {
      asked = true;
      return HttpResponse.json({});
    }),
  );
  const app = await open('/');
  expect(app.session.getState()).toMatchObject({ user: null, loading: false, signingIn: false });
  await screen.findByRole('heading', { name: 'Discover Our Kitchen' });
  expect(asked).toBe(false);
});

test('a customer stays signed in after a reload', async () => {
  const cora = await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  expect(app.session.getState().user).toMatchObject({ uid: cora.uid, displayName: 'Cora Customer' });
  screen.getByRole('button', { name: 'Sign Out' });
});

test.for(['/', '/addservices'])('the page %s shows progress bars while Firebase does not respond', async (path) => {
  await signedIn();
  api.use(http.post(providerCall('lookup'), noResponse));
  const app = await open(path);
  expect((await screen.findAllByRole('progressbar')).length).toBeGreaterThan(0);
  expect(app.session.getState().loading).toBe(true);
  expect(app.address()).toBe(path);
});

test('Sign Out asks for confirmation if the customer has drafts, then removes the token, the session and these drafts, and opens the home page', async () => {
  const cora = await signedIn();
  localStorage.setItem(`rtr-draft:${cora.uid}:service`, '{}');
  localStorage.setItem('rtr-draft:somebody-else:service', '{}');
  const confirmed = vi.fn<typeof confirm>().mockReturnValueOnce(false).mockReturnValueOnce(true);
  vi.stubGlobal('confirm', confirmed);
  const app = await open('/addservices');
  await app.user.fill(await screen.findByLabelText('Title'), 'Not sent');
  const signOut = screen.getByRole('button', { name: 'Sign Out' });
  await app.user.click(signOut);
  expect(confirmed).toHaveBeenCalledExactlyOnceWith('You have unsent drafts. Sign out and delete them?');
  expect(app.session.getState().user?.uid).toBe(cora.uid);
  await app.user.click(signOut);
  expect(await toastOf('Logout Successfully')).toBe('success');
  await waitFor(() => expect(app.address()).toBe('/'));
  expect(Object.keys(localStorage)).toEqual(['rtr-draft:somebody-else:service']);
});

test('if the customer opens another page during the sign-out, the app stays on that page', async () => {
  await signedIn();
  const app = await open('/blogs');
  const button = await screen.findByRole('button', { name: 'Sign Out' });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const provider = await app.session.openProvider();
  const { signOut } = provider;
  vi.spyOn(provider, 'signOut').mockImplementation(async () => {
    await isReleased;
    await signOut();
  });
  await app.user.click(button);
  await app.go('/about');
  const navigate = vi.spyOn(app.router, 'navigate');
  release();
  expect(await toastOf('Logout Successfully')).toBe('success');
  await screen.findByRole('link', { name: 'Login' });
  expect(navigate).not.toHaveBeenCalled();
  expect(app.address()).toBe('/about');
});

test('Sign Out in another tab also signs out this tab', async () => {
  await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  inAnotherTab(() => {
    localStorage.removeItem(tokenKey);
    localStorage.removeItem(providerSessionKey());
  });
  await waitFor(() => expect(app.address()).toBe('/login'));
  expect(within(screen.getByRole('main')).queryByRole('alert')).toBeNull();
});

test('a login in another tab also signs in this tab', async () => {
  const app = await open('/blogs');
  await screen.findByRole('heading', { level: 1 });
  expect(app.session.getState().user).toBeNull();
  const cora = await customer();
  inAnotherTab(() => storeProviderSession(cora));
  await screen.findByRole('button', { name: 'Sign Out' });
});

test('a customer who was disabled is signed out on the next visit, with a text that says why', async () => {
  const cora = await signedIn();
  await disableCustomer(cora.uid);
  const app = await open('/addservices');
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByText('This account has been turned off, so you were signed out.');
  expect(Object.keys(localStorage)).toEqual([]);
});

test('a customer who is disabled during a visit is signed out when the token is refreshed, with a text that says why', async () => {
  const cora = await signedIn();
  const app = await open('/addservices');
  await screen.findByRole('heading', { name: 'Add a service' });
  await disableCustomer(cora.uid);
  api.use(
    http.get('/api/review', () => problem(401, 'Send a current access token.')),
    http.post('/api/jwt', () => problem(401, 'This account is disabled.')),
  );
  await expect(app.http('GET /review', mine)).rejects.toMatchObject({ status: 401 });
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByText('This account has been turned off, so you were signed out.');
});

test('concurrent API calls whose access token was rejected share one token refresh, and are retried with the new token', async () => {
  await signedIn();
  const old = localStorage.getItem(tokenKey);
  let refreshCount = 0;
  const used: (string | undefined)[] = [];
  api.use(
    http.get('/api/review', ({ request }) => {
      used.push(bearerOf(request));
      return bearerOf(request) === old ? problem(401, 'Expired.') : HttpResponse.json([]);
    }),
    http.post('/api/jwt', ({ request }) => {
      refreshCount += 1;
      return HttpResponse.json({ token: accessTokenFor(bearerOf(request) ?? '') });
    }),
  );
  const app = await open('/blogs');
  await app.session.waitForUser();
  await Promise.all([app.http('GET /review', mine), app.http('GET /review', mine), app.http('GET /review', mine)]);
  const fresh = localStorage.getItem(tokenKey);
  expect(fresh).not.toBe(old);
  expect(refreshCount).toBe(1);
  expect(used.filter((token) => token === old)).toHaveLength(3);
  expect(used.filter((token) => token === fresh)).toHaveLength(3);
});

test('after an access token was rejected, the app uses the new token that another tab has stored', async () => {
  const cora = await signedIn();
  const app = await open('/blogs');
  await app.session.waitForUser();
  const rejected = localStorage.getItem(tokenKey);
  const theirs = accessTokenFor(cora.idToken);
  localStorage.setItem(tokenKey, theirs);
  api.use(http.post('/api/jwt', () => problem(503, 'Must not be called.')));
  expect(await app.session.refreshAccessToken(rejected)).toBe(theirs);
});

test('the app never uses a stored access token that belongs to another customer', async () => {
  await signedIn();
  const somebody = await customer();
  localStorage.setItem(tokenKey, accessTokenFor(somebody.idToken));
  const app = await open('/blogs');
  const user = await app.session.waitForUser();
  expect(app.session.getAccessToken()).toBeNull();
  const refreshed = await app.session.refreshAccessToken(app.session.getAccessToken());
  expect(subjectOf(refreshed ?? '')).toBe(user?.uid);
});

test('a refreshed access token is discarded when another customer has signed in during the refresh', async () => {
  const first = await signedIn();
  const second = await customer();
  const app = await open('/blogs');
  await app.session.waitForUser();
  const before = localStorage.getItem(tokenKey);
  const asked = Promise.withResolvers<void>();
  const response = Promise.withResolvers<void>();
  api.use(
    http.post('/api/jwt', async () => {
      asked.resolve();
      await response.promise;
      return HttpResponse.json({ token: accessTokenFor(first.idToken) });
    }),
  );
  const refresh = app.session.refreshAccessToken(app.session.getAccessToken());
  await asked.promise;
  const provider = await app.session.openProvider();
  await provider.signInWithPassword(second.email, second.password);
  response.resolve();
  expect(await refresh).toBeNull();
  expect(localStorage.getItem(tokenKey)).toBe(before);
  expect(app.session.getAccessToken()).toBeNull();
  expect(app.session.getState().needsLogin).toBe(false);
});

test('if a customer logs in during a token refresh for another customer, the new customer gets their own token', async () => {
  const first = await signedIn();
  const second = await customer();
  const app = await open('/blogs');
  await app.session.waitForUser();
  const requested = Promise.withResolvers<void>();
  const firstResponse = Promise.withResolvers<void>();
  api.use(
    http.post('/api/jwt', async ({ request }) => {
      const idToken = bearerOf(request) ?? '';
      requested.resolve();
      if (subjectOf(idToken) === first.uid) await firstResponse.promise;
      return HttpResponse.json({ token: accessTokenFor(idToken) });
    }),
  );
  const firstRefresh = app.session.refreshAccessToken(app.session.getAccessToken());
  await requested.promise;
  await app.session.signInWithPassword(second.email, second.password);
  await waitFor(() => expect(app.session.getState().user?.uid).toBe(second.uid));
  const token = await app.session.refreshAccessToken(app.session.getAccessToken());
  firstResponse.resolve();
  expect(subjectOf(token ?? '')).toBe(second.uid);
  expect(await firstRefresh).toBeNull();
  expect(app.session.getAccessToken()).toBe(token);
});

test.for([
  ['a response with the status 401', () => problem(401, 'Expired.')],
  ['a failure of the network', () => HttpResponse.error()],
] as const)(
  'after %s, a call is never repeated with the token of another customer who signed in during the call',
  async ([, failure]) => {
    const first = await signedIn();
    const second = await customer();
    const app = await open('/blogs');
    await app.session.waitForUser();
    const asked = Promise.withResolvers<void>();
    const signedInAsSecond = Promise.withResolvers<void>();
    const callers: string[] = [];
    api.use(
      http.get('/api/account/services', async ({ request }) => {
        const caller = subjectOf(bearerOf(request) ?? '.e30');
        callers.push(caller);
        if (caller !== first.uid) return HttpResponse.json([]);
        asked.resolve();
        await signedInAsSecond.promise;
        return failure();
      }),
    );
    const call = app.http('GET /account/services', { as: 'customer', query: {} });
    await asked.promise;
    await app.session.signInWithPassword(second.email, second.password);
    await waitFor(() => expect(app.session.getState().user?.uid).toBe(second.uid));
    await app.session.refreshAccessToken(app.session.getAccessToken());
    signedInAsSecond.resolve();
    await Promise.allSettled([call]);
    expect(callers).not.toContain(second.uid);
  },
);

test('deleting the account of one customer fails and deletes nothing if the browser is now signed in as another customer', async () => {
  const first = await signedIn();
  const second = await customer();
  const app = await open('/blogs');
  await app.session.waitForUser();
  const deleted: string[] = [];
  api.use(
    http.delete('/api/account', ({ request }) => {
      deleted.push(subjectOf(bearerOf(request) ?? ''));
      return HttpResponse.json({ acknowledged: true });
    }),
  );
  await app.session.signInWithPassword(second.email, second.password);
  await expect(app.session.deleteAccount(first.uid)).rejects.toMatchObject({ code: 'auth/user-mismatch' });
  expect(deleted).toEqual([]);
});

test('a customer stays signed in when the access token cannot be refreshed because the API is unavailable', async () => {
  const cora = await signedIn();
  const app = await open('/blogs');
  await app.session.waitForUser();
  api.use(http.post('/api/jwt', () => problem(503, 'Firebase does not answer.')));
  await expect(app.session.refreshAccessToken(app.session.getAccessToken())).rejects.toMatchObject({ status: 503 });
  expect(app.session.getState().user?.uid).toBe(cora.uid);
});

test('if the Firebase settings did not load because the browser was offline, a page for customers loads when the browser is online again', async () => {
  await signedIn();
  let isAway = true;
  let failureCount = 0;
  api.use(
    http.get('/config.json', () => {
      if (!isAway) return undefined;
      failureCount += 1;
      return HttpResponse.error();
    }),
  );
  const app = await open('/addservices');
  await waitFor(() => expect(failureCount).toBe(2));
  expect(app.session.getState().loading).toBe(true);
  isAway = false;
  dispatchEvent(new Event('online'));
  await screen.findByRole('heading', { name: 'Add a service' });
});
