// Draws fire safety equipment.
import { box, ember, fine, ink, path, white } from '../paint.ts';

/** A fire extinguisher whose lower edge is at `base`, on the floor or on the wall. */
export const extinguisher = (x: number, base: number, h = 112, w = 44): string =>
  path(`M${x + 4} ${base - h + 14}h12a16 16 0 0 1 16 16V${base - h + 76}`, undefined, { width: 6 }) +
  path(`M${x + 32} ${base - h + 74}v14`, undefined, { width: 11 }) +
  box(x - 8, base - h + 6, 16, 26, 0, ink) +
  path(`M${x - 24} ${base - h}h36M${x - 18} ${base - h + 10}h20`, undefined, { width: 6 }) +
  path(`M${x - w / 2} ${base}V${base - h + 44}a16 16 0 0 1 16 -16h${w - 32}a16 16 0 0 1 16 16V${base}Z`, ember) +
  box(x - w / 2, base - h + 58, w, 24, 0, white);

/** A nozzle of a fire-suppression system. The nozzle hangs from a pipe at y and points down. */
export const nozzle = (x: number, y: number): string =>
  path(`M${x} ${y}v8`, undefined, { width: 7 }) + path(`M${x - 8} ${y + 8}h16l6 12h-28Z`, ember, fine);
