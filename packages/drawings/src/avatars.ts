// Draws the logo of the product and six profile pictures for the authors of demo reviews. The profile pictures show kitchen
// equipment. Each is 96 x 96.
import {
  amber,
  box,
  deepIce,
  disc,
  ember,
  finish,
  ink,
  light,
  path,
  place,
  type Sheet,
  sheet,
  steel,
  white,
} from './paint.ts';
import { gauge } from './parts/gauges.ts';
import { flames } from './parts/stoves.ts';

const square = (): Sheet => sheet(96, 96, 96);

const avatar = (wall: string, floor: string, content: string): string =>
  finish(
    square(),
    box(0, 0, 96, 96, 0, wall, { width: 0 }) + content + box(0, 80, 96, 16, 0, floor, { width: 0 }) + path('M0 80H96'),
  );

const dial = [-120, -80, -40, 0, 40, 80, 120].map((turn) => place(48, 44, path('M0 -33v1'), { turn })).join('');

export const avatars: readonly string[] = [
  avatar(
    '#DDEBE8',
    '#B9CBC6',
    flames(38, 79, { gap: 18, scale: 1.2 }) +
      path('M10 36H66L60 56H16Z', ink) +
      path('M64 38H90', undefined, { width: 8 }),
  ),
  avatar(
    '#FBEBC9',
    '#DCC08A',
    path('M48 80c-32 -20 -24 -44 0 -68c24 24 32 48 0 68Z', ember) +
      path('M48 80c-15 -10 -12 -22 0 -34c12 12 15 24 0 34Z', amber, { width: 2.5 }),
  ),
  avatar(
    '#D9EEF6',
    '#A9CBD9',
    path('M36 2h24v16h-24Z', steel) +
      path('M28 18H68L88 50H8Z', steel) +
      path('M60 18H68L88 50H72Z', '#93A5A0', { width: 0 }) +
      path('M28 18H68L88 50H8Z') +
      box(8, 50, 80, 14, 4, light) +
      [20, 34, 48, 62, 76].map((x) => disc(x, 57, 2.5, ink, { width: 0 })).join(''),
  ),
  avatar('#DFE6F2', '#B3C0D6', path('M48 72V80', undefined, { width: 12 }) + gauge(48, 42, { r: 32, fill: deepIce })),
  avatar(
    '#FBE3D6',
    '#DDB9A5',
    dial + disc(48, 44, 24, white) + place(48, 44, box(-7, -24, 14, 48, 4, ember), { turn: 45 }),
  ),
  avatar(
    '#E4E7EA',
    '#BCC4CA',
    path('M0 10H96M48 10V18') +
      box(43, 16, 10, 34, 4, steel) +
      path('M20 44h56a28 26 0 0 1 -56 0Z', ember) +
      path('M30 52h36', undefined, { width: 2.5 }),
  ),
];

/** The logo, which is also the favicon: a white hood with an amber line in a dark green square. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 48 48">' +
  '<rect width="48" height="48" rx="10" fill="#0A5C58"/><path d="M20 7h8v8h4l9 15v5H7v-5l9 -15h4Z" fill="#FFFFFF"/>' +
  '<path d="M13 41H35" fill="none" stroke="#F7B23B" stroke-width="4" stroke-linecap="round"/></svg>\n';
