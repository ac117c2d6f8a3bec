// Who is signed in, for every screen. Firebase itself is loaded only when this browser holds a session or makes one.
import { presentableName } from '@rtr/shared';
import { useSyncExternalStore } from 'react';
import { ApiError, isPassing, UnexpectedAnswer } from '../../lib/api-error.ts';
import { loadConfig } from '../../lib/config.ts';
import { dropDraftsOf } from '../../lib/draft.ts';
import { createHttp } from '../../lib/http.ts';
import { usePageContext } from '../../lib/page-context.ts';
import { writeSessionHint } from '../../lib/session-hint.ts';
import { storage } from '../../lib/storage.ts';
import type { Provider, ProviderUser } from './firebase.ts';

const tokenKey = 'rtr-cloud-kitchen-token';
const heldSession = 'firebase:authUser:';

export interface SessionUser {
  uid: string;
  email: string;
  /** Empty when the customer gave none that others may see. */
  displayName: string;
  photoURL: string;
}

export interface SessionState {
  user: SessionUser | null;
  /** Whether it is still open who is signed in. */
  loading: boolean;
  /** True from the start of a sign-in in this tab until its access token is stored or the sign-in has failed. */
  signingIn: boolean;
  /** How the last session ended by itself, until somebody signs in. */
  ended?: 'expired' | 'turned off';
  /** The provider still knows the customer, but the API gives them no access token until they log in again. */
  needsLogin: boolean;
}

// A browser that holds no session knows at once that nobody is signed in.
let state: SessionState = { user: null, loading: holdsSession(), signingIn: false, needsLogin: false };
const listeners = new Set<() => void>();
let opening: Promise<Provider> | undefined;
let watching = false;

export const session = {
  subscribe(listener: () => void): () => void {
    start();
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  getSnapshot: (): SessionState => state,
};

const visitor: SessionState = { user: null, loading: false, signingIn: false, needsLogin: false };
const unknown: SessionState = { user: null, loading: true, signingIn: false, needsLogin: false };

export function useSession(): SessionState {
  const { hasSession } = usePageContext();
  return useSyncExternalStore(session.subscribe, session.getSnapshot, () => (hasSession ? unknown : visitor));
}

/** Who is signed in, once that is known. */
export async function ready(): Promise<SessionUser | null> {
  start();
  while (state.loading) {
    await new Promise<void>((resolve) => {
      const stop = session.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
  return state.user;
}

/** The identity provider, loaded on first need. */
export function openSession(): Promise<Provider> {
  opening ??= Promise.all([import('./firebase.ts'), loadConfig()]).then(
    ([{ openProvider }, config]) => openProvider(config, onUser),
    (cause: unknown) => {
      opening = undefined;
      throw Object.assign(new Error('The identity provider could not be loaded', { cause }), {
        code: 'auth/network-request-failed',
      });
    },
  );
  return opening;
}

/** Marks that a sign-in has started. The provider reports the customer, or `failed` is called. */
export function startSignIn(): { failed(): void } {
  publish({ ...state, loading: true, signingIn: true });
  return { failed: () => publish({ ...state, loading: false, signingIn: false }) };
}

/** The stored access token, if it speaks for who is signed in now. */
export function accessToken(): string | null {
  const token = storage.get(tokenKey);
  return token && state.user && subjectOf(token) === state.user.uid ? token : null;
}

let renewal: Promise<string | null> | undefined;

/**
 * Another access token after the API `refused` one, or null when the customer must log in again. All calls share one
 * renewal, and tabs take turns: who comes second finds the token of the first. Throws when the network or a server fails.
 */
export function renewAccessToken(refused: string | null = accessToken()): Promise<string | null> {
  renewal ??= inTurn(async () => {
    const stored = accessToken();
    const token = stored && stored !== refused ? stored : await takeAccessToken();
    if (!token && state.user) publish({ ...state, needsLogin: true });
    return token;
  }).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

/**
 * Trades the provider's token for an access token and stores it. Null when either refuses, or when another customer is
 * signed in by then. Throws when the network or a server fails.
 */
export async function takeAccessToken(): Promise<string | null> {
  const provider = await openSession();
  const customer = provider.currentUser();
  if (!customer) return null;
  // A refused token may only be stale. A fresh one tells, and makes the provider sign out a disabled customer.
  const token = (await exchange(provider, customer, false)) ?? (await exchange(provider, customer, true));
  if (!token || provider.currentUser()?.uid !== customer.uid || subjectOf(token) !== customer.uid) return null;
  storage.set(tokenKey, token);
  if (state.signingIn || state.needsLogin) publish({ ...state, signingIn: false, needsLogin: false });
  return token;
}

/**
 * Another access token in place of the stored one, which no longer says what is so. When it is not to be had now, the
 * next call asks for it.
 */
async function replaceAccessToken(): Promise<string | null> {
  storage.remove(tokenKey);
  return takeAccessToken();
}

/** Saves name and photo, and has both tokens say them: the next review is signed with them. */
export async function saveProfile(profile: { displayName: string; photoURL: string }): Promise<void> {
  const provider = await openSession();
  await provider.saveProfile(profile);
  await provider.idToken(true);
  await replaceAccessToken().catch(() => null);
}

/**
 * Deletes the account and its reviews; signing out is left to the caller. Refused with 403 when the last login is too
 * long ago. Throws a NetworkError when it is not known whether the account is gone.
 */
export async function deleteAccount(): Promise<void> {
  const idToken = await (await openSession()).idToken(false);
  try {
    await api('DELETE /account', { as: { idToken: idToken ?? '' } });
  } catch (error) {
    // Interrupted half-way, the account is closed all the same: no token is to be had for it any more.
    const closed = isPassing(error) && (await replaceAccessToken().catch(() => 'nobody knows')) === null;
    if (!closed) throw error;
  }
}

const api = createHttp({ base: '/api', token: () => null, renew: () => Promise.resolve(null) });

async function exchange(provider: Provider, { email }: ProviderUser, fresh: boolean): Promise<string | null> {
  try {
    const idToken = await provider.idToken(fresh);
    if (!idToken) return null;
    const { data } = await api('POST /jwt', { as: { idToken }, body: { email: email ?? '' } });
    const token: unknown = data?.token;
    if (typeof token !== 'string') throw new UnexpectedAnswer();
    return token;
  } catch (error) {
    const refused = error instanceof ApiError ? [401, 403].includes(error.status) : provider.hasRefused(error);
    if (refused) return null;
    throw error;
  }
}

/** Signs out in every tab, and drops what `user` was writing. */
export async function signOut(user = state.user): Promise<void> {
  storage.remove(tokenKey);
  if (user) dropDraftsOf(user.uid);
  await (await openSession()).signOut();
}

function start(): void {
  if (!watching) {
    watching = true;
    noteSession();
    // Another tab signed in. Once Firebase is loaded here, it hears of the other tabs by itself.
    addEventListener('storage', ({ key, newValue }) => {
      if (newValue && key?.startsWith(heldSession)) open();
    });
  }
  if (state.loading) open();
}

/** Without a provider it stays as it is who is signed in; at the start the progress bars offer another try. */
function open(): void {
  openSession().catch(() => {});
}

function holdsSession(): boolean {
  return storage.keys().some((key) => key.startsWith(heldSession));
}

function onUser(user: ProviderUser | null, turnedOff?: () => Promise<boolean>): void {
  if (user) {
    publish({ user: present(user), loading: false, signingIn: state.signingIn, needsLogin: false });
    return;
  }
  // Sign Out takes the token away first: a session that ends while it is there has ended by itself.
  const endedByItself = storage.get(tokenKey) !== null;
  storage.remove(tokenKey);
  publish({ ...state, user: null, loading: false, needsLogin: false });
  if (turnedOff && endedByItself)
    void turnedOff().then((off) => {
      if (!state.user) publish({ ...state, ended: off ? 'turned off' : 'expired' });
    });
}

function present({ uid, email, displayName, photoURL }: ProviderUser): SessionUser {
  return { uid, email: email ?? '', displayName: presentableName(displayName ?? ''), photoURL: photoURL ?? '' };
}

function publish(next: SessionState): void {
  state = next;
  noteSession();
  for (const listener of listeners) listener();
}

/** The server renders the next page accordingly. */
function noteSession(): void {
  writeSessionHint(state.user !== null || holdsSession());
}

/** The uid a JWT speaks for. It is not verified here: the API does that. */
function subjectOf(token: string): string | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as { sub?: string }).sub ?? null;
  } catch {
    return null;
  }
}

/** Runs `act` while no other tab does, where the browser can tell (it needs https or localhost). */
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('rtr-cloud-kitchen-renewal', act) : act();
}
