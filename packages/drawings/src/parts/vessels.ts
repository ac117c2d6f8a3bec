// Draws pots, boxes and other things that stand on a shelf or on the floor.
import { amber, box, fine, ice, light, path, petrol, steel } from '../paint.ts';

export const carton = (x: number, base: number, w = 72, h = 56): string =>
  box(x - w / 2, base - h, w, h, 4, light) +
  box(x - 10, base - h, 20, 24, 0, amber, fine) +
  path(`M${x + w / 2 - 26} ${base - 12}h14M${x + w / 2 - 26} ${base - 18}h14`, undefined, fine);

export const jar = (x: number, base: number, fill = ice): string =>
  box(x - 10, base - 26, 20, 26, 4, fill) + path(`M${x - 9} ${base - 30}h18`, undefined, { width: 6 });

export const bottle = (x: number, base: number, fill = petrol): string =>
  path(`M${x - 8} ${base}v-22l5 -8v-10h6v10l5 8v22Z`, fill);

export const lidPot = (x: number, base: number, w = 40): string =>
  box(x - w / 2, base - 22, w, 22, 4, steel) +
  path(`M${x - w / 2 - 4} ${base - 24}h${w + 8}M${x - 4} ${base - 30}h8`, undefined, { width: 5 });
