// Prints 40 random comments and 40 random test titles, each with its place, for a review of how readable they are.
// The same seed prints the same sample: node tooling/sample-texts.ts 7
import { createHash } from 'node:crypto';
import { childrenOf, isNode, literalText, type SourceFile, type SyntaxNode, sourceFiles } from './syntax.ts';

const [seed] = process.argv.slice(2);
if (!seed) throw new Error('Name a seed, such as: node tooling/sample-texts.ts 7');

interface Text {
  place: string;
  text: string;
}

const comments: Text[] = [];
const titles: Text[] = [];
for (const source of sourceFiles('.')) {
  comments.push(...commentsOf(source));
  titles.push(...titlesOf(source.program, source, ''));
}
print('Comments', comments);
print('Test titles', titles);

function print(heading: string, texts: Text[]): void {
  const rank = ({ place, text }: Text) => createHash('sha256').update(`${seed} ${place} ${text}`).digest('hex');
  const sample = texts.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, 40);
  process.stdout.write(`\n${heading}: ${sample.length} of ${texts.length}, seed ${seed}\n\n`);
  for (const [index, { place, text }] of sample.entries()) process.stdout.write(`${index + 1}. ${text}\n   ${place}\n`);
}

/** Line comments that follow one another are one comment. */
function commentsOf({ file, code, comments, lineAt }: SourceFile): Text[] {
  const found: (Text & { end: number })[] = [];
  for (const { value, start, end } of comments) {
    const text = value
      .replaceAll(/^ *\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (/^(oxlint|biome|@ts)-/.test(text)) continue;
    const before = found.at(-1);
    if (before && code.slice(before.end, start).trim() === '')
      Object.assign(before, { text: `${before.text} ${text}`, end });
    else found.push({ place: `${file}:${lineAt(start)}`, text, end });
  }
  return found;
}

/** Titles as reports show them: after the titles of the groups around the test. */
function titlesOf(node: SyntaxNode, source: SourceFile, group: string): Text[] {
  const name = node.type === 'CallExpression' ? nameOfCall(node.callee) : undefined;
  const title = name && Array.isArray(node.arguments) ? literalText(node.arguments[0], source.code) : undefined;
  const full = title === undefined ? group : `${group}${title}`;
  const own = title !== undefined && name !== 'describe';
  return [
    ...(own ? [{ place: `${source.file}:${source.lineAt(node.start)}`, text: full }] : []),
    ...childrenOf(node).flatMap((child) => titlesOf(child, source, title !== undefined && !own ? `${full} > ` : group)),
  ];
}

/** 'test' for `test(…)`, `test.skipIf(…)(…)` and `test.each(…)(…)`. */
function nameOfCall(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'Identifier') return ['describe', 'it', 'test'].find((name) => name === callee.name);
  return nameOfCall(callee.object ?? callee.callee ?? callee.tag);
}
