import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** Whether to run the long form of the tests: `FAULTS=long npx pnpm@12 test:faults`. */
export const isLong = process.env.FAULTS === 'long';

/** The seed of all random choices. FAULTS_SEED sets the seed of an earlier run, to repeat its choices. */
const seed = Number(process.env.FAULTS_SEED || randomInt(2 ** 31));

/** Prints a line with the measured figures of a test. */
export function printFigures(line: string): void {
  process.stdout.write(`    ${line}\n`);
  if (process.env.FAULTS_FIGURES) appendFileSync(process.env.FAULTS_FIGURES, `${line}\n`);
}

export type Random = ReturnType<typeof createRandom>;

/** Creates a generator of random numbers from the seed, and prints the seed. */
export function createRandom(name: string) {
  printFigures(`${name}: FAULTS_SEED=${seed}`);
  // This is the generator Mulberry32.
  let state = seed;
  const fraction = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    /** Returns a whole number from `min` to `max`. */
    integer,
    pick: <T>(items: readonly T[]): T => {
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
