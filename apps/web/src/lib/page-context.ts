import { createContext, useContext, useSyncExternalStore } from 'react';
import { readCookie } from './cookies.ts';
import { hasSessionHint, sessionCookieName } from './session-hint.ts';
import { type Theme, themeCookieName, themeIn } from './theme.ts';

/**
 * Data on which the rendering of a page depends. The server sends this data with the page, so that hydration renders the
 * same HTML.
 */
export interface PageContext {
  /** The public origin of the site, such as 'https://kitchen.example'. */
  origin: string;
  /** The time of the rendering, in milliseconds since 1970. It is needed for texts such as '3 weeks ago'. */
  now: number;
  theme: Theme;
  /** Whether the session cookie is set. The session itself may have ended. */
  hasSession: boolean;
}

const Context = createContext<PageContext>({ origin: '', now: 0, theme: 'system', hasSession: false });

export const PageContextProvider = Context.Provider;
export const usePageContext = (): PageContext => useContext(Context);

const minuteMs = 60_000;

/**
 * Creates the page context from a request. Rounds the time down to the minute, so that an unchanged page keeps its ETag for
 * a minute.
 */
export function pageContextOf(cookies: string, origin: string): PageContext {
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  return { origin, now, theme: themeIn(cookies), hasSession: hasSessionHint(cookies) };
}

/** Returns true if the request has a cookie that may change the content of a page. */
export function isPersonal(cookies: string): boolean {
  return [sessionCookieName, themeCookieName].some((name) => readCookie(cookies, name) !== undefined);
}

const subscribe = () => () => {};

/**
 * Returns false on the server and during hydration, and true afterwards. The first render in the browser must produce the
 * same HTML as the server.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
