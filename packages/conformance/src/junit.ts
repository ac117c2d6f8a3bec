import { countOutcomes, type Result } from './checks.ts';

export function junit(results: Result[]): string {
  const cases = results.map(({ group, name, seconds, outcome, reason = '' }) => {
    const open = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${seconds.toFixed(3)}"`;
    if (outcome === 'passed') return `${open}/>`;
    const tag = outcome === 'failed' ? 'failure' : 'skipped';
    return `${open}><${tag} message="${escapeXml(reason)}"/></testcase>`;
  });
  const { failed, skipped } = countOutcomes(results);
  const facts = `tests="${results.length}" failures="${failed}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${facts}>`,
    `  <testsuite name="conformance" ${facts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };

/**
 * Escapes the value of an XML attribute. XML forbids most control characters, so all of them except the line break
 * become spaces.
 */
const escapeXml = (text: string) =>
  text.replaceAll(/[&<>"\n]/g, (character) => entities[character] ?? '').replaceAll(/\p{Cc}/gu, ' ');
