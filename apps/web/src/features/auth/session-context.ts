import { createContext, use, useSyncExternalStore } from 'react';
import { createContext as createRouterContext, type RouterContextProvider } from 'react-router-dom';
import { usePageContext } from '../../lib/page-context.ts';
import type { Session } from './session.ts';
import { loadingState, type SessionState, signedOutState } from './session-store.ts';

const routerContext = createRouterContext<Session>();

/** Adds the session to the router context, which all loaders and actions receive. Only the browser calls this function. */
export function addSession(context: RouterContextProvider, session: Session): RouterContextProvider {
  context.set(routerContext, session);
  return context;
}

/** Returns the session for a loader or an action: `const session = sessionIn(context)`. */
export function sessionIn(context: Readonly<RouterContextProvider>): Session {
  return context.get(routerContext);
}

const Context = createContext<Session | null>(null);
export const SessionProvider = Context.Provider;

const noSubscription = () => () => {};

/**
 * Returns the auth state. On the server, it is 'loading' if a cookie says that the browser has a session, otherwise 'signed
 * out'.
 */
export function useSession(): SessionState {
  const session = use(Context);
  const { hasSession } = usePageContext();
  const serverState = hasSession ? loadingState : signedOutState;
  return useSyncExternalStore(
    session?.subscribe ?? noSubscription,
    session?.getState ?? (() => serverState),
    () => serverState,
  );
}

/** Returns the session of this browser, or null on the server. */
export const useBrowserSession = (): Session | null => use(Context);

/**
 * Returns the session with its functions, such as `signOut`. Throws an error on the server, so only components that are not
 * rendered on the server may use this hook.
 */
export function useSessionActions(): Session {
  const session = useBrowserSession();
  if (!session) throw new Error('The server has no session');
  return session;
}
