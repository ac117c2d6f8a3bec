/** The page to return to: an address within this app, and the state of its history entry. */
export interface Origin {
  to: string;
  state: unknown;
}

/**
 * The `{ from: location }` in the state of a navigation, else home. The state may be forged, so only a path of this app is
 * accepted.
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
 * The path with its search and hash if it is within this app, else home. Resolving removes dot segments, also encoded ones,
 * so `/.//evil` resolves to `//evil`, which a browser treats as another host.
 */
export function safePath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/';
  const base = 'http://app.invalid';
  if (!URL.canParse(path, base)) return '/';
  const { origin, pathname, search, hash } = new URL(path, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
