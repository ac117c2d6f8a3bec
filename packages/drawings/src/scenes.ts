// Draws the pictures of the service cards (400 x 300), each from an object of the type `Scene`. Also draws three other
// pictures of the web app, such as the placeholder for a missing picture.

import { cold } from './kinds/cold.ts';
import { cooling } from './kinds/cooling.ts';
import { ducts } from './kinds/duct.ts';
import { gas } from './kinds/gas.ts';
import { install } from './kinds/install.ts';
import { repair } from './kinds/repair.ts';
import {
  amber,
  box,
  detail,
  ember,
  finish,
  ink,
  light,
  path,
  place,
  sheet,
  steel,
  type WallColors,
  white,
} from './paint.ts';
import { air } from './parts/air.ts';
import { duct, flange, strap } from './parts/ducts.ts';
import { room } from './parts/room.ts';
import { toolbox } from './parts/tools.ts';
import { type Drawings, floor, type Kind, type Models, type Scene, type Stage } from './stage.ts';

const wallColors: Record<Kind, readonly [WallColors, WallColors]> = {
  install: [
    ['#DDEBE8', '#CFE1DD', '#B9CBC6'],
    ['#E3EBDD', '#D5E0CD', '#BFCCB4'],
  ],
  repair: [
    ['#FBE3D6', '#F3D3C2', '#DDB9A5'],
    ['#F6E3D2', '#EAD0B9', '#D3B498'],
  ],
  duct: [
    ['#E4E7EA', '#D5DADE', '#BCC4CA'],
    ['#EAE7E4', '#DCD8D3', '#C6C0B9'],
  ],
  cooling: [
    ['#D9EEF6', '#C6E2ED', '#A9CBD9'],
    ['#D9F2F1', '#C4E5E3', '#A6CFCC'],
  ],
  cold: [
    ['#DFE6F2', '#CED8E9', '#B3C0D6'],
    ['#E6E3F3', '#D7D3E9', '#BEB8D5'],
  ],
  gas: [
    ['#FBEBC9', '#F2DDB0', '#DCC08A'],
    ['#F6EFC8', '#E9DFAE', '#D0C38A'],
  ],
};

const drawings: Drawings = { install, repair, duct: ducts, cooling, cold, gas };

const contents = <K extends Kind>({ kind, model }: { kind: K; model: Models[K] }, set: Stage): string =>
  drawings[kind][model](set);

export const drawScene = (scene: Scene): string => {
  const on = sheet();
  const mirror = scene.mirror === true;
  const set: Stage = {
    on,
    tool: scene.tool,
    prop: scene.prop,
    side: mirror ? -1 : 1,
    at: (x) => (mirror ? 400 - x : x),
  };
  return finish(on, room(on, wallColors[scene.kind][scene.wall === 'second' ? 1 : 0], contents(scene, set)));
};

const dashed = (content: string): string => `<g stroke-dasharray="10 10">${content}</g>`;

/**
 * A picture for pages about reviews, such as an empty list of reviews: a kitchen rail for order tickets, with one blank
 * ticket, and a pencil.
 */
export const noReview = (): string => {
  const on = sheet();
  const teeth = 'l8 -8l8 8'.repeat(9);
  return finish(
    on,
    room(
      on,
      ['#EAF0EE', '#DDE6E3', '#C3D0CC'],
      box(72, 72, 256, 20, 4, steel) +
        box(72, 72, 256, 8, 4, light, { width: detail }) +
        path(`M112 88V216${teeth}V88Z`, white) +
        path('M112 88H256', undefined, { width: detail }) +
        path('M136 120h72', undefined, { width: 6, stroke: steel }) +
        `<g stroke-dasharray="8 8">${path('M114 148H254', undefined, { width: detail })}</g>` +
        path('M136 172h96M136 192h56', undefined, { width: 6, stroke: steel }) +
        path('M296 84V112', undefined, { width: detail }) +
        place(
          296,
          176,
          path('M-10 -56h20V36L0 58L-10 36Z', amber) +
            path('M-10 36h20') +
            path('M-10 -56v-8a10 10 0 0 1 20 0v8Z', ember) +
            path('M-4 50L0 58L4 50Z', ink),
        ),
    ),
  );
};

/** The placeholder for a missing picture: a hood in dashed lines on an empty wall. */
export const placeholder = (): string => {
  const on = sheet();
  return finish(
    on,
    room(
      on,
      ['#E4E7EA', '#D5DADE', '#BCC4CA'],
      dashed(path('M176 26V56M224 26V56M150 56H250L304 112H96ZM96 112v20h208v-20')),
    ),
  );
};

/** The picture of the 404 page: a broken duct with a gap, where the air flows out. */
export const notFound = (): string => {
  const on = sheet();
  return finish(
    on,
    room(
      on,
      ['#D9EEF6', '#C6E2ED', '#A9CBD9'],
      strap(72, 64) +
        duct(-8, 144, 64, { seams: [40, 104] }) +
        flange(144, 64) +
        air(
          on,
          [
            [162, 80],
            [162, 96],
            [162, 112],
          ],
          'right',
          2,
          { to: 0.6 },
        ) +
        strap(312, 144) +
        duct(240, 408, 144, { seams: [280, 344] }) +
        flange(240, 144) +
        toolbox(96, floor, ember),
    ),
  );
};
