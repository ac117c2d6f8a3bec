import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, problem } from './support/api.ts';
import { open, saying } from './support/app.tsx';
import { aService, serve } from './support/catalogue.ts';

const cards = () => screen.findAllByRole('article');
const titles = () => screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

describe('the list of services', () => {
  test('shows the title, the price, the stars and the “Lister’s own rating” of each service', async () => {
    const service = aService({ averageRating: 4.25, ratingCount: 12, reviewCount: 14 });
    serve([service]);
    await open('/services');
    const card = within((await cards())[0] as HTMLElement);
    expect(card.getByRole('link', { name: 'Hood repair' }).getAttribute('href')).toBe(`/services/${service._id}`);
    expect(card.getByText('from $120')).toBeTruthy();
    expect(card.getByText(saying('Lister’s own rating: 4.8 / 5'))).toBeTruthy();
    expect(card.getByText('4.3 out of 5 stars, 12 ratings')).toBeTruthy();
    expect(screen.getByText('1 service')).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Services RTR Cloud Kitchen'));
  });

  test('shows a default text or picture for each empty field of a service', async () => {
    serve([aService({ title: ' ', price: '', ratting: '', img: '' })]);
    await open('/services');
    const card = within((await cards())[0] as HTMLElement);
    expect(card.getByRole('link', { name: 'Untitled service' })).toBeTruthy();
    expect(card.getByText('Price on request')).toBeTruthy();
    expect(card.getByText('No star ratings yet')).toBeTruthy();
    expect(card.queryByText(/Lister/)).toBeNull();
    expect(card.getByRole('presentation').getAttribute('src')).toBe('/pictures/placeholder.svg');
  });

  test('shows the default texts for fields that contain only invisible characters', async () => {
    serve([aService({ title: '\u200b\u3164', price: '\u2060', ratting: '\u200b' })]);
    await open('/services');
    const card = within((await cards())[0] as HTMLElement);
    expect(card.getByRole('link', { name: 'Untitled service' })).toBeTruthy();
    expect(card.getByText('Price on request')).toBeTruthy();
    expect(card.queryByText(/Lister/)).toBeNull();
  });

  test.each([
    ['100 characters are not shortened', 'x'.repeat(100), 'x'.repeat(100)],
    ['the 101st character is replaced by dots', 'x'.repeat(101), `${'x'.repeat(100)}...`],
    [
      'an emoji counts as one character and is not split',
      `${'x'.repeat(99)}👩🏽‍🍳 and more`,
      `${'x'.repeat(99)}👩🏽‍🍳...`,
    ],
    ['100 emoji are not shortened', '🔥'.repeat(100), '🔥'.repeat(100)],
  ])('shows at most 100 characters of a description: %s', async (_, description, shown) => {
    serve([aService({ description })]);
    await open('/services');
    expect(within((await cards())[0] as HTMLElement).getByText(shown)).toBeTruthy();
  });

  test('shows a placeholder instead of a picture that does not load', async () => {
    serve([aService({ img: 'https://pictures.example/gone.png' })]);
    await open('/services');
    const picture = within((await cards())[0] as HTMLElement).getByRole('presentation');
    expect(picture.getAttribute('referrerpolicy')).toBe('no-referrer');
    picture.dispatchEvent(new Event('error'));
    await waitFor(() => expect(picture.getAttribute('src')).toBe('/pictures/placeholder.svg'));
  });

  test('has a link to the first page of the list when the address of the page contains an invalid cursor', async () => {
    api.use(
      http.get('/api/services', ({ request }) =>
        request.url.includes('after=') ? problem(400, 'The parameter after is invalid.') : HttpResponse.json([]),
      ),
    );
    const { user, address } = await open('/services?after=x&sort=price');
    await screen.findByText('This part of the list cannot be shown. The link may be old or incomplete.');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Back to the first page' }));
    await waitFor(() => expect(address()).toBe('/services?sort=price'));
    await screen.findByRole('heading', { name: 'No services yet' });
  });

  test('has a link to add the first service when there are no services', async () => {
    serve([]);
    const { address } = await open('/services');
    expect(await screen.findByRole('heading', { name: 'No services yet' })).toBeTruthy();
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'Add Service' }).getAttribute('href')).toBe('/addservices');
    expect(address()).toBe('/services');
  });
});

describe('the search for services', () => {
  const kitchen = [
    aService({ title: 'Hood repair' }),
    aService({ title: 'Cold room repair' }),
    aService({ title: 'Duct cleaning' }),
  ];

  test('writes the search words into the address of the page', async () => {
    serve(kitchen);
    const { user, address } = await open('/blogs');
    const field = await screen.findByRole('combobox', { name: 'Search services' });
    await user.type(field, 'repair{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=repair'));
    expect(await screen.findByText(saying('2 services for “repair”'))).toBeTruthy();
    expect(titles()).toEqual(['Hood repair', 'Cold room repair']);
    for (const each of screen.getAllByRole('combobox', { name: 'Search services' }))
      expect(each).toHaveProperty('value', 'repair');
  });

  test('keeps the text that the customer types while the results of the previous search are loading', async () => {
    serve(kitchen);
    const { user, address } = await open('/blogs');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    api.use(
      http.get('/api/services', async ({ request }) => {
        if (request.url.includes('q=repair')) await isReleased;
      }),
    );
    const field = await screen.findByRole('combobox', { name: 'Search services' });
    await user.type(field, 'repair{Enter}');
    await screen.findByText('Loading…');
    await user.type(field, ' hood');
    release();
    await waitFor(() => expect(address()).toBe('/services?q=repair'));
    expect(field.isConnected).toBe(true);
    expect(field).toHaveProperty('value', 'repair hood');
    await user.type(field, 's{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=repair+hoods'));
  });

  test('keeps the search words if the customer chooses a sort order while the search is loading', async () => {
    serve(kitchen);
    const { user, address } = await open('/services');
    await cards();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    api.use(
      http.get('/api/services', async ({ request }) => {
        if (request.url.includes('sort=relevance&q=repair')) await isReleased;
      }),
    );
    await user.type(screen.getAllByRole('combobox', { name: 'Search services' })[0] as HTMLElement, 'repair{Enter}');
    await screen.findByText('Loading…');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Title (A–Z)');
    await waitFor(() => expect(address()).toBe('/services?q=repair&sort=title'));
    release();
    await waitFor(() => expect(titles()).toEqual(['Cold room repair', 'Hood repair']));
  });

  test('shows the results of a predefined search when its link is clicked, keeps the sort order, and shows all services again after Back', async () => {
    serve(kitchen);
    const { user, address, back } = await open('/services');
    await cards();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Title (A–Z)');
    await waitFor(() => expect(address()).toBe('/services?sort=title'));
    await waitFor(() => expect(titles()).toEqual(['Cold room repair', 'Duct cleaning', 'Hood repair']));
    const chips = within(screen.getByRole('navigation', { name: 'What do you need?' }));
    await user.click(chips.getByRole('link', { name: 'Duct cleaning' }));
    await waitFor(() => expect(address()).toBe('/services?q=duct+cleaning&sort=title'));
    await waitFor(() => expect(titles()).toEqual(['Duct cleaning']));
    expect(chips.getByRole('link', { name: 'Duct cleaning' }).getAttribute('aria-current')).toBe('true');
    await back();
    await waitFor(() => expect(titles()).toHaveLength(3));
  });

  test('shows links to predefined searches, such as “Hood repair”, when nothing is found', async () => {
    serve(kitchen);
    const { user } = await open('/services?q=zzz');
    expect(await screen.findByRole('heading', { name: 'Nothing found for “zzz”' })).toBeTruthy();
    const others = within(screen.getByRole('navigation', { name: 'What do you need?' })).getAllByRole('link');
    expect(others.map(({ textContent }) => textContent)).toEqual([
      'Hood installation',
      'Hood repair',
      'Duct cleaning',
      'Air conditioning',
      'Cold rooms',
      'Gas safety',
    ]);
    await user.click(screen.getByRole('link', { name: 'Show all services' }));
    await waitFor(async () => expect(await cards()).toHaveLength(3));
  });

  test.each([
    ['/services?sort=loudest', 'limit=60&sort=newest'],
    ['/services?sort=relevance', 'limit=60&sort=newest'],
    ['/services?q=repair&sort=loudest', 'limit=60&sort=relevance&q=repair'],
    ['/services?q=repair&sort=newest', 'limit=60&sort=newest&q=repair'],
  ])('at %s, sends the query %s to the API (default order if the order is not valid)', async (path, list) => {
    const { lists } = serve(kitchen);
    await open(path);
    await cards();
    expect(lists).toEqual([list]);
  });

  test('sorts the results by relevance by default, and offers this sort order only for a search', async () => {
    serve(kitchen);
    const { user, address, go } = await open('/services?q=repair');
    await cards();
    const choice = () => screen.getByRole('combobox', { name: 'Sort by' });
    const options = () =>
      within(choice())
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(options()).toEqual(['Most relevant', 'Newest', 'Highest rated', 'Lowest price', 'Title (A–Z)']);
    expect(choice()).toHaveProperty('value', 'relevance');
    await user.selectOptions(choice(), 'Newest');
    await waitFor(() => expect(address()).toBe('/services?q=repair&sort=newest'));
    await user.selectOptions(choice(), 'Most relevant');
    await waitFor(() => expect(address()).toBe('/services?q=repair'));
    await go('/services');
    await waitFor(() => expect(options()).toEqual(['Newest', 'Highest rated', 'Lowest price', 'Title (A–Z)']));
  });

  test.each([
    ['corrected', { searchedFor: 'hood дым' }, 'Showing results for “hood дым”: 1 service'],
    [
      'left out words that no service has',
      { searchedFor: 'hood repair', leftOut: 'queens', unknown: 'queens' },
      'No service mentions “queens”. These match “hood repair”. 1 service',
    ],
    [
      'left out words that other services have',
      { searchedFor: 'pizza', leftOut: 'queens' },
      'No service mentions all of these words. These match “pizza”, but not “queens”. 1 service',
    ],
  ])('announces that the API has %s', async (_, { searchedFor, leftOut, unknown }: Record<string, string>, said) => {
    serve(kitchen);
    api.use(
      http.get('/api/services', () =>
        HttpResponse.json(kitchen.slice(0, 1), {
          headers: {
            'X-Total-Count': '1',
            'X-Searched-For': encodeURIComponent(searchedFor ?? ''),
            ...(leftOut && { 'X-Left-Out': leftOut }),
            ...(unknown && { 'X-Unknown-Words': unknown }),
          },
        }),
      ),
    );
    await open('/services?q=hod');
    expect((await screen.findByText(saying(said))).closest('[role=status]')).not.toBeNull();
  });
});

describe('a long list of services', () => {
  const many = Array.from({ length: 130 }, (_, at) => aService({ title: `Service ${at + 1}` }));

  test('loads 60 services at a time, and shows the total from the start', async () => {
    const { lists } = serve(many);
    const { user, address, router } = await open('/services');
    expect(await cards()).toHaveLength(60);
    expect(address()).toBe('/services');
    expect(screen.getByText('130 services')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await cards()).toHaveLength(120));
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await cards()).toHaveLength(130));
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    // The clicked button was removed, so the focus moves to the last card of the list.
    expect(document.activeElement?.closest('article')).toBe((await cards()).at(-1));
    expect(new Set(titles()).size).toBe(130);
    await waitFor(() => expect(address()).toBe('/services?count=130'));
    expect(router.state.historyAction).toBe('REPLACE');
    expect(lists.map((list) => new URLSearchParams(list).get('after'))).toEqual([null, '60', '120']);
  });

  test('loads more services when its end comes close to the visible part of the page, even if the IntersectionObserver reports several entries at once', async () => {
    let notify: ((moments: { isIntersecting: boolean }[]) => void) | undefined;
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: NonNullable<typeof notify>) {
          notify = callback;
        }
        observe() {}
        disconnect() {}
      },
    );
    serve(many);
    await open('/services');
    expect(await cards()).toHaveLength(60);
    // The page creates its IntersectionObserver in an effect, which runs after the render. So the test waits until the
    // observer exists.
    await waitFor(() => expect(notify).toBeDefined());
    act(() => notify?.([{ isIntersecting: false }, { isIntersecting: true }]));
    await waitFor(async () => expect(await cards()).toHaveLength(120));
  });

  test('continues to load more services while its end stays close to the visible part of the page', async () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        callback: (moments: { isIntersecting: boolean }[]) => void;
        constructor(callback: (moments: { isIntersecting: boolean }[]) => void) {
          this.callback = callback;
        }
        // A real IntersectionObserver reports the current state once, and then each change. In this test, the state never
        // changes, so there is only one report.
        observe() {
          queueMicrotask(() => act(() => this.callback([{ isIntersecting: true }])));
        }
        disconnect() {}
      },
    );
    serve(many);
    await open('/services');
    await waitFor(async () => expect(await cards()).toHaveLength(130));
  });

  test('if the API sends no total, says that there are more services than shown', async () => {
    serve(Array.from({ length: 10_001 }, () => aService()));
    const { user } = await open('/services?q=hood');
    expect(await screen.findByText(saying('More than 60 services for “hood”'))).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await cards()).toHaveLength(120));
    expect(screen.getByText(saying('More than 60 services for “hood”'))).toBeTruthy();
  });

  test('shows the loaded services without another request when the customer returns to the list', async () => {
    const { lists } = serve(many);
    const { user, address, back } = await open('/services');
    await cards();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await cards()).toHaveLength(120));
    await user.click(screen.getByRole('link', { name: 'Service 100' }));
    await waitFor(() => expect(address()).toMatch(/^\/services\/[0-9a-f]{24}$/));
    const asked = lists.length;
    await back();
    expect(await screen.findByRole('heading', { name: 'Service 120' })).toBeTruthy();
    expect(lists.slice(asked).filter((list) => list.startsWith('limit=60'))).toEqual([]);
  });

  test('loads the same number of services after a reload, but only the first page after a change of the sort order', async () => {
    const { lists } = serve(many);
    const { user, address } = await open('/services?sort=title&count=120');
    expect(await cards()).toHaveLength(120);
    expect(lists.map((list) => new URLSearchParams(list).get('after'))).toEqual([null, '60']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Newest');
    await waitFor(() => expect(address()).toBe('/services'));
    await waitFor(async () => expect(await cards()).toHaveLength(60));
  });

  test('removes the query parameter `count` from the address of the page if its value is not a number', async () => {
    serve(many);
    const { address } = await open('/services?count=lots');
    expect(await cards()).toHaveLength(60);
    await waitFor(() => expect(address()).toBe('/services'));
  });

  test('keeps the loaded services when the next page fails to load, and the button Try again loads that page', async () => {
    serve(many);
    const { user } = await open('/services');
    await cards();
    api.use(http.get('/api/services', () => problem(500, 'Something broke on our side.'), { once: true }));
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect((await screen.findByRole('alert')).textContent).toContain('We could not load more services.');
    expect(await cards()).toHaveLength(60);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await cards()).toHaveLength(120));
  });

  test('announces the error each time that a click on “Try again” fails to load the next page', async () => {
    serve(many);
    const { user } = await open('/services');
    await cards();
    api.use(http.get('/api/services', () => problem(500, 'Something broke on our side.')));
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    const regions = screen.getAllByRole('status');
    const announced = () => regions.map(({ textContent }) => textContent);
    const failure = 'We could not load more services.';
    await screen.findByRole('alert');
    expect(announced()).not.toContain(failure);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(announced()).toContain(failure));
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    api.use(http.get('/api/services', () => isReleased));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(announced()).not.toContain(failure);
    release();
    await waitFor(() => expect(announced()).toContain(failure));
  });
});

describe('the search field', () => {
  const titles = ['Hood installation', 'Hood repair', 'Duct cleaning from hood to roof'];
  const searches = titles.map((text) => ({ kind: 'search', text }));

  async function openField(answer: () => Response | Promise<Response> = () => HttpResponse.json(searches)) {
    serve(titles.map((title) => aService({ title })));
    const asked: (string | null)[] = [];
    api.use(
      http.get('/api/services/suggestions', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('q'));
        return answer();
      }),
    );
    const app = await open('/blogs');
    const field = await screen.findByRole('combobox', { name: 'Search services' });
    const options = () => screen.findAllByRole('option');
    const selected = () => screen.queryByRole('option', { selected: true })?.textContent;
    return { ...app, asked, field, options, selected };
  }

  test('shows suggestions while the customer types, sends only one request for fast typing, and caches the suggestions', async () => {
    const { user, asked, field, options } = await openField();
    expect(field.getAttribute('aria-expanded')).toBe('false');
    for (const value of ['h', 'ho', 'hoo', 'hood']) fireEvent.change(field, { target: { value } });
    expect((await options()).map(({ textContent }) => textContent)).toEqual(titles);
    expect(field.getAttribute('aria-expanded')).toBe('true');
    expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Suggestions' }).id);
    expect(asked).toEqual(['hood']);
    await user.type(field, 's');
    await waitFor(() => expect(asked).toEqual(['hood', 'hoods']));
    await user.type(field, '{Backspace}');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked).toEqual(['hood', 'hoods']);
  });

  test('selects a suggestion with the arrow keys, and searches for it with Enter', async () => {
    const { user, field, options, selected, address } = await openField();
    await user.type(field, 'ho');
    await options();
    expect(selected()).toBeUndefined();
    await user.keyboard('{ArrowDown}');
    expect(selected()).toBe(titles[0]);
    expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(selected()).toBe(titles[2]);
    await user.keyboard('{ArrowDown}');
    expect(selected()).toBeUndefined();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(selected()).toBe(titles[1]);
    expect(field).toHaveProperty('value', 'ho');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=Hood+repair'));
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('keeps the same suggestion selected when a new list contains it at another place', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answers = [HttpResponse.json(searches), promise];
    const { user, field, options, selected } = await openField(() => answers.shift() ?? promise);
    await user.type(field, 'ho');
    await options();
    await user.type(field, 'o');
    await user.keyboard('{ArrowDown}');
    resolve(HttpResponse.json(searches.toReversed()));
    await waitFor(async () => expect((await options())[0]?.textContent).toBe(titles[2]));
    expect(selected()).toBe(titles[0]);
  });

  test('searches for the typed text with Enter if no suggestion is selected', async () => {
    const { user, field, options, address } = await openField();
    await user.type(field, 'ho');
    await options();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=ho'));
  });

  test('closes the suggestions with Escape and opens them again with an arrow key, and keeps the typed text', async () => {
    const { user, field, options } = await openField();
    await user.type(field, 'ho');
    await options();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field).toHaveProperty('value', 'ho');
    await user.keyboard('{ArrowDown}');
    expect(await options()).toHaveLength(3);
    await user.tab();
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('searches for a suggestion that is clicked', async () => {
    const { user, field, options, address } = await openField();
    await user.type(field, 'ho');
    await user.click((await options())[0] as HTMLElement);
    await waitFor(() => expect(address()).toBe('/services?q=Hood+installation'));
  });

  test('opens a suggested service, and lists the services of a suggested area', async () => {
    const service = aService({ title: 'Hood repair' });
    const { user, field, address } = await openField(() =>
      HttpResponse.json([
        { kind: 'service', text: 'Hood repair', serviceId: service._id },
        { kind: 'area', text: 'Hood bay' },
      ]),
    );
    await user.type(field, 'hood');
    await user.click(await screen.findByRole('option', { name: /^Hood bay/ }));
    await waitFor(() => expect(address()).toBe('/services?area=Hood+bay'));
    await user.type(screen.getAllByRole('combobox', { name: 'Search services' })[0] as HTMLElement, 'hood');
    await screen.findByRole('option', { name: /^Hood repair/ });
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(address()).toBe(`/services/${service._id}`));
  });

  test('works without suggestions if their request fails', async () => {
    const { user, field, address } = await openField(() => problem(500, 'Something broke on our side.'));
    await user.type(field, 'hood');
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(address()).toBe('/services?q=hood'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows no suggestions for an empty text', async () => {
    const { user, asked, field, options } = await openField();
    await user.type(field, 'h');
    await options();
    await user.type(field, '{Backspace}');
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
    await user.type(field, '  ');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(asked).toEqual(['h']);
  });
});

describe('the filters of the list of services', () => {
  const kitchen = [aService({ title: 'Hood repair', area: 'Old town and harbour' })];
  const areas = [
    { area: 'Old town and harbour', count: 3 },
    { area: 'Riverside', count: 2 },
  ];
  const filters = () => within(screen.getByRole('list', { name: 'Active filters' }));

  test('work together, are in the address, and each can be removed', async () => {
    const { lists } = serve(kitchen, [], areas);
    const { user, address } = await open('/services?q=hood&sort=title');
    await cards();
    await user.click(screen.getByText('Filters'));
    await user.click(screen.getByRole('link', { name: 'Riverside 2' }));
    await waitFor(() => expect(address()).toBe('/services?q=hood&area=Riverside&sort=title'));
    for (const [name, query] of [
      ['4 stars or more', 'minRating=4'],
      ['Phone or website', 'contact=1'],
    ] as const) {
      await user.click(screen.getByRole('link', { name }));
      await waitFor(() => expect(address()).toContain(query));
    }
    await user.click(screen.getByRole('link', { name: 'With photos' }));
    const all = 'area=Riverside&minRating=4&contact=1&photos=1';
    await waitFor(() => expect(address()).toBe(`/services?q=hood&${all}&sort=title`));
    expect(lists.at(-1)).toBe(`limit=60&sort=title&q=hood&${all}`);
    expect(screen.getByRole('link', { name: 'Riverside 2' }).getAttribute('aria-current')).toBe('true');
    await user.click(filters().getByRole('link', { name: 'Remove the filter Phone or website' }));
    await waitFor(() => expect(address()).toBe('/services?q=hood&area=Riverside&minRating=4&photos=1&sort=title'));
    await user.click(filters().getByRole('link', { name: 'Clear all' }));
    await waitFor(() => expect(address()).toBe('/services?q=hood&sort=title'));
    expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
  });

  test('accept any area, and offer the last one again without applying it', async () => {
    serve(kitchen, [], areas);
    const { user, address, go } = await open('/services?minRating=3');
    await cards();
    await user.type(screen.getByRole('textbox', { name: 'Another area' }), 'Harbour{Enter}');
    await waitFor(() => expect(new URLSearchParams(address().split('?')[1]).get('area')).toBe('Harbour'));
    expect(new URLSearchParams(address().split('?')[1]).get('minRating')).toBe('3');
    await go('/services');
    await waitFor(() => expect(address()).toBe('/services'));
    await user.click(await screen.findByRole('link', { name: 'Last used: Harbour' }));
    await waitFor(() => expect(address()).toBe('/services?area=Harbour'));
  });

  test('can be removed when no service matches them', async () => {
    serve([], [], areas);
    const { user, address } = await open('/services?area=Riverside&contact=1');
    expect(await screen.findByRole('heading', { name: 'No service matches these filters' })).toBeTruthy();
    await user.click(filters().getByRole('link', { name: 'Remove the filter Riverside' }));
    await waitFor(() => expect(address()).toBe('/services?contact=1'));
    await user.click(filters().getByRole('link', { name: 'Clear all' }));
    await waitFor(() => expect(address()).toBe('/services'));
    // An area without services is not offered again.
    expect(screen.queryByRole('link', { name: /Last used/ })).toBeNull();
  });

  test.each(['minRating=7', 'contact=yes', 'photos=0', 'area=%20'])(
    'ignore the invalid parameter %s',
    async (query) => {
      const { lists } = serve(kitchen, [], areas);
      await open(`/services?${query}`);
      await cards();
      expect(lists).toEqual(['limit=60&sort=newest']);
    },
  );

  test('the area of a service is below its title', async () => {
    serve(kitchen);
    await open('/services');
    expect(within((await cards())[0] as HTMLElement).getByText('Old town and harbour')).toBeTruthy();
  });
});
