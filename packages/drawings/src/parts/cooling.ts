// Draws equipment for cooling and ventilation.
import {
  amber,
  bare,
  box,
  deepIce,
  disc,
  fine,
  ink,
  light,
  path,
  place,
  range,
  round,
  shade,
  steel,
  white,
} from '../paint.ts';

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
