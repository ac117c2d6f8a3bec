import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingPlatforms } from './lock-file.ts';

const lockFile = readFileSync(new URL('../pnpm-lock.yaml', import.meta.url), 'utf8');

test('if the lock file lacks a package of a native tool, the check names the tool and the platform', () => {
  const changed = lockFile.replace(
    /^ {2}'@biomejs\/cli-darwin-x64@[^']+':\n {4}resolution/m,
    '  gone:\n    resolution',
  );
  expect(missingPlatforms(changed)).toEqual([
    expect.stringMatching(/^@biomejs\/biome@.+ has no package for darwin-x64\.$/),
  ]);
});
