// Checks that a test fails if the product is broken: npx pnpm@12 mutants [part of a title …]
// Applies the mutants of mutants.json one at a time. For each, runs the Vitest tests of the API or of the web app until one
// fails, restores the file, and prints the name of this test. Browser tests do not run. A mutant survives if all these tests
// pass with it. Exits with 1 if any mutant survives. With all mutants, this takes up to two hours.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A change that breaks the product on purpose. At least one test must fail with it. */
interface Mutant {
  /** What the broken product does. */
  title: string;
  /** The path of the changed file. */
  file: string;
  /** The text that is replaced. It must occur exactly once in the file. */
  find: string;
  replace: string;
}

/** The part of Vitest's JSON report that this program needs. */
interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

// Ctrl-C also ends Vitest. This empty handler keeps this program running, so that it restores the file before it exits.
process.on('SIGINT', () => {});

const root = new URL('..', import.meta.url);
const mutants: Mutant[] = JSON.parse(readFileSync(new URL('mutants.json', import.meta.url), 'utf8'));
const wanted = process.argv.slice(2);
const selected = mutants.filter(({ title }) => wanted.length === 0 || wanted.some((part) => title.includes(part)));
const survivors = selected.filter((mutant, index) => {
  const found = findMutant(mutant);
  say(
    `${index + 1}/${selected.length} ${found ? 'found' : 'SURVIVED'}: ${mutant.title}${found ? `\n    by ${found}` : ''}`,
  );
  return !found;
});
say(`${selected.length - survivors.length} of ${selected.length} mutants were found.`);
process.exitCode = survivors.length > 0 ? 1 : 0;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the name of a test that fails with this mutant, or undefined if all tests pass. */
function findMutant({ file, find, replace }: Mutant): string | undefined {
  const path = new URL(file, root);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} must contain this text exactly once: ${find}`);
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    const project = file.startsWith('apps/web/') ? 'web*' : 'api';
    const firstWord = basename(file).split('.')[0]?.split('-')[0] ?? '';
    // First runs the test files whose path contains the first word of the file name, because one of them probably fails.
    return runTests(project, [firstWord]) ?? runTests(project, []);
  } finally {
    writeFileSync(path, source);
  }
}

function runTests(project: string, filters: readonly string[]): string | undefined {
  const options = ['run', '--project', project, '--bail', '1', '--passWithNoTests', '--reporter', 'json'];
  const { status } = spawnSync('node_modules/.bin/vitest', [...options, ...filters], { cwd: root, stdio: 'ignore' });
  if (status === 0) return undefined;
  assert(status === 1, 'Vitest did not finish.');
  const report: Report = JSON.parse(readFileSync(new URL('reports/vitest.json', root), 'utf8'));
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  return results.find((test) => test.status === 'failed')?.fullName ?? 'an error outside the tests';
}
