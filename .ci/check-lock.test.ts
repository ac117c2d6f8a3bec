import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lockFaults } from './check-lock.ts';

const lock = readFileSync(new URL('../pnpm-lock.yaml', import.meta.url), 'utf8');

test('the lock file serves every platform', () => {
  expect(lockFaults(lock)).toEqual([]);
});

test('a platform whose row is missing is named', () => {
  const without = lock.replace(
    /^ {2}'@biomejs\/cli-darwin-x64@[^']+':\n(?: {4}resolution)/m,
    "  'gone@1.0.0':\n    resolution",
  );
  expect(lockFaults(without)).toEqual([expect.stringMatching(/^@biomejs\/biome@.+ has no row for darwin-x64$/)]);
});

test('a tool that left the lock file is named', () => {
  const without = lock.replaceAll(/^ {2}oxc-resolver@/gm, '  gone@');
  expect(lockFaults(without)).toEqual([expect.stringContaining('oxc-resolver is not in the lock file')]);
});

test('production may not depend on dev-stack', () => {
  const wrong = `importers:\n  apps/api:\n    dependencies:\n      '@rtr/dev-stack': {version: link}\n`;
  const rest = lock.replace(/^importers:[\s\S]+?^packages:/m, `${wrong}\npackages:`);
  expect(lockFaults(rest)).toEqual(['apps/api depends on dev-stack in production: make it a devDependency']);
});
