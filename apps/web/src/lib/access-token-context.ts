import { createContext, use } from 'react';
import type { AccessTokenSource } from './http.ts';

const Context = createContext<AccessTokenSource | null>(null);

export const AccessTokenProvider = Context.Provider;

/** Returns the source of the customer's access token. Null on the server. */
export const useAccessTokens = (): AccessTokenSource | null => use(Context);
