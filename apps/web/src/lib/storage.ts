/** This device's localStorage, which never throws: where it is blocked or full, it holds nothing. */
export const storage = {
  get(key: string): string | null {
    return attempt(() => localStorage.getItem(key)) ?? null;
  },
  /** Whether it is held now. */
  set(key: string, value: string): boolean {
    return (
      attempt(() => {
        localStorage.setItem(key, value);
        return true;
      }) ?? false
    );
  },
  remove(key: string): void {
    attempt(() => localStorage.removeItem(key));
  },
  /** Whether this browser lets us keep nothing at all. */
  blocked(): boolean {
    return attempt(() => localStorage.length) === undefined;
  },
  keys(): string[] {
    return attempt(() => Object.keys(localStorage)) ?? [];
  },
};

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
