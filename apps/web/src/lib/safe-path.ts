/** Where somebody came from: an address within this app, and what its history entry remembers in turn. */
export interface Origin {
  to: string;
  state: unknown;
}

/**
 * The page that a navigation's state remembers as `{ from: location }`, else home. Anyone can write a history entry or
 * an address, so only a path of this app is taken, never another site.
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
 * The path, with its search and hash, when it stays within this app; else home. Resolving removes dot segments, encoded
 * ones too, so a path such as `/.//evil` resolves to `//evil`, which a browser reads as another host.
 */
export function safePath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/';
  const base = 'http://app.invalid';
  if (!URL.canParse(path, base)) return '/';
  const { origin, pathname, search, hash } = new URL(path, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
