import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { api, noResponse, problem, signedIn } from '../support/api.ts';
import { blockStorage, fillStorage, open, saying, toastOf } from '../support/app.tsx';
import { aService, serve } from '../support/catalogue.ts';

const heart = (title: string) => screen.findByRole('button', { name: `Save ${title}` });
const pressed = async (title: string) => (await heart(title)).getAttribute('aria-pressed');
const section = async (name: string) =>
  within((await screen.findByRole('heading', { level: 2, name })).closest('section') as HTMLElement);
const saved = () => section('Saved services');
const viewed = () => section('Recently viewed services');
const titlesIn = (list: Awaited<ReturnType<typeof section>>) =>
  list.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);
const store = (saved: { _id: string }[], viewed: { _id: string }[] = []) => {
  localStorage.setItem('rtr-saved', saved.map(({ _id }) => _id).join(' '));
  localStorage.setItem('rtr-viewed', viewed.map(({ _id }) => _id).join(' '));
};

const hood = aService({ title: 'Hood repair' });
const duct = aService({ title: 'Duct cleaning' });
const gas = aService({ title: 'Gas safety check' });
const gone = aService({ title: 'Gone' });

describe('the heart button of a service', () => {
  test('keeps the service saved on this device for the next visit, even when nobody is signed in', async () => {
    serve([hood, duct]);
    const first = await open('/services');
    expect(await pressed('Duct cleaning')).toBe('false');
    await first.user.click(await heart('Duct cleaning'));
    expect(await pressed('Duct cleaning')).toBe('true');
    expect(await pressed('Hood repair')).toBe('false');
    expect(first.address()).toBe('/services');
    expect(screen.getByRole('link', { name: '1 saved' }).getAttribute('href')).toBe('/services?saved');
    await first.close();

    const { user } = await open('/services');
    expect(await pressed('Duct cleaning')).toBe('true');
    await user.click(await heart('Duct cleaning'));
    expect(await pressed('Duct cleaning')).toBe('false');
    expect(screen.getByRole('link', { name: '0 saved' })).toBeTruthy();
  });

  test('is shown on the cards of the home page and on the page of the service, in the same state', async () => {
    serve([gas]);
    const { user, address } = await open('/');
    await user.click(await heart('Gas safety check'));
    await user.click(screen.getByRole('link', { name: 'Gas safety check' }));
    await waitFor(() => expect(address()).toBe(`/services/${gas._id}`));
    expect(await screen.findByRole('heading', { level: 1, name: 'Gas safety check' })).toBeTruthy();
    expect(await pressed('Gas safety check')).toBe('true');
  });

  test('is shown as pressed after another tab saved the service', async () => {
    serve([hood, duct]);
    await open('/services');
    expect(await pressed('Duct cleaning')).toBe('false');
    store([duct]);
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'rtr-saved', newValue: duct._id })));
    expect(await pressed('Duct cleaning')).toBe('true');
    expect(screen.getByRole('link', { name: '1 saved' })).toBeTruthy();
  });

  test('shows an error and saves nothing when 200 services are already saved', async () => {
    serve([hood]);
    localStorage.setItem('rtr-saved', Array.from({ length: 200 }, (_, at) => `kept-${at}`).join(' '));
    const { user } = await open('/services');
    await user.click(await heart('Hood repair'));
    expect(
      await toastOf('You have saved 200 services, which is the maximum. Remove one before you save another.'),
    ).toBe('error');
    expect(await pressed('Hood repair')).toBe('false');
    expect(screen.getByRole('link', { name: '200 saved' })).toBeTruthy();
  });

  test('shows an error and stays unpressed when the browser cannot store data', async () => {
    serve([hood]);
    fillStorage();
    const { user } = await open('/services');
    await user.click(await heart('Hood repair'));
    expect(await toastOf('Your browser does not allow this site to store data, so the service was not saved.')).toBe(
      'error',
    );
    expect(await pressed('Hood repair')).toBe('false');
  });

  test('saves services on the device; the saved and the recently viewed services stay there after Sign Out', async () => {
    serve([hood]);
    store([hood], [hood]);
    await signedIn();
    const { user } = await open('/services');
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await toastOf('Logout Successfully');
    expect(localStorage.getItem('rtr-saved')).toBe(hood._id);
    expect(localStorage.getItem('rtr-viewed')).toBe(hood._id);
  });
});

describe('the page with the saved and the recently viewed services', () => {
  test('has its own title, shows the saved and the viewed services with their counts, and does not load the list of all services', async () => {
    const { lists } = serve([hood, duct, gas]);
    store([duct, hood], [gas]);
    await open('/services?saved');
    expect(await screen.findByRole('heading', { level: 1, name: 'Saved and viewed services' })).toBeTruthy();
    expect(screen.getByText('2 saved, 1 viewed on this device')).toBeTruthy();
    await waitFor(async () => expect(titlesIn(await saved())).toEqual(['Duct cleaning', 'Hood repair']));
    expect(titlesIn(await viewed())).toEqual(['Gas safety check']);
    expect(document.title).toBe('Saved and viewed services RTR Cloud Kitchen');
    expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
    expect(lists).toEqual([]);
  });

  test('opens after a click on the link “1 saved” above the list of services and moves the focus to its own link “1 saved”; the Back button returns to the list', async () => {
    serve([hood, duct]);
    store([duct]);
    const { user, address, back } = await open('/services?q=hood');
    expect(await screen.findByText(saying('1 service for “hood”'))).toBeTruthy();
    await user.click(screen.getByRole('link', { name: '1 saved' }));
    await waitFor(() => expect(address()).toBe('/services?saved'));
    await waitFor(async () => expect(titlesIn(await saved())).toEqual(['Duct cleaning']));
    expect(document.activeElement).toBe(screen.getByRole('link', { name: '1 saved', current: true }));
    await back();
    expect(await screen.findByText(saying('1 service for “hood”'))).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1, name: 'Services' })).toBeTruthy();
    expect(screen.getByRole('link', { name: '1 saved' }).getAttribute('aria-current')).toBe('false');
  });

  test('explains how to save services, and how services become recently viewed, when there are none', async () => {
    serve([hood]);
    await open('/services?saved');
    const none = within(
      (await screen.findByRole('heading', { name: 'No saved services yet' })).parentElement as HTMLElement,
    );
    expect(none.getByText('Press the heart on a service to save it.')).toBeTruthy();
    expect(none.getByRole('link', { name: 'See all services' }).getAttribute('href')).toBe('/services');
    expect((await viewed()).getByText('Services you view appear here.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Clear recently viewed' })).toBeNull();
  });

  test('says that services cannot be saved when the browser storage is blocked', async () => {
    blockStorage();
    await open('/services?saved');
    const said = 'Your browser does not allow this site to store data, so you cannot save services here.';
    expect(await screen.findByText(said)).toBeTruthy();
    expect(screen.queryByText('No saved services yet')).toBeNull();
  });

  test('shows placeholders while the services load', async () => {
    api.use(http.get('/api/services/:id', noResponse));
    store([hood, duct]);
    await open('/services?saved');
    const list = (await saved()).getByRole('list');
    expect([...list.children].map((place) => place.childElementCount)).toEqual([1, 1]);
    await waitFor(() => expect(list.getAttribute('aria-busy')).toBe('true'));
    expect(screen.queryByRole('article')).toBeNull();
  });

  test('shows the other services when one service fails to load, and the button Try again loads that service', async () => {
    serve([hood, duct]);
    store([hood, duct]);
    let failures = 1;
    api.use(
      http.get(`/api/services/${duct._id}`, () =>
        failures-- > 0 ? problem(500, 'Something broke on our side.') : undefined,
      ),
    );
    const { user } = await open('/services?saved');
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByRole('heading', { name: 'Some services did not load' })).toBeTruthy();
    await waitFor(async () => expect(titlesIn(await saved())).toEqual(['Hood repair']));
    await user.click(alert.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(titlesIn(await saved())).toEqual(['Hood repair', 'Duct cleaning']));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows a text instead of a service that no longer exists, with a button that removes the service from the list', async () => {
    serve([hood]);
    store([gone, hood], [gone]);
    const { user } = await open('/services?saved');
    await waitFor(() => expect(screen.getAllByRole('heading', { name: 'This service is not listed' })).toHaveLength(2));
    for (const list of [await saved(), await viewed()]) {
      await user.click(list.getByRole('button', { name: 'Remove from this list' }));
      expect(list.queryByRole('heading', { name: 'This service is not listed' })).toBeNull();
      expect(document.activeElement?.tagName).toBe('H2');
    }
    expect(localStorage.getItem('rtr-saved')).toBe(hood._id);
    expect(screen.getByText('1 saved, 0 viewed on this device')).toBeTruthy();
  });

  test('still shows a removed service until the customer leaves the page', async () => {
    serve([hood, duct]);
    store([hood, duct]);
    const { user, go, back } = await open('/services?saved');
    await user.click(await heart('Hood repair'));
    expect(screen.getByText('1 saved, 0 viewed on this device')).toBeTruthy();
    expect(titlesIn(await saved())).toEqual(['Hood repair', 'Duct cleaning']);
    await go('/blogs');
    await screen.findByRole('heading', { level: 1, name: 'Blogs' });
    await back();
    await waitFor(async () => expect(titlesIn(await saved())).toEqual(['Duct cleaning']));
  });

  test('shows the 12 most recently viewed services, the latest first, and has a button that clears this list', async () => {
    const many = Array.from({ length: 14 }, (_, at) => aService({ title: `Service ${at + 1}` }));
    serve(many);
    const { user, go } = await open('/services');
    for (const { _id, title } of [...many, many[4] ?? hood]) {
      await go(`/services/${_id}`);
      await screen.findByRole('heading', { level: 1, name: title });
    }
    await go('/services?saved');
    const order = [5, 14, 13, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((at) => `Service ${at}`);
    await waitFor(async () => expect(titlesIn(await viewed())).toEqual(order));
    await user.click(screen.getByRole('button', { name: 'Clear recently viewed' }));
    expect((await viewed()).getByText('Services you view appear here.')).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Recently viewed services');
    expect(screen.getByText('0 saved, 0 viewed on this device')).toBeTruthy();
    expect(localStorage.getItem('rtr-viewed')).toBe('');
  });

  test('adds nothing to the recently viewed services when no service exists at the opened address', async () => {
    serve([]);
    await open(`/services/${gone._id}`);
    await screen.findByRole('heading', { name: 'This service is not listed' });
    expect(localStorage.getItem('rtr-viewed')).toBeNull();
  });
});

describe('similar services on the page of a service', () => {
  /** Returns the heading of the section with similar services, and the titles of these services. */
  const similar = () => {
    const heading = screen.getByRole('heading', { level: 2, name: /Similar|Newest/ });
    return [heading.textContent, ...titlesIn(within(heading.closest('section') as HTMLElement))];
  };
  const expectShown = (...said: string[]) => waitFor(() => expect(similar()).toEqual(said));

  test('are at most three other services that match the same predefined search, such as “hood repair”', async () => {
    const repairs = Array.from({ length: 5 }, (_, at) => aService({ title: `Hood repair ${at + 1}` }));
    const { lists } = serve([aService({ title: 'Duct cleaning' }), ...repairs]);
    await open(`/services/${repairs[1]?._id}`);
    await expectShown('Similar services', 'Hood repair 1', 'Hood repair 3', 'Hood repair 4');
    expect(lists.filter((list) => list.includes('q='))).toEqual(['limit=4&q=hood+repair&sort=rating']);
  });

  test('are the results of the predefined search “hood repair” if only the description of the opened service contains these words', async () => {
    const rattle = aService({ title: 'Rattling fans', description: 'Hood parts and their repair.' });
    serve([hood, rattle]);
    await open(`/services/${rattle._id}`);
    await expectShown('Similar services', 'Hood repair');
  });

  test('are the results of the predefined search “cold room”, which also finds titles with “cold rooms”', async () => {
    const doors = aService({ title: 'Cold room doors and hinges' });
    serve([hood, doors, aService({ title: 'Cold rooms, panel built' })]);
    await open(`/services/${doors._id}`);
    await expectShown('Similar services', 'Cold rooms, panel built');
  });

  test('are the results of a search for “hood” if the title contains only this first word of the predefined search “hood repair”', async () => {
    const [one, other] = [
      aService({ title: 'Hood over a six-burner range' }),
      aService({ title: 'Six-burner ranges' }),
    ];
    serve([duct, hood, one, other]);
    await open(`/services/${one._id}`);
    await expectShown('Similar services', 'Hood repair');
  });

  test('are the results of a search for the longest word of the title, such as “extractor”, if the title contains no word of a predefined search', async () => {
    const [one, other] = [aService({ title: 'Wok extractor' }), aService({ title: 'Extractors for pizza' })];
    serve([hood, one, other]);
    await open(`/services/${one._id}`);
    await expectShown('Similar services', 'Extractors for pizza');
  });

  test('are replaced by the newest services, under another heading, when no service is similar', async () => {
    serve([gas, duct, hood]);
    await open(`/services/${hood._id}`);
    await expectShown('Newest services', 'Gas safety check', 'Duct cleaning');
  });

  test.each([
    ['there are no other services', () => HttpResponse.json([hood])],
    ['the request fails', () => problem(500, 'Something broke on our side.')],
  ])('are not shown when %s', async (_, response) => {
    serve([hood]);
    api.use(http.get('/api/services', response));
    await open(`/services/${hood._id}`);
    await screen.findByRole('heading', { level: 1, name: 'Hood repair' });
    await waitFor(() => expect(screen.queryByRole('heading', { name: /Similar|Newest/ })).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('are shown as three placeholders while they load', async () => {
    serve([hood]);
    api.use(http.get('/api/services', noResponse));
    await open(`/services/${hood._id}`);
    const list = (await section('Similar services')).getByRole('list');
    expect([...list.children].map((place) => place.childElementCount)).toEqual([1, 1, 1]);
  });
});
