// Writes reports/texts.html. This page contains every text that people can see or hear in the web app, grouped by file. It also
// contains the error messages of the API and of Caddy.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, isNode, literalText, root, type SourceFile, type SyntaxNode, sourceFiles } from './syntax.ts';

/** Attributes whose values are neither displayed nor read aloud. */
const invisible =
  /^(class(Name)?|d|fill|href|id|key|name|path|points|property|rel|role|src|stroke|style|to|transform|type|viewBox)$/;

interface Text {
  line: number;
  text: string;
}

/** The folders of the API whose errors are sent to clients. */
const apiFolders = [
  'accounts',
  'auth',
  'database',
  'http',
  'moderation',
  'pictures',
  'quotas',
  'reviews',
  'services',
].map((name) => `apps/api/src/${name}`);
const sections = [...sourceFiles('apps/web/src', 'packages/shared/src', ...apiFolders)].map((source) =>
  section(source.file, textsIn(source.program, source, false)),
);
const caddyfile = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8').split('\n');
const caddyTexts = caddyfile.flatMap((line, index) => {
  const [, text] = /^\s*respond [^"`]*["`](.+)["`] \d+$/.exec(line) ?? [];
  return text ? [{ line: index + 1, text }] : [];
});
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Texts of the product</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto }
  td { vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; white-space: pre-line }
  td:first-child { color: gray; text-align: right }
</style>
<h1>Texts of the product</h1>
<p>A name in braces is a value that the app fills in. […] is an element whose text is on a line of its own.</p>
${sections.join('')}${section('deploy/Caddyfile', caddyTexts)}`;
mkdirSync(join(root, 'reports'), { recursive: true });
writeFileSync(join(root, 'reports/texts.html'), page);
process.stdout.write('reports/texts.html\n');

function section(file: string, texts: Text[]): string {
  const rows = texts.map(({ line, text }) => `<tr><td>${line}</td><td>${escapeHtml(text)}</td></tr>\n`);
  return rows.length > 0 ? `<h2>${file}</h2>\n<table>\n${rows.join('')}</table>\n` : '';
}

/**
 * Finds the texts inside a syntax node. `isVisible` is true inside JSX, and inside a constant such as `text` or
 * `commonText`. There, a single word already counts as a text. Elsewhere, a text has at least two words.
 */
function textsIn(node: SyntaxNode, source: SourceFile, isVisible: boolean): Text[] {
  const at = (text: string) => [{ line: source.lineAt(node.start), text }];
  if (/^(ImportDeclaration|ExportAllDeclaration|TS(?!AsExpression|SatisfiesExpression))/.test(node.type)) return [];
  if (isErrorCreation(node) && !source.file.startsWith('apps/api/')) return [];
  if (node.type === 'JSXAttribute' && isNode(node.name) && invisible.test(String(node.name.name))) return [];

  const literal = literalText(node, source.code);
  if (literal !== undefined) return isText(literal, isVisible) ? at(literal) : [];
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const children = node.children as SyntaxNode[];
    const parts = children.map((child) => partOf(child, source));
    const isSentence = children.some((child) => child.type === 'JSXText' && /\p{L}/u.test(String(child.value)));
    const inner = childrenOf(node).filter((child) => !isSentence || !isWrittenOut(child, source));
    const own = isSentence ? at(parts.join('').replaceAll(/\s+/g, ' ').trim()) : [];
    return [...own, ...inner.flatMap((child) => textsIn(child, source, true))];
  }
  const isTextConstant =
    node.type === 'VariableDeclarator' && isNode(node.id) && /^text$|Text$/.test(String(node.id.name));
  return childrenOf(node).flatMap((child) => textsIn(child, source, isTextConstant || (isVisible && !isCode(node))));
}

/** Returns the text of one child of a JSX element. The texts of all children together are the text of the element. */
function partOf(child: SyntaxNode, { code }: SourceFile): string {
  if (child.type === 'JSXText') return unescapeHtml(String(child.value));
  if (child.type !== 'JSXExpressionContainer') return '[…]';
  return literalText(child.expression, code) ?? `{${code.slice(child.start + 1, child.end - 1)}}`;
}

function isWrittenOut(child: SyntaxNode, { code }: SourceFile): boolean {
  if (child.type === 'JSXText') return true;
  return child.type === 'JSXExpressionContainer' && literalText(child.expression, code) !== undefined;
}

/** True for a function call, a comparison or a property access. The strings inside them are not on screen. */
function isCode({ type }: SyntaxNode): boolean {
  return type === 'CallExpression' || type === 'BinaryExpression' || type === 'MemberExpression';
}

function isText(literal: string, isVisible: boolean): boolean {
  const looksLikeText = /^[\p{Lu}\p{N}“{].*\p{L}/u.test(literal);
  return looksLikeText && (isVisible || /\p{L}+ \p{L}/u.test(literal));
}

/**
 * True for `new SomeError(…)`, and for `super(…)` in an error class. In the web app, the message of such an error is
 * for developers, and is not on screen.
 */
function isErrorCreation({ type, callee }: SyntaxNode): boolean {
  if (!isNode(callee)) return false;
  return callee.type === 'Super' || (type === 'NewExpression' && String(callee.name).endsWith('Error'));
}

/** Decodes the HTML entities of a text in JSX, as React does. */
function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
