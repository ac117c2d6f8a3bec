import { existsSync, readFileSync } from 'node:fs';

/** The parts of Vitest's JSON report that the scripts in this folder use. */
export interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; assertionResults: { fullName: string; duration?: number }[] }[];
}

export type VitestReportName = 'vitest.json' | 'production.json' | 'containers.json' | 'faults.json';

export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

export interface PlaywrightSuite {
  title: string;
  file: string;
  specs?: { title: string; tests: { results: { duration: number }[] }[] }[];
  suites?: PlaywrightSuite[];
}

/** Reads a report of the last test run. Returns undefined if the test runner did not write the report. */
export function readReport(name: VitestReportName): VitestReport | undefined;
export function readReport(name: 'playwright.json'): PlaywrightReport | undefined;
export function readReport(name: string): unknown {
  const file = new URL(`../reports/${name}`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
