import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

// A visitor can choose the text that a regular expression reads. One that takes quadratic time on some text lets that
// visitor block a process, so each one in the apps and in `shared` is tried here on texts that are made from its parts.

const root = fileURLToPath(new URL('..', import.meta.url));
const maxCpuMs = 50;
const textLengths = [10_000, 100_000]; // the shorter one makes a quadratic expression fail in a second, not in a minute

const sources = globSync('{apps/{api,web}/src,apps/web/server,packages/shared/src}/**/*.{ts,tsx}', { cwd: root });

interface Expression {
  file: string;
  pattern: string;
  flags: string;
}

const { literals, constructed } = expressionsIn(sources);

function expressionsIn(files: readonly string[]) {
  const literals: Expression[] = [];
  const constructed: string[] = [];
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8');
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('regex' in node) literals.push({ file, ...(node.regex as { pattern: string; flags: string }) });
      if ('callee' in node && isNamed(node.callee, 'RegExp')) constructed.push(file);
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  }
  return { literals, constructed };
}

function isNamed(node: unknown, name: string): boolean {
  return typeof node === 'object' && node !== null && 'name' in node && node.name === name;
}

/** Texts that a backtracking expression may take long over: its own parts, repeated, between other parts of it. */
function* textsAgainst(pattern: string, length: number): Generator<string> {
  const parts = partsOf(pattern);
  const starts = ['', parts.toSorted((a, b) => b.length - a.length)[0] ?? ''];
  const unlikely = '\0\n';
  for (const first of parts)
    for (const start of starts) {
      for (const end of ['', unlikely, ...parts]) yield start + first.repeat(length / first.length) + end;
      for (const second of parts)
        yield start + (first + second).repeat(length / (first.length + second.length)) + unlikely;
    }
}

/** Characters and runs of characters that stand in a pattern, and examples of each class. */
function partsOf(pattern: string): string[] {
  const examples: Record<string, string[]> = {
    d: ['0'],
    w: ['a', '_'],
    s: [' ', '\n'],
    t: ['\t'],
    n: ['\n'],
    r: ['\r'],
  };
  const parts = new Set(['a', '0', ' ', '/', 'é', '\u0301']);
  let run = '';
  for (const [token] of pattern.matchAll(/\\p\{\w+\}|\\?./gsu)) {
    const isSpecial = token.length > 1 ? /[\w]/.test(token.charAt(1)) : '[](){}?*+|^$.'.includes(token);
    if (isSpecial) {
      for (const example of examples[token.charAt(1)] ?? []) parts.add(example);
      parts.add(run);
      run = '';
    } else {
      parts.add(token.slice(-1));
      run += token.slice(-1);
    }
  }
  parts.add(run);
  parts.delete('');
  return [...parts];
}

function cpuMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test.for(literals)('/$pattern/$flags in $file costs less than 50 ms of CPU time for 100 KB', ({ pattern, flags }) => {
  const expression = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`);
  for (const length of textLengths)
    for (const text of textsAgainst(pattern, length)) {
      const run = () => void text.replaceAll(expression, '');
      let cost = cpuMs(run);
      // Other programs of a busy machine, and garbage collection, cost a run some.
      for (let again = 0; again < 20 && cost >= maxCpuMs; again += 1) cost = Math.min(cost, cpuMs(run));
      expect(cost, `${JSON.stringify(text.slice(0, 60))}… of ${text.length} characters`).toBeLessThan(maxCpuMs);
    }
});

test('no regular expression is constructed at run time, where this test cannot see it', () => {
  expect(literals.length).toBeGreaterThan(20);
  expect(constructed).toEqual([]);
});
