import { test } from '../test.ts';

// These tests check a rule of test.ts: a test fails if the browser logs an error or the page throws one. Each test causes
// such an error, so Playwright expects the test to fail.

test.fail('a browser test fails when the page violates the Content-Security-Policy', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "owned"';
    document.head.append(script);
  });
});

test.fail('a browser test fails when the page calls console.error unexpectedly', async ({ page }) => {
  await page.goto('/');
  // oxlint-disable-next-line no-console -- in the page, on purpose
  await page.evaluate(() => console.error('unexpected'));
});

test.fail('a browser test fails when the page throws an uncaught error', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('uncaught');
    });
    return new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  });
});
