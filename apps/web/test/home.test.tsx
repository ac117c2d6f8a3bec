import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, noResponse, providerSessionKey } from './support/api.ts';
import { open } from './support/app.tsx';
import { aService, serve } from './support/catalogue.ts';

describe('the home page', () => {
  test('shows the carousel, the promotion, three services and the statistics, in this order', async () => {
    const { lists } = serve(Array.from({ length: 5 }, (_, at) => aService({ title: `Service ${at + 1}` })));
    await open('/');
    expect(await screen.findAllByRole('article')).toHaveLength(3);
    expect(lists).toEqual(['limit=3']);
    const main = within(screen.getByRole('main'));
    const landmarks = [
      main.getByRole('region', { name: 'Featured services' }),
      main.getByRole('heading', { name: 'Discover Our Kitchen' }),
      main.getByRole('link', { name: 'Get Started' }),
      main.getByRole('heading', { name: 'Service 1' }),
      main.getByText('25.6K'),
    ];
    for (const [at, landmark] of landmarks.entries())
      expect(at === 0 || follows(landmarks[at - 1] as Node, landmark)).toBe(true);
    expect(main.getByRole('link', { name: 'Get Started' }).getAttribute('href')).toBe('/services');
    expect(main.getByRole('link', { name: 'See all services' }).getAttribute('href')).toBe('/services');
    await waitFor(() => expect(document.title).toBe('Home RTR Cloud Kitchen'));
  });

  test('shows the statistics as text, each with its label', async () => {
    await open('/');
    await screen.findByText('25.6K');
    const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    const counted = screen.getAllByRole('term').map(({ textContent }) => textContent);
    expect(figures).toEqual(['25.6K', '2.6M', '2.6K', '96%']);
    expect(counted).toEqual(['Visits', 'Page views', 'Daily adds', 'Satisfaction']);
  });

  test('shows three placeholders while the services load', async () => {
    api.use(http.get('/api/services', noResponse));
    await open('/');
    await screen.findByRole('heading', { name: 'Newest services' });
    const grid = screen.getByRole('main').querySelector('[aria-busy="true"]');
    expect(grid?.children).toHaveLength(3);
    expect(screen.getByText('Loading services…').getAttribute('role')).toBe('status');
    expect(screen.queryByRole('article')).toBeNull();
  });
});

describe('the carousel', () => {
  const shown = () =>
    screen
      .getAllByRole('listitem')
      .filter((item) => item.getAttribute('aria-roledescription') === 'slide' && !item.hasAttribute('inert'));

  test('changes its slide with the buttons Next and Previous, the arrow keys and the dots, and makes hidden slides inert', async () => {
    const { user } = await open('/');
    const carousel = within(await screen.findByRole('region', { name: 'Featured services' }));
    expect(shown().map((slide) => slide.getAttribute('aria-label'))).toEqual(['1 of 3']);
    await user.click(carousel.getByRole('button', { name: 'Next' }));
    expect(shown().map((slide) => slide.getAttribute('aria-label'))).toEqual(['2 of 3']);
    await user.click(carousel.getByRole('button', { name: 'Previous' }));
    await user.click(carousel.getByRole('button', { name: 'Previous' }));
    expect(shown().map((slide) => slide.getAttribute('aria-label'))).toEqual(['3 of 3']);
    // In browsers, Alt with an arrow key goes back or forward, so the carousel ignores these keys.
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    expect(shown().map((slide) => slide.getAttribute('aria-label'))).toEqual(['3 of 3']);
    await user.keyboard('{ArrowLeft}');
    expect(shown().map((slide) => slide.getAttribute('aria-label'))).toEqual(['2 of 3']);
    await user.click(carousel.getByRole('button', { name: 'Show slide 1' }));
    expect(
      within(shown()[0] as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe('/services?q=hood%20installation');
  });

  describe('over time,', () => {
    test('shows the next slide automatically until the customer pauses the carousel', async () => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      await open('/');
      await screen.findByRole('region', { name: 'Featured services' });
      // React starts the timer in an effect, which runs in a later task of the event loop.
      await act(() => vi.advanceTimersByTimeAsync(0));
      pass(7000);
      expect(shown()[0]?.getAttribute('aria-label')).toBe('2 of 3');
      act(() => screen.getByRole('button', { name: 'Pause' }).click());
      pass(30_000);
      expect(shown()[0]?.getAttribute('aria-label')).toBe('2 of 3');
      expect(screen.getByRole('button', { name: 'Play' })).toBeTruthy();
    });

    test('does not change the slide while the focus is in the carousel, even after the pointer leaves the carousel', async () => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      await open('/');
      const carousel = await screen.findByRole('region', { name: 'Featured services' });
      await act(() => vi.advanceTimersByTimeAsync(0));
      act(() => screen.getByRole('button', { name: 'Show slide 1' }).focus());
      fireEvent.mouseEnter(carousel);
      fireEvent.mouseLeave(carousel);
      pass(30_000);
      expect(shown()[0]?.getAttribute('aria-label')).toBe('1 of 3');
      act(() => screen.getByRole('button', { name: 'Show slide 1' }).blur());
      pass(7000);
      expect(shown()[0]?.getAttribute('aria-label')).toBe('2 of 3');
    });

    test('does not change the slide when the customer prefers reduced motion', async () => {
      const { matchMedia } = window;
      vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
        Object.assign(matchMedia(query), { matches: query.includes('prefers-reduced-motion') }),
      );
      vi.useFakeTimers({ shouldAdvanceTime: true });
      await open('/');
      await screen.findByRole('region', { name: 'Featured services' });
      pass(30_000);
      expect(shown()[0]?.getAttribute('aria-label')).toBe('1 of 3');
    });
  });
});

describe('the home page while it is unknown whether somebody is signed in', () => {
  test('shows a progress bar instead of its content, and after 8 seconds also a text and a Retry button', async () => {
    localStorage.setItem(providerSessionKey(), '{}');
    api.use(http.get('/config.json', noResponse));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    document.title = '';
    await open('/');
    await waitFor(() => expect(document.title).toBe('Home RTR Cloud Kitchen'));
    expect(screen.getByRole('progressbar', { name: 'Loading…' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Discover Our Kitchen' })).toBeNull();
    expect(screen.queryByText('Still connecting…')).toBeNull();
    // React runs the effects in a separate task.
    await act(() => vi.advanceTimersByTimeAsync(0));
    pass(8000);
    expect(screen.getByText('Still connecting…')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});

const pass = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });

const follows = (one: Node, other: Node) =>
  Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
