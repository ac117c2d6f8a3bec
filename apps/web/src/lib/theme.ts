import { storage } from './storage.ts';

// index.html reads the same key before the first paint.
const key = 'rtr-theme';

export type Theme = 'system' | 'light' | 'dark';

export function chosenTheme(): Theme {
  const kept = storage.get(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Shows the theme and remembers it on this device. 'system' follows the device again. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    storage.remove(key);
    delete document.documentElement.dataset.theme;
  } else {
    storage.set(key, theme);
    document.documentElement.dataset.theme = theme;
  }
  // What the browser draws around the page follows too: of both colours, light and dark, one is taken.
  for (const colour of document.querySelectorAll<HTMLMetaElement>('meta[data-theme-color]')) {
    const of = colour.dataset.themeColor;
    colour.media = theme === 'system' ? `(prefers-color-scheme: ${of})` : theme === of ? 'all' : 'not all';
  }
}
