import { createContext, use, useEffect, useEffectEvent, useRef } from 'react';

const Context = createContext(0);

export const NewCountProvider = Context.Provider;

/** Returns the number of new things that the header and the document title show. It is 0 on the server. */
export const useNewCount = (): number => use(Context);

/** Calls `refetch` each time the number of new things increases, so that the page shows them. */
export function useRefetchOnNews(refetch: () => void): void {
  const count = useNewCount();
  const previousCount = useRef(count);
  const onIncrease = useEffectEvent(refetch);
  useEffect(() => {
    if (count > previousCount.current) onIncrease();
    previousCount.current = count;
  }, [count]);
}
