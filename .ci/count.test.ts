import { describe, expect, test } from 'vitest';
import { count, lineOf } from './count.ts';

const root = '/house';
const suites = ['.ci', 'apps/api', 'apps/web', 'packages/dev-stack', 'packages/shared'];

interface File {
  name: string;
  status: string;
  assertionResults: { status: string }[];
}

const file = (suite: string, ...statuses: string[]): File => ({
  name: `${root}/${suite}/test/a.test.ts`,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ status })),
});

const vitest = (testResults: File[], success = true) => JSON.stringify({ success, testResults });
const allGreen = suites.map((suite) => file(suite, 'passed', 'passed'));

const playwright = (statuses: string[], errors: { message: string }[] = []) =>
  JSON.stringify({
    config: { rootDir: `${root}/apps/e2e` },
    errors,
    suites: [
      {
        file: 'a.spec.ts',
        specs: statuses.slice(0, 1).map((status) => ({ tests: [{ status }] })),
        suites: [{ file: 'a.spec.ts', specs: statuses.slice(1).map((status) => ({ tests: [{ status }] })) }],
      },
    ],
  });

const production = vitest([file('packages/production', 'passed')]);
/** Of runs in which the production shape passed its one test. */
const counted = (vitest: string | undefined, playwright: string | undefined) =>
  count({ vitest, playwright, production }, root);

describe('a run is counted', () => {
  test('over all runners, nested groups included', () => {
    const result = counted(vitest(allGreen), playwright(['expected', 'expected', 'expected']));
    expect(result).toEqual({ passed: 14, failed: 0, skipped: 0, faults: [] });
    expect(lineOf(result)).toBe('14 passed, 0 failed');
  });

  test('with what failed', () => {
    const result = counted(
      vitest([...allGreen, file('apps/api', 'passed', 'failed')], false),
      playwright(['expected', 'unexpected']),
    );
    expect(result).toEqual({ passed: 13, failed: 2, skipped: 0, faults: [] });
  });

  test('with what was skipped or left to do, which is said', () => {
    const result = counted(
      vitest([...allGreen, file('apps/api', 'pending', 'todo', 'skipped')]),
      playwright(['expected', 'skipped']),
    );
    expect(lineOf(result)).toBe('12 passed, 0 failed, 4 skipped');
  });

  test('and a test that passed only at its second try has failed', () => {
    expect(counted(vitest(allGreen), playwright(['expected', 'flaky']))).toMatchObject({ passed: 12, failed: 1 });
  });

  test('and a file that could not be loaded has failed once', () => {
    const broken = { ...file('apps/web'), status: 'failed' };
    expect(counted(vitest([...allGreen, broken], false), playwright(['expected']))).toMatchObject({ failed: 1 });
  });
});

describe('a run is worthless', () => {
  test('when a report was not written', () => {
    expect(counted(undefined, playwright(['expected'])).faults).toEqual(['Vitest wrote no report.']);
    expect(counted(vitest(allGreen), undefined).faults).toEqual(['Playwright wrote no report.']);
  });

  test.each(suites)('when %s ran no test', (suite) => {
    const others = allGreen.filter(({ name }) => !name.startsWith(`${root}/${suite}/`));
    const skipped = file(suite, 'skipped');
    expect(counted(vitest([...others, skipped]), playwright(['expected'])).faults).toEqual([
      `The suite of ${suite} ran no test.`,
    ]);
  });

  test('when the browser ran no test', () => {
    expect(counted(vitest(allGreen), playwright([])).faults).toEqual(['The suite of apps/e2e ran no test.']);
    expect(counted(vitest(allGreen), playwright(['skipped'])).faults).toEqual(['The suite of apps/e2e ran no test.']);
  });

  test('when a runner failed outside its tests', () => {
    expect(counted(vitest(allGreen, false), playwright(['expected'])).faults).toEqual([
      'Vitest failed outside its tests.',
    ]);
    expect(counted(vitest(allGreen), playwright(['expected'], [{ message: 'no browser' }])).faults).toEqual([
      'Playwright failed outside its tests: no browser',
    ]);
  });

  test('when the production shape ran no test, though it was asked to', () => {
    const [unit, browser] = [vitest(allGreen), playwright(['expected'])];
    const faultsOf = (production: string | undefined) =>
      count({ vitest: unit, playwright: browser, production }, root).faults;
    expect(faultsOf(undefined)).toEqual(['Vitest of test:production wrote no report.']);
    expect(faultsOf(vitest([]))).toEqual(['The suite of packages/production ran no test.']);
    expect(faultsOf(vitest([], false))).toEqual([
      'Vitest of test:production failed outside its tests.',
      'The suite of packages/production ran no test.',
    ]);
  });
});

test('a run without a web server to try counts without the production shape', () => {
  const reports = { vitest: vitest(allGreen), playwright: playwright(['expected']), production: undefined };
  expect(count({ ...reports, withoutProduction: 'no caddy' }, root)).toMatchObject({
    passed: 11,
    failed: 0,
    faults: [],
  });
});
