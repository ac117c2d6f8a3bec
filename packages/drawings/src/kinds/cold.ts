import { box, deepIce, detail, ice, ink, light, path, place, shade, steel, tube, white } from '../paint.ts';
import { cabinet, flake } from '../parts/cooling.ts';
import { gauge } from '../parts/gauges.ts';
import { bucket } from '../parts/tools.ts';
import { bottle, jar, lidPot } from '../parts/vessels.ts';
import { type Drawings, floor, levelOn, propAt, toolAt, working } from '../stage.ts';

const line = (d: string): string => tube(d, deepIce, 13, 6);

const crate = (x: number, y: number, fill: string): string =>
  box(x - 20, y - 24, 40, 24, 4, fill, { width: detail + 1 });

export const cold: Drawings['cold'] = {
  'walk-in': (set) => {
    const { at, side } = set;
    const x = at(172);
    const g = at(348);
    return (
      line(`M${x + side * 100} 96H${g}V136`) +
      box(x - 132, 72, 264, 192, 4, white) +
      box(x + 112, 74, 18, 188, 0, shade, { width: 0 }) +
      path(`M${x - 74} 72V${floor}M${x + 74} 72V${floor}`, undefined, { width: detail }) +
      path(`M${x - 132} 96H${x + 132}`, undefined, { width: detail }) +
      box(x - 132, 72, 264, 192, 4) +
      box(x - 58, 108, 116, 156, 4, ice) +
      box(x - 46, 120, 92, 132, 4, white, { width: detail }) +
      place(x, 168, flake(28)) +
      path(`M${x + side * 50} 200v28`, undefined, { width: 9 }) +
      levelOn(set, x - side * 60, 72) +
      gauge(g, 152) +
      propAt(set, 348, 180)
    );
  },
  cabinet: (set) => {
    const { at, side } = set;
    const x = at(144);
    const g = at(312);
    return (
      line(`M${x} 72H${g}V100`) +
      cabinet(x, 56, floor, 160) +
      place(x - 38, 112, flake(20)) +
      place(x + 38, 112, flake(20)) +
      gauge(g, 122, { r: 26 }) +
      working(at(316), 214, side * -45, 0.62) +
      propAt(set, 352, 128)
    );
  },
  door: (set) => {
    const { at, side } = set;
    const x = at(152);
    const d = at(268);
    return (
      box(x - 80, floor - 10, 20, 10, 0, ink) +
      box(x + 60, floor - 10, 20, 10, 0, ink) +
      box(x - 92, 56, 184, 200, 4, steel) +
      box(x - 76, 72, 152, 168, 4, ice) +
      path(`M${x - 74} 128h148M${x - 74} 184h148`) +
      crate(x - 40, 126, white) +
      crate(x + 20, 126, light) +
      crate(x - 20, 182, light) +
      crate(x + 40, 182, white) +
      lidPot(x, 238, 60) +
      box(d - 24, 56, 48, 200, 4, white) +
      path(`M${d - side * 12} 68v176`, undefined, { width: 6 }) +
      path(`M${d + side * 10} 152v40`, undefined, { width: 7 }) +
      place(d + side * 5, 100, flake(14)) +
      toolAt(set, 344, 96) +
      propAt(set, 344, 104)
    );
  },
  ice: ({ at, side }) => {
    const x = at(160);
    const cubes = [
      [-44, 0],
      [-16, 0],
      [12, 0],
      [40, 0],
      [-30, 1],
      [-2, 1],
      [26, 1],
      [-16, 2],
      [12, 2],
    ]
      .map(([dx = 0, row = 0]) => box(x + dx - 11, 210 - row * 24, 22, 22, 4, white, { width: detail }))
      .join('');
    return (
      box(x - 72, floor - 10, 20, 10, 0, ink) +
      box(x + 52, floor - 10, 20, 10, 0, ink) +
      box(x - 88, 48, 176, 88, 4, steel) +
      box(x + 70, 50, 16, 84, 0, shade, { width: 0 }) +
      box(x - 88, 48, 176, 88, 4) +
      path(`M${x - 64} 72h48M${x - 64} 86h48M${x - 64} 100h48`) +
      place(x + 32, 92, flake(24)) +
      box(x - 88, 136, 176, 120, 4, light) +
      box(x - 68, 150, 136, 90, 4, deepIce) +
      cubes +
      box(x - 68, 150, 136, 90, 4) +
      working(at(312), 112, side * -45, 0.62) +
      bucket(at(312), floor) +
      box(at(312) - 18, 208, 16, 14, 4, white, { width: detail }) +
      box(at(312) + 3, 206, 16, 14, 4, white, { width: detail }) +
      path(`M${at(312) - 28} 220h56`)
    );
  },
  display: (set) => {
    const { at } = set;
    const x = at(184);
    const shelves = [112, 160, 208];
    return (
      box(x - 88, floor - 10, 20, 10, 0, ink) +
      box(x + 68, floor - 10, 20, 10, 0, ink) +
      box(x - 108, 48, 216, 208, 4, steel) +
      box(x - 92, 72, 184, 168, 4, ice) +
      shelves.map((y) => path(`M${x - 90} ${y}H${x + 90}`, undefined, { width: detail + 1 })).join('') +
      [-68, -38].map((dx) => jar(x + dx, 112, white)).join('') +
      [32, 58].map((dx) => bottle(x + dx, 160)).join('') +
      lidPot(x - 52, 160, 44) +
      lidPot(x + 52, 112, 52) +
      [-64, -38].map((dx) => bottle(x + dx, 208)).join('') +
      [34, 62].map((dx) => jar(x + dx, 208, white)).join('') +
      lidPot(x - 52, 238, 56) +
      lidPot(x + 52, 238, 44) +
      box(x - 12, 72, 24, 168, 0, steel) +
      path(`M${x - 4} 136v40M${x + 4} 136v40`) +
      path(`M${x - 80} 60h48`, undefined, { width: 5 }) +
      propAt(set, 344, 96) +
      toolAt(set, 344, 96)
    );
  },
};
