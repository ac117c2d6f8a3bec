import { createContext, useContext, useSyncExternalStore } from 'react';
import { hasSessionHint } from './session-hint.ts';
import { type Theme, themeIn } from './theme.ts';

/** What a render may know of the request: the server sends it with the page, so that the first client render agrees. */
export interface PageContext {
  /** Milliseconds since 1970. Relative dates are computed from it. */
  now: number;
  theme: Theme;
  /** Whether the browser says that it holds a session. */
  hasSession: boolean;
}

const Context = createContext<PageContext>({ now: 0, theme: 'system', hasSession: false });

export const PageContextProvider = Context.Provider;
export const usePageContext = (): PageContext => useContext(Context);

export function pageContextOf(cookies: string): PageContext {
  return { now: Date.now(), theme: themeIn(cookies), hasSession: hasSessionHint(cookies) };
}

const subscribe = () => () => {};

/** False on the server and in the first client render, which must agree; true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
