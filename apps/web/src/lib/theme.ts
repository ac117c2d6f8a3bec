import { readCookie, writeCookie } from './cookies.ts';

export const themeCookieName = 'rtr-theme';

export type Theme = 'system' | 'light' | 'dark';

export function themeIn(cookies: string): Theme {
  const value = readCookie(cookies, themeCookieName);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/**
 * Returns the media query of a `theme-color` tag. The page has one of these tags for light and one for dark. The
 * browser uses the tag whose media query matches, so the query of exactly one tag matches at any time.
 */
export function themeColorMediaQuery(colour: 'light' | 'dark', theme: Theme): string {
  if (theme === 'system') return `(prefers-color-scheme: ${colour})`;
  return theme === colour ? 'all' : 'not all';
}

/** Applies the theme, and saves it in a cookie for the server. 'system' is the theme of the device. */
export function chooseTheme(theme: Theme): void {
  writeCookie(themeCookieName, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-theme-color]'))
    meta.media = themeColorMediaQuery(meta.dataset.themeColor === 'dark' ? 'dark' : 'light', theme);
}
