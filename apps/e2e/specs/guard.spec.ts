import { test } from '../test.ts';

// Each of these tests is expected to fail, because test.ts fails every test in which the console shows an error.

test.fail('a violated Content-Security-Policy fails a test', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "owned"';
    document.head.append(script);
  });
});

test.fail('an unexpected console.error fails a test', async ({ page }) => {
  await page.goto('/');
  // oxlint-disable-next-line no-console -- in the page, on purpose
  await page.evaluate(() => console.error('unexpected'));
});

test.fail('an uncaught error fails a test', async ({ page }) => {
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
