import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));

/** Renders an SVG as a PNG. */
export function renderPng(svg: string, widthPx: number): Uint8Array {
  return new Resvg(svg, { fitTo: { mode: 'width', value: widthPx } }).render().asPng();
}
