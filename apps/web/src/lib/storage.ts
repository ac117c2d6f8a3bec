/** A storage of the browser, which never throws: where it is blocked or full, it holds nothing. */
function neverThrowing(open: () => Storage) {
  return {
    get: (key: string): string | null => attempt(() => open().getItem(key)) ?? null,
    /** Whether it is held now. */
    set: (key: string, value: string): boolean =>
      attempt(() => {
        open().setItem(key, value);
        return true;
      }) ?? false,
    remove: (key: string): void => attempt(() => open().removeItem(key)),
    /** Whether this browser lets us keep nothing at all. */
    blocked: (): boolean => attempt(() => open().length) === undefined,
    keys: (): string[] => attempt(() => Object.keys(open())) ?? [],
  };
}

/** What this device keeps. */
export const storage = neverThrowing(() => localStorage);

/** What this tab keeps while it is open. */
export const tabStorage = neverThrowing(() => sessionStorage);

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
