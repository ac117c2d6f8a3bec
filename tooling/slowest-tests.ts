// Prints the 20 slowest tests of the last run as a Markdown table. Reads the JSON reports in reports/.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './syntax.ts';

interface TimedTest {
  durationMs: number;
  title: string;
  file: string;
}
interface VitestReport {
  testResults: { name: string; assertionResults: { fullName: string; duration?: number }[] }[];
}
interface PlaywrightSuite {
  title: string;
  file: string;
  specs?: { title: string; tests: { results: { duration: number }[] }[] }[];
  suites?: PlaywrightSuite[];
}

const tests = [
  ...vitestTests('vitest.json'),
  ...vitestTests('production.json'),
  ...(read('playwright.json')?.suites ?? []).flatMap((suite: PlaywrightSuite) => playwrightTests(suite, '')),
];
process.stdout.write('| Seconds | Test | File |\n| ---: | --- | --- |\n');
for (const { durationMs, title, file } of tests.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 20))
  process.stdout.write(`| ${(durationMs / 1000).toFixed(1)} | ${title.replaceAll('|', '\\|')} | ${file} |\n`);

function vitestTests(name: string): TimedTest[] {
  const report: VitestReport = read(name) ?? { testResults: [] };
  return report.testResults.flatMap((file) =>
    file.assertionResults.map(({ fullName, duration = 0 }) => ({
      durationMs: duration,
      title: fullName,
      file: relative(root, file.name),
    })),
  );
}

function playwrightTests(suite: PlaywrightSuite, group: string): TimedTest[] {
  const own = (suite.specs ?? []).map(({ title, tests }) => ({
    durationMs: Math.max(...tests.flatMap(({ results }) => results.map(({ duration }) => duration)), 0),
    title: group + title,
    file: `apps/e2e/specs/${suite.file}`,
  }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => playwrightTests(inner, `${group}${inner.title} `))];
}

function read(name: string) {
  const file = join(root, 'reports', name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
