import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import mutants from './mutants.json' with { type: 'json' };

test('the text that a mutant replaces occurs exactly once in its file', () => {
  const root = new URL('..', import.meta.url);
  const occurrences = ({ file, find }: (typeof mutants)[number]) =>
    readFileSync(new URL(file, root), 'utf8').split(find).length - 1;
  expect(mutants.filter((mutant) => occurrences(mutant) !== 1)).toEqual([]);
});
