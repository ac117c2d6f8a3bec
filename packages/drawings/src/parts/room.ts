// Draws a room and the things on its walls. In the files of this folder, `x` is usually the centre of a part, and `base` is
// its lower edge. `y` is usually its upper edge, or its centre if the part is round.
import {
  amber,
  bare,
  box,
  detail,
  disc,
  ink,
  light,
  path,
  petrol,
  range,
  type Sheet,
  shade,
  steel,
  type WallColors,
  white,
} from '../paint.ts';

/**
 * The ceiling (y 0 to 24), a tiled wall and the floor. They have the same height on every service card, so that a row of cards
 * looks like one kitchen. The ceiling and the floor are drawn last, because they cover the ends of pipes and feet.
 */
export const room = ({ width, height, floor }: Sheet, [wall, tile, ground]: WallColors, content: string): string => {
  const rows = range(24, floor - 1, 32);
  const joints = rows
    .map((y, row) => {
      const end = Math.min(y + 32, floor);
      return `${range(row % 2 === 0 ? 32 : 64, width - 1, 64)
        .map((x) => `M${x} ${y}V${end}`)
        .join('')}M0 ${end}H${width}`;
    })
    .join('');
  const hatch = range(-12, width, 12)
    .map((x) => `M${x} 24l24 -24`)
    .join('');
  return (
    box(0, 0, width, height, 0, wall, bare) +
    path(joints, undefined, { width: 2, stroke: tile }) +
    `\n${content}\n` +
    box(0, floor, width, height - floor, 0, ground, bare) +
    box(0, 0, width, 24, 0, light, bare) +
    path(hatch, undefined, { width: 2, stroke: shade }) +
    path(`M0 24H${width}M0 ${floor}H${width}`)
  );
};

export const lamp = (x: number, y: number, { lit = true } = {}): string =>
  path(`M${x - 14} ${y}h28v4a14 14 0 0 1 -28 0Z`, lit ? amber : shade);

export const nightWindow = (x: number, y: number, w = 88, h = 80): string =>
  box(x - w / 2, y, w, h, 4, petrol) +
  path(`M${x + 4} ${y + 12}a18 18 0 1 0 18 28a20 20 0 0 1 -18 -28Z`, amber, { width: detail }) +
  path(`M${x - w / 2} ${y + h - 24}h${w}`) +
  box(x - w / 2 - 6, y + h, w + 12, 8, 0, light);

export const clock = (x: number, y: number, r = 24): string =>
  disc(x, y, r, white) + path(`M${x} ${y - r + 8}V${y}L${x + 8} ${y + 8}`) + disc(x, y, 3, ink, bare);

export const shelf = (x: number, y: number, w = 96): string =>
  path(`M${x - w / 2 + 16} ${y + 8}v12M${x + w / 2 - 16} ${y + 8}v12`) + box(x - w / 2, y, w, 8, 0, light);

export const rail = (x: number, y: number): string =>
  path(`M${x - 46} ${y}h92`) +
  path(`M${x - 30} ${y}v34`, undefined, { width: detail + 1 }) +
  path(`M${x - 40} ${y + 34}h20a10 10 0 0 1 -20 0Z`, steel) +
  path(`M${x} ${y}v16`, undefined, { width: 5 }) +
  disc(x, y + 30, 14, ink, bare) +
  path(`M${x + 30} ${y}v52`, undefined, { width: 5 }) +
  box(x + 24, y + 30, 12, 30, 4, steel);
