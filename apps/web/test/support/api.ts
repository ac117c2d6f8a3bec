import type { LimitName, Problem } from '@rtr/shared';
import { bypass, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The host and port of the Auth emulator, such as '127.0.0.1:9099'. */
    authEmulatorHost: string;
  }
}

/** The origin of the Auth emulator. Tests use the real emulator and not a fake. */
const authEmulator = () => `http://${inject('authEmulatorHost')}`;

/**
 * Simulates a new browser for each test of the file. Firebase includes the API key in the storage key of its session, and
 * each simulated browser has its own API key. So no test finds the session of another test.
 */
const browser = { number: 0, isClosed: false };
const apiKey = () => `demo-${browser.number}`;

/** The localStorage key under which Firebase stores its session. */
export const providerSessionKey = () => `firebase:authUser:${apiKey()}:[DEFAULT]`;

/**
 * Closes the simulated browser. Firebase then gets no responses, so a call that is still running after the test cannot store
 * a session.
 */
export function closeBrowser(): void {
  browser.isClosed = true;
}

/** Opens a new, empty browser for the next test. */
export function openBrowser(): void {
  browser.number += 1;
  browser.isClosed = false;
  localStorage.clear();
  for (const name of ['rtr-session', 'rtr-theme']) document.cookie = `${name}=; Path=/; Max-Age=0`;
  sessionStorage.clear();
}

/**
 * Forwards a request to the Auth emulator. A request from a browser that was closed gets no response. The API key of
 * the request shows which simulated browser sent it.
 */
async function askEmulator({ request }: { request: Request }): Promise<Response> {
  const key = new URL(request.url).searchParams.get('key');
  const response = await fetch(bypass(request));
  const isFromClosedBrowser = key?.startsWith('demo-') && (browser.isClosed || key !== apiKey());
  return isFromClosedBrowser ? noResponse() : response;
}

/**
 * Fakes the API with Mock Service Worker. Each test adds its own handlers. The route `/jwt` returns an unsigned access token
 * for the customer of the Firebase ID token, without verifying the ID token.
 */
export const api = setupServer(
  http.all(`${authEmulator()}/*`, askEmulator),
  http.get('/config.json', () =>
    HttpResponse.json({
      apiKey: apiKey(),
      authDomain: 'demo-rtr-cloud-kitchen.firebaseapp.com',
      projectId: 'demo-rtr-cloud-kitchen',
      authEmulator: authEmulator(),
    }),
  ),
  http.post('/api/jwt', ({ request }) => HttpResponse.json({ token: accessTokenFor(bearerOf(request) ?? '') })),
  http.get('/api/services', () => HttpResponse.json([])),
  http.get('/api/areas', () => HttpResponse.json([])),
  http.get('/api/account/reports', () => HttpResponse.json([])),
  http.get('/api/account/services', () => HttpResponse.json([])),
  http.get('/api/review', () => HttpResponse.json([])),
  http.get('/api/account/votes', () => HttpResponse.json([])),
  http.get('/api/account/replies', () => HttpResponse.json([], { headers: { 'X-Total-Count': '0' } })),
  http.get('/api/requests', () => HttpResponse.json([], { headers: { 'X-Total-Count': '0' } })),
  http.get('/api/account/emails', () => HttpResponse.json({ isAvailable: false, isOn: false })),
  http.get('/api/news', () => HttpResponse.json([])),
  http.get('/api/news/count', () => HttpResponse.json({ count: 0 })),
);

let tokenCount = 0;

/** Creates a new access token for the customer of the ID token. */
export function accessTokenFor(idToken: string): string {
  tokenCount += 1;
  return `e30.${btoa(JSON.stringify({ sub: subjectOf(idToken), jti: tokenCount }))}.`;
}

export const bearerOf = (request: Request) => request.headers.get('Authorization')?.replace('Bearer ', '');

export function subjectOf(token: string): string {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { sub: string }).sub;
}

/**
 * Returns true for the list of withdrawn services and for the list of deleted reviews. A handler of a test that returns
 * nothing for these lists leaves them to the shared handlers above, which return empty lists.
 */
export function isDeletedList({ url }: Request): boolean {
  const { searchParams } = new URL(url);
  return searchParams.has('withdrawn') || searchParams.has('deleted');
}

/** Creates an error response of the API. */
export function problem(
  status: number,
  detail: string,
  headers: Record<string, string> = {},
  members: Partial<Problem> = {},
) {
  return HttpResponse.json(
    { type: 'about:blank', title: 'Problem', status, detail, instance: 'test', ...members },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
}

/** Creates the response 429 for a customer who has reached a limit. */
export const limitReached = (limit: LimitName, detail: string) =>
  problem(429, detail, { 'Retry-After': '3600' }, { limit });

/** A response that never arrives. */
export const noResponse = () => new Promise<never>(() => {});

/** Returns the URL pattern of a Firebase call, for tests that fake, delay or count this call. */
export const providerCall = (name: string) => `${authEmulator()}/identitytoolkit.googleapis.com/v1/accounts\\:${name}`;

/** Creates an error response of Firebase. */
export const providerError = (message: string) =>
  HttpResponse.json({ error: { code: 400, message, errors: [{ message }] } }, { status: 400 });

export interface TestCustomer {
  uid: string;
  email: string;
  password: string;
  idToken: string;
  refreshToken: string;
}

/** Creates a customer in the Auth emulator. */
export async function customer(displayName = 'Cora Customer'): Promise<TestCustomer> {
  const email = `customer-${crypto.randomUUID()}@example.com`;
  const password = 'secret1';
  const response = await fetch(`${authEmulator()}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, displayName, returnSecureToken: true }),
  });
  const { localId: uid, ...tokens } = (await response.json()) as {
    localId: string;
    idToken: string;
    refreshToken: string;
  };
  return { uid, email, password, ...tokens };
}

/** Creates a customer, and stores a session and an access token in this browser, as a login does. */
export async function signedIn(displayName?: string): Promise<TestCustomer> {
  const cora = await customer(displayName);
  storeProviderSession(cora);
  localStorage.setItem('rtr-cloud-kitchen-token', accessTokenFor(cora.idToken));
  return cora;
}

/**
 * Stores a session as Firebase stores it, but no access token of the API. Firebase calls its ID token `accessToken`.
 */
export function storeProviderSession({ uid, email, idToken: accessToken, refreshToken }: TestCustomer): void {
  const stsTokenManager = { accessToken, refreshToken, expirationTime: Date.now() + 3_600_000 };
  const profile = { displayName: 'Cora Customer', emailVerified: false, isAnonymous: false, providerData: [] };
  localStorage.setItem(providerSessionKey(), JSON.stringify({ uid, email, ...profile, stsTokenManager }));
}

/** Disables a customer, as an operator of the product can do. */
export const disableCustomer = (uid: string) => updateCustomer({ localId: uid, disableUser: true });

/** Makes a customer a moderator, as an operator of the product can do. The next ID token contains the claim `moderator`. */
export const makeModerator = ({ uid }: TestCustomer) =>
  updateCustomer({ localId: uid, customAttributes: JSON.stringify({ moderator: true }) });

/** Verifies the address of a customer, as the link in Firebase's email does. */
export const verifyEmailOf = ({ uid }: TestCustomer) => updateCustomer({ localId: uid, emailVerified: true });

async function updateCustomer(changes: object): Promise<void> {
  await fetch(`${authEmulator()}/identitytoolkit.googleapis.com/v1/projects/demo-rtr-cloud-kitchen/accounts:update`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify(changes),
  });
}
