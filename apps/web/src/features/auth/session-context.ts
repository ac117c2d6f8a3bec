import { createContext, use, useSyncExternalStore } from 'react';
import { createContext as createRouterContext, type RouterContextProvider } from 'react-router-dom';
import { usePageContext } from '../../lib/page-context.ts';
import type { Session } from './session.ts';
import { loadingState, type SessionState, signedOutState } from './session-store.ts';

const routerContext = createRouterContext<Session>();

/** Adds the session to the context of loaders and actions. The server has no session, and runs no loader that needs one. */
export function addSession(context: RouterContextProvider, session: Session): RouterContextProvider {
  context.set(routerContext, session);
  return context;
}

/** In a loader or an action: `const session = sessionIn(context)`. */
export function sessionIn(context: Readonly<RouterContextProvider>): Session {
  return context.get(routerContext);
}

const Context = createContext<Session | null>(null);
export const SessionProvider = Context.Provider;

const noSubscription = () => () => {};

/** The auth state. The server knows only whether the browser claims to have a session. */
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

/** The session itself, to sign in or out. Only for components that the server does not render. */
export function useSessionActions(): Session {
  const session = use(Context);
  if (!session) throw new Error('The server has no session');
  return session;
}
