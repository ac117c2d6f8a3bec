import { createContext, use, useEffect, useEffectEvent, useRef } from 'react';

const Context = createContext(0);

export const NewCountProvider = Context.Provider;

/** Returns the number of new things that the header and the document title show. It is 0 on the server. */
export const useNewCount = (): number => use(Context);

/** Calls `load` each time there are more new things, so that a page shows what the number has announced. */
export function useLoadOnNews(load: () => void): void {
  const count = useNewCount();
  const loadedCount = useRef(count);
  const onNews = useEffectEvent(load);
  useEffect(() => {
    if (count > loadedCount.current) onNews();
    loadedCount.current = count;
  }, [count]);
}
