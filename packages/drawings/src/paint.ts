// The colours that the drawings share, and functions that return SVG elements as text.

export const ink = '#10211F';
export const steel = '#C9D4D1';
export const light = '#E9EFED';
export const shade = '#93A5A0';
export const white = '#FFFFFF';
export const ember = '#F2622E';
export const amber = '#F7B23B';
export const ice = '#8FD6EC';
export const deepIce = '#2F9CC0';
export const petrol = '#0A5C58';

/** The colours of the wall, of the lines between its tiles, and of the floor. */
export type WallColors = readonly [wall: string, tile: string, floor: string];

/** The default stroke width of outlines. `detail` is the stroke width of thin lines inside a drawing. */
const outline = 4;
export const detail = 2.5;
/** The stroke styles for thin lines inside a drawing (`fine`) and for shapes without an outline (`bare`). */
export const fine = { width: detail };
export const bare = { width: 0 };

export const round = (value: number): number => Math.round(value * 10) / 10 + 0;

interface Pen {
  width?: number;
  stroke?: string;
}

const pen = ({ width, stroke }: Pen): string =>
  (width === undefined ? '' : width === 0 ? ' stroke="none"' : ` stroke-width="${round(width)}"`) +
  (stroke === undefined ? '' : ` stroke="${stroke}"`);

const paint = (fill: string | undefined): string => (fill === undefined ? '' : ` fill="${fill}"`);

export const path = (d: string, fill?: string, style: Pen = {}): string =>
  `<path d="${d}"${paint(fill)}${pen(style)}/>`;

export const box = (x: number, y: number, w: number, h: number, r: number, fill?: string, style: Pen = {}): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"${r === 0 ? '' : ` rx="${r}"`}${paint(fill)}${pen(style)}/>`;

export const disc = (x: number, y: number, r: number, fill?: string, style: Pen = {}): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}"${paint(fill)}${pen(style)}/>`;

/** A pipe or a rail along the path `d`. It is drawn as a coloured line on a wider dark line. */
export const tube = (d: string, fill: string, width = 14, inner = width - 7): string =>
  path(d, undefined, { width }) + path(d, undefined, { width: inner, stroke: fill });

/** Moves, rotates and scales a drawing. The outlines keep their width at any scale. */
export const place = (x: number, y: number, content: string, { turn = 0, scale = 1, flip = false } = {}): string => {
  const steps = [`translate(${round(x)} ${round(y)})`];
  if (turn !== 0) steps.push(`rotate(${round(turn)})`);
  if (scale !== 1 || flip) steps.push(flip ? `scale(${-scale} ${scale})` : `scale(${scale})`);
  const width = scale === 1 ? '' : ` stroke-width="${round(outline / scale)}"`;
  return `<g transform="${steps.join(' ')}"${width}>${content}</g>`;
};

export const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);

export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly floor: number;
  /** The gradients of the drawing. The id of each gradient is unique within the drawing. */
  readonly defs: string[];
}

export const sheet = (width = 400, height = 300, floor = 264): Sheet => ({ width, height, floor, defs: [] });

/** Returns the complete SVG file. Its background is opaque, so the same file fits the light and the dark theme. */
export const finish = ({ width, height, defs }: Sheet, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
  `${defs.length > 0 ? `<defs>${defs.join('')}</defs>` : ''}\n` +
  `<g fill="none" stroke="${ink}" stroke-width="${outline}" stroke-linecap="round" stroke-linejoin="round">\n${content}\n</g></svg>\n`;
