import type { Conversation } from '@rtr/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, problem, signedIn } from '../support/api.ts';
import { open } from '../support/app.tsx';
import { aConversation, aMessage, summaryOf } from '../support/conversations.ts';

const ids = ['65f0c0ffee0ddba11ca11ac1', '65f0c0ffee0ddba11ca11ac2', '65f0c0ffee0ddba11ca11ac3'] as const;

/** Fakes an API with these conversations, which are sent in pages of two. */
function fakeRequests(...conversations: Conversation[]): string[] {
  const asked: string[] = [];
  api.use(
    http.get('/api/requests', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const rows = conversations.filter(({ isUnread }) => isUnread || !searchParams.has('unread'));
      const from = Number(searchParams.get('after') ?? 0);
      const headers: Record<string, string> = { 'X-Total-Count': String(rows.length) };
      if (from + 2 < rows.length) headers.Link = `</requests?after=${from + 2}>; rel="next"`;
      return HttpResponse.json(rows.slice(from, from + 2), { headers });
    }),
  );
  return asked;
}

const conversations = () =>
  [
    aConversation({ _id: ids[0], serviceTitle: ' ', isUnread: true }),
    aConversation({
      _id: ids[1],
      role: 'customer',
      status: 'closed',
      messages: [aMessage({ isOwn: true, text: 'Thank you.' })],
    }),
    aConversation({
      _id: ids[2],
      other: { name: '', picture: '', isClosed: true },
      messages: [aMessage({ text: '' })],
    }),
  ].map(summaryOf);

describe('the page Requests', () => {
  test('lists the conversations with the other person, the newest message and marks, and loads further pages', async () => {
    fakeRequests(...conversations());
    await signedIn();
    const { user } = await open('/requests');
    await screen.findByText('3 requests');
    const [first, second] = screen.getAllByRole('article').map((card) => within(card));
    const link = first?.getByRole('link', { name: 'Untitled service' });
    expect(link?.getAttribute('href')).toBe(`/requests/${ids[0]}#newest`);
    first?.getByText('Amira Haddad');
    first?.getByText('Unread');
    second?.getByText('Thank you.');
    second?.getByText('Closed');
    expect(second?.queryByText('Unread')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3));
    const third = within(screen.getAllByRole('article')[2] as HTMLElement);
    third.getByText('Closed account');
    third.getByText('Message without text');
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  test('loads the conversations again when there is news', async () => {
    const shown = conversations();
    const asked = fakeRequests(...shown);
    let count = 0;
    api.use(http.get('/api/news/count', () => HttpResponse.json({ count })));
    await signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open('/requests');
    await screen.findByText('3 requests');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(asked).toHaveLength(1);
    count = 1;
    await act(() => vi.advanceTimersByTimeAsync(4000));
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  test('can show only unread conversations', async () => {
    const asked = fakeRequests(...conversations());
    await signedIn();
    const { user, address } = await open('/requests');
    await screen.findByText('3 requests');
    await user.click(screen.getByRole('link', { name: 'Unread' }));
    await screen.findByText('1 request');
    expect(address()).toBe('/requests?unread=1');
    expect(screen.getByRole('link', { name: 'Unread' }).getAttribute('aria-current')).toBe('true');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(asked.at(-1)).toContain('unread=1');
  });

  test.each([
    ['/requests', 'No requests yet'],
    ['/requests?unread=1', 'Nothing unread'],
  ])('%s says “%s” if the list is empty', async (path, title) => {
    await signedIn();
    await open(path);
    await screen.findByRole('heading', { name: title });
  });

  test('offers a retry if the conversations do not load', async () => {
    api.use(http.get('/api/requests', () => problem(500, 'A bug')));
    await signedIn();
    const { user } = await open('/requests');
    await screen.findByRole('heading', { name: 'Your requests did not load' });
    fakeRequests(...conversations());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('3 requests');
  });
});
