import { testMs, waitMs } from '@rtr/dev-stack/timeouts';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isLong = process.env.FAULTS === 'long';

/** Starts with the file that takes longest. Otherwise, this file would still run when all others have ended. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isSlowest = ({ moduleId }: TestSpecification) => moduleId.endsWith('/crashes.test.ts');
    return files.toSorted((a, b) => Number(isSlowest(b)) - Number(isSlowest(a)));
  }
}

// These tests stop, freeze or overload parts of the production build, and check what docs/reliability.md promises. Most
// tests wait for real timeouts, so two files run in parallel. With FAULTS=long, the files run one after the other, so that
// they do not influence each other's figures.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    sequence: { sequencer: SlowestFirst },
    maxWorkers: isLong ? 1 : 2,
    testTimeout: isLong ? 30 * 60_000 : Math.max(testMs, 300_000),
    hookTimeout: testMs,
    expect: { poll: { timeout: waitMs } },
    reporters: ['default', ['json', { outputFile: '../../../reports/faults.json' }]],
  },
});
