import type { Page } from '@playwright/test';
import { main, pauseClock } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

test.describe('when a script of the app does not load,', () => {
  test.use({ expectedErrors: /status of 404|net::ERR_/ });

  /** Simulates a new deployment. version.json then names other files than those that the open page uses. */
  const deploy = (page: Page) =>
    page.route('**/version.json', (route) => route.fulfill({ json: { files: ['/assets/entry-client-deployed.js'] } }));
  const removeTermsScript = (page: Page) =>
    page.route('**/assets/terms-*.js', (route) => route.fulfill({ status: 404, body: 'File not found.' }));
  const recordDocuments = (page: Page) => {
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
    });
    return documents;
  };
  const followTermsLink = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  const loadError = (page: Page) => main(page).getByRole('heading', { name: 'This page did not load' });

  test('a navigation after a new deployment loads the next page from the server', async ({ page }) => {
    await page.goto('/about');
    const documents = recordDocuments(page);
    await deploy(page);
    await removeTermsScript(page);
    // Makes the removed script available again as soon as the browser requests the next page from the server.
    page.on('request', async (request) => {
      if (request.isNavigationRequest()) await page.unroute('**/assets/terms-*.js');
    });
    await followTermsLink(page);
    await expect(main(page).getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible();
    expect(documents).toEqual(['/terms']);
  });

  test('a navigation loads the next page from the server only once, and the page shows an error with a Retry button if the script is still missing', async ({
    page,
  }) => {
    await page.goto('/about');
    const documents = recordDocuments(page);
    await deploy(page);
    await removeTermsScript(page);
    await followTermsLink(page);
    await expect(loadError(page)).toBeVisible();
    expect(documents).toEqual(['/terms']);
    const retried = page.waitForResponse('**/assets/terms-*.js');
    await main(page).getByRole('button', { name: 'Retry' }).click();
    await retried;
    expect(documents).toEqual(['/terms', '/terms']);
    await expect(loadError(page)).toBeVisible();
    await page.unroute('**/assets/terms-*.js');
    await main(page).getByRole('button', { name: 'Retry' }).click();
    await expect(main(page).getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible();
    expect(documents).toHaveLength(3);
  });

  test('the button Retry does not reload the page while the network is down, and the requested page opens automatically when the network is back', async ({
    page,
    context,
  }) => {
    await page.goto('/about');
    const documents = recordDocuments(page);
    await context.setOffline(true);
    await followTermsLink(page);
    await expect(loadError(page)).toBeVisible();
    await main(page).getByRole('button', { name: 'Retry' }).click();
    await expect(main(page).getByText('No connection. Check your network and try again.')).toBeVisible();
    expect(documents).toEqual([]);
    await context.setOffline(false);
    await expect(main(page).getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible();
  });

  test('an open page shows one toast with a Reload button after a deployment, and a second one when a script fails to load', async ({
    page,
  }) => {
    await page.goto('/about');
    const documents = recordDocuments(page);
    const checkVersion = async (event = 'visibilitychange') => {
      const checked = page.waitForResponse('**/version.json');
      await page.evaluate((type) => document.dispatchEvent(new Event(type, { bubbles: true })), event);
      await (await checked).finished();
    };
    await checkVersion();
    await deploy(page);
    await checkVersion();
    await expectToast(page, 'custom', 'A new version of this site is available');
    const toasts = page.getByText('A new version of this site is available');
    await expect(toasts).toHaveCount(0);
    // Two more checks of the version must not show a second toast for the same version.
    await checkVersion();
    await checkVersion();
    await expect(toasts).toHaveCount(0);
    await pauseClock(page);
    // Vite dispatches the event `vite:preloadError` when a script fails to load.
    await checkVersion('vite:preloadError');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => documents).toEqual(['/about']);
  });

  test('if a dialog does not load, the Reload button of the toast reloads the page, and the dialog then opens', async ({
    page,
    backend,
  }) => {
    const service = await backend.service(await backend.customer());
    await page.goto(`/services/${service.id}`);
    const documents = recordDocuments(page);
    const script = '**/assets/lightbox-*.js';
    await page.route(script, (route) => route.abort());
    const enlarge = main(page).getByRole('button', { name: /^Enlarge/ });
    await enlarge.click();
    await expectToast(page, 'error', 'The dialog did not load');
    await page.unroute(script);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => documents).toEqual([`/services/${service.id}`]);
    // Before hydration, a click has no effect.
    await expect(async () => {
      await enlarge.click();
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 1000 });
    }).toPass();
  });
});
