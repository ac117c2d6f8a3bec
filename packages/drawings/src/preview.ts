// Draws the picture of link previews, which other sites show for a link to this product. These sites do not show SVG, and
// they crop pictures that are not 1200 x 630.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { heroes } from './heroes.ts';

/** Renders the right part of the first carousel picture, which shows the kitchen hood, as a PNG. */
export async function preview(): Promise<Uint8Array> {
  await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
  const cut = heroes['hero-install']?.().replace(
    /width="1152" height="480" viewBox="[^"]*"/,
    'viewBox="238 0 914 480"',
  );
  return new Resvg(cut ?? '', { fitTo: { mode: 'width', value: 1200 } }).render().asPng();
}
