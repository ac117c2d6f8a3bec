import { createContext, use } from 'react';

const Context = createContext(0);

export const NewCountProvider = Context.Provider;

/** Returns the number of new things that the header and the document title show. It is 0 on the server. */
export const useNewCount = (): number => use(Context);
