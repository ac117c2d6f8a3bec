import { useMemo, useState } from 'react';
import type { BrowserStorage } from './storage.ts';
import { useStorage } from './storage-context.ts';

interface PageStorage {
  storage: BrowserStorage;
  /** Whether the component keeps a value that the browser could not store. The value is lost when the customer leaves. */
  hasUnstoredValues: boolean;
}

/**
 * Returns the storage of the browser. If the browser cannot store a value, `get` returns it from the state of the component.
 * `keys` and `subscribe` ignore such a value.
 */
export function usePageStorage(): PageStorage {
  const browser = useStorage();
  const [unstored, setUnstored] = useState<Record<string, string>>({});
  const storage = useMemo<BrowserStorage>(() => {
    const forget = (key: string) =>
      setUnstored((values) => {
        const { [key]: forgotten, ...others } = values;
        return forgotten === undefined ? values : others;
      });
    return {
      ...browser,
      get: (key) => unstored[key] ?? browser.get(key),
      set(key, value) {
        const isStored = browser.set(key, value);
        if (isStored) forget(key);
        else setUnstored((values) => ({ ...values, [key]: value }));
        return isStored;
      },
      remove(key) {
        browser.remove(key);
        forget(key);
      },
    };
  }, [browser, unstored]);
  return { storage, hasUnstoredValues: Object.keys(unstored).length > 0 };
}
