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

describe('a run is counted', () => {
  test('over both runners, nested groups included', () => {
    const result = count(vitest(allGreen), playwright(['expected', 'expected', 'expected']), root);
    expect(result).toEqual({ passed: 13, failed: 0, skipped: 0, faults: [] });
    expect(lineOf(result)).toBe('13 passed, 0 failed');
  });

  test('with what failed', () => {
    const result = count(
      vitest([...allGreen, file('apps/api', 'passed', 'failed')], false),
      playwright(['expected', 'unexpected']),
      root,
    );
    expect(result).toEqual({ passed: 12, failed: 2, skipped: 0, faults: [] });
  });

  test('with what was skipped or left to do, which is said', () => {
    const result = count(
      vitest([...allGreen, file('apps/api', 'pending', 'todo', 'skipped')]),
      playwright(['expected', 'skipped']),
      root,
    );
    expect(lineOf(result)).toBe('11 passed, 0 failed, 4 skipped');
  });

  test('and a test that passed only at its second try has failed', () => {
    expect(count(vitest(allGreen), playwright(['expected', 'flaky']), root)).toMatchObject({ passed: 11, failed: 1 });
  });

  test('and a file that could not be loaded has failed once', () => {
    const broken = { ...file('apps/web'), status: 'failed' };
    expect(count(vitest([...allGreen, broken], false), playwright(['expected']), root)).toMatchObject({ failed: 1 });
  });
});

describe('a run is worthless', () => {
  test('when a report was not written', () => {
    expect(count(undefined, playwright(['expected']), root).faults).toEqual(['Vitest wrote no report.']);
    expect(count(vitest(allGreen), undefined, root).faults).toEqual(['Playwright wrote no report.']);
  });

  test.each(suites)('when %s ran no test', (suite) => {
    const others = allGreen.filter(({ name }) => !name.startsWith(`${root}/${suite}/`));
    const skipped = file(suite, 'skipped');
    expect(count(vitest([...others, skipped]), playwright(['expected']), root).faults).toEqual([
      `The suite of ${suite} ran no test.`,
    ]);
  });

  test('when the browser ran no test', () => {
    expect(count(vitest(allGreen), playwright([]), root).faults).toEqual(['The suite of apps/e2e ran no test.']);
    expect(count(vitest(allGreen), playwright(['skipped']), root).faults).toEqual([
      'The suite of apps/e2e ran no test.',
    ]);
  });

  test('when a runner failed outside its tests', () => {
    expect(count(vitest(allGreen, false), playwright(['expected']), root).faults).toEqual([
      'Vitest failed outside its tests.',
    ]);
    expect(count(vitest(allGreen), playwright(['expected'], [{ message: 'no browser' }]), root).faults).toEqual([
      'Playwright failed outside its tests: no browser',
    ]);
  });
});
