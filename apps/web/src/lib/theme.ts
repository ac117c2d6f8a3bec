import { readCookie, writeCookie } from './cookies.ts';
import { storage } from './storage.ts';

const cookieName = 'rtr-theme';

export type Theme = 'system' | 'light' | 'dark';

/** The theme in a browser's cookies. */
export function themeIn(cookies: string): Theme {
  const value = readCookie(cookies, cookieName);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** The theme that an earlier version of this site kept in localStorage, once; undefined afterwards. */
export function takeStoredTheme(): Theme | undefined {
  const value = storage.get(cookieName);
  storage.remove(cookieName);
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** When a colour of the browser's own controls applies: only one of the two, light and dark, is in use. */
export function mediaOf(colour: 'light' | 'dark', theme: Theme): string {
  if (theme === 'system') return `(prefers-color-scheme: ${colour})`;
  return theme === colour ? 'all' : 'not all';
}

/** Shows the theme and remembers it in a cookie, from which the server renders the next page. 'system' follows the device. */
export function chooseTheme(theme: Theme): void {
  writeCookie(cookieName, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-theme-color]'))
    meta.media = mediaOf(meta.dataset.themeColor === 'dark' ? 'dark' : 'light', theme);
}
