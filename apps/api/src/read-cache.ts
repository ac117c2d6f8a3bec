interface ReadCacheOptions<T> {
  /** How long a value is cached, measured from the start of its computation. */
  ttlMs: number;
  /** The maximum total size of all values. The oldest values are removed first. */
  maxSize?: number;
  sizeOf?: (value: T) => number;
}

interface Entry<T> {
  value: T;
  expiresAt: number;
  size: number;
}

interface Computation<T> {
  promise: Promise<T>;
  startedAt: number;
}

/** Creates a cache of values that are read from the database. Concurrent calls for the same key share one computation. */
export function createReadCache<T>({ ttlMs, maxSize = Infinity, sizeOf = () => 0 }: ReadCacheOptions<T>) {
  /** The entries in the order in which they were stored. The first entry is the oldest. */
  const entries = new Map<string, Entry<T>>();
  const running = new Map<string, Computation<T>>();
  let totalSize = 0;

  function remove(key: string): void {
    totalSize -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  function store(key: string, value: T, expiresAt: number): void {
    remove(key);
    const size = sizeOf(value);
    entries.set(key, { value, expiresAt, size });
    totalSize += size;
    for (const oldest of entries.keys()) {
      if (totalSize <= maxSize) return;
      remove(oldest);
    }
  }

  return {
    size: () => totalSize,

    get(key: string): T | undefined {
      const entry = entries.get(key);
      return entry && performance.now() < entry.expiresAt ? entry.value : undefined;
    },

    /** Returns the cached value, even if it has expired. */
    peek: (key: string): T | undefined => entries.get(key)?.value,

    isRunning: (key: string): boolean => running.has(key),

    /**
     * Computes a value and stores it. Does not store errors. A call shares the running computation only if this
     * computation started less than `ttlMs` ago. Otherwise, a slow computation could return data that was read long
     * before the call.
     */
    load(key: string, compute: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      const shared = running.get(key);
      if (shared && startedAt - shared.startedAt < ttlMs) return shared.promise;
      const isCurrent = () => running.get(key) === computation;
      const computation: Computation<T> = {
        startedAt,
        promise: compute()
          .then((value) => {
            if (isCurrent()) store(key, value, startedAt + ttlMs);
            return value;
          })
          .finally(() => {
            if (isCurrent()) running.delete(key);
          }),
      };
      running.set(key, computation);
      return computation.promise;
    },

    /**
     * Removes the value of a key after its data has changed. A running computation may use the old data, so its value is not
     * stored.
     */
    delete(key: string): void {
      remove(key);
      running.delete(key);
    },

    /** Removes all values, like `delete` for every key. */
    clear(): void {
      entries.clear();
      running.clear();
      totalSize = 0;
    },
  };
}
