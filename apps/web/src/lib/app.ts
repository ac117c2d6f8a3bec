import type { QueryClient } from '@tanstack/react-query';
import { createContext, RouterContextProvider } from 'react-router-dom';
import type { Http } from './http.ts';

/** What loaders and actions stand on. */
export interface App {
  http: Http;
  queries: QueryClient;
}

const slot = createContext<App>();

/** The context that the router hands to each loader and action. */
export function contextOf(app: App): RouterContextProvider {
  return new RouterContextProvider(new Map([[slot, app]]));
}

/** In a loader or an action: `const { http, queries } = appIn(context)`. */
export function appIn(context: Readonly<RouterContextProvider>): App {
  return context.get(slot);
}
