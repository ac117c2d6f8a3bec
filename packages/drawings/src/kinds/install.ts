import { box, detail, ember, ice, ink, light, path, shade, steel, white } from '../paint.ts';
import { air } from '../parts/air.ts';
import { hood } from '../parts/hoods.ts';
import { flames, pan, pot, stove } from '../parts/stoves.ts';
import { type Drawings, floor, levelOn, propAt, rising, toolAt } from '../stage.ts';

export const install: Drawings['install'] = {
  canopy: (set) => {
    const { on, at, side } = set;
    const x = at(208);
    return (
      rising(on, x, 162) +
      hood(x, 40, 176) +
      stove(x, 208, floor, 160) +
      pan(x, 208, { flip: side === -1 }) +
      propAt(set, 348, 104) +
      toolAt(set, 60, 96)
    );
  },
  island: (set) => {
    const { on, at, side } = set;
    const x = at(208);
    return (
      rising(on, x - side * 48, 162) +
      air(
        on,
        [
          [x + side * 36, 148],
          [x + side * 60, 148],
        ],
        'up',
        2,
      ) +
      hood(x, 40, 224, { duct: 'rods' }) +
      stove(x, 208, floor, 224) +
      pan(x - side * 48, 208, { flip: side === 1 }) +
      pot(x + side * 48, 208) +
      propAt(set, 356, 104) +
      toolAt(set, 44, 72)
    );
  },
  oven: (set) => {
    const { on, at } = set;
    const x = at(200);
    return (
      rising(on, x, 158) +
      hood(x, 40, 192) +
      path(`M${x - 88} ${floor}V208a40 40 0 0 1 40 -40h96a40 40 0 0 1 40 40V${floor}Z`, steel) +
      path(`M${x + 52} 171a38 38 0 0 1 34 37V${floor - 2}h-16V208a38 38 0 0 0 -18 -34Z`, shade, { width: 0 }) +
      path(`M${x - 48} ${floor}v-28a40 40 0 0 1 40 -40h16a40 40 0 0 1 40 40v28Z`, ink) +
      flames(x, floor - 6, { count: 3, gap: 22, scale: 1.7 }) +
      propAt(set, 344, 104) +
      toolAt(set, 52, 96)
    );
  },
  truck: (set) => {
    const { on, at, side } = set;
    const x = at(128);
    const w = at(300);
    const stripes = [-3, -1, 1].map((index) => path(`M${w + index * 20} 80h20v24h-20Z`, ember, { width: 0 })).join('');
    return (
      rising(on, x, 162) +
      hood(x, 40, 160) +
      stove(x, 208, floor, 160) +
      pan(x, 208, { flip: side === 1, w: 60 }) +
      box(w - 56, 92, 112, 84, 0, ice) +
      path(`M${w} 104v72`, undefined, { width: detail }) +
      box(w - 64, 176, 128, 10, 4, light) +
      path(`M${w - 60} 80h120v24h-120Z`, white, { width: 0 }) +
      stripes +
      path(`M${w - 60} 80h120v24h-120Z`) +
      levelOn(set, w, 176) +
      propAt(set, 300, 104)
    );
  },
  supply: (set) => {
    const { on, at, side } = set;
    const x = at(160);
    const s = at(320);
    return (
      rising(on, x, 162) +
      hood(x, 40, 176) +
      stove(x, 208, floor, 160) +
      pan(x, 208, { flip: side === 1, w: 60 }) +
      box(s - 32, 24, 64, 56, 0, steel) +
      box(s + 14, 26, 16, 52, 0, shade, { width: 0 }) +
      box(s - 44, 80, 88, 20, 4, light) +
      path(`M${s - 28} 90h56`, undefined, { width: detail }) +
      air(
        on,
        [
          [s - 24, 112],
          [s, 112],
          [s + 24, 112],
        ],
        'down',
        3,
        { from: 0.92 },
      ) +
      toolAt(set, 40, 80) +
      propAt(set, 320, 104)
    );
  },
};
