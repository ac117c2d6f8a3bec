import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

function bench(...args: string[]) {
  const program = fileURLToPath(new URL('../src/run.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

it.each([
  [['scale', '--repetitions=0'], "--repetitions takes integers of at least 1, but '0' was given."],
  [['scale', '--repetitions=many'], "--repetitions takes integers of at least 1, but 'many' was given."],
  [
    ['scale', '--sizes=100000,1000'],
    "--sizes takes integers in ascending order, each of them once, but '100000,1000' was given.",
  ],
  [['scale', '--size=1000'], 'This benchmark has the arguments --sizes, --repetitions, --data.'],
  [
    ['screens', 'detail'],
    "Unknown argument 'detail'.\nThis benchmark has the arguments --runs, home, services, details.",
  ],
])('a benchmark with the arguments %j exits with 2 before it starts anything, and says %s', (args, message) => {
  const { status, stdout, stderr } = bench(...args);
  expect(stderr).toContain(message);
  expect([status, stdout]).toEqual([2, '']);
});
