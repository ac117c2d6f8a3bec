// Prints 40 random comments and 40 random test titles, each with its file and line, to check how readable they are. Under each
// comment is the line of code that it explains. The same seed prints the same sample: npx pnpm@12 exec node tooling/sample-texts.ts 7
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const [seed] = process.argv.slice(2);
if (!seed) throw new Error('Name a seed, such as: npx pnpm@12 exec node tooling/sample-texts.ts 7');

const root = fileURLToPath(new URL('..', import.meta.url));

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface SourceFile {
  /** The path of the file, relative to the root folder of the repository. */
  file: string;
  code: string;
  program: SyntaxNode;
  comments: { type: string; value: string; start: number; end: number }[];
  lineAt(offset: number): number;
}

interface Text {
  place: string;
  text: string;
  /** The line of code after a comment. */
  code?: string;
}

const comments: Text[] = [];
const titles: Text[] = [];
for (const source of sourceFiles()) {
  comments.push(...commentsOf(source));
  titles.push(...titlesOf(source.program, source, ''));
}
print('Comments', comments);
print('Test titles', titles);

function print(heading: string, texts: Text[]): void {
  const rank = ({ place, text }: Text) => createHash('sha256').update(`${seed} ${place} ${text}`).digest('hex');
  const sample = texts.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, 40);
  process.stdout.write(`\n${heading}: ${sample.length} of ${texts.length}, seed ${seed}\n\n`);
  for (const [index, { place, text, code = '' }] of sample.entries())
    process.stdout.write(`${index + 1}. ${text}\n   ${place}  ${code}\n`);
}

/** Returns the comments of a file. Line comments on consecutive lines count as one comment. */
function commentsOf({ file, code, comments, lineAt }: SourceFile): Text[] {
  const found: (Text & { type: string; start: number; end: number })[] = [];
  for (const { type, value, start, end } of comments) {
    const text = value
      .replaceAll(/^ *\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (/^(oxlint-|biome-|@ts-|@vitest-)/.test(text)) continue;
    const before = found.at(-1);
    const continues = type === 'Line' && before?.type === 'Line' && /^\n *$/.test(code.slice(before.end, start));
    if (continues) Object.assign(before, { text: `${before.text} ${text}`, end });
    else found.push({ place: `${file}:${lineAt(start)}`, type, text, start, end });
  }
  return found.map(({ place, text, start, end }) => ({ place, text, code: explainedLine(code, start, end) }));
}

/** Returns the line that a comment is about: its own line if it follows code, otherwise the next line. */
function explainedLine(code: string, start: number, end: number): string {
  const before = code.slice(code.lastIndexOf('\n', start) + 1, start).trim();
  return before || (code.slice(code.indexOf('\n', end)).trimStart().split('\n', 1)[0] ?? '');
}

/**
 * Returns the titles of the tests, after the titles of their groups. If an array literal contains the cases of a test, its
 * title contains the first case as the source code writes it.
 */
function titlesOf(node: SyntaxNode, source: SourceFile, group: string): Text[] {
  const kind = node.type === 'CallExpression' ? kindOfCall(node.callee) : undefined;
  const title = kind && Array.isArray(node.arguments) ? titleOf(node, node.arguments[0], source.code) : undefined;
  const inside = kind === 'describe' && title !== undefined ? `${group}${title} > ` : group;
  const found = childrenOf(node).flatMap((child) => titlesOf(child, source, inside));
  if (kind !== 'test' || title === undefined) return found;
  return [{ place: `${source.file}:${source.lineAt(node.start)}`, text: `${group}${title}` }, ...found];
}

function titleOf({ callee }: SyntaxNode, argument: unknown, code: string): string | undefined {
  const title = literalText(argument, code);
  const [table] = isNode(callee) && Array.isArray(callee.arguments) ? callee.arguments.map(withoutCast) : [];
  if (title === undefined || !isNode(table) || !Array.isArray(table.elements)) return title;
  const first = withoutCast(table.elements[0]);
  if (isNode(first) && first.type === 'SpreadElement') return title;
  const values: unknown[] = isNode(first) && Array.isArray(first.elements) ? [...first.elements] : [first];
  return title.replaceAll(/%[dijos]/g, (placeholder) => {
    const value = values.shift();
    if (!isNode(value)) return placeholder;
    const source = code.slice(value.start, value.end).replaceAll(/\s+/g, ' ');
    return placeholder === '%s' ? (literalText(value, code) ?? source) : source;
  });
}

function withoutCast(node: unknown): unknown {
  return isNode(node) && /^TS.*Expression$/.test(node.type) ? node.expression : node;
}

/**
 * Returns 'test' for `it(…)`, `test.fail(…)` and `test.each(…)(…)`, and 'describe' for `describe(…)` and `test.describe(…)`.
 */
function kindOfCall(callee: unknown): 'describe' | 'test' | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'Identifier') {
    if (callee.name === 'describe') return 'describe';
    return callee.name === 'it' || callee.name === 'test' ? 'test' : undefined;
  }
  if (callee.type !== 'MemberExpression') return kindOfCall(callee.callee ?? callee.tag);
  const modifier = isNode(callee.property) ? String(callee.property.name) : '';
  if (modifier === 'describe') return kindOfCall(callee.object) && 'describe';
  return ['each', 'fail', 'fixme', 'for', 'only', 'skip', 'skipIf'].includes(modifier)
    ? kindOfCall(callee.object)
    : undefined;
}

/** Parses the TypeScript files that git tracks. */
function* sourceFiles(): Generator<SourceFile> {
  const names = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  for (const file of names.filter((name) => /\.tsx?$/.test(name))) {
    const code = readFileSync(join(root, file), 'utf8');
    const { program, comments } = parseSync(file, code);
    const lineAt = (offset: number) => code.slice(0, offset).split('\n').length;
    yield { file, code, program: program as unknown as SyntaxNode, comments, lineAt };
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/**
 * Returns the text of a string or template literal. In a template literal, `${name}` becomes `{name}`. Returns
 * undefined for other nodes.
 */
function literalText(node: unknown, code: string): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return code.slice(node.start + 1, node.end - 1).replaceAll('${', '{');
}
