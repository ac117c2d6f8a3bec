// Draws moving air as waves. The colour of the air shows its temperature.
import { amber, deepIce, ember, ice, path, range, round, type Sheet } from '../paint.ts';

const stops = [
  [0, ember],
  [0.45, amber],
  [1, deepIce],
  [1.4, ice],
] as const;

const channel = (hex: string, index: number): number => Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16);

const heatAt = (at: number): string => {
  const index = stops.findIndex(([stop], place) => place > 0 && at <= stop);
  const [low, high] = [stops[index - 1] ?? stops[0], stops[index] ?? stops[3]];
  const share = (at - low[0]) / (high[0] - low[0]);
  const mixed = [0, 1, 2].map((part) =>
    Math.round(channel(low[1], part) * (1 - share) + channel(high[1], part) * share),
  );
  return `#${mixed
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`;
};

interface Heat {
  /**
   * The temperatures at the start (`from`) and at the end (`to`) of an air stream. They set its colours: 0 is hot, 1 is
   * cool, and 1.4 is a lighter cool colour for dark walls.
   */
  from?: number;
  to?: number;
}

/**
 * Adds a gradient between two points to the drawing, and returns a reference to the gradient. Only air streams have
 * gradients.
 */
const heat = (on: Sheet, [x1, y1, x2, y2]: readonly number[], { from = 0, to = 1 }: Heat): string => {
  const id = `air${on.defs.length + 1}`;
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const inner = stops
    .filter(([stop]) => stop > low && stop < high)
    .map(([stop]) => [(stop - from) / (to - from), stop] as const);
  const marks = [[0, from] as const, ...(from > to ? inner.toReversed() : inner), [1, to] as const]
    .map(([offset, at]) => `<stop offset="${round(offset * 100) / 100}" stop-color="${heatAt(at)}"/>`)
    .join('');
  on.defs.push(
    `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${marks}</linearGradient>`,
  );
  return `url(#${id})`;
};

type Way = 'up' | 'down' | 'left' | 'right';

/** The path of a wave. `halves` is the number of half waves. Each half wave has a length of 24 and an amplitude of 7.5. */
export const wave = (way: Way, halves: number, first = 1): string =>
  range(0, halves - 1, 1)
    .map((index) => {
      const swing = (index % 2 === 0 ? 10 : -10) * first;
      const far = way === 'up' || way === 'left' ? -24 : 24;
      const near = far / 3;
      return way === 'up' || way === 'down'
        ? `c${swing} ${near} ${swing} ${near * 2} 0 ${far}`
        : `c${near} ${swing} ${near * 2} ${swing} ${far} 0`;
    })
    .join('');

export const air = (
  on: Sheet,
  starts: readonly (readonly [number, number])[],
  way: Way,
  halves: number,
  { width = 6, first = 1, ...portion }: Heat & { width?: number; first?: 1 | -1 } = {},
): string => {
  const [x, y] = starts[0] ?? [0, 0];
  const far = halves * 24 * (way === 'up' || way === 'left' ? -1 : 1);
  const upright = way === 'up' || way === 'down';
  const stroke = heat(on, upright ? [0, y, 0, y + far] : [x, 0, x + far, 0], portion);
  return path(starts.map(([sx, sy]) => `M${sx} ${sy}${wave(way, halves, first)}`).join(''), undefined, {
    width,
    stroke,
  });
};

/** Draws air along a path. The gradient of the air runs from the first point of `ends` to the second point. */
export const airAlong = (
  on: Sheet,
  d: string,
  ends: readonly number[],
  { width = 6, ...portion }: Heat & { width?: number } = {},
): string => path(d, undefined, { width, stroke: heat(on, ends, portion) });
