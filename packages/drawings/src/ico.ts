import { renderPng } from './png.ts';

const headerBytes = 22;
const sizePx = 48;

/**
 * Renders a square SVG as an .ico file with one picture, a PNG. Crawlers and browsers that cannot show an SVG icon request
 * /favicon.ico.
 */
export function renderIco(svg: string): Uint8Array {
  const png = renderPng(svg, sizePx);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(1, 2); // The type: an icon
  header.writeUInt16LE(1, 4); // The number of pictures
  header.writeUInt8(sizePx, 6); // The width
  header.writeUInt8(sizePx, 7); // The height
  header.writeUInt16LE(1, 10); // The number of colour planes
  header.writeUInt16LE(32, 12); // Bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(headerBytes, 18); // The offset of the PNG
  return Buffer.concat([header, png]);
}
