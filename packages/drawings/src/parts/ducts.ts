// Draws ducts and the dirt in them.
import { bare, box, disc, fine, ink, light, path, range, round, shade, steel, white } from '../paint.ts';

/** A closed duct from x1 to x2. By default, the duct has a seam every 64 units. */
export const duct = (x1: number, x2: number, y: number, { h = 64, seams = range(x1 + 64, x2 - 24, 64) } = {}): string =>
  box(x1, y, x2 - x1, h, 0, steel) +
  box(x1, y + h - 18, x2 - x1, 16, 0, shade, bare) +
  seams.map((x) => flange(x, y, h)).join('');

/**
 * A duct that is cut open, so that its inside is visible. The duct rises from `bottom` at x, turns right with a radius of
 * 40, and ends at the x position `end`. The upper edge of its horizontal part is at y. The duct is dirty from its start to
 * the x position `clean`, and white after that.
 */
export const section = (x: number, bottom: number, y: number, end: number, clean: number): string => {
  const outer = `M${x - 32} ${bottom}V${y + 40}a40 40 0 0 1 40 -40H${end}`;
  const inner = `M${end} ${y + 64}H${x + 40}a8 8 0 0 0 -8 8V${bottom}`;
  const body = `${outer}V${y + 64}H${x + 40}a8 8 0 0 0 -8 8V${bottom}Z`;
  const specks = [
    [x - 17, bottom - 26],
    [x + 17, bottom - 48],
    [x - 17, bottom - 76],
    [x + 17, bottom - 20],
  ] as const;
  return (
    path(body, shade, bare) +
    box(clean, y, end - clean, 64, 0, white, bare) +
    specks.map(([sx, sy], index) => disc(sx, sy, index % 2 === 0 ? 5 : 3.5, ink, bare)).join('') +
    lumps(x + 46, clean, y + 64) +
    path(outer) +
    path(inner) +
    collar(end - 5, y) +
    box(x - 42, bottom - 6, 14, 10, 4, light, fine) +
    box(x + 28, bottom - 6, 14, 10, 4, light, fine)
  );
};

/** Soot on the lower side of an open duct. */
const lumps = (x1: number, x2: number, y: number): string =>
  path(
    `M${x1} ${y}${range(x1, x2 - 16, 16)
      .map((_, index) => `a8 ${index % 2 === 0 ? 9 : 6} 0 0 1 16 0`)
      .join('')}Z`,
    ink,
    bare,
  );

/** The two parts of the rim of an open duct: above and below the opening. */
export const collar = (x: number, y: number, h = 64): string =>
  box(x, y - 10, 10, 14, 4, light, fine) + box(x, y + h - 4, 10, 14, 4, light, fine);

/** A straight duct that is cut open, with a dark inside. */
export const trough = (x1: number, x2: number, y: number, h = 64, fill = shade): string =>
  box(x1, y, x2 - x1, h, 0, fill, bare) + path(`M${x1} ${y}H${x2}M${x1} ${y + h}H${x2}`);

/** A flange: the rim at the end of a duct, or at a joint between two ducts. */
export const flange = (x: number, y: number, h = 64): string => box(x - 5, y - 6, 10, h + 12, 4, light, fine);

export const soot = (x: number, base: number, w = 72): string => {
  const s = w / 72;
  const at = (value: number): number => round(value * s);
  return path(
    `M${at(-36) + x} ${base}a${at(12)} ${at(12)} 0 0 1 ${at(16)} ${at(-11)}a${at(16)} ${at(16)} 0 0 1 ${at(28)} ${at(-7)}a${at(12)} ${at(12)} 0 0 1 ${at(16)} ${at(7)}a${at(12)} ${at(12)} 0 0 1 ${at(12)} ${at(11)}Z`,
    ink,
  );
};

export const specks = (points: readonly (readonly [number, number])[], fill = ink): string =>
  points.map(([x, y], index) => disc(x, y, index % 2 === 0 ? 4 : 3, fill, bare)).join('');

/** A strap by which a duct hangs from the ceiling. The upper edge of the duct is at y. */
export const strap = (x: number, y: number): string => path(`M${x} 24V${y}`) + box(x - 8, y - 5, 16, 5, 0, ink, bare);
