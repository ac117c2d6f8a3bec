import { amber, box, detail, light, path, place } from '../paint.ts';
import { fan } from '../parts/cooling.ts';
import { filter, hood, mouth } from '../parts/hoods.ts';
import { lamp } from '../parts/room.ts';
import { stove } from '../parts/stoves.ts';
import { bucket, screwdriver, sparks } from '../parts/tools.ts';
import { lidPot } from '../parts/vessels.ts';
import { type Drawings, floor, propAt, toolAt } from '../stage.ts';

/** A loose filter that hangs by one corner from the lower edge of a hood. `y` is the height of that edge. */
const hanging = (x: number, y: number, side: 1 | -1): string =>
  path(`M${x} ${y}v10`, undefined, { width: detail + 1 }) + place(x + side * 9, y + 62, filter(), { turn: side * 45 });

export const repair: Drawings['repair'] = {
  filter: (set) => {
    const { at, side } = set;
    const x = at(192);
    return (
      mouth(x, 116, 168) +
      hood(x, 40, 224) +
      hanging(at(128), 124, side) +
      toolAt(set, 240, 148) +
      propAt(set, 346, 144)
    );
  },
  fan: (set) => {
    const { at } = set;
    const x = at(184);
    return (
      mouth(x, 116, 168) +
      hood(x, 40, 224) +
      path(`M${x - 52} 236v26M${x + 52} 236v26`, undefined, { width: 7 }) +
      box(x - 76, 228, 152, 10, 4, light) +
      fan(x, 184, 42) +
      toolAt(set, 308, 136) +
      propAt(set, 352, 104)
    );
  },
  lamp: (set) => {
    const { at, side } = set;
    const x = at(200);
    const good = at(136);
    const bad = at(264);
    return (
      path(`M${good - 14} 130L${good - 48} 200H${good + 48}L${good + 14} 130Z`, '#FFF6DC', { width: 0 }) +
      lamp(good, 116) +
      lamp(bad, 116, { lit: false }) +
      hood(x, 40, 224) +
      stove(x, 208, floor, 208) +
      lidPot(good, 206, 48) +
      place(bad + side * 46, 178, screwdriver(), { turn: side * -45, scale: 0.8 }) +
      place(bad - side * 16, 134, sparks(amber), { turn: side * -135 }) +
      propAt(set, 352, 120)
    );
  },
  rattle: (set) => {
    const { at } = set;
    const x = at(200);
    const arcs = [-1, 1]
      .map((way) => path(`M${x + way * 118} 84q${way * 10} 14 0 28M${x + way * 134} 76q${way * 16} 22 0 44`))
      .join('');
    return (
      path(`M${x - 36} 116v20M${x + 36} 116v20`, undefined, { width: detail + 1 }) +
      mouth(x, 116, 152) +
      hood(x, 40, 200) +
      arcs +
      place(x, 166, filter(104, 64)) +
      toolAt(set, 316, 152) +
      propAt(set, 72, 140)
    );
  },
  leak: (set) => {
    const { at } = set;
    const x = at(208);
    const b = at(136);
    const drop = (y: number): string => path(`M${b} ${y}c-8 10 -8 18 0 18s8 -8 0 -18Z`, amber, { width: detail });
    return (
      hood(x, 40, 240) +
      path(`M${b - 20} 116h40v4a6 6 0 0 1 -12 2a8 8 0 0 1 -14 0a6 6 0 0 1 -14 -2Z`, amber, { width: detail }) +
      drop(138) +
      drop(168) +
      bucket(b, floor) +
      toolAt(set, 220, 142) +
      propAt(set, 336, 148)
    );
  },
};
