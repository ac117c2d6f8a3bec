import { storage } from './storage.ts';

export type KeptList = ReturnType<typeof keptList>;

/** Words without spaces, such as ids, kept on this device under `key`: one list for all who look, in every tab. */
export function keptList(key: string) {
  const listeners = new Set<() => void>();
  let kept: string | null = null;
  let words: readonly string[] = [];
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      // What other tabs write.
      addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        removeEventListener('storage', listener);
      };
    },
    /** As it is now; the same array until it changes. */
    read(): readonly string[] {
      const now = storage.get(key);
      if (now !== kept) {
        kept = now;
        words = [...new Set(now?.match(/\S+/g))];
      }
      return words;
    },
    /** Whether it is kept now. */
    write(next: readonly string[]): boolean {
      const done = storage.set(key, next.join(' '));
      for (const listener of listeners) listener();
      return done;
    },
  };
}
