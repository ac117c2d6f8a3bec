import type { NewsEntry } from '@rtr/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, problem, signedIn } from './support/api.ts';
import { open, toastOf } from './support/app.tsx';

const serviceId = '65f0c0ffee0ddba11ca11ab1';
const reviewId = '65f0c0ffee0ddba11ca11ab2';
const requestId = '65f0c0ffee0ddba11ca11ab3';

const anEntry = (given: Partial<NewsEntry> = {}): NewsEntry => ({
  kind: 'review',
  at: new Date(Date.now() - 3.5 * 3_600_000).toJSON(),
  isNew: false,
  serviceId,
  title: 'Hood repair',
  reviewId,
  name: 'Amira Haddad',
  rating: 5,
  ...given,
});

/** Fakes an API with these entries. Returns the bodies of the requests that mark them as read. */
function fakeNews(...initial: NewsEntry[]) {
  let entries = initial;
  const marks: { until: string }[] = [];
  const countVersions: (string | null)[] = [];
  api.use(
    http.get('/api/news', ({ request }) => {
      const from = Number(new URL(request.url).searchParams.get('after') ?? 0);
      const headers: Record<string, string> =
        from + 2 < entries.length ? { Link: `</news?after=${from + 2}>; rel="next"` } : {};
      return HttpResponse.json(entries.slice(from, from + 2), { headers });
    }),
    http.get('/api/news/count', ({ request }) => {
      const count = entries.filter(({ isNew }) => isNew).length;
      const ETag = `"${count}"`;
      const ifNoneMatch = request.headers.get('If-None-Match');
      countVersions.push(ifNoneMatch);
      if (ifNoneMatch === ETag) return new HttpResponse(null, { status: 304, headers: { ETag } });
      return HttpResponse.json({ count }, { headers: { ETag } });
    }),
    http.post('/api/news/seen', async ({ request }) => {
      marks.push((await request.json()) as { until: string });
      entries = entries.map((entry) => ({ ...entry, isNew: false }));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const add = (entry: NewsEntry) => {
    entries = [entry, ...entries];
  };
  return { marks, countVersions, add };
}

describe('the page News', () => {
  const about = { reviewId, name: undefined, rating: undefined };
  test.each<[string, Partial<NewsEntry>, string]>([
    ['Amira Haddad reviewed Hood repair with 5 stars 3 hours ago.', {}, `/services/${serviceId}#review-${reviewId}`],
    [
      'Customer reviewed Untitled service 3 hours ago.',
      { title: ' ', name: '', rating: undefined },
      `/services/${serviceId}#review-${reviewId}`,
    ],
    [
      'Mina Duct replied to your review of Hood repair 3 hours ago.',
      { kind: 'reply', name: 'Mina Duct' },
      `/services/${serviceId}#review-${reviewId}`,
    ],
    [
      '5 customers found your review of Hood repair useful 3 hours ago.',
      { ...about, kind: 'useful', count: 5 },
      `/services/${serviceId}#review-${reviewId}`,
    ],
    [
      'Amira Haddad sent you a message about Hood repair 3 hours ago.',
      { kind: 'message', reviewId: undefined, requestId },
      `/requests/${requestId}#newest`,
    ],
    [
      'A moderator hid your review of Hood repair 3 hours ago.',
      { ...about, kind: 'decision', part: 'review', outcome: 'hidden' },
      '/myreview',
    ],
    [
      'A moderator removed the picture of your service Hood repair 3 hours ago.',
      { ...about, kind: 'decision', reviewId: undefined, part: 'picture', outcome: 'hidden' },
      '/myservices',
    ],
    [
      'A moderator kept your reply to a review of Hood repair visible 3 hours ago.',
      { ...about, kind: 'decision', part: 'reply', outcome: 'kept' },
      '/myservices',
    ],
    [
      'A moderator hid your message about Hood repair 3 hours ago.',
      { ...about, kind: 'decision', reviewId: undefined, requestId, part: 'message', outcome: 'hidden' },
      `/requests/${requestId}#newest`,
    ],
    [
      'After your report, a moderator removed the photos of the review of Hood repair 3 hours ago.',
      { ...about, kind: 'report', part: 'picture', outcome: 'hidden' },
      '/account#reports',
    ],
    [
      'A moderator read your report and kept the service Hood repair visible 3 hours ago.',
      { ...about, kind: 'report', reviewId: undefined, part: 'service', outcome: 'kept' },
      '/account#reports',
    ],
  ])('says in one sentence “%s” and links to the place', async (sentence, entry, address) => {
    fakeNews(anEntry(entry));
    await signedIn();
    await open('/news');
    const link = await within(screen.getByRole('main')).findByRole('link', { name: sentence });
    expect(link.getAttribute('href')).toBe(address);
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  });

  test('marks the new entries, and marks all as read up to the newest entry', async () => {
    const newest = anEntry({ isNew: true, at: '2026-11-04T10:00:00.000Z' });
    const { marks } = fakeNews(newest, anEntry({ kind: 'reply', at: '2026-11-03T10:00:00.000Z' }));
    await signedIn();
    const { user } = await open('/news');
    await waitFor(() => expect(document.title).toBe('(1) News RTR Cloud Kitchen'));
    expect(await screen.findAllByText('New')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
    expect(await toastOf('All news is marked as read.')).toBe('success');
    expect(marks).toEqual([{ until: newest.at }]);
    await waitFor(() => expect(screen.queryByText('New')).toBeNull());
    await waitFor(() => expect(document.title).toBe('News RTR Cloud Kitchen'));
    expect(screen.queryByText(/^News/, { selector: '[role=status]' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  });

  test('says so if the entries could not be marked as read', async () => {
    fakeNews(anEntry({ isNew: true }));
    api.use(http.post('/api/news/seen', () => problem(503, 'The database is away.')));
    await signedIn();
    const { user } = await open('/news');
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    expect(await toastOf('Your news was not marked as read. Try again.')).toBe('error');
  });

  test('loads further pages', async () => {
    fakeNews(anEntry(), anEntry({ kind: 'reply' }), anEntry({ kind: 'useful', count: 1 }));
    await signedIn();
    const { user } = await open('/news');
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    await screen.findByRole('link', { name: /^1 customer found your review/ });
  });

  test('says so if there are no news, and offers a retry if they do not load', async () => {
    await signedIn();
    const { user, close } = await open('/news');
    await screen.findByRole('heading', { name: 'No news yet' });
    await close();
    api.use(http.get('/api/news', () => problem(500, 'A bug')));
    await open('/news');
    await screen.findByRole('heading', { name: 'Your news did not load' });
    fakeNews(anEntry());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: /^Amira Haddad reviewed/ });
  });

  test('shows a new entry as soon as the number of new entries shows it', async () => {
    const { add } = fakeNews(anEntry());
    await signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open('/news');
    await screen.findByRole('link', { name: /reviewed Hood repair/ });
    add(anEntry({ kind: 'useful', count: 1, isNew: true }));
    await act(() => vi.advanceTimersByTimeAsync(4000));
    await screen.findByRole('link', { name: /^1 customer found your review/ });
  });
});

describe('the number of new entries', () => {
  test('is shown in the header and in the title, is announced once, and is requested once per page with the known version', async () => {
    const { countVersions, add } = fakeNews(anEntry({ isNew: true }), anEntry({ kind: 'reply', isNew: true }));
    await signedIn();
    const { go } = await open('/blogs');
    await waitFor(() => expect(document.title).toBe('(2) Blogs RTR Cloud Kitchen'));
    screen.getByRole('link', { name: 'News (2 new)' });
    const announcement = screen.getByText('News (2 new)', { selector: '[role=status]' });
    expect(countVersions).toEqual([null]);
    await go('/about');
    await waitFor(() => expect(countVersions).toEqual([null, '"2"']));
    expect(document.title).toBe('(2) About RTR Cloud Kitchen');
    expect(announcement.textContent).toBe('News (2 new)');
    add(anEntry({ isNew: true, kind: 'useful', count: 1 }));
    await go('/terms');
    await waitFor(() => expect(announcement.textContent).toBe('News (3 new)'));
    expect(countVersions).toHaveLength(3);
  });

  test('is requested again when the customer returns to the tab', async () => {
    const { countVersions, add } = fakeNews();
    await signedIn();
    await open('/blogs');
    await waitFor(() => expect(countVersions).toHaveLength(1));
    const visibility = vi.spyOn(document, 'visibilityState', 'get');
    for (const state of ['hidden', 'visible'] as const) {
      visibility.mockReturnValue(state);
      if (state === 'hidden') add(anEntry({ isNew: true }));
      act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    }
    await waitFor(() => expect(document.title).toBe('(1) Blogs RTR Cloud Kitchen'));
  });

  test('is requested every few seconds on a page where the customer waits for others, and not on other pages', async () => {
    const { countVersions, add } = fakeNews();
    await signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { go } = await open('/blogs');
    await waitFor(() => expect(countVersions).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(countVersions).toHaveLength(1);
    await go('/requests');
    await waitFor(() => expect(countVersions).toHaveLength(2));
    add(anEntry({ isNew: true }));
    await act(() => vi.advanceTimersByTimeAsync(4000));
    await waitFor(() => expect(document.title).toBe('(1) Requests RTR Cloud Kitchen'));
  });

  test('is not requested for a visitor, and not shown if the request fails', async () => {
    const { countVersions } = fakeNews(anEntry({ isNew: true }));
    const { close } = await open('/blogs');
    await screen.findByRole('heading', { level: 1 });
    expect(countVersions).toEqual([]);
    await close();
    let askedCount = 0;
    api.use(
      http.get('/api/news/count', () => {
        askedCount += 1;
        return problem(500, 'A bug');
      }),
    );
    await signedIn();
    await open('/blogs');
    await waitFor(() => expect(askedCount).toBe(1));
    await waitFor(() => expect(document.title).toBe('Blogs RTR Cloud Kitchen'));
  });
});

describe('the account menu', () => {
  test('opens with a click on the photo, and closes with Esc, outside, and after a navigation', async () => {
    await signedIn();
    const { user, address } = await open('/blogs');
    const button = await screen.findByRole('button', { name: 'Account menu' });
    const isOpen = () => button.getAttribute('aria-expanded');
    await user.click(button);
    expect(isOpen()).toBe('true');
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'News' }));
    await user.keyboard('{Escape}');
    expect(isOpen()).toBe('false');
    expect(document.activeElement).toBe(button);
    await user.click(button);
    await user.click(screen.getByRole('heading', { level: 1 }));
    expect(isOpen()).toBe('false');
    await user.click(button);
    await user.click(screen.getByRole('link', { name: 'Requests' }));
    await waitFor(() => expect(address()).toBe('/requests'));
    expect(screen.getByRole('button', { name: 'Account menu' }).getAttribute('aria-expanded')).toBe('false');
  });
});
