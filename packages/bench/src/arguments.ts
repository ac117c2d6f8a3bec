import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Thrown if a benchmark does not accept an argument or its value. */
export class ArgumentError extends Error {}

/**
 * Reads the arguments of a benchmark. `options` has the form that `parseArgs` of Node.js expects. `words` are the arguments
 * without `--` that the benchmark accepts.
 */
export function readArguments<T extends ParseArgsOptionsConfig>(options: T, words: readonly string[] = []) {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: words.length > 0 });
    const unknown = positionals.find((word) => !words.includes(word));
    if (unknown !== undefined) throw new Error(`Unknown argument '${unknown}'.`);
    return { values, positionals: positionals as string[] };
  } catch (error) {
    const names = [...Object.keys(options).map((name) => `--${name}`), ...words];
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArgumentError(`${reason}\nThis benchmark has the arguments ${names.join(', ')}.`);
  }
}

/** Parses the value of the argument `name`, an integer of at least `min`. */
export function toInteger(name: string, text: string, min = 1): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new ArgumentError(`--${name} takes integers of at least ${min}, but '${text}' was given.`);
}

/** Parses integers that are separated by commas. Each must be larger than the one before. */
export function toAscendingIntegers(name: string, text: string, min: number): number[] {
  const values = text.split(',').map((part) => toInteger(name, part, min));
  if (values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0))) return values;
  throw new ArgumentError(`--${name} takes integers in ascending order, each of them once, but '${text}' was given.`);
}
