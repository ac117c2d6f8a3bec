import { main, navbar, openSignedIn, searchField } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

test('the carousel stays on its slide when the width of the window changes', async ({ page }) => {
  await page.goto('/');
  // The test clicks this button and not Next, because the carousel may already have moved to another slide.
  await main(page).getByRole('button', { name: 'Show slide 2' }).click();
  const repair = main(page).getByRole('link', { name: 'See hood repair' });
  for (const width of [360, 1280, 700]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(repair).toBeInViewport({ ratio: 1 });
    await expect(main(page).getByRole('button', { name: 'Show slide 2' })).toHaveAttribute('aria-current', 'true');
  }
});

test.describe('with reduced motion,', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the carousel shows the next slide without an animation', async ({ page }) => {
    await page.goto('/');
    const carousel = main(page).locator('[aria-roledescription="carousel"]');
    await expect(carousel.getByRole('button', { name: 'Next' })).toBeVisible();
    // Measures the position immediately after the click. If the carousel were animated, the next slide would not be in
    // its place yet.
    const isShown = await carousel.evaluate((section) => {
      const track = section.querySelector('ul');
      section.querySelector<HTMLElement>('button[aria-label^="Next"]')?.click();
      return track !== null && track.scrollLeft === track.clientWidth;
    });
    expect(isShown).toBe(true);
  });
});

test('a click on a navbar link opens its page even if the view transition of an earlier click is just starting', async ({
  page,
}) => {
  await page.goto('/blogs');
  await navbar(page).getByRole('link', { name: 'Home' }).click();
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      // A few frames pass between the call of `startViewTransition` and the call of `update`. The test clicks a link in
      // between, as a visitor could.
      document.querySelector<HTMLElement>('nav [href="/blogs"]')?.click();
      Object.assign(window, { transitionEnd: transition.finished });
      return transition;
    };
  });
  await main(page).getByRole('article').first().getByRole('link').click();
  await expect(page).toHaveURL('/blogs');
  await page.evaluate(() => Reflect.get(window, 'transitionEnd') as Promise<void>);
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
});

test('a card in the list of services opens the page of its service, where the picture can be enlarged', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer();
  const long = 'Grease leaves the kitchen where it is made. '.repeat(5);
  const service = await backend.service(customer, { description: long, price: '', ratting: '9 of 10' });
  await page.goto('/services');
  await expect(page).toHaveTitle('Services RTR Cloud Kitchen');
  const card = main(page).getByRole('article').filter({ hasText: service.title });
  await expect(card).toContainText(`${long.slice(0, 100)}...`);
  await expect(card).toContainText('Price on request');
  await card.getByRole('link').first().click();

  await expect(page).toHaveURL(`/services/${service.id}`);
  await expect(page).toHaveTitle(`${service.title} RTR Cloud Kitchen`);
  await expect(main(page).getByText('Lister’s own rating: 9 of 10')).toBeVisible();
  await main(page)
    .getByRole('button', { name: /enlarge/i })
    .click();
  const lightbox = page.getByRole('dialog');
  await expect(lightbox.getByRole('img')).toBeVisible();
  await lightbox
    .getByRole('button', { name: /rotate/i })
    .first()
    .click();
  await lightbox.getByRole('button', { name: /zoom in/i }).click();
  await page.keyboard.press('Escape');
  await expect(lightbox).toBeHidden();
});

test('a customer adds a service and finds it with the search', async ({ page, backend }) => {
  const customer = await backend.customer();
  await openSignedIn(page, customer);
  // After saving, the form returns to the page on which the customer clicked Add Service.
  await main(page).getByRole('link', { name: 'See all services' }).click();
  await expect(page).toHaveTitle('Services RTR Cloud Kitchen');
  await navbar(page).getByRole('link', { name: 'Add Service', exact: true }).click();
  await expect(page).toHaveTitle('Add Service RTR Cloud Kitchen');
  const form = main(page);
  const title = `Wok range extractor ${customer.uid.slice(0, 6)}`;
  await form.getByLabel('Title', { exact: true }).fill(title);
  await form.getByLabel('Rating', { exact: true }).fill('4.9');
  await form.getByLabel('Price', { exact: true }).fill('from $1,200');
  await form.getByLabel('Description', { exact: true }).fill('For three burners.');
  await form.getByLabel('Title', { exact: true }).press('Enter');
  await expectToast(page, 'success', 'Service Add Successfully');
  await expect(page).toHaveURL('/services');
  await expect(page).toHaveTitle('Services RTR Cloud Kitchen');
  await expect(main(page).getByRole('article').filter({ hasText: title })).toBeVisible();

  const search = searchField(page);
  await search.fill(title.toUpperCase());
  await search.press('Enter');
  await expect(main(page).getByRole('article')).toHaveCount(1);
  await expect(main(page).getByRole('article')).toContainText(title);
  await search.fill(title.slice(0, -1));
  await page.getByRole('option', { name: title }).first().click();
  await expect(page).toHaveURL(/\/services\/[0-9a-f]{24}$/);
  await expect(main(page).getByRole('heading', { level: 1, name: title })).toBeVisible();
  await search.fill('zzzzzz');
  await search.press('Enter');
  await expect(main(page).getByText('Nothing found for “zzzzzz”')).toBeVisible();
});

test('the Back button restores the loaded services and the scroll position of a long list, even after 20 minutes on another page', async ({
  page,
  backend,
}) => {
  const { id, title } = await backend.service(await backend.customer());
  const real = await (await backend.call(`/services/${id}`)).json();
  const rows = Array.from({ length: 150 }, (_, at) =>
    at === 129 ? real : { ...real, _id: String(at).padStart(24, '0'), title: `Service ${at + 1}` },
  );
  // The response is faked, because 150 real services would push the services of other tests out of the lists.
  await page.route('**/api/services?*', async (route) => {
    const { searchParams } = new URL(route.request().url());
    const from = Number(searchParams.get('after') ?? 0);
    const more = from + 60 < rows.length && { Link: `</services?after=${from + 60}>; rel="next"` };
    await route.fulfill({ json: rows.slice(from, from + 60), headers: { 'X-Total-Count': '150', ...more } });
  });
  await page.clock.install();
  // Searches on the open page, so that the browser requests the list from the API. If the search were opened by its URL, the
  // HTML from the server would already contain the list.
  await page.goto('/services');
  const search = searchField(page);
  await search.fill('hood');
  await search.press('Enter');
  await expect(main(page).getByText('150 services for “hood”')).toBeVisible();
  await main(page).getByLabel('Sort by').selectOption('Title (A–Z)');
  await expect(page).toHaveURL('/services?q=hood&sort=title');
  const cards = main(page).getByRole('article');
  await expect(cards).toHaveCount(60);
  await expect(async () => {
    await cards.last().scrollIntoViewIfNeeded();
    await expect(cards).toHaveCount(150, { timeout: 500 });
  }).toPass();
  const card = cards.filter({ hasText: title });
  // With `trial`, Playwright does not click. It only waits until the card has stopped moving.
  await card.getByRole('link').click({ trial: true });
  const topOfCard = () => card.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const topBefore = await topOfCard();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(10_000);

  await card.getByRole('link').click();
  await expect(page).toHaveURL(`/services/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.clock.fastForward('20:00');
  await page.goBack();
  await expect(page).toHaveURL('/services?q=hood&sort=title&count=150');
  await expect(cards).toHaveCount(150);
  await expect.poll(topOfCard).toBe(topBefore);
  await expect(main(page).getByText('150 services for “hood”')).toBeVisible();
  await expect(main(page).getByLabel('Sort by')).toHaveValue('title');
});

test('a service that a visitor saves is marked as saved in every tab, and listed under Saved services', async ({
  page,
  context,
  backend,
}) => {
  const { id, title } = await backend.service(await backend.customer());
  const list = `/services?q=${encodeURIComponent(title)}`;
  const heart = { name: `Save ${title}` };
  const otherTab = await context.newPage();
  await otherTab.goto(list);
  await expect(otherTab.getByRole('button', heart)).toHaveAttribute('aria-pressed', 'false');

  await page.goto(list);
  await main(page).getByRole('button', heart).click();
  await expect(page).toHaveURL(list);
  await expect(otherTab.getByRole('button', heart)).toHaveAttribute('aria-pressed', 'true');
  await main(page).getByRole('link', { name: '1 saved' }).click();
  await expect(page).toHaveURL('/services?saved');
  await expect(page).toHaveTitle('Saved and viewed services RTR Cloud Kitchen');
  await expect(main(page).getByText('1 saved, 0 viewed on this device')).toBeVisible();
  await main(page).getByRole('article').getByRole('link', { name: title }).click();
  await expect(page).toHaveURL(`/services/${id}`);
  await expect(main(page).getByRole('button', heart).first()).toHaveAttribute('aria-pressed', 'true');

  await page.goBack();
  await expect(main(page).getByText('1 saved, 1 viewed on this device')).toBeVisible();
  await expect(main(page).getByRole('article')).toHaveCount(2);
  await page.reload();
  await main(page).getByRole('button', heart).first().click();
  await expect(main(page).getByText('0 saved, 1 viewed on this device')).toBeVisible();
  await expect(otherTab.getByRole('button', heart)).toHaveAttribute('aria-pressed', 'false');
});

test('an enlarged picture can be zoomed with buttons, the mouse wheel, keys and a pinch, and moved with the arrow keys', async ({
  page,
  backend,
}) => {
  const service = await backend.service(await backend.customer());
  await page.goto(`/services/${service.id}`);
  await main(page)
    .getByRole('button', { name: /enlarge/i })
    .click();
  const lightbox = page.getByRole('dialog');
  const picture = lightbox.getByRole('img');
  /** Returns the position and size of the picture when all animations have finished. */
  const box = () =>
    picture.evaluate(async (element) => {
      const frame = () => new Promise(requestAnimationFrame);
      let before: DOMRect;
      let now = element.getBoundingClientRect();
      do {
        before = now;
        await frame();
        await frame();
        now = element.getBoundingClientRect();
      } while (now.x !== before.x || now.width !== before.width);
      return { x: now.x, y: now.y, width: now.width, height: now.height };
    });
  const width = async () => (await box()).width;
  const initialWidth = await width();
  const zooms = async (larger: boolean, act: () => Promise<void>) => {
    const before = await width();
    await act();
    if (larger) await expect.poll(width).toBeGreaterThan(before * 1.05);
    else await expect.poll(width).toBeLessThan(before * 0.95);
  };
  const reset = async () => {
    await lightbox.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(width).toBeCloseTo(initialWidth, 0);
  };

  await zooms(true, () => lightbox.getByRole('button', { name: 'Zoom in' }).click());
  await expect(lightbox.getByText(/^Zoomed to \d+ percent$/)).toBeAttached();
  await zooms(false, () => lightbox.getByRole('button', { name: 'Zoom out' }).click());
  await reset();
  await zooms(true, () => page.keyboard.press('+'));
  await zooms(false, () => page.keyboard.press('-'));
  await reset();
  const { x, y, width: w, height: h } = await box();
  await page.mouse.move(x + w / 2, y + h / 2);
  await zooms(true, () => page.mouse.wheel(0, -300));
  await reset();

  const devtools = await page.context().newCDPSession(page);
  const fingers = (apart: number) => [-apart, apart].map((from) => ({ x: x + w / 2 + from, y: y + h / 2 }));
  await zooms(true, async () => {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(20) });
    for (const apart of [40, 80, 120])
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  });

  const left = async () => (await box()).x;
  const before = await left();
  await page.keyboard.press('ArrowRight');
  await expect.poll(left).toBeLessThan(before - 20);
  // Each key press moves the picture by up to 80 px. After 60 key presses, the edge of the picture is reached, so a further
  // key press does not move it.
  for (let presses = 0; presses < 60; presses++) await page.keyboard.press('ArrowLeft');
  const edge = await left();
  expect(edge).toBeGreaterThan(before);
  await page.keyboard.press('ArrowLeft');
  expect(await left()).toBe(edge);
});

test.describe('on a phone,', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('swiping and the arrow keys move the carousel to another slide', async ({ page }) => {
    await page.goto('/');
    const carousel = main(page).locator('[aria-roledescription="carousel"]');
    await carousel.getByRole('button', { name: 'Pause' }).click();
    const { y } = (await carousel.boundingBox()) ?? { y: 0 };
    const devtools = await page.context().newCDPSession(page);
    // The timestamps say that the finger stops for 1.2 s before `touchEnd`, so the swipe has no momentum. With momentum, the
    // carousel can scroll past the second slide. The first timestamp is two seconds ago, so that none is in the future.
    const start = Date.now() / 1000 - 2;
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', seconds: number, x?: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        timestamp: start + seconds,
        touchPoints: x === undefined ? [] : [{ x, y: y + 120 }],
      });
    await touch('touchStart', 0, 320);
    for (let x = 300; x > 20; x -= 20) await touch('touchMove', (320 - x) / 1000, x);
    await touch('touchEnd', 1.5);
    const second = carousel.getByRole('button', { name: 'Show slide 2' });
    await expect(second).toHaveAttribute('aria-current', 'true');
    await expect(carousel.getByRole('link', { name: 'See hood repair' })).toBeInViewport({ ratio: 1 });

    await second.focus();
    await page.keyboard.press('ArrowRight');
    await expect(carousel.getByRole('link', { name: 'See air conditioning' })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('ArrowLeft');
    await expect(carousel.getByRole('link', { name: 'See hood repair' })).toBeInViewport({ ratio: 1 });
  });
});
