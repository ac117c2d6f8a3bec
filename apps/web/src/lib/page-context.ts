import { createContext, useContext, useSyncExternalStore } from 'react';
import { hasSessionHint } from './session-hint.ts';
import { type Theme, themeIn } from './theme.ts';

/** Request data for rendering. The server sends it with the page, so that hydration renders the same HTML. */
export interface PageContext {
  /** The public address of the site: 'https://kitchen.example'. */
  origin: string;
  /** Milliseconds since 1970. Relative dates are computed from it. */
  now: number;
  theme: Theme;
  /** Whether the session cookie is set. It does not prove that there is a session. */
  hasSession: boolean;
}

const Context = createContext<PageContext>({ origin: '', now: 0, theme: 'system', hasSession: false });

export const PageContextProvider = Context.Provider;
export const usePageContext = (): PageContext => useContext(Context);

const minuteMs = 60_000;

/** Rounds the time down to the minute, so that the HTML of an unchanged page has the same ETag for a minute. */
export function pageContextOf(cookies: string, origin: string): PageContext {
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  return { origin, now, theme: themeIn(cookies), hasSession: hasSessionHint(cookies) };
}

/** Whether a page with these cookies may differ from the page of any other visitor. */
export function isPersonal(cookies: string): boolean {
  return hasSessionHint(cookies) || themeIn(cookies) !== 'system';
}

const subscribe = () => () => {};

/** False on the server and during hydration, whose results must match; true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
