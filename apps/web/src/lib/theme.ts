import { readCookie, writeCookie } from './cookies.ts';

const cookieName = 'rtr-theme';

export type Theme = 'system' | 'light' | 'dark';

/** Reads the theme from the cookies of a browser. */
export function themeIn(cookies: string): Theme {
  const value = readCookie(cookies, cookieName);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Returns the media query of a `theme-color` tag. Of the two tags, only the one for the current theme applies. */
export function themeColorMediaQuery(colour: 'light' | 'dark', theme: Theme): string {
  if (theme === 'system') return `(prefers-color-scheme: ${colour})`;
  return theme === colour ? 'all' : 'not all';
}

/** Applies the theme and saves it in a cookie, which the server reads. 'system' follows the device. */
export function chooseTheme(theme: Theme): void {
  writeCookie(cookieName, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-theme-color]'))
    meta.media = themeColorMediaQuery(meta.dataset.themeColor === 'dark' ? 'dark' : 'light', theme);
}
