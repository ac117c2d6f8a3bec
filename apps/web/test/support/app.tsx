import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, type InitialEntry, RouterProvider } from 'react-router-dom';
import { expect, vi } from 'vitest';

/** Opens the app on a page, as loading it in a browser does: nothing is left of an earlier visit but what is stored. */
export async function open(...entries: [InitialEntry, ...InitialEntry[]]) {
  vi.resetModules();
  const [{ routes }, { contextOf }, { createHttp }, { createQueryClient }, auth] = await Promise.all([
    import('../../src/router.tsx'),
    import('../../src/lib/app.ts'),
    import('../../src/lib/http.ts'),
    import('../../src/lib/query-client.ts'),
    import('../../src/features/auth/session.ts'),
  ]);
  const queries = createQueryClient();
  const http = createHttp({ base: '/api', token: auth.accessToken, renew: auth.renewAccessToken });
  const router = createMemoryRouter(routes, {
    initialEntries: entries,
    getContext: () => contextOf({ http, queries }),
  });
  const { unmount } = render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return {
    user: userEvent.setup(),
    router,
    auth,
    http,
    close: unmount,
    /** Path, search and hash of the page that is shown. */
    address: () => router.state.location.pathname + router.state.location.search + router.state.location.hash,
  };
}

export type Opened = Awaited<ReturnType<typeof open>>;

/** Waits for a toast of exactly this text, and tells its kind. */
export async function toastOf(message: string): Promise<string | undefined> {
  const text = await waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[data-toast]')].find(
      (toast) => toast.querySelector('p')?.textContent === message,
    );
    if (!found) throw new Error(`No toast says '${message}'`);
    return found;
  });
  return text.dataset.toast;
}

/** Waits until what a button started is over: until then it takes no press. */
export async function idle(button: HTMLElement): Promise<HTMLElement> {
  await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'));
  return button;
}

/** Finds an element by all of its text, the text of its children included. */
export const saying = (text: string) => (_ownText: string, element: Element | null) =>
  element?.textContent === text && [...element.children].every((child) => child.textContent !== text);

/** Logs in through the form, and waits until the page that comes after is there. */
export async function logIn({ user, router }: Opened, { email, password }: { email: string; password: string }) {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await waitFor(() => expect(router.state.location.pathname).not.toBe('/login'));
}
