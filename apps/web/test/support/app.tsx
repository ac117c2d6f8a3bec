import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect } from 'react';
import {
  createMemoryRouter,
  createPath,
  type InitialEntry,
  type Location,
  Outlet,
  RouterProvider,
  useLocation,
} from 'react-router-dom';
import { expect, vi } from 'vitest';
import { App } from '../../src/app.tsx';
import { createSession } from '../../src/features/auth/session.ts';
import { addSession } from '../../src/features/auth/session-context.ts';
import { contextOf } from '../../src/lib/app.ts';
import { loadConfig } from '../../src/lib/config.ts';
import type { Draft } from '../../src/lib/draft.ts';
import { createHttp } from '../../src/lib/http.ts';
import { pageContextOf } from '../../src/lib/page-context.ts';
import { createQueryClient, followConnection, removePrivateQueriesOnSignOut } from '../../src/lib/query-client.ts';
import { createStorage } from '../../src/lib/storage.ts';
import { routes } from '../../src/router.tsx';
import { closeBrowser } from './api.ts';

/**
 * The toasts that have appeared since the app was opened. Some toasts are shown for only 2 s, so a test could miss them on
 * the page.
 */
const appeared: { kind: string | undefined; text: string | undefined }[] = [];
new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (!(node instanceof HTMLElement)) continue;
    for (const toast of [node, ...node.querySelectorAll<HTMLElement>('[data-toast]')])
      if (toast.dataset.toast)
        appeared.push({ kind: toast.dataset.toast, text: toast.querySelector('p')?.textContent });
  }
}).observe(document.body, { childList: true, subtree: true });

const openApps: { close: () => Promise<void> }[] = [];
const closeApps = () => Promise.all(openApps.splice(0).map((app) => app.close()));

let storageState: 'working' | 'full' | 'blocked' = 'working';

/** Simulates a full storage. Until the test ends, the app cannot store anything. */
export function fillStorage(): void {
  storageState = 'full';
}

/** Simulates a blocked storage. Until the test ends, the app cannot read or write the storage. */
export function blockStorage(): void {
  storageState = 'blocked';
}

/** Closes the simulated browser and the open apps at the end of a test, and makes the storage work again. */
export async function closeBrowserAndApps(): Promise<void> {
  closeBrowser();
  await closeApps();
  storageState = 'working';
}

const fullStorage = {
  get length() {
    return localStorage.length;
  },
  key: (index: number) => localStorage.key(index),
  getItem: (key: string) => localStorage.getItem(key),
  removeItem: (key: string) => localStorage.removeItem(key),
  setItem: () => {
    throw new DOMException('Full', 'QuotaExceededError');
  },
};

/**
 * Opens the app like a new page load. Only the browser storage and the cookies remain from the last visit. `entries` is the
 * browser history, and the app opens at its last entry.
 */
export async function open(...entries: [InitialEntry, ...InitialEntry[]]) {
  await closeApps();
  appeared.length = 0;
  let isClosed = false;
  const storage = createStorage(() => {
    // A closed page must not store anything, even if one of its calls is still running.
    if (isClosed || storageState === 'blocked') throw new DOMException('Denied', 'SecurityError');
    return storageState === 'full' ? fullStorage : localStorage;
  });
  const session = createSession({ loadConfig, storage, http: createHttp({ base: '/api' }) });
  const http = createHttp({ base: '/api', tokens: session });
  const queries = createQueryClient();
  followConnection();
  removePrivateQueriesOnSignOut(session, queries);
  let shown: Location | undefined;
  // Reads the location in React, because the router changes its location before React shows the new page. A layout effect
  // runs in the same commit as the new page, so a test that finds the new heading also gets the new location.
  function Shown() {
    const location = useLocation();
    useLayoutEffect(() => {
      shown = location;
    }, [location]);
    return <Outlet />;
  }
  const showing = async (navigate: () => Promise<void>) => {
    const before = shown?.key;
    await navigate();
    await waitFor(() => expect(shown?.key).not.toBe(before));
  };
  const router = createMemoryRouter([{ Component: Shown, children: routes }], {
    initialEntries: entries,
    getContext: () => addSession(contextOf({ http, queries, storage, origin: location.origin }), session),
  });
  const { unmount } = render(
    <App
      page={pageContextOf(document.cookie, location.origin)}
      http={http}
      queries={queries}
      storage={storage}
      session={session}
      onReady={session.start}
    >
      <RouterProvider router={router} />
    </App>,
  );
  const close = async () => {
    unmount();
    isClosed = true;
    queries.clear();
    await session.close();
  };
  openApps.push({ close });
  const user = userEvent.setup();
  return {
    user: {
      ...user,
      /** Waits until the button is not pending, and then clicks it. The app ignores clicks on a pending button. */
      click: async (element: Element) => {
        await waitFor(() => expect(element.getAttribute('aria-disabled')).not.toBe('true'));
        await user.click(element);
      },
      /** Enters a text at the end of a field in one step. `type` presses each key, which takes much longer. */
      fill: async (element: Element, text: string) => {
        await user.click(element);
        await user.paste(text);
      },
    },
    router,
    session,
    http,
    queries,
    close,
    /** Returns the path, search and hash of the page on screen. */
    address: () => (shown ? createPath(shown) : ''),
    /** Navigates to a path, and waits until React shows the page. */
    go: (path: string) => showing(() => router.navigate(path)),
    /** Goes back in the history, and waits until React shows the page. */
    back: () => showing(() => router.navigate(-1)),
  };
}

export type Opened = Awaited<ReturnType<typeof open>>;

/**
 * Waits until a toast with exactly this text has appeared, and returns the kind of the toast. A toast that has matched
 * one call does not match a later call.
 */
export async function toastOf(message: string): Promise<string | undefined> {
  const found = await waitFor(() => {
    const at = appeared.findIndex(({ text }) => text === message);
    if (at === -1) throw new Error(`No toast says '${message}', but ${JSON.stringify(appeared)}`);
    return at;
  });
  return appeared.splice(found, 1)[0]?.kind;
}

/** Returns the drafts in the storage of this browser. */
export const storedDrafts = () =>
  Object.entries(localStorage)
    .filter(([key]) => key.startsWith('rtr-draft:'))
    .map(([, draft]) => JSON.parse(String(draft)) as Draft);

/** Matches the innermost element with this text. The text of an element includes the text of its children. */
export const saying = (text: string) => (_ownText: string, element: Element | null) =>
  element?.textContent === text && [...element.children].every((child) => child.textContent !== text);

/** Replaces the confirmation dialog of the browser. Returns a mock that records the questions. */
export function fakeConfirm(answer: boolean) {
  const confirmMock = vi.fn<typeof confirm>(() => answer);
  vi.stubGlobal('confirm', confirmMock);
  return confirmMock;
}

/** Logs in with the form, and waits for the next page. */
export async function logIn({ user, address }: Opened, { email, password }: { email: string; password: string }) {
  await user.fill(await screen.findByLabelText('Email'), email);
  await user.fill(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await waitFor(() => expect(address()).not.toMatch(/^\/login/));
}

/** Runs `act` as if another tab changed the storage. This tab gets a `storage` event for each change. */
export function inAnotherTab(act: () => void) {
  const before: Record<string, string> = Object.fromEntries(Object.entries(localStorage));
  act();
  for (const key of new Set([...Object.keys(before), ...Object.keys(localStorage)])) {
    const [oldValue, newValue] = [before[key] ?? null, localStorage.getItem(key)];
    if (oldValue !== newValue) dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }));
  }
}
