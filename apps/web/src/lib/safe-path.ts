/** The page to which a form returns: an address within this app, and the state of its history entry. */
export interface Origin {
  to: string;
  state: unknown;
}

/**
 * Returns the page to which the customer returns after a form. The history state `{ from: location }` contains this
 * page. The history state may be forged. So if `from` is not a path of this app, the result is the home page.
 */
export function originIn(state: unknown): Origin {
  const from = (
    state as { from?: Partial<Record<'pathname' | 'search' | 'hash', string>> & { state?: unknown } } | null
  )?.from;
  return {
    to: safePath(`${from?.pathname ?? ''}${from?.search ?? ''}${from?.hash ?? ''}`),
    state: from?.state ?? null,
  };
}

/**
 * Returns the path with its query and hash if it is within this app, otherwise '/'. The path is resolved as a URL, which
 * removes dot segments, even encoded ones. For example, `/.//evil` becomes `//evil`. A browser would open `//evil` as the
 * address of another host. So the result for this path is '/'.
 */
export function safePath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/';
  const base = 'http://app.invalid';
  if (!URL.canParse(path, base)) return '/';
  const { origin, pathname, search, hash } = new URL(path, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
