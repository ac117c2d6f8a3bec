// Draws the three pictures of the carousel on the home page, 1152 x 480. A heading covers the left 46 % of each picture, so
// that part shows only a duct or a pipe along the ceiling. The equipment is between x 728 and x 1144. The buttons of the
// carousel cover the floor, which starts at y 408.
import {
  amber,
  box,
  deepIce,
  detail,
  disc,
  ember,
  finish,
  ice,
  ink,
  light,
  path,
  place,
  range,
  shade,
  sheet,
  steel,
  tube,
  type WallColors,
  white,
} from './paint.ts';
import { air, airAlong, wave } from './parts/air.ts';
import { thermometer } from './parts/gauges.ts';
import { filter, hood, mouth } from './parts/hoods.ts';
import { room } from './parts/room.ts';
import { pan, stove } from './parts/stoves.ts';
import { ladder, levelBar, sparks, toolbox, wrench } from './parts/tools.ts';

const petrolWall: WallColors = ['#0A4743', '#083B38', '#06302D'];
const brickWall: WallColors = ['#6B2A12', '#5C230E', '#47190A'];
const iceWall: WallColors = ['#0B4560', '#093A51', '#072F43'];

const floor = 408;
const wall = (): ReturnType<typeof sheet> => sheet(1152, 480, floor);

/**
 * Returns the outlines of a duct. The duct rises from a hood at x, turns left below the ceiling and ends outside the
 * picture.
 */
const edges = (x: number, bottom: number): readonly [outer: string, inner: string] => [
  `M${x + 32} ${bottom}V80a40 40 0 0 0 -40 -40H-8`,
  `M${x - 32} ${bottom}V112a8 8 0 0 0 -8 -8H-8`,
];

const seams = (x: number): readonly number[] => range(120, x - 120, 192);

/**
 * A rail with pans. Its colour is only slightly darker than the wall, so that a heading in front of the rail stays readable.
 */
const quietRail = (x: number, y: number, tone: string): string =>
  `<g stroke="${tone}">` +
  path(`M${x} ${y}h160M${x + 36} ${y}v28M${x + 92} ${y}v64M${x + 136} ${y}v36`, undefined, { width: 8 }) +
  disc(x + 36, y + 62, 30, tone) +
  path(`M${x + 74} ${y + 64}h36a18 18 0 0 1 -36 0Z`, tone) +
  box(x + 124, y + 36, 24, 48, 12, tone) +
  '</g>';

/**
 * A shelf with pots. Its colour is only slightly darker than the wall, so that a heading in front of the shelf stays
 * readable.
 */
const quietShelf = (x: number, y: number, tone: string): string =>
  `<g stroke="${tone}">` +
  path(`M${x} ${y}h160M${x + 24} ${y}v24M${x + 136} ${y}v24`, undefined, { width: 8 }) +
  box(x + 12, y - 40, 56, 34, 4, tone) +
  path(`M${x + 4} ${y - 48}h72M${x + 40} ${y - 58}v4`, undefined, { width: 8 }) +
  box(x + 90, y - 34, 22, 28, 4, tone) +
  box(x + 126, y - 52, 22, 46, 12, tone) +
  '</g>';

/**
 * The carousel picture for installation: a hood over a stove. The air flows along the whole ceiling, and its colour changes
 * from warm to cool.
 */
const install = (): string => {
  const on = wall();
  const x = 936;
  const [outer, inner] = edges(x, 120);
  const start = x - 40;
  const ribbon = (off: number): string =>
    `M${x + off} 122V112a${40 + off} ${40 + off} 0 0 0 ${-40 - off} ${-40 - off}${wave('left', 39)}`;
  const inside = `M${x + 32} 120V80a40 40 0 0 0 -40 -40H-8V104H${start}a8 8 0 0 1 8 8V120Z`;
  return finish(
    on,
    room(
      on,
      petrolWall,
      quietRail(556, 184, petrolWall[1]) +
        path(inside, petrolWall[2], { width: 0 }) +
        airAlong(on, [16, 0, -16].map(ribbon).join(''), [x, 0, 0, 0], { width: 8, from: 0.2, to: 1.4 }) +
        tube(outer, steel, 12, 5) +
        tube(inner, steel, 12, 5) +
        seams(x)
          .map((at) => box(at - 6, 20, 12, 30, 4, light) + box(at - 6, 94, 12, 20, 4, light))
          .join('') +
        air(
          on,
          [
            [x - 84, 282],
            [x - 48, 282],
            [x - 12, 282],
          ],
          'up',
          4,
          { width: 8, to: 0.2 },
        ) +
        hood(x, 120, 304, { rise: 80, duct: 'none' }) +
        stove(x, 328, floor, 272) +
        pan(x - 48, 328, { w: 104, fill: white, flip: true }) +
        ladder(1118, 160, floor, { w: 36, fill: amber }) +
        levelBar(x + 72, 304, 88),
    ),
  );
};

/** The carousel picture for repair: a filter hangs loose, a large wrench is turning, and no air flows. */
const repair = (): string => {
  const on = wall();
  const x = 944;
  const [outer, inner] = edges(x, 112);
  const body = `M${x + 32} 112V80a40 40 0 0 0 -40 -40H-8V104H${x - 40}a8 8 0 0 1 8 8Z`;
  return finish(
    on,
    room(
      on,
      brickWall,
      quietShelf(548, 256, brickWall[1]) +
        path(body, steel, { width: 0 }) +
        path(`M-8 86H${x - 22}L${x - 38} 102H-8Z`, shade, { width: 0 }) +
        path(outer) +
        path(inner) +
        seams(x)
          .map((at) => box(at - 6, 20, 12, 90, 4, light))
          .join('') +
        mouth(x, 202, 256) +
        hood(x, 112, 320, { rise: 72, duct: 'none' }) +
        path(`M${x + 44} 212v14`, undefined, { width: 5, stroke: light }) +
        place(x + 55, 300, filter(120, 88), { turn: 45 }) +
        place(816, 314, wrench(amber) + place(0, -60, sparks(white, 0.75)), { turn: 45, scale: 1.4 }) +
        toolbox(1098, floor, ember, 80),
    ),
  );
};

/** The carousel picture for air conditioning: pipes along the ceiling lead to the unit, and cool air flows down. */
const cool = (): string => {
  const on = wall();
  const x = 936;
  const clips = range(120, 700, 192)
    .map((at) => path(`M${at} 24V84`, undefined, { width: 5, stroke: light }) + box(at - 10, 42, 20, 52, 4, light))
    .join('');
  const slats = range(-3, 3, 1)
    .map((slat) => `M${x + slat * 36 - 10} 226h20`)
    .join('');
  return finish(
    on,
    room(
      on,
      iceWall,
      quietRail(556, 184, iceWall[1]) +
        tube('M-8 56H816a16 16 0 0 1 16 16V150', white, 18, 10) +
        tube('M-8 80H792a16 16 0 0 1 16 16V150', deepIce, 18, 10) +
        clips +
        box(x - 160, 136, 320, 112, 16, white) +
        path(`M${x - 160} 208h320`, undefined, { width: detail }) +
        box(x + 80, 160, 56, 20, 4, ice, { width: detail }) +
        disc(x - 128, 170, 7, amber, { width: detail }) +
        box(x - 132, 220, 264, 12, 4, ink, { width: 0 }) +
        path(slats, undefined, { width: 3, stroke: shade }) +
        air(
          on,
          [-2, -1, 0, 1, 2].map((index) => [x + index * 44 - 20, 270] as const),
          'down',
          4,
          { width: 8, from: 1.4, to: 1 },
        ) +
        thermometer(1120, 140, 152, { scale: white }) +
        toolbox(1092, floor, ember, 92),
    ),
  );
};

export const heroes: Readonly<Record<string, () => string>> = {
  'hero-install': install,
  'hero-repair': repair,
  'hero-air': cool,
};
