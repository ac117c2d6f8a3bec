import { createContext, use } from 'react';
import type { Http } from './http.ts';

const Context = createContext<Http | null>(null);

export const HttpProvider = Context.Provider;

/** Returns the HTTP client for the queries of a component. */
export function useHttp(): Http {
  const http = use(Context);
  if (!http) throw new Error('The component is outside of HttpProvider');
  return http;
}
