// Draws the tools of the people who install, repair and clean equipment.
import {
  amber,
  bare,
  box,
  detail,
  disc,
  ember,
  fine,
  ice,
  ink,
  path,
  range,
  round,
  steel,
  tube,
  white,
} from '../paint.ts';

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

/** A spirit level that hangs horizontally from a nail. Its upper edge is at `y`, and the nail is 36 units above it. */
export const level = (x: number, y: number, { w = 88, string = ink } = {}): string =>
  path(`M${x - 36} ${y}L${x} ${y - 36}L${x + 36} ${y}`, undefined, { width: detail, stroke: string }) +
  disc(x, y - 36, 4, string, bare) +
  levelBar(x, y, w);

/** A spirit level that lies on a surface. The function `level` draws a spirit level that hangs from a nail. */
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
