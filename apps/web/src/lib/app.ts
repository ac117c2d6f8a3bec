import type { QueryClient } from '@tanstack/react-query';
import { createContext, RouterContextProvider } from 'react-router-dom';
import type { Http } from './http.ts';
import type { BrowserStorage } from './storage.ts';

/** The dependencies of loaders and actions. */
export interface App {
  http: Http;
  queries: QueryClient;
  /** The storage of the browser. On the server, this storage is always empty. */
  storage: BrowserStorage;
  /** The public origin of the site. */
  origin: string;
}

const appContext = createContext<App>();

/** Creates the context that the router passes to each loader and action. */
export function contextOf(app: App): RouterContextProvider {
  return new RouterContextProvider(new Map([[appContext, app]]));
}

/** Returns the dependencies for a loader or an action: `const { http, queries } = appIn(context)`. */
export function appIn(context: Readonly<RouterContextProvider>): App {
  return context.get(appContext);
}
