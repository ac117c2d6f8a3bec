/** Collects the durations of tests, and prints the ten slowest. */
export function createSlowestTests() {
  const tests: { ms: number; name: string }[] = [];
  return {
    add: (ms: number, name: string): void => void tests.push({ ms: Math.round(ms), name }),
    print(): void {
      const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
      const lines = slowest.map(({ ms, name }) => `${String(ms).padStart(7)} ms  ${name}\n`);
      process.stdout.write(`\nThe slowest tests:\n${lines.join('')}`);
    },
  };
}
