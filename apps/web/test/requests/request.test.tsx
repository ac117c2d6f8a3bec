import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, limitReached, problem, signedIn } from '../support/api.ts';
import { type Opened, open, saying, storedDrafts, toastOf } from '../support/app.tsx';
import { aConversation, aMessage, conversationId, fakeConversation } from '../support/conversations.ts';

const path = `/requests/${conversationId}`;

async function openRequest(): Promise<Opened> {
  await signedIn();
  const app = await open(path);
  await screen.findByRole('list', { name: 'Messages' });
  return app;
}

const messages = () => within(screen.getByRole('list', { name: 'Messages' })).getAllByRole('listitem');
const answer = () => screen.getByLabelText<HTMLTextAreaElement>('Your message');
const send = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Send message' }));

/** Simulates that the customer leaves the tab or returns to it. */
function showPage(visibilityState: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}

describe('the page of a request', () => {
  test('shows the messages in order with the names and times, and links to the service', async () => {
    fakeConversation(
      aConversation({
        messages: [
          aMessage({ text: 'Can you come on Friday?', createdAt: '2026-11-04T10:42:00.000Z' }),
          aMessage({ text: 'Yes, at nine.', isOwn: true }),
          aMessage({ text: '', isHidden: true }),
        ],
      }),
    );
    await openRequest();
    const [first, second, third] = messages().map((item) => within(item));
    first?.getByText('Amira Haddad');
    first?.getByText('Can you come on Friday?');
    expect(first?.getByText(/November 2026/).getAttribute('datetime')).toBe('2026-11-04T10:42:00.000Z');
    second?.getByText('Cora Customer');
    second?.getByText('You');
    second?.getByText('Yes, at nine.');
    third?.getByText('A moderator has hidden this message.');
    screen.getByRole('heading', { level: 1, name: 'Hood repair' });
    expect(screen.getByRole('link', { name: 'See the service' }).getAttribute('href')).toBe(
      '/services/65f0c0ffee0ddba11ca11ab1',
    );
  });

  test('offers to report only messages that the customer received and that are not hidden', async () => {
    fakeConversation(
      aConversation({ messages: [aMessage(), aMessage({ isOwn: true }), aMessage({ text: '', isHidden: true })] }),
    );
    const reports: unknown[] = [];
    api.use(
      http.post('/api/messages/:id/report', async ({ request, params }) => {
        reports.push([params.id, await request.json()]);
        return HttpResponse.json({ status: 'open' }, { status: 201 });
      }),
    );
    const { user } = await openRequest();
    const [report, ...others] = screen.getAllByRole('button', { name: /^Report / });
    expect(report?.getAttribute('aria-label')).toMatch(/^Report the message from Amira Haddad, /);
    expect(others).toEqual([]);
    await user.click(report as HTMLElement);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('radio', { name: 'Spam or advertising' }));
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    await dialog.findByText('Your report is sent. A moderator will read it.');
    expect(reports).toEqual([[expect.stringMatching(/^[0-9a-f]{24}$/), { reason: 'spam', text: '' }]]);
  });

  test('sends a message with its idempotency key, then shows the message and an empty form with another key', async () => {
    const { sent } = fakeConversation(aConversation());
    const app = await openRequest();
    await app.user.type(answer(), 'Yes, at nine.');
    expect(storedDrafts()).toMatchObject([{ values: { text: 'Yes, at nine.' } }]);
    await send(app);
    expect(await toastOf('Your message is sent.')).toBe('success');
    await waitFor(() => expect(messages()).toHaveLength(2));
    await waitFor(() => expect(answer().value).toBe(''));
    await waitFor(() => expect(document.activeElement).toBe(answer()));
    expect(storedDrafts()).toEqual([]);
    await app.user.type(answer(), 'Or at ten.');
    await send(app);
    await waitFor(() => expect(messages()).toHaveLength(3));
    expect(sent.map(({ body }) => body)).toEqual([
      { text: 'Yes, at nine.', photos: [] },
      { text: 'Or at ten.', photos: [] },
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  test('keeps the text and its idempotency key when a later message is not sent, and shows what to do', async () => {
    const { sent } = fakeConversation(aConversation());
    const app = await openRequest();
    await app.user.type(answer(), 'First');
    await send(app);
    await waitFor(() => expect(messages()).toHaveLength(2));
    const keys: (string | null)[] = [];
    api.use(
      http.post(
        '/api/requests/:id/messages',
        ({ request }) => {
          keys.push(request.headers.get('Idempotency-Key'));
          return problem(503, 'The database is away.');
        },
        { once: true },
      ),
    );
    await waitFor(() => expect(answer().value).toBe(''));
    await app.user.type(answer(), 'Second');
    await send(app);
    await screen.findByText('We cannot reach the kitchen right now. Your text is safe here.', { selector: 'main *' });
    expect(answer().value).toBe('Second');
    await app.user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(messages()).toHaveLength(3));
    expect(sent.at(-1)?.key).toBe(keys[0]);
  });

  test('asks for a text or a photo instead of sending an empty message, and names a reached limit', async () => {
    const { sent } = fakeConversation(aConversation());
    const app = await openRequest();
    await send(app);
    await screen.findByText('Write a message or add a photo first.');
    await waitFor(() => expect(document.activeElement).toBe(answer()));
    expect(sent).toEqual([]);
    const detail = 'A request can have 200 messages. Close this one and begin another.';
    api.use(http.post('/api/requests/:id/messages', () => limitReached('messages-per-conversation', detail)));
    await app.user.type(answer(), 'One more');
    await send(app);
    await screen.findByText(detail);
  });

  test('closes the request after a confirmation, and then has no form', async () => {
    fakeConversation(aConversation());
    const { user } = await openRequest();
    await user.click(screen.getByRole('button', { name: 'Close request' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Close this request?' }));
    await user.click(dialog.getByRole('button', { name: 'Close request' }));
    expect(await toastOf('The request is closed.')).toBe('success');
    await screen.findByText('This request is closed. Nobody can add messages.');
    expect(screen.queryByLabelText('Your message')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('shows “Closed account” without a form if the other person has no account any more', async () => {
    fakeConversation(aConversation({ other: { name: '', picture: '', isClosed: true } }));
    await openRequest();
    within(messages()[0] as HTMLElement).getByText('Closed account');
    screen.getByText('The other person has closed their account.');
    expect(screen.queryByLabelText('Your message')).toBeNull();
  });

  test('says that the request was not found if the customer does not take part in it', async () => {
    await signedIn();
    fakeConversation(aConversation());
    await open('/requests/65f0c0ffee0ddba11ca11aff');
    await screen.findByRole('heading', { level: 1, name: 'This request was not found' });
    expect(document.title).toMatch(/^Not Found /);
  });

  test('offers a retry if the request does not load', async () => {
    await signedIn();
    api.use(http.get('/api/requests/:id', () => problem(500, 'A bug')));
    const { user } = await open(path);
    await screen.findByRole('heading', { name: 'This request did not load' });
    fakeConversation(aConversation());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('list', { name: 'Messages' });
  });
});

describe('while the page of a request is open', () => {
  test('a new message appears within 5 s, is announced and marked as read, and unchanged data is not sent again', async () => {
    const { reads, marks, add } = fakeConversation(aConversation());
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openRequest();
    expect(reads).toEqual([{ status: 200, ifNoneMatch: null }]);
    await act(() => vi.advanceTimersByTimeAsync(4500));
    await waitFor(() => expect(reads.at(-1)).toEqual({ status: 304, ifNoneMatch: '"1"' }));
    expect(messages()).toHaveLength(1);
    expect(marks).toEqual([]);
    const message = aMessage({ text: 'Are you there?' });
    add(message, { isUnread: true });
    await act(() => vi.advanceTimersByTimeAsync(4500));
    await waitFor(() => expect(messages()).toHaveLength(2));
    const announcement = screen.getByText(saying('New message from Amira Haddad: Are you there?'));
    expect(announcement.closest('[role=status]')).not.toBeNull();
    await waitFor(() => expect(marks).toEqual([{ until: message.createdAt }]));
  });

  test('nothing is requested while the tab is hidden, and the new messages appear at once when the customer returns', async () => {
    const { reads, marks, add } = fakeConversation(aConversation());
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openRequest();
    showPage('hidden');
    add(aMessage({ text: 'Are you there?' }), { isUnread: true });
    const count = reads.length;
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(reads).toHaveLength(count);
    expect(marks).toEqual([]);
    showPage('visible');
    await screen.findByText('Are you there?');
    await waitFor(() => expect(marks).toHaveLength(1));
  });

  test('messages that were unread before are marked as read when the customer can see the page', async () => {
    const message = aMessage();
    const { marks } = fakeConversation(aConversation({ messages: [message], isUnread: true }));
    showPage('hidden');
    await openRequest();
    expect(marks).toEqual([]);
    showPage('visible');
    await waitFor(() => expect(marks).toEqual([{ until: message.createdAt }]));
  });
});
