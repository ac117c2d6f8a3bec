// Code that the pictures of all service cards share: the types of their parameters, mirroring, and functions that draw
// a tool and another object in the room (the prop).
import { amber, detail, disc, ink, path, petrol, place, type Sheet } from './paint.ts';
import { air } from './parts/air.ts';
import { thermometer } from './parts/gauges.ts';
import { clock, nightWindow, rail, shelf } from './parts/room.ts';
import { ladder, level, levelBar, plumb, screwdriver, sparks, steps, toolbox, wrench } from './parts/tools.ts';
import { carton, jar, lidPot } from './parts/vessels.ts';

/** The models of equipment for each kind of service. Each model has its own picture. */
export interface Models {
  install: 'canopy' | 'island' | 'oven' | 'truck' | 'supply';
  repair: 'filter' | 'fan' | 'lamp' | 'rattle' | 'leak';
  duct: 'elbow' | 'fan' | 'camera' | 'hatch' | 'vacuum';
  cooling: 'unit' | 'open' | 'outdoor' | 'cassette' | 'heatwave';
  cold: 'walk-in' | 'cabinet' | 'door' | 'ice' | 'display';
  gas: 'check' | 'interlock' | 'suppression' | 'leak' | 'extinguisher';
}

export type Kind = keyof Models;
type Tool = 'level' | 'plumb' | 'screwdriver' | 'wrench' | 'none';
type Prop = 'ladder' | 'steps' | 'toolbox' | 'carton' | 'shelf' | 'rail' | 'clock' | 'window' | 'thermometer' | 'none';

interface Common {
  mirror?: boolean;
  tool: Tool;
  prop: Prop;
  /** 'second' draws the wall in another colour, so that pictures of the same kind look like different kitchens. */
  wall?: 'second';
}

export type Drawings = { [K in Kind]: Record<Models[K], (set: Stage) => string> };

export type Scene = { [K in Kind]: Common & { kind: K; model: Models[K] } }[Kind];

export interface Stage extends Pick<Common, 'tool' | 'prop'> {
  on: Sheet;
  /** Returns x. If the picture is mirrored, returns the mirrored position of x. */
  at: (x: number) => number;
  /** -1 if the picture is mirrored, otherwise 1. */
  side: 1 | -1;
}

export const floor = 264;

/** A wrench that is turning something. The wrench points to the angle `turn`, with sparks in front of it. */
export const working = (x: number, y: number, turn: number, scale = 0.8): string =>
  place(x, y, wrench() + place(0, -58, sparks(amber, 1 / scale)), { turn, scale });

const tools: Record<Tool, (x: number, y: number, side: 1 | -1) => string> = {
  level: (x, y) => level(x, y + 40),
  plumb: (x, y) => disc(x, y, 4, ink, { width: 0 }) + plumb(x, y, y + 128),
  screwdriver: (x, y) =>
    path(`M${x} ${y}v16`, undefined, { width: detail }) +
    disc(x, y, 4, ink, { width: 0 }) +
    place(x, y + 68, screwdriver(), { turn: 180 }),
  wrench: (x, y, side) => working(x + side * 8, y + 60, side * -45),
  none: () => '',
};

/** Draws the tool of the picture. The tool hangs on the wall or is in use. `y` is the upper end of the tool. */
export const toolAt = ({ tool, at, side }: Stage, x: number, y: number): string => tools[tool](at(x), y, side);

const props: Record<Prop, (x: number, y: number) => string> = {
  ladder: (x) => ladder(x, 72, floor),
  steps: (x) => steps(x, 168, floor),
  toolbox: (x) => toolbox(x, floor, petrol),
  carton: (x) => carton(x, floor),
  shelf: (x, y) => shelf(x, y + 40) + lidPot(x - 20, y + 40) + jar(x + 26, y + 40),
  rail: (x, y) => rail(x, y),
  clock: (x, y) => clock(x, y + 24),
  window: (x, y) => nightWindow(x, y),
  thermometer: (x, y) => thermometer(x, y, 112),
  none: () => '',
};

/**
 * Draws the prop of the picture, which is an object in the room. Its centre is at `x`. The upper end of a prop on the wall
 * is near `y`. Other props, such as a ladder, stand on the floor.
 */
export const propAt = ({ prop, at }: Stage, x: number, y: number): string => props[prop](at(x), y);

/** Three waves of hot air above a pan or an oven. The middle wave is at `x`, and the waves start at `y`. */
export const rising = (on: Sheet, x: number, y: number, gap = 24): string =>
  air(
    on,
    [
      [x - gap, y],
      [x, y],
      [x + gap, y],
    ],
    'up',
    2,
  );

export const falling = (on: Sheet, x: number, y: number, gap: number, halves: number): string =>
  air(
    on,
    [-2, -1, 0, 1, 2].map((index) => [x + index * gap, y] as const),
    'down',
    halves,
    { from: 0.92, to: 1 },
  );

/** Draws a spirit level that lies on something at `y`, if the tool of the picture is a spirit level. */
export const levelOn = ({ tool }: Stage, x: number, y: number): string => (tool === 'level' ? levelBar(x, y - 24) : '');
