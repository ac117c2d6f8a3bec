import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { api, customer, signedIn } from './support/api.ts';
import { logIn, open, toastOf } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';

const navigation = () => within(screen.getByRole('navigation', { name: 'Main' }));
const links = () =>
  navigation()
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

describe('the navbar', () => {
  test('for a visitor, shows Home, Services, Add Service, Blogs, Login and Sign Up', async () => {
    await open('/blogs');
    expect(links()).toEqual([
      ['Home', '/'],
      ['Services', '/services'],
      ['Add Service', '/addservices'],
      ['Blogs', '/blogs'],
      ['Login', '/login'],
      ['Sign Up', '/signup'],
    ]);
    expect(navigation().getByRole('link', { name: 'Sign Up' }).querySelector('svg')).toBeTruthy();
    expect(navigation().queryByRole('button', { name: 'Sign Out' })).toBeNull();
    expect(navigation().getByRole('link', { current: 'page' }).textContent).toBe('Blogs');
  });

  test('for a signed-in customer, shows My Review, My services, an avatar with the links of the account, and Sign Out, which opens the home page', async () => {
    const cora = await customer();
    api.use(http.get('/api/review', () => HttpResponse.json([])));
    const app = await open({ pathname: '/login', state: { from: { pathname: '/blogs' } } });
    await logIn(app, cora);
    await waitFor(() => expect(app.address()).toBe('/blogs'));
    expect(links()).toEqual([
      ['Home', '/'],
      ['Services', '/services'],
      ['Add Service', '/addservices'],
      ['Blogs', '/blogs'],
      ['My Review', '/myReview'],
      ['My services', '/myservices'],
      ['News', '/news'],
      ['Requests', '/requests'],
      ['Account', '/account'],
    ]);
    expect(navigation().getByRole('img', { name: 'Logged in as Cora Customer' })).toBeTruthy();
    await app.user.click(navigation().getByRole('link', { name: 'Account' }));
    await screen.findByRole('heading', { level: 1, name: 'Account' });
    await app.user.click(navigation().getByRole('button', { name: 'Sign Out' }));
    expect(await toastOf('Logout Successfully')).toBe('success');
    await waitFor(() => expect(app.address()).toBe('/'));
    expect(navigation().getByRole('link', { name: 'Login' })).toBeTruthy();
    expect(localStorage.getItem('rtr-cloud-kitchen-token')).toBeNull();
  });

  test('has a button that opens the menu on a narrow screen, and closes the menu after a navigation', async () => {
    const { user, address } = await open('/');
    const menu = screen.getByRole('button', { name: 'Open menu' });
    expect(menu.getAttribute('aria-expanded')).toBe('false');
    await user.click(menu);
    expect(screen.getByRole('button', { name: 'Close menu' }).getAttribute('aria-expanded')).toBe('true');
    await user.click(navigation().getByRole('link', { name: 'Blogs' }));
    await waitFor(() => expect(address()).toBe('/blogs'));
    const closed = await screen.findByRole('button', { name: 'Open menu' });
    expect(closed.getAttribute('aria-expanded')).toBe('false');
  });
});

test('Esc closes the menu of the navbar and returns the focus to the menu button', async () => {
  const { user } = await open('/blogs');
  await user.click(screen.getByRole('button', { name: 'Open menu' }));
  await user.keyboard('{Tab}{Escape}');
  const menu = screen.getByRole('button', { name: 'Open menu' });
  expect(menu.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(menu);
});

test('the content begins with the name of the site, the address and the date, which are only printed', async () => {
  await open('/services?q=fan');
  const source = screen.getByText(/^RTR Cloud Kitchen · http:\/\/localhost:3000\/services\?q=fan · \d+ \w+ \d{4}$/);
  expect(source.className).toMatch(/^hidden .*print:block$/);
});

// WCAG 2.1.4: people who use speech input or have a tremor press single keys by mistake.
test("a single key such as '/' is no shortcut", async () => {
  const { user } = await open('/blogs');
  await user.keyboard('/');
  expect(document.activeElement).toBe(document.body);
  const field = screen.getByRole('combobox', { name: 'Search services' });
  expect(field.getAttribute('aria-keyshortcuts')).toBeNull();
});

describe('when the connection is lost,', () => {
  const offline = 'You are offline. What you type is kept on this device.';
  const back = 'You are back online.';
  const turn = (kind: 'online' | 'offline') => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(kind === 'online');
    act(() => void window.dispatchEvent(new Event(kind)));
  };
  /** Returns each live region with its text. */
  const spoken = () => screen.getAllByRole('status').map((region) => [region, region.textContent] as const);

  test('the page announces that the browser is offline and, for 4 seconds after the connection is back, that it is online again', async () => {
    await open('/blogs');
    const regions = spoken().map(([region]) => region);
    expect(spoken().map(([, said]) => said)).not.toContain(offline);
    turn('offline');
    expect(regions).toContain(spoken().find(([, said]) => said === offline)?.[0]);
    vi.useFakeTimers();
    turn('online');
    expect(spoken().map(([, said]) => said)).toContain(back);
    act(() => void vi.advanceTimersByTime(3999));
    expect(spoken().map(([, said]) => said)).toContain(back);
    act(() => void vi.advanceTimersByTime(1));
    vi.useRealTimers();
    expect(screen.queryByText(back)).toBeNull();
    expect(screen.queryByText(offline)).toBeNull();
  });

  test('a page that is opened offline announces that the browser is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await open('/blogs');
    screen.getByText(offline);
  });

  test('a reloaded page announces once that the connection is back, and not again after another reload', async () => {
    const app = await open('/blogs');
    turn('offline');
    await app.close();
    turn('online');
    const again = await open('/blogs');
    await screen.findByText(back);
    await waitFor(() => expect(screen.queryByText(back)).toBeNull());
    await again.close();
    await open('/blogs');
    expect(screen.queryByText(back)).toBeNull();
  });

  test('a list that failed to load is requested again as soon as the connection is back', async () => {
    turn('offline');
    api.use(http.get('/api/services', () => HttpResponse.error()));
    await open('/services');
    await screen.findByText('The services did not load');
    serve([aService({ title: 'Fetched again' })]);
    turn('online');
    await screen.findByRole('heading', { name: 'Fetched again' });
    expect(screen.queryByText('The services did not load')).toBeNull();
  });

  test('a page that failed to load is requested again as soon as the connection is back', async () => {
    turn('offline');
    const service = aService({ title: 'Loaded again' });
    api.use(
      http.get('/api/services/:id', () => HttpResponse.error()),
      http.get('/api/allreview', () => HttpResponse.error()),
    );
    await open(`/services/${service._id}`);
    await screen.findByRole('heading', { name: 'This page did not load' });
    serve([service]);
    // The page adds its event listener in an effect, possibly after the first event. So the events are repeated.
    turn('online');
    turn('offline');
    turn('online');
    await screen.findByRole('heading', { level: 1, name: 'Loaded again' });
  });

  test('content that is already loaded stays visible even if a refresh fails', async () => {
    const service = aService({ title: 'Read before' });
    serve([service], [aReview(service, { review: 'Words read before.' })]);
    const { go } = await open('/services');
    await screen.findByRole('heading', { name: 'Read before' });
    await go(`/services/${service._id}`);
    await screen.findByText('Words read before.');
    await go('/blogs');
    turn('offline');
    const failing = vi.fn(() => HttpResponse.error());
    for (const path of ['/api/services', '/api/services/:id', '/api/allreview']) api.use(http.get(path, failing));
    // Content is stale after 30 s. The pages then fetch it again when they open.
    vi.setSystemTime(Date.now() + 60_000);
    await go('/services');
    await screen.findByRole('heading', { name: 'Read before' });
    await go(`/services/${service._id}`);
    await screen.findByText('Words read before.');
    await waitFor(() => expect(failing.mock.calls.length).toBeGreaterThan(3));
    expect(screen.queryByText(/did not load/)).toBeNull();
  });
});

test('a picture that failed to load is requested again when the browser is online again', async () => {
  serve([aService({ img: 'https://pictures.example/hood.jpg' })]);
  await open('/services');
  const picture = (await screen.findByRole('article')).querySelector('img');
  if (!picture) throw new Error('The card has no picture');
  fireEvent.error(picture);
  expect(picture.getAttribute('src')).toBe('/pictures/placeholder.svg');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(picture.getAttribute('src')).toBe('https://pictures.example/hood.jpg');
});

test('a picture that failed to load removes its listener for the online event when the picture leaves the page', async () => {
  const added = vi.spyOn(window, 'addEventListener');
  const removed = vi.spyOn(window, 'removeEventListener');
  const callsFor = ({ mock }: { mock: { calls: unknown[][] } }) =>
    mock.calls.filter(([type]) => type === 'online').length;
  const countListeners = () => callsFor(added) - callsFor(removed);
  serve([aService({ img: 'https://pictures.example/hood.jpg' })]);
  const { go } = await open('/blogs');
  const before = countListeners();
  await go('/services');
  const picture = (await screen.findByRole('article')).querySelector('img');
  if (!picture) throw new Error('The card has no picture');
  fireEvent.error(picture);
  expect(countListeners()).toBe(before + 1);
  await go('/blogs');
  // React runs the cleanup of an effect some time after it has removed the picture, so the test waits for the cleanup.
  await waitFor(() => expect(countListeners()).toBe(before));
});

describe('the layout of every page', () => {
  test('has a link that skips to the content as its first focusable element', async () => {
    const { user } = await open('/blogs');
    await user.tab();
    expect(document.activeElement?.textContent).toBe('Skip to content');
    expect(document.activeElement?.getAttribute('href')).toBe(`#${screen.getByRole('main').id}`);
  });

  test('has a link “Skip to content” that focuses the content and does not change the address', async () => {
    const { user } = await open({ pathname: '/login', state: { from: { pathname: '/about' } } });
    await screen.findByLabelText('Password');
    await user.click(screen.getByRole('link', { name: 'Skip to content' }));
    expect(document.activeElement).toBe(screen.getByRole('main'));
    // If the browser followed the link, the new history entry would not contain the page that opens after the login.
    expect(location.hash).toBe('');
  });

  test('sets the document title after a navigation, and focuses the main heading at the moment when the page appears', async () => {
    serve([aService()]);
    const { user } = await open('/');
    await waitFor(() => expect(document.title).toBe('Home RTR Cloud Kitchen'));
    expect(document.activeElement).toBe(document.body);
    const name = 'Blogs';
    let focused: Element | null | undefined;
    const observer = new MutationObserver(() => {
      if (screen.queryByRole('heading', { level: 1, name })) focused ??= document.activeElement;
    });
    onTestFinished(() => observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    await user.click(navigation().getByRole('link', { name }));
    expect(await screen.findByRole('heading', { level: 1, name })).toBe(focused);
    expect(document.title).toBe('Blogs RTR Cloud Kitchen');
  });

  test('shows a Not Found page with a link to the home page for an unknown address', async () => {
    await open('/menu/of/the/day');
    expect(await screen.findByRole('heading', { level: 1, name: 'This page isn’t on the menu' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go Back Home' }).getAttribute('href')).toBe('/');
    await waitFor(() => expect(document.title).toBe('Not Found RTR Cloud Kitchen'));
  });

  test.each(['/SERVICES', '/Blogs'])(
    'shows the page regardless of upper and lower case in its address: %s',
    async (path) => {
      serve([]);
      await open(path);
      expect((await screen.findByRole('heading', { level: 1 })).textContent?.toLowerCase()).toBe(
        path.slice(1).toLowerCase(),
      );
    },
  );
});

describe('the footer', () => {
  afterEach(() => {
    delete document.documentElement.dataset.theme;
  });

  test('has links to predefined searches, such as “Air conditioning”, and each link has an address', async () => {
    await open('/');
    const footer = within(screen.getByRole('contentinfo'));
    for (const list of ['Services', 'Company', 'Legal'])
      expect(footer.getByRole('heading', { name: list })).toBeTruthy();
    expect(footer.getByRole('link', { name: 'Air conditioning' }).getAttribute('href')).toBe(
      '/services?q=air%20conditioning',
    );
    for (const link of footer.getAllByRole('link'))
      expect(link.getAttribute('href')).toMatch(
        /^\/(services\?q=.+|blogs|addservices|about|how-reviews-work|privacy|terms)$/,
      );
  });

  test('if the form that adds a service is open, a click on the link Add Service does not change the page to which the form returns', async () => {
    await signedIn();
    const state = { from: { pathname: '/services', search: '?q=hood' } };
    const { user, router } = await open({ pathname: '/addservices', state });
    await screen.findByRole('heading', { name: 'Add a service' });
    const { key } = router.state.location;
    await user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Add Service' }));
    await waitFor(() => expect(router.state.location.key).not.toBe(key));
    expect(router.state.location.state).toEqual({ from: expect.objectContaining(state.from) as unknown });
  });

  test('applies the chosen theme immediately and on the next visit, until the theme “System” is chosen', async () => {
    const first = await open('/');
    await first.user.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await first.close();
    const second = await open('/');
    expect(screen.getByRole('radio', { name: 'Dark' })).toHaveProperty('checked', true);
    await second.user.click(screen.getByRole('radio', { name: 'System' }));
    expect(document.documentElement.dataset.theme).toBeUndefined();
    expect(document.cookie).not.toContain('rtr-theme');
  });
});
