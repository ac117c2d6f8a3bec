// Writes docs/slowest-tests.md: the 20 slowest unit, browser and production tests of the last run. Reads the JSON reports in
// reports/.
import { writeFileSync } from 'node:fs';
import { playwrightTests, readReport, vitestTests } from './reports.ts';

const tests = [
  ...vitestTests(readReport('vitest.json') ?? { testResults: [] }),
  ...vitestTests(readReport('production.json') ?? { testResults: [] }),
  ...playwrightTests(readReport('playwright.json') ?? { suites: [] }),
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
