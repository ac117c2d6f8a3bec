import type { Page, Request } from '@playwright/test';
import { email, expectSignedIn, logInButton, main, navbar, stopTime } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

const appScript = '**/assets/entry-client-*.js';

test('home asks for its font, its script and its first picture at once', async ({ page, request }) => {
  const html = await (await request.get('/')).text();
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? [];
  const asked: string[] = [];
  page.on('request', (one) => asked.push(new URL(one.url()).pathname));
  // Without the app's script only what the document itself asks for is seen.
  await page.route(`**${script}`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/');
  expect(asked).toEqual(expect.arrayContaining([script, '/pictures/hero-install.svg']));
  expect(asked.some((path) => path.endsWith('.woff2'))).toBe(true);
});

test('a page comes with its data, and its scripts and picture are asked for beside the app’s script, and once', async ({
  page,
  backend,
  run,
}) => {
  const customer = await backend.customer();
  // No other service has this picture.
  const picture = `/pictures/preview.png?of=${customer.uid}`;
  const { id } = await backend.service(customer, { img: run.web + picture });
  await backend.review(customer, id, 'Quiet at last.', 5);
  const pages = {
    '/': [/^\/pictures\/hero-install\.svg$/],
    '/services': [/^\/assets\/services-.*\.js$/],
    [`/services/${id}`]: [/^\/assets\/service-details-.*\.js$/, picture],
  };
  for (const [path, wanted] of Object.entries(pages)) {
    const asked: string[] = [];
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      asked.push(pathname + search);
    };
    const times = () =>
      wanted.map(
        (one) => asked.filter((address) => (typeof one === 'string' ? address === one : one.test(address))).length,
      );
    // The app's script is held back until all that does not wait for it was asked for.
    await page.route(appScript, async (route) => {
      await expect.poll(times, { message: path }).toEqual(wanted.map(() => 1));
      await route.continue();
    });
    page.on('request', note);
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(times(), path).toEqual(wanted.map(() => 1));
    // Similar services are fetched when their place, below the rest of the page, comes near.
    const fetched = asked.filter(
      (address) => address.startsWith('/api/') && !address.startsWith('/api/services?limit=4&'),
    );
    expect(fetched, path).toEqual([]);
    page.off('request', note);
    await page.unroute(appScript);
  }
});

test.describe('before the app’s script has come', () => {
  // Of the picture.
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('links lead on, and the search finds', async ({ page, backend }) => {
    const { title } = await backend.service(await backend.customer());
    await page.route(appScript, () => {});
    await page.goto('/', { waitUntil: 'commit' });
    await navbar(page).getByRole('link', { name: 'Blogs' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
    const search = page.getByRole('searchbox').first();
    await search.fill(title);
    await search.press('Enter');
    await expect(page).toHaveURL(`/services?q=${title.replaceAll(' ', '+')}`);
    await expect(main(page).getByRole('article')).toHaveCount(1);
    await main(page).getByRole('article').getByRole('link', { name: title }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  });

  test('an answer of the blog that is opened meanwhile stays open, and the focus stays where it is', async ({
    page,
  }) => {
    const nameOf = (heading: string) => `Read the answer: ${heading}`;
    const summary = (heading: string) => main(page).locator(`summary[aria-label="${nameOf(heading)}"]`);
    const button = (heading: string) => main(page).getByRole('button', { name: nameOf(heading), exact: true });
    const answer = main(page).getByText('In a relational database each fact stands once');
    for (const [heading, focused] of [
      ['SQL vs NoSQL', () => summary('SQL vs NoSQL')],
      // Its answer is closed, so a button that opens a dialog takes its place.
      ['What a JWT is', () => button('What a JWT is')],
    ] as const) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(appScript, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto('/blogs', { waitUntil: 'commit' });
      await summary('SQL vs NoSQL').click();
      await expect(answer).toBeVisible();
      await summary(heading).focus();
      release();
      await expect(main(page).locator('details')).toHaveCount(1);
      await expect(answer).toBeVisible();
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(focused()).toBeFocused();
      await page.unroute(appScript);
    }
    await button('What a JWT is').press('Enter');
    await expect(page.getByRole('dialog', { name: 'What a JWT is' })).toBeVisible();
    await page.keyboard.press('Escape');
    await summary('SQL vs NoSQL').click();
    await expect(answer).toBeHidden();
  });

  test('Login waits for it, and sends what was typed meanwhile', async ({ page, backend }) => {
    const customer = await backend.customer();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(appScript, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/login', { waitUntil: 'commit' });
    await email(page).fill(customer.email);
    await main(page).getByLabel('Password', { exact: true }).fill(customer.password);
    await email(page).press('Enter');
    await expect(logInButton(page)).toBeDisabled();
    release();
    await logInButton(page).click();
    await expectSignedIn(page);
  });

  test('a picture that does not load gives way to the placeholder once it is there', async ({ page, backend, run }) => {
    const lister = await backend.customer();
    const img = `${run.web}/pictures/preview.png?of=${lister.uid}`;
    const { id, title } = await backend.service(lister, { img });
    await page.route(img, (route) => route.abort());
    const missed = page.waitForEvent('requestfailed', (request) => request.url() === img);
    await page.route(appScript, async (route) => {
      await missed;
      await route.continue();
    });
    await page.goto(`/services/${id}`);
    await expect(main(page).getByRole('img', { name: title }).first()).toHaveAttribute(
      'src',
      '/pictures/placeholder.svg',
    );
  });
});

test('a theme that an earlier version kept in localStorage is taken over once', async ({ page }) => {
  await page.addInitScript(() => {
    if (!sessionStorage.getItem('opened')) localStorage.setItem('rtr-theme', 'dark');
    sessionStorage.setItem('opened', 'yes');
  });
  await page.goto('/about');
  const theme = page.locator('html[data-theme=dark]');
  await expect(theme).toBeAttached();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(await page.evaluate(() => localStorage.getItem('rtr-theme'))).toBeNull();
  expect(await (await page.context().request.get('/about')).text()).toContain('data-theme="dark"');
  await page.getByRole('radio', { name: 'System' }).check({ force: true });
  await page.reload();
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked();
  await expect(theme).not.toBeAttached();
});

test('how fast a page was is sent once when it is left or hidden, and nothing else with it', async ({ page }) => {
  // What a beacon carries is seen by the page alone.
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    const beacons: Blob[] = [];
    Object.assign(globalThis, { beacons });
    navigator.sendBeacon = (url, body) => {
      beacons.push(body as Blob);
      return send(url, body);
    };
  });
  const loaded = page.waitForResponse(/\/assets\/report-.*\.js/);
  await page.goto('/');
  // Once it runs it measures: the app has asked for it before.
  await page.evaluate((script) => import(script), (await loaded).url());
  await page.getByRole('button', { name: 'Next' }).click();
  // The browser tells of a press some time after it, and it is counted when there is nothing else to do.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const told = new PerformanceObserver(() => requestIdleCallback(resolve));
        told.observe({ type: 'first-input', buffered: true });
      }),
  );
  const hide = () =>
    page.evaluate(async () => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      const { beacons } = globalThis as unknown as { beacons: Blob[] };
      return Promise.all(beacons.map((beacon) => beacon.text()));
    });
  const answer = page.waitForResponse('**/api/vitals');
  const sent = await hide();
  expect((await answer).status()).toBe(204);
  expect(sent).toHaveLength(1);
  const { vitals, ...rest }: { vitals: { name: string; value: number }[] } = JSON.parse(sent[0] ?? '');
  expect(rest).toEqual({});
  expect(vitals.map(({ name }) => name).toSorted()).toEqual(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']);
  for (const vital of vitals) expect(vital).toEqual({ name: vital.name, value: expect.any(Number) });
  expect(await hide()).toHaveLength(1);
});

test.describe('a part of the app that is gone', () => {
  test.use({ expectedErrors: /status of 404|net::ERR_/ });

  /** As a deployment leaves it to a page that is open: version.json names other files. */
  const deploy = (page: Page) =>
    page.route('**/version.json', (route) => route.fulfill({ json: { files: ['/assets/entry-client-deployed.js'] } }));
  const notFound = (page: Page) =>
    page.route('**/assets/terms-*.js', (route) => route.fulfill({ status: 404, body: 'There is no such file.' }));
  const documentsOf = (page: Page) => {
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
    });
    return documents;
  };
  const toTerms = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  const missing = (page: Page) => main(page).getByRole('heading', { name: 'This page did not load' });

  test('after a deployment the page one was going to is loaded anew, by itself', async ({ page }) => {
    await page.goto('/about');
    const documents = documentsOf(page);
    await deploy(page);
    await notFound(page);
    // What the reload brings finds its files.
    page.on('request', async (request) => {
      if (request.isNavigationRequest()) await page.unroute('**/assets/terms-*.js');
    });
    await toTerms(page);
    await expect(main(page).getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible();
    expect(documents).toEqual(['/terms']);
  });

  test('when the new version lacks it too, the page says so instead of loading for ever', async ({ page }) => {
    await page.goto('/about');
    const documents = documentsOf(page);
    await deploy(page);
    await notFound(page);
    await toTerms(page);
    await expect(missing(page)).toBeVisible();
    expect(documents).toEqual(['/terms']);
    // Retry asks again, once for each press.
    const again = page.waitForResponse('**/assets/terms-*.js');
    await main(page).getByRole('button', { name: 'Retry' }).click();
    await again;
    expect(documents).toEqual(['/terms', '/terms']);
    await expect(missing(page)).toBeVisible();
    await page.unroute('**/assets/terms-*.js');
    await main(page).getByRole('button', { name: 'Retry' }).click();
    await expect(main(page).getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible();
    expect(documents).toHaveLength(3);
  });

  test('without a connection Retry keeps the page, which comes when the connection is back', async ({
    page,
    context,
  }) => {
    await page.goto('/about');
    const documents = documentsOf(page);
    await context.setOffline(true);
    await toTerms(page);
    await expect(missing(page)).toBeVisible();
    await main(page).getByRole('button', { name: 'Retry' }).click();
    await expect(main(page).getByText('No connection. Check your network and try again.')).toBeVisible();
    expect(documents).toEqual([]);
    await context.setOffline(false);
    await expect(main(page).getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible();
  });

  test('an open page hears of a new version once, and again when it misses a script, and loads it when asked to', async ({
    page,
  }) => {
    await page.goto('/about');
    const documents = documentsOf(page);
    const look = async (event = 'visibilitychange') => {
      const looked = page.waitForResponse('**/version.json');
      await page.evaluate((type) => document.dispatchEvent(new Event(type, { bubbles: true })), event);
      await (await looked).finished();
    };
    await look();
    await deploy(page);
    await look();
    await expectToast(page, 'custom', 'A new version is ready');
    const toasts = page.getByText('A new version is ready');
    await expect(toasts).toHaveCount(0);
    // Looked for twice more: what the first finds is told while the second is on its way.
    await look();
    await look();
    await expect(toasts).toHaveCount(0);
    // As Vite says of a script that did not load.
    await stopTime(page);
    await look('vite:preloadError');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => documents).toEqual(['/about']);
  });
});
