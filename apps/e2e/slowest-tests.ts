import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { createSlowestTests } from '@rtr/dev-stack/slowest-tests';

/** A reporter of Playwright that prints the ten slowest tests at the end. */
export default class SlowestTests implements Reporter {
  private readonly tests = createSlowestTests();

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    this.tests.add(duration, test.title);
  }

  onEnd(): void {
    this.tests.print();
  }
}
