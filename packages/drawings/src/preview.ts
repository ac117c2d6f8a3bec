// Draws the picture of link previews, which other sites show for a link to this product. These sites do not show SVG, and
// they crop pictures that are not 1200 x 630.
import { heroes } from './heroes.ts';
import { renderPng } from './png.ts';

/** Renders the right part of the first carousel picture, which shows the kitchen hood, as a PNG. */
export function preview(): Uint8Array {
  const cut = heroes['hero-install']?.().replace(
    /width="1152" height="480" viewBox="[^"]*"/,
    'viewBox="238 0 914 480"',
  );
  return renderPng(cut ?? '', 1200);
}
