import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('../src/styles/theme.css', import.meta.url), 'utf8');
const block = /@theme \{(.*?)\n\}/s.exec(css)?.[1] ?? '';
const hex = '#[0-9a-f]{6}';

type Theme = 'light' | 'dark';

/** Returns the colour of a design token in a theme, as written in theme.css. */
function colour(token: string, theme: Theme): string {
  const value = new RegExp(`--color-${token}: (?:light-dark\\((${hex}), (${hex})\\)|(${hex}));`).exec(block);
  const found = value && (value[3] ?? (theme === 'light' ? value[1] : value[2]));
  if (!found) throw new Error(`No token '${token}'`);
  return found;
}

/** Returns the contrast ratio as defined by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const grounds = ['page', 'surface', 'sunken'];
const text = ['ink', 'muted', 'primary', 'ember', 'ice', 'error', 'ok', 'warn'];

describe.each<Theme>(['light', 'dark'])('in the %s theme,', (theme) => {
  test.each([
    ...text.map((token) => [token, grounds, 4.5] as const),
    ['ink', ['tint'], 4.5] as const,
    ['muted', ['tint'], 4.5] as const,
    ['primary', ['tint'], 4.5] as const,
    ['error', ['error-ground'], 4.5] as const,
    ['ok', ['ok-ground'], 4.5] as const,
    ['warn', ['warn-ground'], 4.5] as const,
    ['on-primary', ['primary'], 4.5] as const,
    ['page', ['primary'], 4.5] as const,
    [
      'wall-heading',
      ['wall-petrol', 'wall-brick', 'wall-ice', 'floor-petrol', 'floor-brick', 'floor-ice', 'footer'],
      4.5,
    ] as const,
    ['wall-text', ['wall-petrol', 'wall-brick', 'wall-ice'], 4.5] as const,
    ['on-hero', ['hero'], 4.5] as const,
    ['footer-text', ['footer'], 4.5] as const,
    ['drawn', ['wall-heading'], 4.5] as const,
    ['control', grounds, 3] as const,
    ['focus', grounds, 3] as const,
    ['star', [...grounds, 'tint'], 3] as const,
  ])('the colour “%s” on the backgrounds %s has a contrast ratio of at least %d', (token, on, needed) => {
    for (const ground of on)
      expect(contrast(colour(token, theme), colour(ground, theme)), `${token} on ${ground}`).toBeGreaterThanOrEqual(
        needed,
      );
  });
});
