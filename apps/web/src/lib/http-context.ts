import { createContext, use } from 'react';
import type { Http } from './http.ts';

const Context = createContext<Http>(() => Promise.reject(new Error('There is no HttpProvider')));

export const HttpProvider = Context.Provider;

/** Returns the HTTP client for the queries of a component. */
export const useHttp = (): Http => use(Context);
