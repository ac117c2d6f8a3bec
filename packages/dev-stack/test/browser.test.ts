import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { findBrowser } from '../src/browser.ts';

test('what Playwright turns off in a browser stays off', async () => {
  const { launch } = await findBrowser();
  // It tells all that it called when that is no browser; of two lists a browser takes the last.
  const told = await chromium.launch({ ...launch, executablePath: process.execPath }).then(() => '', String);
  const [playwrights = [], ours = []] = [...told.matchAll(/--disable-features=(\S+)/g)].map(([, list = '']) =>
    list.split(','),
  );
  expect(playwrights).not.toEqual([]);
  expect(ours).toEqual(expect.arrayContaining(playwrights));
});
