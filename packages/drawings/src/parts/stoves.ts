// Draws stoves, pans and fire.
import {
  amber,
  bare,
  box,
  detail,
  disc,
  ember,
  fine,
  ink,
  light,
  path,
  range,
  round,
  shade,
  steel,
  tube,
  white,
} from '../paint.ts';

const drop = (x: number, base: number, scale: number): string => {
  const s = (value: number): number => round(value * scale);
  const d = `M${round(x)} ${base}c${s(-7)} ${s(-5)} ${s(-5)} ${s(-11)} 0 ${s(-16)}c${s(5)} ${s(5)} ${s(7)} ${s(11)} 0 ${s(16)}Z`;
  return path(d, amber, { width: detail, stroke: ember });
};

/** A row of flames. If `scale` is 1, each flame is 16 units high. */
export const flames = (x: number, base: number, { count = 3, gap = 16, scale = 1 } = {}): string =>
  range(0, count - 1, 1)
    .map((index) => drop(x + (index - (count - 1) / 2) * gap, base, scale))
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

/** A pot over a fire. The upper edge of the pot is at `top - 46`. */
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
