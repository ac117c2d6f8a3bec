// Describes the picture of each service in the demo catalogue. The order is the order of the list of services: newest first.
import type { Scene } from './stage.ts';

export const scenes: Readonly<Record<string, Scene>> = {
  'hood-installation-wall-canopy': { kind: 'install', model: 'canopy', tool: 'level', prop: 'ladder' },
  'hood-repair-filters': { kind: 'repair', model: 'filter', mirror: true, tool: 'wrench', prop: 'rail' },
  'air-conditioning-installation': { kind: 'cooling', model: 'unit', tool: 'level', prop: 'thermometer' },
  'duct-cleaning-hood-to-roof': { kind: 'duct', model: 'elbow', tool: 'none', prop: 'none' },
  'cold-room-installation': { kind: 'cold', model: 'walk-in', tool: 'level', prop: 'carton' },
  'gas-safety-check': { kind: 'gas', model: 'check', mirror: true, tool: 'none', prop: 'shelf' },

  'hood-installation-fresh-air': { kind: 'install', model: 'supply', wall: 'second', tool: 'plumb', prop: 'carton' },
  'air-conditioning-same-day-help': {
    kind: 'cooling',
    model: 'heatwave',
    wall: 'second',
    tool: 'none',
    prop: 'toolbox',
  },
  'hood-repair-fan-motor': { kind: 'repair', model: 'fan', wall: 'second', tool: 'wrench', prop: 'none' },
  'cold-room-repair': { kind: 'cold', model: 'cabinet', mirror: true, tool: 'wrench', prop: 'none' },
  'duct-cleaning-fan-housing': { kind: 'duct', model: 'fan', wall: 'second', tool: 'none', prop: 'shelf' },
  'fire-suppression-service': { kind: 'gas', model: 'suppression', wall: 'second', tool: 'none', prop: 'none' },

  'air-conditioning-yearly-service': { kind: 'cooling', model: 'outdoor', tool: 'none', prop: 'none' },
  'hood-installation-island': { kind: 'install', model: 'island', mirror: true, tool: 'plumb', prop: 'steps' },
  'cold-room-temperature-check': { kind: 'cold', model: 'display', wall: 'second', tool: 'none', prop: 'thermometer' },
  'hood-repair-lamps-switches': { kind: 'repair', model: 'lamp', mirror: true, tool: 'none', prop: 'clock' },
  'gas-safety-interlock': { kind: 'gas', model: 'interlock', tool: 'none', prop: 'none' },
  'duct-cleaning-access-panels': { kind: 'duct', model: 'hatch', mirror: true, tool: 'none', prop: 'steps' },

  'ceiling-air-conditioning-cleaning': {
    kind: 'cooling',
    model: 'cassette',
    wall: 'second',
    mirror: true,
    tool: 'none',
    prop: 'ladder',
  },
  'cold-room-doors-seals': { kind: 'cold', model: 'door', tool: 'screwdriver', prop: 'none' },
  'hood-installation-pizza-oven': { kind: 'install', model: 'oven', wall: 'second', tool: 'level', prop: 'carton' },
  'gas-leak-repair': { kind: 'gas', model: 'leak', mirror: true, tool: 'wrench', prop: 'none' },
  'hood-repair-rattle': {
    kind: 'repair',
    model: 'rattle',
    wall: 'second',
    mirror: true,
    tool: 'wrench',
    prop: 'none',
  },
  'duct-cleaning-camera-check': { kind: 'duct', model: 'camera', tool: 'none', prop: 'carton' },

  'ice-machine-service': { kind: 'cold', model: 'ice', mirror: true, tool: 'wrench', prop: 'none' },
  'air-conditioning-repair': { kind: 'cooling', model: 'open', tool: 'wrench', prop: 'none' },
  'fire-extinguishers-blankets': { kind: 'gas', model: 'extinguisher', tool: 'none', prop: 'shelf' },
  'food-truck-hood-installation': { kind: 'install', model: 'truck', mirror: true, tool: 'level', prop: 'carton' },
  'night-duct-cleaning': { kind: 'duct', model: 'vacuum', wall: 'second', tool: 'none', prop: 'window' },
  'hood-repair-grease-leak': { kind: 'repair', model: 'leak', tool: 'wrench', prop: 'shelf' },
};
