// Draws instruments: gauges, thermometers and valves.
import { bare, deepIce, disc, ember, fine, ink, path, place, range, round, white } from '../paint.ts';

/** A gauge with an arc of 240° and a needle. `turn` is the angle between the needle and the upright position, in degrees. */
export const gauge = (x: number, y: number, { r = 22, turn = 45, fill = deepIce } = {}): string => {
  const a = round((r - 8) * 0.866);
  const b = round((r - 8) / 2);
  return (
    disc(x, y, r, white) +
    path(`M${round(x - a)} ${round(y + b)}A${r - 8} ${r - 8} 0 1 1 ${round(x + a)} ${round(y + b)}`, undefined, {
      width: 4,
      stroke: fill,
    }) +
    place(x, y, path(`M0 0V${-(r - 9)}`, undefined, { width: 3.5 }), { turn }) +
    disc(x, y, 3.5, ink, bare)
  );
};

/** A thermometer with a tube, a bulb and four marks. `rise` is the level of the fluid, from 0 to 1. */
export const thermometer = (
  x: number,
  y: number,
  h: number,
  { rise = 0.4, fill = deepIce, scale = ink } = {},
): string => {
  const bulb = y + h - 18;
  const marks = range(0, 3, 1)
    .map((index) => `M${x + 16} ${round(y + 12 + (index * (h - 58)) / 3)}h8`)
    .join('');
  return (
    path(`M${x - 9} ${y + 9}a9 9 0 0 1 18 0V${bulb - 16}a18 18 0 1 1 -18 0Z`, white) +
    path(`M${x} ${bulb}V${round(bulb - 16 - (h - 58) * rise)}`, undefined, { width: 7, stroke: fill }) +
    disc(x, bulb, 10, fill, bare) +
    path(marks, undefined, { stroke: scale })
  );
};

export const valve = (x: number, y: number, r = 18): string =>
  disc(x, y, r, ember) +
  path(`M${x - r + 6} ${y}H${x + r - 6}M${x} ${y - r + 6}V${y + r - 6}`) +
  disc(x, y, 4, white, fine);
