import type { Request } from '@playwright/test';
import type { VitalsReport } from '@rtr/shared';
import { main, navbar, searchField } from '../actions.ts';
import { expect, test } from '../test.ts';

const appScript = '**/assets/entry-client-*.js';

test('the HTML of the home page makes the browser request the font, the app script and the first picture before a script runs', async ({
  page,
  request,
}) => {
  const html = await (await request.get('/')).text();
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? [];
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  // Replaces the script that starts the app with an empty file, so that all requests come from the HTML.
  await page.route(`**${script}`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/', { waitUntil: 'load' });
  expect(requested).toEqual(
    expect.arrayContaining(['/pictures/hero-install.svg', expect.stringMatching(/^\/assets\/entry-client-.*\.js$/)]),
  );
  expect(requested.some((path) => path.endsWith('.woff2'))).toBe(true);
});

test('a page requests its route script and its picture once each, before the app script loads, and does not request data that its HTML contains', async ({
  page,
  backend,
  run,
}) => {
  const customer = await backend.customer();
  // No other service has a picture with this address, so the test can count the requests for it.
  const picture = `/pictures/preview.png?of=${customer.uid}`;
  const { id } = await backend.service(customer, { img: run.web + picture });
  await backend.review(customer, id, 'Quiet at last.', 5);
  const pages = {
    '/': [/^\/pictures\/hero-install\.svg$/],
    '/services': [/^\/assets\/services-.*\.js$/],
    [`/services/${id}`]: [/^\/assets\/service-details-.*\.js$/, picture],
  };
  for (const [path, expected] of Object.entries(pages)) {
    const requested: string[] = [];
    const recordRequest = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      requested.push(pathname + search);
    };
    const requestCounts = () =>
      expected.map(
        (file) => requested.filter((url) => (typeof file === 'string' ? url === file : file.test(url))).length,
      );
    // The app script is delivered only after the other files were requested, so these requests cannot depend on the app
    // script.
    await page.route(appScript, async (route) => {
      await expect.poll(requestCounts, { message: path }).toEqual(expected.map(() => 1));
      await route.continue();
    });
    page.on('request', recordRequest);
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(requestCounts(), path).toEqual(expected.map(() => 1));
    // Requests for similar services are allowed. The HTML does not contain these services, because they load only when
    // their section is near the visible part of the page.
    const apiCalls = requested.filter((url) => url.startsWith('/api/') && !url.startsWith('/api/services?limit=4&'));
    expect(apiCalls, path).toEqual([]);
    page.off('request', recordRequest);
    await page.unroute(appScript);
  }
});

test.describe('before the app script has loaded,', () => {
  // One of these tests makes the request for a picture fail, which the browser logs as an error.
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('links and the search form work', async ({ page, backend }) => {
    const { title } = await backend.service(await backend.customer());
    await page.route(appScript, () => {});
    await page.goto('/', { waitUntil: 'commit' });
    await navbar(page).getByRole('link', { name: 'Blogs' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
    const search = searchField(page);
    await search.fill(title);
    await search.press('Enter');
    await expect(page).toHaveURL(`/services?q=${title.replaceAll(' ', '+')}`);
    await expect(main(page).getByRole('article')).toHaveCount(1);
    await main(page).getByRole('article').getByRole('link', { name: title }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  });

  test('an answer on the page Blogs can be opened, and the hydration neither closes it nor moves the focus', async ({
    page,
  }) => {
    const nameOf = (heading: string) => `Read the answer: ${heading}`;
    const summary = (heading: string) => main(page).locator(`summary[aria-label="${nameOf(heading)}"]`);
    const button = (heading: string) => main(page).getByRole('button', { name: nameOf(heading), exact: true });
    const answer = main(page).getByText('A relational database stores each fact once');
    for (const [heading, focused] of [
      ['SQL vs NoSQL', () => summary('SQL vs NoSQL')],
      // Hydration replaces the `<summary>` of a collapsed answer by a button that opens the answer in a dialog.
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

  test('a picture can fail to load; after hydration, the placeholder replaces it', async ({ page, backend, run }) => {
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

test('the web-vitals metrics of a page are sent once, when the page becomes hidden, without any other data', async ({
  page,
}) => {
  // Stores the body of the beacon in the page, because Playwright cannot read it.
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
  // Waits until the script that measures the metrics has run.
  await page.evaluate((script) => import(script), (await loaded).url());
  await page.getByRole('button', { name: 'Next' }).click();
  // Wait until the click is measured: the browser reports it with a delay, and the script counts it in an idle callback.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const observer = new PerformanceObserver(() => requestIdleCallback(resolve));
        observer.observe({ type: 'first-input', buffered: true });
      }),
  );
  const hide = () =>
    page.evaluate(async () => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      const { beacons } = globalThis as unknown as { beacons: Blob[] };
      return Promise.all(beacons.map((beacon) => beacon.text()));
    });
  const response = page.waitForResponse('**/api/vitals');
  const sent = await hide();
  expect((await response).status()).toBe(204);
  expect(sent).toHaveLength(1);
  const { vitals, ...rest }: VitalsReport = JSON.parse(sent[0] ?? '');
  expect(rest).toEqual({});
  expect(vitals.map(({ name }) => name).toSorted()).toEqual(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']);
  for (const vital of vitals) expect(vital).toEqual({ name: vital.name, value: expect.any(Number) });
  expect(await hide()).toHaveLength(1);
});
