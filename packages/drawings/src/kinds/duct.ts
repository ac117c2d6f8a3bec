// An open duct is drawn without a shaded side, because the picture can be mirrored. The shade would then be on the
// wrong side.
import {
  box,
  detail,
  disc,
  ember,
  ink,
  light,
  path,
  petrol,
  place,
  type Sheet,
  shade,
  steel,
  tube,
  white,
} from '../paint.ts';
import { air } from '../parts/air.ts';
import { fan } from '../parts/cooling.ts';
import { collar, duct, section, soot, specks, strap, trough } from '../parts/ducts.ts';
import { gauge } from '../parts/gauges.ts';
import { brush } from '../parts/tools.ts';
import { type Drawings, floor, propAt, type Stage } from '../stage.ts';

const flipped = ({ side }: Stage, content: string): string =>
  side === 1 ? content : place(400, 0, content, { flip: true });

const clean = (on: Sheet, x: number, y: number, halves: number): string =>
  air(
    on,
    [
      [x, y - 16],
      [x, y],
      [x, y + 16],
    ],
    'right',
    halves,
    { from: 0.92 },
  );

export const ducts: Drawings['duct'] = {
  elbow: (set) => {
    const { on } = set;
    return (
      flipped(
        set,
        strap(152, 64) +
          strap(280, 64) +
          section(96, 216, 64, 320, 216) +
          clean(on, 262, 96, 5) +
          path('M192 96H112a16 16 0 0 0 -16 16V244', undefined, { width: 5 }) +
          brush(216, 96) +
          specks([
            [80, 232],
            [112, 228],
            [76, 246],
          ]) +
          soot(96, floor, 80) +
          path('M272 130v16', undefined, { width: 7 }) +
          gauge(272, 166),
      ) + propAt(set, 352, 152)
    );
  },
  fan: (set) => {
    return (
      flipped(
        set,
        strap(96, 72) +
          strap(304, 72) +
          duct(-8, 152, 72, { seams: [64, 128] }) +
          duct(248, 408, 72, { seams: [272, 336] }) +
          fan(200, 104, 60) +
          tube(`M200 200V${floor - 4}`, white, 10, 4) +
          brush(200, 196, 24) +
          specks([
            [164, 184],
            [232, 190],
            [242, 222],
            [160, 226],
          ]) +
          soot(256, floor, 64),
      ) + propAt(set, 72, 152)
    );
  },
  camera: (set) => {
    return (
      flipped(
        set,
        strap(136, 72) +
          strap(320, 72) +
          trough(72, 408, 72) +
          path('M216 98L336 76V132L216 110Z', '#FFF6DC', { width: 0 }) +
          path('M104 134a10 10 0 0 1 14 -6a14 14 0 0 1 22 0a10 10 0 0 1 14 6Z', ink) +
          path('M296 134a10 10 0 0 1 14 -6a14 14 0 0 1 24 -4a14 14 0 0 1 20 6a10 10 0 0 1 10 4Z', ink) +
          path('M168 104H56a16 16 0 0 0 -16 16V200', undefined, { width: 5 }) +
          box(160, 92, 56, 24, 4, ember) +
          disc(216, 104, 9, white) +
          disc(174, 124, 9, ink) +
          disc(202, 124, 9, ink) +
          collar(68, 72) +
          box(24, 184, 104, 68, 4, petrol) +
          disc(76, 218, 22, shade, { width: detail }) +
          path('M61 226a8 8 0 0 1 12 -4a8 8 0 0 1 14 0l4 4Z', ink, { width: 0 }) +
          box(44, 252, 64, 12, 0, ink),
      ) + propAt(set, 320, 168)
    );
  },
  hatch: (set) => {
    return (
      flipped(
        set,
        strap(88, 64) +
          strap(304, 64) +
          duct(-8, 408, 64, { h: 80, seams: [56, 120, 264, 328] }) +
          box(136, 76, 112, 56, 4, shade) +
          path('M140 130a8 8 0 0 1 10 -6a12 12 0 0 1 20 -4a10 10 0 0 1 16 10Z', ink, { width: 0 }) +
          path('M160 148v12M224 148v12', undefined, { width: 5 }) +
          box(132, 160, 120, 52, 4, light) +
          [
            [144, 172],
            [240, 172],
            [144, 200],
            [240, 200],
          ]
            .map(([x = 0, y = 0]) => disc(x, y, 3, ink, { width: 0 }))
            .join('') +
          brush(214, 104, 22) +
          path(`M174 186h36`, undefined, { width: 6 }),
      ) + propAt(set, 324, 150)
    );
  },
  vacuum: (set) => {
    return (
      flipped(
        set,
        box(248, 26, 80, 166, 0, shade, { width: 0 }) +
          box(248, 26, 80, 60, 0, white, { width: 0 }) +
          path('M248 24V192M328 24V192') +
          path('M288 90V26', undefined, { width: 5 }) +
          brush(288, 108, 32) +
          specks([
            [266, 152],
            [306, 160],
            [284, 174],
            [312, 140],
          ]) +
          path(`M240 188h96l-24 28h-48Z`, steel) +
          tube(`M288 218v10a16 16 0 0 1 -16 16H176`, light, 20, 12) +
          path(`M268 234v20M252 234v20M236 234v20M220 234v20M204 234v20`, undefined, { width: detail }) +
          disc(96, floor - 10, 10, ink) +
          disc(152, floor - 10, 10, ink) +
          box(72, 184, 104, 68, 16, ember) +
          path('M92 184v-14h64v14') +
          box(96, 204, 56, 24, 4, white, { width: detail }),
      ) + propAt(set, 108, 64)
    );
  },
};
