/** The page to return to: an address within this app, and the state of its history entry. */
export interface Origin {
  to: string;
  state: unknown;
}

/**
 * Reads the page to return to from the state of a navigation, `{ from: location }`. The state may be forged, so only a path
 * of this app is accepted. Otherwise returns the home page.
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
 * Returns the path, with its search and hash, if it is within this app, or else the path of the home page. The path is
 * resolved as a URL, which removes dot segments, also encoded ones. So `/.//evil` becomes `//evil`, which a browser treats
 * as another host.
 */
export function safePath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/';
  const base = 'http://app.invalid';
  if (!URL.canParse(path, base)) return '/';
  const { origin, pathname, search, hash } = new URL(path, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
