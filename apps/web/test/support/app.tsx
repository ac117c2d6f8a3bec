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
import { afterEach, expect, vi } from 'vitest';

/** The toasts that have appeared since the app was opened. One stays for only 2 s, so a look at the page may miss it. */
const appeared: { kind: string | undefined; text: string | undefined }[] = [];
new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (!(node instanceof HTMLElement)) continue;
    for (const toast of [node, ...node.querySelectorAll<HTMLElement>('[data-toast]')])
      if (toast.dataset.toast)
        appeared.push({ kind: toast.dataset.toast, text: toast.querySelector('p')?.textContent });
  }
}).observe(document.body, { childList: true, subtree: true });

/** What the current test has opened. */
const openApps: { close: () => void }[] = [];
afterEach(() => {
  for (const app of openApps.splice(0)) app.close();
});

/** Opens the app on a page, as loading it in a browser does: nothing is left of an earlier visit but what is stored. */
export async function open(...entries: [InitialEntry, ...InitialEntry[]]) {
  vi.resetModules();
  appeared.length = 0;
  const [
    { App },
    { routes },
    { contextOf },
    { createHttp },
    { createQueryClient, followConnection },
    { pageContextOf },
    auth,
    { storage },
  ] = await Promise.all([
    import('../../src/app.tsx'),
    import('../../src/router.tsx'),
    import('../../src/lib/app.ts'),
    import('../../src/lib/http.ts'),
    import('../../src/lib/query-client.ts'),
    import('../../src/lib/page-context.ts'),
    import('../../src/features/auth/session.ts'),
    import('../../src/lib/storage.ts'),
  ]);
  let shown: Location | undefined;
  // React renders a navigation later than the router completes it, and skips it if another one follows first. So the
  // location on screen is React's, not the router's. A layout effect runs in the commit that changes the page, so a test
  // that sees the new heading also sees the new location.
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
  const queries = createQueryClient();
  followConnection();
  const http = createHttp({ base: '/api', token: auth.accessToken, renew: auth.renewAccessToken });
  const router = createMemoryRouter([{ Component: Shown, children: routes }], {
    initialEntries: entries,
    getContext: () => contextOf({ http, queries }),
  });
  const { unmount } = render(
    <App page={pageContextOf(document.cookie, location.origin)} queries={queries}>
      <RouterProvider router={router} />
    </App>,
  );
  const close = () => {
    unmount();
    // A page that is closed writes nothing any more, whatever it was waiting for.
    Object.assign(storage, { set: () => false, remove: () => {} });
  };
  openApps.push({ close });
  const user = userEvent.setup();
  return {
    user: {
      ...user,
      /** Clicks, once a button is no longer pending: until then the app ignores it. */
      click: async (element: Element) => {
        await waitFor(() => expect(element.getAttribute('aria-disabled')).not.toBe('true'));
        await user.click(element);
      },
    },
    router,
    auth,
    http,
    close,
    /** Path, search and hash of the page that is shown. */
    address: () => (shown ? createPath(shown) : ''),
    /** Navigates to a path, and waits until React shows the page. */
    go: (path: string) => showing(() => router.navigate(path)),
    /** Goes back in the history, and waits until React shows the page. */
    back: () => showing(() => router.navigate(-1)),
  };
}

export type Opened = Awaited<ReturnType<typeof open>>;

/** Waits until a toast of exactly this text has appeared, and returns its kind. Each toast is found once. */
export async function toastOf(message: string): Promise<string | undefined> {
  const found = await waitFor(() => {
    const at = appeared.findIndex(({ text }) => text === message);
    if (at === -1) throw new Error(`No toast says '${message}', but ${JSON.stringify(appeared)}`);
    return at;
  });
  return appeared.splice(found, 1)[0]?.kind;
}

/** Finds an element by all of its text, the text of its children included. */
export const saying = (text: string) => (_ownText: string, element: Element | null) =>
  element?.textContent === text && [...element.children].every((child) => child.textContent !== text);

/** Logs in through the form, and waits until the page that comes after is there. */
export async function logIn({ user, address }: Opened, { email, password }: { email: string; password: string }) {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await waitFor(() => expect(address()).not.toMatch(/^\/login/));
}
