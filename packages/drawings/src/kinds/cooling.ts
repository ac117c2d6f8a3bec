import { box, deepIce, detail, ember, light, path, place, tube, white } from '../paint.ts';
import { air } from '../parts/air.ts';
import { cassette, condenser, wallUnit } from '../parts/cooling.ts';
import { gauge } from '../parts/gauges.ts';
import { pot, stove } from '../parts/stoves.ts';
import { bucket } from '../parts/tools.ts';
import { jar, lidPot } from '../parts/vessels.ts';
import { type Drawings, falling, floor, levelOn, propAt, toolAt } from '../stage.ts';

export const cooling: Drawings['cooling'] = {
  unit: (set) => {
    const { on, at, side } = set;
    const x = at(176);
    const p = x + side * 72;
    return (
      tube(`M${p} 26V72`, white, 14, 7) +
      wallUnit(x, 80, 216, 68) +
      levelOn(set, x - side * 32, 80) +
      falling(on, x, 162, 40, 3) +
      propAt(set, 340, 96)
    );
  },
  open: (set) => {
    const { at, side } = set;
    const x = at(192);
    const b = at(104);
    const drop = (dx: number, y: number): string =>
      path(`M${b + dx} ${y}c-8 10 -8 18 0 18s8 -8 0 -18Z`, deepIce, { width: detail });
    return (
      wallUnit(x, 56, 232, 76, { open: true }) +
      path(`M${x - 92} 118H${x + 92}`, undefined, { width: 7 }) +
      place(x + side * 92, 120, tube('M0 6V72', white, 16, 8), { turn: side * -45 }) +
      drop(0, 142) +
      drop(0, 170) +
      bucket(b, floor) +
      toolAt(set, 192, 146) +
      propAt(set, 352, 124)
    );
  },
  outdoor: (set) => {
    const { on, at } = set;
    const x = at(288);
    const c = at(104);
    return (
      tube(`M${c} 150V88H${x}`, white, 14, 7) +
      wallUnit(x, 56, 152, 60) +
      falling(on, x, 130, 28, 4) +
      condenser(c, floor, 144, 112) +
      path(`M${at(168)} 88v16`, undefined, { width: 7 }) +
      gauge(at(168), 122, { fill: ember, turn: -45 }) +
      propAt(set, 336, 160)
    );
  },
  cassette: (set) => {
    const { on, at } = set;
    const x = at(184);
    return (
      cassette(x, 224) +
      falling(on, x, 92, 44, 4) +
      path(`M${x - 64} 238v24M${x + 64} 238v24`, undefined, { width: 7 }) +
      box(x - 88, 228, 176, 10, 4, light) +
      lidPot(x - 40, 226, 44) +
      jar(x + 24, 228, deepIce) +
      jar(x + 52, 228, white) +
      propAt(set, 344, 104)
    );
  },
  heatwave: (set) => {
    const { on, at } = set;
    const x = at(112);
    const u = at(272);
    return (
      air(
        on,
        [
          [x - 24, 146],
          [x, 146],
          [x + 24, 146],
        ],
        'up',
        4,
        { to: 0.5 },
      ) +
      stove(x, 208, floor, 144) +
      pot(x, 208, 64) +
      wallUnit(u, 48, 184, 68) +
      falling(on, u, 130, 36, 2) +
      propAt(set, 288, 96)
    );
  },
};
