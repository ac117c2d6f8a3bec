// Writes docs/slowest-tests.md: the 20 slowest tests of the last run, from the JSON reports in reports/.
import { writeFileSync } from 'node:fs';
import { type PlaywrightSuite, readReport, type VitestReport } from './reports.ts';

interface TimedTest {
  durationMs: number;
  title: string;
  file: string;
}

const tests = [
  ...vitestTests(readReport('vitest.json')),
  ...vitestTests(readReport('production.json')),
  ...(readReport('playwright.json')?.suites ?? []).flatMap((suite) => playwrightTests(suite)),
];
const rows = tests
  .toSorted((a, b) => b.durationMs - a.durationMs)
  .slice(0, 20)
  .map(
    ({ durationMs, title, file }) =>
      `| ${(durationMs / 1000).toFixed(1)} | ${title.replaceAll('|', '\\|')} | ${file} |`,
  );
const page = `# Slowest tests

The 20 slowest unit, browser and production tests of one run of \`.ci/run\`. To update this page after a run:

\`\`\`sh
npx pnpm@12 exec node tooling/slowest-tests.ts
\`\`\`

| Seconds | Test | File |
| ---: | --- | --- |
${rows.join('\n')}
`;
writeFileSync(new URL('../docs/slowest-tests.md', import.meta.url), page);

function vitestTests({ testResults }: Pick<VitestReport, 'testResults'> = { testResults: [] }): TimedTest[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const file = name.replace(/^.*\/(?=(apps|packages|tooling|deploy)\/)/, '');
    return assertionResults.map(({ fullName, duration = 0 }) => ({ durationMs: duration, title: fullName, file }));
  });
}

function playwrightTests({ file, specs = [], suites = [] }: PlaywrightSuite, group = ''): TimedTest[] {
  const own = specs.map(({ title, tests }) => ({
    durationMs: Math.max(...tests.flatMap(({ results }) => results.map(({ duration }) => duration)), 0),
    title: group + title,
    file: `apps/e2e/specs/${file}`,
  }));
  return [...own, ...suites.flatMap((inner) => playwrightTests(inner, `${group}${inner.title} `))];
}
