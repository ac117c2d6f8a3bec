import { createContext, use, useSyncExternalStore } from 'react';
import { type BrowserStorage, noStorage } from './storage.ts';

const Context = createContext(noStorage);

export const StorageProvider = Context.Provider;
export const useStorage = (): BrowserStorage => use(Context);

/**
 * Returns a stored value, and renders the component again after a change in any tab. Null on the server and during
 * hydration.
 */
export function useStoredValue(key: string): string | null {
  const storage = useStorage();
  return useSyncExternalStore(
    storage.subscribe,
    () => storage.get(key),
    () => null,
  );
}
