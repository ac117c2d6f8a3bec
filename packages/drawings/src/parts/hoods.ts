// Draws kitchen hoods and their filters.
import { bare, box, disc, ink, light, path, range, round, shade, steel, tube } from '../paint.ts';

interface HoodStyle {
  /** The height of the canopy, which is the sloping part. Most hoods on service cards use the default. */
  rise?: number;
  duct?: 'pipe' | 'rods' | 'none';
}

/** A hood: a duct, a canopy with a shaded right side, and a lower edge with rivets. The lower edge ends at y + rise + 20. */
export const hood = (x: number, y: number, w: number, { rise = 56, duct = 'pipe' }: HoodStyle = {}): string => {
  const top = round(0.16 * w + 16);
  const half = w / 2;
  const slope = (half - top) / rise;
  const inset = Math.min(top, 24);
  const rods = round(top - 12);
  const above =
    duct === 'pipe'
      ? box(x - 24, 24, 48, y - 24, 0, steel) + box(x + 8, 26, 14, y - 28, 0, shade, bare)
      : duct === 'rods'
        ? tube(`M${x - rods} 26V${y}M${x + rods} 26V${y}`, steel, 10)
        : '';
  const canopy = `M${round(x - top)} ${y}H${round(x + top)}L${x + half} ${y + rise}H${x - half}Z`;
  const dark = `M${round(x + top - inset)} ${y}H${round(x + top)}L${x + half} ${y + rise}H${round(x + half - inset - slope * 8)}Z`;
  const rivets = range(-Math.floor((half - 14) / 24) * 24, half - 12, 24).map((at) =>
    disc(x + at, y + rise + 10, 2.5, ink, bare),
  );
  return (
    above +
    path(canopy, steel, bare) +
    path(dark, shade, bare) +
    path(canopy) +
    box(x - half, y + rise, w, 20, 4, light) +
    rivets.join('') +
    '\n'
  );
};

/** The opening of a hood without a filter: a dark slot below the lower edge of the hood. */
export const mouth = (x: number, y: number, w: number): string => box(x - w / 2, y, w, 10, 4, ink, bare);

/** A hood filter with its centre at the origin. */
export const filter = (w = 88, h = 64): string =>
  box(-w / 2, -h / 2, w, h, 4, light) +
  range(-w / 2 + 16, w / 2 - 15, 14)
    .map((x) => path(`M${x} ${-h / 2 + 12}V${h / 2 - 12}`, undefined, { width: 6, stroke: shade }))
    .join('') +
  path(`M-10 ${-h / 2 + 2}h20`, undefined, { width: 6 });
