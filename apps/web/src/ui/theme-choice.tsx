import { useState } from 'react';
import { usePageContext } from '../lib/page-context.ts';
import { chooseTheme, type Theme } from '../lib/theme.ts';

const text = { legend: 'Theme', system: 'System', light: 'Light', dark: 'Dark' };
const themes: Theme[] = ['system', 'light', 'dark'];

/** Radio buttons for the theme: light, dark or the theme of the device. Their colours fit the footer. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(usePageContext().theme);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <fieldset className="noscript:hidden flex flex-wrap items-center gap-2">
      <legend className="float-left mr-2 font-semibold text-wall-heading">{text.legend}</legend>
      {themes.map((theme) => (
        <label
          key={theme}
          className="flex min-h-12 cursor-pointer items-center rounded-control border-2 border-footer-text/60 px-4 has-checked:border-hero has-checked:bg-wall-heading has-checked:font-semibold has-checked:text-drawn has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-wall-heading"
        >
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={chosen === theme}
            onChange={() => choose(theme)}
            className="sr-only"
          />
          {text[theme]}
        </label>
      ))}
    </fieldset>
  );
}
