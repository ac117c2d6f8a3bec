import type { LimitName, Problem } from '@rtr/shared';
import { HttpResponse, http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Host and port, such as '127.0.0.1:9099'. */
    authEmulatorHost: string;
  }
}

/** The Auth emulator of this run. It is real: what it answers is not written here. */
const authEmulator = () => `http://${inject('authEmulatorHost')}`;

let browsers = 0;
const apiKey = () => `demo-${browsers}`;

/** Where the provider keeps its session. */
export const heldSession = () => `firebase:authUser:${apiKey()}:[DEFAULT]`;

/** For the next test. What the one before left under way may still end, and keep its session: in a browser that is gone. */
export function takeAnotherBrowser(): void {
  browsers += 1;
  localStorage.clear();
  for (const name of ['rtr-session', 'rtr-theme']) document.cookie = `${name}=; Path=/; Max-Age=0`;
  sessionStorage.clear();
}
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function set(key, value) {
  if (!key.startsWith('firebase:authUser:demo-') || key === heldSession()) setItem.call(this, key, value);
};

/**
 * The API, faked at the network: each test says what it answers, on top of these. `/jwt` gives an unsigned access token
 * for whom the Firebase ID token names; nothing else here verifies anything.
 */
export const api = setupServer(
  http.all(`${authEmulator()}/*`, () => passthrough()),
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
);

let made = 0;

/** Another token each time, for the `sub` of the given one. */
export function accessTokenFor(idToken: string): string {
  made += 1;
  return `e30.${btoa(JSON.stringify({ sub: subjectOf(idToken), jti: made }))}.`;
}

export const bearerOf = (request: Request) => request.headers.get('Authorization')?.replace('Bearer ', '');

export function subjectOf(token: string): string {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { sub: string }).sub;
}

/** A problem as the API sends it. */
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

/** Answers of status 2xx that do not say that a write was done, by what they are. */
export const unexpectedAnswers: [name: string, answer: () => Response][] = [
  ['a result that is not acknowledged', () => HttpResponse.json({ acknowledged: false, insertedId: 'x' })],
  ['an empty object', () => HttpResponse.json({})],
  ['null', () => HttpResponse.json(null)],
  ['a list', () => HttpResponse.json([])],
  ['no body', () => new HttpResponse(null, { status: 204 })],
  ['a page of a captive portal', () => HttpResponse.html('<h1>Log in to the Wi-Fi</h1>')],
];

/** A 429 as the API sends it for one of its limits. */
export const limitReached = (limit: LimitName, detail: string) =>
  problem(429, detail, { 'Retry-After': '3600' }, { limit });

/** An answer that never comes. */
export const silence = () => new Promise<never>(() => {});

/** Where the provider answers one of its calls, as a pattern to fake what the emulator cannot produce. */
export const providerCall = (name: string) => `${authEmulator()}/identitytoolkit.googleapis.com/v1/accounts\\:${name}`;

/** How the provider's server words a failure. */
export const providerError = (message: string) =>
  HttpResponse.json({ error: { code: 400, message, errors: [{ message }] } }, { status: 400 });

export interface TestCustomer {
  uid: string;
  email: string;
  password: string;
  idToken: string;
  refreshToken: string;
}

/** A customer of the emulator's own. */
export async function customer(displayName = 'Cora Customer'): Promise<TestCustomer> {
  const email = `customer-${crypto.randomUUID()}@example.com`;
  const password = 'secret1';
  const answer = await fetch(`${authEmulator()}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, displayName, returnSecureToken: true }),
  });
  const { localId: uid, ...tokens } = (await answer.json()) as {
    localId: string;
    idToken: string;
    refreshToken: string;
  };
  return { uid, email, password, ...tokens };
}

/** Leaves in this browser what a customer's earlier visit left: the provider's session and the access token. */
export async function signedIn(displayName?: string): Promise<TestCustomer> {
  const cora = await customer(displayName);
  holdSession(cora);
  localStorage.setItem('rtr-cloud-kitchen-token', accessTokenFor(cora.idToken));
  return cora;
}

/** The provider's session alone, as Firebase writes it. */
export function holdSession({ uid, email, idToken: accessToken, refreshToken }: TestCustomer): void {
  const stsTokenManager = { accessToken, refreshToken, expirationTime: Date.now() + 3_600_000 };
  const profile = { displayName: 'Cora Customer', emailVerified: false, isAnonymous: false, providerData: [] };
  localStorage.setItem(heldSession(), JSON.stringify({ uid, email, ...profile, stsTokenManager }));
}

/** What an operator does in the provider's console. */
export async function turnOff(uid: string): Promise<void> {
  await fetch(`${authEmulator()}/identitytoolkit.googleapis.com/v1/projects/demo-rtr-cloud-kitchen/accounts:update`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify({ localId: uid, disableUser: true }),
  });
}
