/** The key-value storage of the browser. No method throws an error, even if the storage is blocked or full. */
export interface BrowserStorage {
  get(key: string): string | null;
  /** Returns false if the value could not be stored. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): string[];
  /** Returns true if the browser denies access to its storage. */
  isBlocked(): boolean;
  /** Calls the listener after each change in any tab. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

type WebStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Wraps `localStorage` or `sessionStorage`. `open` is a function, because merely reading these variables throws an error if
 * the browser blocks the storage.
 */
export function createStorage(open: () => WebStorage): BrowserStorage {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    get: (key) => attempt(() => open().getItem(key)) ?? null,
    set(key, value) {
      const isStored = attempt(() => {
        open().setItem(key, value);
        return true;
      });
      notify();
      return isStored ?? false;
    },
    remove(key) {
      attempt(() => open().removeItem(key));
      notify();
    },
    keys: () => attempt(() => keysOf(open())) ?? [],
    isBlocked: () => attempt(() => open().length) === undefined,
    subscribe(listener) {
      listeners.add(listener);
      addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        removeEventListener('storage', listener);
      };
    },
  };
}

/** The storage on the server. It stores nothing. */
export const noStorage: BrowserStorage = {
  get: () => null,
  set: () => false,
  remove: () => {},
  keys: () => [],
  isBlocked: () => true,
  subscribe: () => () => {},
};

function keysOf(storage: WebStorage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
