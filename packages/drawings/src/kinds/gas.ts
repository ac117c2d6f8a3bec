import { amber, box, detail, disc, ember, ink, light, path, place, tube, white } from '../paint.ts';
import { fan } from '../parts/cooling.ts';
import { extinguisher, nozzle } from '../parts/fire-safety.ts';
import { gauge, valve } from '../parts/gauges.ts';
import { hood } from '../parts/hoods.ts';
import { flames, pan, pot, stove } from '../parts/stoves.ts';
import { wrench } from '../parts/tools.ts';
import { type Drawings, floor, propAt, rising } from '../stage.ts';

const pipe = (d: string): string => tube(d, amber, 15, 8);

export const gas: Drawings['gas'] = {
  check: (set) => {
    const { at, side } = set;
    const x = at(264);
    return (
      pipe(`M${at(-8)} 136H${at(136)}V232H${at(192)}`) +
      gauge(at(48), 92, { fill: ember }) +
      path(`M${at(48)} 114v15`, undefined, { width: 7 }) +
      valve(at(104), 136, 20) +
      stove(x, 208, floor, 184) +
      pan(x - side * 32, 208, { w: 60, flip: side === 1 }) +
      pot(x + side * 44, 208, 48) +
      propAt(set, 272, 64)
    );
  },
  interlock: (set) => {
    const { on, at, side } = set;
    const x = at(256);
    const p = at(80);
    return (
      rising(on, x, 162) +
      path(`M${p} 84V52H${x}`) +
      hood(x, 56, 176, { rise: 48 }) +
      fan(x, 48, 20) +
      pipe(`M${at(-8)} 216H${at(192)}`) +
      path(`M${p} 148V196`) +
      valve(p, 216, 20) +
      stove(x, 208, floor, 168) +
      pan(x, 208, { flip: side === -1 }) +
      box(p - 32, 84, 64, 72, 4, white) +
      disc(p - 12, 104, 7, amber, { width: detail }) +
      disc(p + 12, 104, 7, light, { width: detail }) +
      path(`M${p - 16} 128h32M${p - 16} 140h20`, undefined, { width: detail }) +
      propAt(set, 372, 120)
    );
  },
  suppression: (set) => {
    const { at, side } = set;
    const x = at(168);
    const c = at(336);
    return (
      tube(`M${x} 88H${c}V140`, ember, 13, 6) +
      [-56, 0, 56].map((dx) => nozzle(x + dx, 118)).join('') +
      hood(x, 40, 208) +
      stove(x, 208, floor, 192) +
      flames(x, 178, { count: 4, gap: 24, scale: 2.1 }) +
      pan(x, 208, { w: 112, flip: side === 1 }) +
      box(c - 28, 148, 56, 116, 16, ember) +
      box(c - 12, 134, 24, 18, 0, ink) +
      box(c - 28, 188, 56, 28, 0, white) +
      propAt(set, 352, 104)
    );
  },
  leak: (set) => {
    const { at, side } = set;
    const j = at(136);
    const x = at(312);
    return (
      pipe(`M${at(-8)} 144H${x}V220`) +
      box(j - 24, 130, 48, 28, 4, light) +
      path(`M${j - 8} 130v28M${j + 8} 130v28`, undefined, { width: detail }) +
      [
        [-30, 116, 9],
        [-10, 104, 12],
        [16, 112, 8],
        [8, 84, 7],
        [-26, 92, 6],
      ]
        .map(([dx = 0, y = 0, r = 0]) => disc(j + dx, y, r, white, { width: detail }))
        .join('') +
      valve(at(232), 144, 20) +
      place(j + side * 32, 198, wrench(), { turn: side * -45, scale: 0.72 }) +
      stove(x, 208, floor, 144) +
      propAt(set, 320, 48)
    );
  },
  extinguisher: (set) => {
    const { at, side } = set;
    const x = at(264);
    const e = at(80);
    return (
      extinguisher(e, 248, 144, 52) +
      box(e - 36, 248, 72, 16, 0, light) +
      box(at(176) - 28, 112, 56, 72, 4, ember) +
      box(at(176) - 18, 124, 36, 20, 0, white, { width: detail }) +
      path(`M${at(176) - 8} 186v14M${at(176) + 8} 186v14`, undefined, { width: 6 }) +
      stove(x + side * 16, 208, floor, 168) +
      pan(x + side * 16, 208, { w: 72, flip: side === -1 }) +
      flames(x + side * 16, 172, { count: 3, gap: 20, scale: 2 }) +
      propAt(set, 320, 64)
    );
  },
};
