// Draws the parts of a kitchen, seen from the front. `x` is the centre of a part, `base` is its lower edge and `y` is its
// upper edge, unless the comment of a function says otherwise.
import {
  amber,
  box,
  deepIce,
  detail,
  disc,
  ember,
  ice,
  ink,
  light,
  path,
  petrol,
  place,
  range,
  round,
  type Sheet,
  shade,
  steel,
  tube,
  type WallColors,
  white,
} from './paint.ts';

const fine = { width: detail };
const bare = { width: 0 };

/**
 * The ceiling (y 0 to 24), a tiled wall and the floor. They have the same height in every picture, so that a row of cards
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
   * The temperatures at the two ends of the air. They set the colours of the air: 0 is the stove, 1 is the cool end, and 1.4
   * is for dark walls.
   */
  from?: number;
  to?: number;
}

/** Adds a gradient between two points to the sheet, and returns a reference to the gradient. Only air has gradients. */
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

/** The path of a wave. `halves` is the number of half waves. Each half wave has a length of 24 and an amplitude of 10. */
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

/** Air along a path. The gradient of the air runs from the first point of `ends` to the second point. */
export const airAlong = (
  on: Sheet,
  d: string,
  ends: readonly number[],
  { width = 6, ...portion }: Heat & { width?: number } = {},
): string => path(d, undefined, { width, stroke: heat(on, ends, portion) });

interface HoodStyle {
  /** The height of the canopy, which is the sloping part. Hoods on service cards use the default. */
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

const drop = (x: number, base: number, tall: number): string => {
  const s = (value: number): number => round(value * tall);
  const d = `M${round(x)} ${base}c${s(-7)} ${s(-5)} ${s(-5)} ${s(-11)} 0 ${s(-16)}c${s(5)} ${s(5)} ${s(7)} ${s(11)} 0 ${s(16)}Z`;
  return path(d, amber, { width: detail, stroke: ember });
};

/** A row of flames. They are 16 high if `tall` is 1. */
export const flames = (x: number, base: number, { count = 3, gap = 16, tall = 1 } = {}): string =>
  range(0, count - 1, 1)
    .map((index) => drop(x + (index - (count - 1) / 2) * gap, base, tall))
    .join('');

/** A pan over a fire. The rim of the pan is at top - 36. */
export const pan = (x: number, top: number, { flip = false, w = 64, fill = ink } = {}): string => {
  const half = w / 2;
  const side = flip ? -1 : 1;
  return (
    flames(x, top - 1, { count: w > 90 ? 5 : 3 }) +
    path(
      `M${x - half + 2} ${top}v-14H${x + half - 2}v14`,
      undefined,
      fill === ink ? fine : { width: detail, stroke: fill },
    ) +
    path(`M${x - half} ${top - 36}h${w}l-6 20h${12 - w}Z`, fill) +
    tube(`M${x + side * (half + 2)} ${top - 32}h${side * 28}`, fill, 9, 3)
  );
};

/** A tall pot over a fire. The lid of the pot is at top - 52. */
export const pot = (x: number, top: number, w = 56): string =>
  flames(x, top - 1) +
  path(`M${x - w / 2 + 4} ${top}v-14h${w - 8}v14`, undefined, { width: detail }) +
  path(`M${x - w / 2 - 8} ${top - 38}h${w + 16}`, undefined, { width: 6 }) +
  box(x - w / 2, top - 46, w, 30, 4, white);

export const stove = (x: number, top: number, base: number, w: number): string => {
  const left = x - w / 2;
  const oven = base - top > 72;
  const windowTop = top + 32;
  const windowHeight = base - windowTop - (oven ? 20 : 8);
  return (
    box(left + 6, top + 8, w - 12, base - top - 8, 0, steel) +
    box(x + w / 2 - 20, top + 10, 12, base - top - 12, 0, shade, bare) +
    box(left, top, w, 10, 4, light) +
    range(0, 3, 1)
      .map((knob) => disc(x - 36 + knob * 24, top + 21, 5, white, fine))
      .join('') +
    box(left + 24, windowTop, w - 56, windowHeight, 4, ink, bare) +
    '\n'
  );
};

/** A wrench that points up, 138 high, with its centre near the origin. */
export const wrench = (fill = ember): string =>
  path('M-8 -18V70a8 8 0 0 0 16 0V-18A22 22 0 0 0 14 -56V-36L0 -28L-14 -36V-56A22 22 0 0 0 -8 -18Z', fill) +
  disc(0, 66, 3, ink, bare);

/** Three sparks that fly up from the origin. */
export const sparks = (fill = amber, reach = 1): string => {
  const near = round(12 * reach);
  const far = round(26 * reach);
  const dn = round(9 * reach);
  const df = round(19 * reach);
  const d = `M0 ${-near}V${-far}M${dn} ${-dn}L${df} ${-df}M${-dn} ${-dn}L${-df} ${-df}`;
  return path(d, undefined, { width: 9 }) + path(d, undefined, { width: 4, stroke: fill });
};

/** A spirit level that hangs horizontally from a nail 44 above it. */
export const level = (x: number, y: number, { w = 88, string = ink } = {}): string =>
  path(`M${x - 36} ${y}L${x} ${y - 36}L${x + 36} ${y}`, undefined, { width: detail, stroke: string }) +
  disc(x, y - 36, 4, string, bare) +
  levelBar(x, y, w);

/** A spirit level that lies on something, without a nail and a string. */
export const levelBar = (x: number, y: number, w = 88): string =>
  box(x - w / 2, y, w, 24, 4, ember) +
  box(x - 18, y + 6, 36, 12, 4, ice, fine) +
  path(`M${x - 7} ${y + 6}v12M${x + 7} ${y + 6}v12`, undefined, fine);

/** A plumb bob: a weight on a string, which shows the vertical direction. */
export const plumb = (x: number, y: number, end: number): string =>
  path(`M${x} ${y}V${end - 40}`, undefined, fine) + path(`M${x - 12} ${end - 40}h24v12l-12 28l-12 -28Z`, ember);

/** A screwdriver that points up, 112 high. */
export const screwdriver = (fill = ember): string =>
  tube('M0 0V-52', steel, 11, 4) +
  path('M-5 -56h10', undefined, { width: 6 }) +
  box(-11, -2, 22, 56, 4, fill) +
  path('M-4 10V42M4 10V42', undefined, fine);

/** A round brush for ducts, seen from its end: bristles around a hub. */
export const brush = (x: number, y: number, r = 26): string => {
  const bristles = range(0, 359, 20)
    .map((turn, index) => {
      const [sin, cos] = [Math.sin((turn * Math.PI) / 180), -Math.cos((turn * Math.PI) / 180)];
      const reach = index % 2 === 0 ? r : r - 3;
      return `M${round(x + sin * r * 0.6)} ${round(y + cos * r * 0.6)}L${round(x + sin * reach)} ${round(y + cos * reach)}`;
    })
    .join('');
  return disc(x, y, r * 0.84, ember, bare) + path(bristles, undefined, fine) + disc(x, y, r * 0.3, white, fine);
};

export const toolbox = (x: number, base: number, fill = ember, w = 88): string =>
  tube(`M${x - 18} ${base - 40}v-14h36v14`, steel, 10, 4) +
  box(x - w / 2, base - 44, w, 44, 4, fill) +
  path(`M${x - w / 2} ${base - 28}h${w}`) +
  box(x - 8, base - 35, 16, 14, 4, white, fine);

export const ladder = (x: number, y: number, base: number, { w = 44, fill = white } = {}): string => {
  const half = w / 2;
  const rungs = range(y + 18, base - 16, 24)
    .map((at) => `M${x - half} ${at}H${x + half}`)
    .join('');
  return (
    tube(rungs, fill, 11, 4) + tube(`M${x - half} ${y}V${base - 5}M${x + half} ${y}V${base - 5}`, fill, 13, 6) + '\n'
  );
};

export const steps = (x: number, y: number, base: number, fill = white): string => {
  const rungs = range(y + 26, base - 16, 24)
    .map((at) => `M${x - 24} ${at}h48`)
    .join('');
  return (
    tube(rungs, fill, 11, 4) +
    tube(`M${x - 24} ${y + 8}V${base - 5}M${x + 24} ${y + 8}V${base - 5}`, fill, 13, 6) +
    box(x - 36, y, 72, 14, 4, fill)
  );
};

export const bucket = (x: number, base: number, fill = steel): string =>
  path(`M${x - 24} ${base - 44}a24 24 0 0 1 48 0`, undefined, fine) +
  path(`M${x - 28} ${base - 44}h56l-8 44h-40Z`, fill) +
  path(`M${x - 26} ${base - 32}h52`, undefined, fine);

export const carton = (x: number, base: number, w = 72, h = 56): string =>
  box(x - w / 2, base - h, w, h, 4, light) +
  box(x - 10, base - h, 20, 24, 0, amber, fine) +
  path(`M${x + w / 2 - 26} ${base - 12}h14M${x + w / 2 - 26} ${base - 18}h14`, undefined, fine);

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

export const strap = (x: number, y: number): string => path(`M${x} 24V${y}`) + box(x - 8, y - 5, 16, 5, 0, ink, bare);

/** A closed duct from x1 to x2. By default, the duct has a seam every 64 units. */
export const duct = (x1: number, x2: number, y: number, { h = 64, seams = range(x1 + 64, x2 - 24, 64) } = {}): string =>
  box(x1, y, x2 - x1, h, 0, steel) +
  box(x1, y + h - 18, x2 - x1, 16, 0, shade, bare) +
  seams.map((x) => flange(x, y, h)).join('');

/**
 * A duct that is cut open. The duct rises from `bottom` at x, turns right with a radius of 40, and ends at `end`. Its upper
 * edge is at y. The inside of the duct is dark up to `clean`, where the brush is.
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

/** Soot on the bottom of a duct that is cut open. */
const lumps = (x1: number, x2: number, y: number): string =>
  path(
    `M${x1} ${y}${range(x1, x2 - 16, 16)
      .map((_, index) => `a8 ${index % 2 === 0 ? 9 : 6} 0 0 1 16 0`)
      .join('')}Z`,
    ink,
    bare,
  );

/** The two ends of the rim of an open duct, above and below the opening. */
export const collar = (x: number, y: number, h = 64): string =>
  box(x, y - 10, 10, 14, 4, light, fine) + box(x, y + h - 4, 10, 14, 4, light, fine);

/** A straight duct that is cut open. The inside is dark. */
export const trough = (x1: number, x2: number, y: number, h = 64, fill = shade): string =>
  box(x1, y, x2 - x1, h, 0, fill, bare) + path(`M${x1} ${y}H${x2}M${x1} ${y + h}H${x2}`);

/** A flange: the rim at the end or at a joint of a duct. */
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

export const fan = (x: number, y: number, r = 40, fill = white): string => {
  const b = r - 10;
  const blade = `M0 0C${round(-b * 0.7)} ${round(-b * 0.3)} ${round(-b * 0.6)} ${-b} 0 ${-b}C${round(b * 0.3)} ${round(-b * 0.8)} ${round(b * 0.2)} ${round(-b * 0.4)} 0 0Z`;
  const blades = [0, 90, 180, 270].map((turn) => place(0, 0, path(blade, steel, fine), { turn })).join('');
  return place(x, y, disc(0, 0, r, fill) + blades + disc(0, 0, 7, ink, bare));
};

/** An air-conditioning unit on the wall. The air flows out of the unit at y + h. */
export const wallUnit = (x: number, y: number, w = 192, h = 64, { open = false } = {}): string =>
  box(x - w / 2, y, w, h, 12, white) +
  path(`M${x - w / 2} ${y + h - 24}h${w}`, undefined, fine) +
  box(x + w / 2 - 52, y + 14, 32, 12, 4, light, fine) +
  disc(x - w / 2 + 22, y + 20, 4.5, amber, fine) +
  (open ? '' : box(x - w / 2 + 16, y + h - 15, w - 32, 7, 0, ink, bare));

export const cassette = (x: number, w = 208): string =>
  box(x - w / 2 + 16, 24, w - 32, 28, 0, steel) +
  box(x - w / 2, 50, w, 28, 4, white) +
  range(-2, 2, 1)
    .map((slot) => path(`M${x + slot * 18} 60v8`, undefined, { width: 6 }))
    .join('') +
  box(x - w / 2 + 12, 64, 40, 7, 0, ink, bare) +
  box(x + w / 2 - 52, 64, 40, 7, 0, ink, bare);

export const condenser = (x: number, base: number, w = 136, h = 112): string =>
  box(x - w / 2 + 14, base - 10, 20, 10, 0, ink) +
  box(x + w / 2 - 34, base - 10, 20, 10, 0, ink) +
  box(x - w / 2, base - h, w, h - 8, 12, light) +
  fan(x - w / 2 + 52, base - h / 2 - 4, 38) +
  path(
    range(0, 3, 1)
      .map((slot) => `M${x + w / 2 - 30} ${base - h + 26 + slot * 14}h16`)
      .join(''),
  );

/** A snowflake with eight arms. Its centre is at the origin. */
export const flake = (r = 24, stroke = deepIce): string => {
  const d = round(r * 0.68);
  const k = round(r * 0.3);
  const far = round(r * 0.62);
  const arms = [0, 90, 180, 270].map((turn) =>
    place(0, 0, path(`M0 0V${-r}M${-k} ${-far - k}L0 ${-far}L${k} ${-far - k}`), { turn }),
  );
  return `<g stroke="${stroke}">${arms.join('')}${path(`M${-d} ${-d}L${d} ${d}M${d} ${-d}L${-d} ${d}`)}</g>`;
};

export const cabinet = (x: number, y: number, base: number, w = 128): string => {
  const left = x - w / 2;
  return (
    box(left + 10, base - 10, 16, 10, 0, ink) +
    box(left + w - 26, base - 10, 16, 10, 0, ink) +
    box(left, y, w, base - y - 8, 4, steel) +
    box(left + w - 16, y + 2, 14, base - y - 12, 0, shade, bare) +
    path(
      range(0, 4, 1)
        .map((slot) => `M${left + 20 + slot * 16} ${y + 9}v8`)
        .join(''),
    ) +
    box(left, y, w, 26, 4) +
    path(`M${x} ${y + 26}V${base - 8}`) +
    path(`M${x - 12} ${y + 92}v40M${x + 12} ${y + 92}v40`, undefined, { width: 7 }) +
    '\n'
  );
};

export const shelf = (x: number, y: number, w = 96): string =>
  path(`M${x - w / 2 + 16} ${y + 8}v12M${x + w / 2 - 16} ${y + 8}v12`) + box(x - w / 2, y, w, 8, 0, light);

export const jar = (x: number, base: number, fill = ice): string =>
  box(x - 10, base - 26, 20, 26, 4, fill) + path(`M${x - 9} ${base - 30}h18`, undefined, { width: 6 });

export const bottle = (x: number, base: number, fill = petrol): string =>
  path(`M${x - 8} ${base}v-22l5 -8v-10h6v10l5 8v22Z`, fill);

export const lidPot = (x: number, base: number, w = 40): string =>
  box(x - w / 2, base - 22, w, 22, 4, steel) +
  path(`M${x - w / 2 - 4} ${base - 24}h${w + 8}M${x - 4} ${base - 30}h8`, undefined, { width: 5 });

export const rail = (x: number, y: number): string =>
  path(`M${x - 46} ${y}h92`) +
  path(`M${x - 30} ${y}v34`, undefined, { width: detail + 1 }) +
  path(`M${x - 40} ${y + 34}h20a10 10 0 0 1 -20 0Z`, steel) +
  path(`M${x} ${y}v16`, undefined, { width: 5 }) +
  disc(x, y + 30, 14, ink, bare) +
  path(`M${x + 30} ${y}v52`, undefined, { width: 5 }) +
  box(x + 24, y + 30, 12, 30, 4, steel);

export const lamp = (x: number, y: number, { lit = true } = {}): string =>
  path(`M${x - 14} ${y}h28v4a14 14 0 0 1 -28 0Z`, lit ? amber : shade);

export const nightWindow = (x: number, y: number, w = 88, h = 80): string =>
  box(x - w / 2, y, w, h, 4, petrol) +
  path(`M${x + 4} ${y + 12}a18 18 0 1 0 18 28a20 20 0 0 1 -18 -28Z`, amber, { width: detail }) +
  path(`M${x - w / 2} ${y + h - 24}h${w}`) +
  box(x - w / 2 - 6, y + h, w + 12, 8, 0, light);

export const clock = (x: number, y: number, r = 24): string =>
  disc(x, y, r, white) + path(`M${x} ${y - r + 8}V${y}L${x + 8} ${y + 8}`) + disc(x, y, 3, ink, bare);

/** A fire extinguisher whose lower edge is at `base`, on the floor or on the wall. */
export const extinguisher = (x: number, base: number, h = 112, w = 44): string =>
  path(`M${x + 4} ${base - h + 14}h12a16 16 0 0 1 16 16V${base - h + 76}`, undefined, { width: 6 }) +
  path(`M${x + 32} ${base - h + 74}v14`, undefined, { width: 11 }) +
  box(x - 8, base - h + 6, 16, 26, 0, ink) +
  path(`M${x - 24} ${base - h}h36M${x - 18} ${base - h + 10}h20`, undefined, { width: 6 }) +
  path(`M${x - w / 2} ${base}V${base - h + 44}a16 16 0 0 1 16 -16h${w - 32}a16 16 0 0 1 16 16V${base}Z`, ember) +
  box(x - w / 2, base - h + 58, w, 24, 0, white);

/** A nozzle of a fire-suppression system. The nozzle hangs from a pipe at y and points down. */
export const nozzle = (x: number, y: number): string =>
  path(`M${x} ${y}v8`, undefined, { width: 7 }) + path(`M${x - 8} ${y + 8}h16l6 12h-28Z`, ember, fine);
