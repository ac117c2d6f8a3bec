import { randomInt } from 'node:crypto';

/** Whether to run the long form of the tests: `FAULTS=long npx pnpm@12 test:faults`. */
export const isLong = process.env.FAULTS === 'long';

/** The seed of all random choices. To repeat the choices of an earlier run, set FAULTS_SEED to the seed of that run. */
const seed = Number(process.env.FAULTS_SEED || randomInt(2 ** 31));

/** Prints a line with the measured figures of a test. */
export function printFigures(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

export interface Random {
  /** Returns a random number that is at least 0 and less than 1. */
  fraction(): number;
  /** Returns a whole number from `min` to `max`. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Creates another generator. Its numbers do not depend on how often this one is used afterwards. */
  fork(): Random;
}

/**
 * Creates a random number generator. Prints its seed after `name`, so that a later run can use the same random numbers.
 */
export function createRandom(name: string): Random {
  printFigures(`${name}: FAULTS_SEED=${seed}`);
  return createGenerator(seed);
}

/**
 * Creates a random number generator with the algorithm Mulberry32. The same start value always gives the same numbers.
 */
function createGenerator(start: number): Random {
  let state = start;
  const fraction = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    fork: () => createGenerator(integer(0, 2 ** 31)),
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
}

export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
}

export const ms = (value: number) => `${Math.round(value)} ms`;
