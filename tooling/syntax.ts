import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export interface SourceFile {
  /** The path of the file, relative to the root folder of the repository. */
  file: string;
  code: string;
  program: SyntaxNode;
  comments: { type: string; value: string; start: number; end: number }[];
  lineAt(offset: number): number;
}

/** Parses the TypeScript files that git tracks in these folders. */
export function* sourceFiles(...folders: string[]): Generator<SourceFile> {
  const names = execFileSync('git', ['ls-files', '--', ...folders], { cwd: root, encoding: 'utf8' }).split('\n');
  for (const file of names.filter((name) => /\.tsx?$/.test(name))) {
    const code = readFileSync(join(root, file), 'utf8');
    const { program, comments } = parseSync(file, code);
    const lineAt = (offset: number) => code.slice(0, offset).split('\n').length;
    yield { file, code, program: program as unknown as SyntaxNode, comments, lineAt };
  }
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/**
 * Returns the text of a string or template literal. In a template literal, `${name}` becomes `{name}`. Returns
 * undefined for other nodes.
 */
export function literalText(node: unknown, code: string): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return code.slice(node.start + 1, node.end - 1).replaceAll('${', '{');
}
