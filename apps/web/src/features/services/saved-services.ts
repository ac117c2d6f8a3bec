import { useMemo } from 'react';
import type { BrowserStorage } from '../../lib/storage.ts';
import { useStoredValue } from '../../lib/storage-context.ts';

// Each key stores a list of service ids, newest first, separated by spaces. The lists belong to the device, so Sign Out does
// not remove them.
const savedKey = 'rtr-saved';
const viewedKey = 'rtr-viewed';

export const maxSavedCount = 200;
export const maxViewedCount = 12;

export const useSavedIds = (): readonly string[] => useIds(savedKey);
export const useIsSaved = (id: string): boolean => useSavedIds().includes(id);
export const useViewedIds = (): readonly string[] => useIds(viewedKey);

export function saveService(storage: BrowserStorage, id: string): 'saved' | 'full' | 'blocked' {
  const others = idsWithout(storage, savedKey, id);
  if (others.length >= maxSavedCount) return 'full';
  return write(storage, savedKey, [id, ...others]) ? 'saved' : 'blocked';
}

export function unsaveService(storage: BrowserStorage, id: string): void {
  write(storage, savedKey, idsWithout(storage, savedKey, id));
}

export function addViewed(storage: BrowserStorage, id: string): void {
  write(storage, viewedKey, [id, ...idsWithout(storage, viewedKey, id)].slice(0, maxViewedCount));
}

export function removeViewed(storage: BrowserStorage, id: string): void {
  write(storage, viewedKey, idsWithout(storage, viewedKey, id));
}

export function clearViewed(storage: BrowserStorage): void {
  write(storage, viewedKey, []);
}

function useIds(key: string): readonly string[] {
  const value = useStoredValue(key);
  return useMemo(() => idsIn(value), [value]);
}

const idsIn = (value: string | null): string[] => [...new Set(value?.match(/\S+/g))];

const idsWithout = (storage: BrowserStorage, key: string, id: string) =>
  idsIn(storage.get(key)).filter((other) => other !== id);

const write = (storage: BrowserStorage, key: string, ids: string[]) => storage.set(key, ids.join(' '));
