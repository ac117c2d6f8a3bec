import { useSyncExternalStore } from 'react';
import { type KeptList, keptList } from '../../lib/kept-list.ts';

// Ids of services, newest first. They are this device's, not an account's: Sign Out leaves them.
const saved = keptList('rtr-saved');
const viewed = keptList('rtr-viewed');

export const mostSaved = 200;
const mostViewed = 12;

// The server knows none of them.
const none: readonly string[] = [];
const useKept = ({ subscribe, read }: KeptList) => useSyncExternalStore(subscribe, read, () => none);
export const useSaved = () => useKept(saved);
export const useViewed = () => useKept(viewed);
export const useIsSaved = (id: string) =>
  useSyncExternalStore(
    saved.subscribe,
    () => saved.read().includes(id),
    () => false,
  );

/** Saves a service, unless so many are saved already or the browser keeps nothing. */
export function save(id: string): 'saved' | 'full' | 'blocked' {
  const others = without(saved, id);
  if (others.length >= mostSaved) return 'full';
  return saved.write([id, ...others]) ? 'saved' : 'blocked';
}

export function unsave(id: string): void {
  saved.write(without(saved, id));
}

/** Notes that a service was looked at, as the last of a few. */
export function noteView(id: string): void {
  viewed.write([id, ...without(viewed, id)].slice(0, mostViewed));
}

export function forgetView(id: string): void {
  viewed.write(without(viewed, id));
}

export function forgetViews(): void {
  viewed.write([]);
}

const without = (list: KeptList, id: string) => list.read().filter((kept) => kept !== id);
