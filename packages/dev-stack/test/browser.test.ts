import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { findBrowser } from '../src/browser.ts';

test('the list of disabled browser features contains every feature that Playwright disables', async () => {
  const { launch } = await findBrowser();
  // Node is not a browser, so the launch fails. The error of Playwright contains the whole command line.
  const error = await chromium.launch({ ...launch, executablePath: process.execPath }).then(() => '', String);
  const [playwrights = [], ours = []] = [...error.matchAll(/--disable-features=(\S+)/g)].map(([, list = '']) =>
    list.split(','),
  );
  expect(playwrights).not.toEqual([]);
  expect(ours).toEqual(expect.arrayContaining(playwrights));
});
