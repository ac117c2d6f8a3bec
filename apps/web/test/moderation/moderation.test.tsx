import type { ModerationCase } from '@rtr/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, bearerOf, customer, makeModerator, problem, signedIn } from '../support/api.ts';
import { fillStorage, inAnotherTab, logIn, type Opened, open, toastOf } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

const service = aService({ title: 'Hood repair' });
const photos = [{ url: '/pictures/u/0123456789abcdef01234567', alt: 'Grease' }];

function aCase(given: Partial<ModerationCase> = {}): ModerationCase {
  const review = aReview(service, { customer: 'Sam Spam', review: 'Buy my filters.', photos });
  return {
    _id: `review-${review._id}`,
    status: 'open',
    version: '1',
    statusSince: '2026-11-04T10:00:00.000Z',
    review,
    hidden: {},
    reportCount: 1,
    reports: [
      {
        by: 'lister',
        about: 'review',
        reason: 'spam',
        text: 'An advert.',
        createdAt: '2026-11-04T10:00:00.000Z',
        status: 'open',
      },
    ],
    history: [],
    ...given,
  };
}

const decided = (row: ModerationCase, given: Partial<ModerationCase> = {}): ModerationCase => ({
  ...row,
  status: 'closed',
  version: '2',
  statusSince: new Date().toJSON(),
  ...given,
});

/** Fakes an API for a moderator. Returns a list to which each action of the moderator is added. */
function fakeCases({ open: opened = [], closed = [] }: { open?: ModerationCase[]; closed?: ModerationCase[] }) {
  const actions: unknown[] = [];
  api.use(
    http.get('/api/moderation', ({ request }) => {
      expect(bearerOf(request)).toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
      const rows = new URL(request.url).searchParams.get('status') === 'closed' ? closed : opened;
      return HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } });
    }),
    http.post('/api/moderation/:id', async ({ request, params }) => {
      const input = (await request.json()) as { action: string };
      actions.push([params.id, input]);
      const row = [...opened, ...closed].find(({ _id }) => _id === params.id);
      if (!row) return problem(404, 'There is no such case.');
      const at = new Date().toJSON();
      const hidden = input.action === 'hide' ? { review: { reason: 'Advertising', at } } : {};
      return HttpResponse.json(decided(row, { hidden }));
    }),
  );
  return actions;
}

async function openModeration(path = '/moderation'): Promise<Opened> {
  await signedIn();
  return open(path);
}

const cards = () => screen.findAllByRole('article');
const card = async (name: string) => within(await screen.findByRole('article', { name }));

/** Returns the texts of the moderator's buttons. Buttons that enlarge a photo have no text, so they are left out. */
const buttonsOf = (shown: { getAllByRole: (role: string) => HTMLElement[] }) =>
  shown
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
    .filter(Boolean);

const draftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('rtr-draft:'));

const outdatedText = /^This case or its content has changed, so your decision was not saved\./;

/** Makes the list stale, as it is after 30 s, and simulates that the tab becomes visible. The list is then fetched again. */
function refreshList(): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}

const hideButton = /^(Hide|Remove) the/;
const restoreButton = /^(Restore|Allow) the/;

async function decide({ user }: Opened, action: 'Hide' | 'Restore', reason: string) {
  const name = action === 'Hide' ? hideButton : restoreButton;
  await user.click((await card('Review of Hood repair')).getByRole('button', { name }));
  const dialog = within(screen.getByRole('dialog', { name: `${action} content` }));
  await user.fill(dialog.getByLabelText('Reason'), reason);
  await user.click(dialog.getByRole('button', { name }));
}

describe('the page Moderation', () => {
  test('shows open cases with the reported review, the reports with their reasons, and the history', async () => {
    const row = aCase({
      reportCount: 2,
      history: [
        { action: 'dismiss', part: 'review', reason: 'Not an advert', at: '2026-11-01T10:00:00.000Z', by: 'Mo' },
      ],
    });
    fakeCases({ open: [row] });
    await openModeration();
    const shown = await card('Review of Hood repair');
    shown.getByText('Buy my filters.');
    shown.getByText('Sam Spam');
    shown.getByRole('heading', { name: '2 reports, the newest 1 are shown' });
    shown.getByText('Spam or advertising');
    shown.getByText('An advert.');
    shown.getByText(/by Mo$/);
    shown.getByText(/^Review · by the lister of the service · /);
    shown.getByRole('button', { name: /^Hide the review by Sam Spam, / });
    shown.getByRole('button', { name: /^Dismiss the reports about the review by Sam Spam, / });
    const link = shown.getByRole('link', { name: 'Review of Hood repair' });
    expect(link.getAttribute('href')).toBe(`/services/${service._id}#review-${row.review?._id}`);
    screen.getByText('1 open case');
    await waitFor(() => expect(document.title).toBe('Moderation RTR Cloud Kitchen'));
  });

  test('hides a review also on the page of its service, even if the moderator has just visited that page', async () => {
    const { review, ...row } = aCase();
    const listed = review ? [review] : [];
    serve([service], listed);
    fakeCases({ open: [{ ...row, review }] });
    const app = await openModeration(`/services/${service._id}`);
    await screen.findByText('Buy my filters.');
    await app.go('/moderation');
    await decide(app, 'Hide', 'Advertising');
    expect(await toastOf('The content is hidden.')).toBe('success');
    listed.length = 0;
    await app.go(`/services/${service._id}`);
    await screen.findByRole('heading', { name: 'No reviews yet' });
    expect(screen.queryByText('Buy my filters.')).toBeNull();
  });

  test('shows the reported service with its description and contact details', async () => {
    const { distribution: _, ...reported } = aService({ title: 'Fan swap', phone: '+1 555 0100' });
    const { review: _review, ...row } = aCase({ _id: `service-${reported._id}`, service: reported });
    fakeCases({ open: [row] });
    await openModeration();
    const shown = await card('Service Fan swap');
    expect(shown.getByText('Filters, fans and lamps.')).toBeTruthy();
    expect(shown.getByText('+1 555 0100')).toBeTruthy();
  });

  test('says that the reported content was deleted, and then offers only to dismiss the reports', async () => {
    const { review: _, ...row } = aCase();
    fakeCases({ open: [row] });
    await openModeration();
    const shown = await card('Deleted review');
    shown.getByText('This content was deleted by its author.');
    expect(buttonsOf(shown)).toEqual(['Dismiss']);
  });

  test('hides a review with a reason, and then shows the case as closed with a button that restores the review', async () => {
    const row = aCase();
    const actions = fakeCases({ open: [row] });
    const app = await openModeration();
    await decide(app, 'Hide', 'Advertising');
    expect(await toastOf('The content is hidden.')).toBe('success');
    const input = { action: 'hide', part: 'review', reason: 'Advertising', version: '1' };
    expect(actions).toEqual([[row._id, input]]);
    const shown = await card('Review of Hood repair');
    shown.getByText('Review hidden');
    expect(buttonsOf(shown)).toEqual(['Restore']);
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByText('0 open cases');
    await waitFor(() =>
      expect(document.activeElement).toBe(shown.getByRole('heading', { name: 'Review of Hood repair' })),
    );
  });

  test('still shows a decision when an earlier request for the list gets its response late', async () => {
    const row = aCase();
    fakeCases({ open: [row] });
    const app = await openModeration();
    await card('Review of Hood repair');
    const late = Promise.withResolvers<void>();
    const requests: Request[] = [];
    api.use(
      http.get('/api/moderation', async ({ request }) => {
        requests.push(request);
        await late.promise;
        return HttpResponse.json([row], { headers: { 'X-Total-Count': '1' } });
      }),
    );
    refreshList();
    await waitFor(() => expect(requests).toHaveLength(1));
    await decide(app, 'Hide', 'Advertising');
    expect(await toastOf('The content is hidden.')).toBe('success');
    late.resolve();
    // The moderator's action has aborted the earlier request for the list, so the browser ignores the late response.
    expect(requests[0]?.signal.aborted).toBe(true);
    (await card('Review of Hood repair')).getByText('Review hidden');
  });

  test('removes only the pictures if the moderator chooses “Pictures”, and says first that this is final', async () => {
    const actions = fakeCases({ open: [aCase()] });
    const app = await openModeration();
    await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    expect(screen.queryByText(/removed for good/)).toBeNull();
    await app.user.click(screen.getByRole('radio', { name: 'Pictures' }));
    screen.getByText(/^Pictures are removed for good\. You cannot restore them\./);
    await app.user.fill(screen.getByLabelText('Reason'), 'A face');
    await app.user.click(screen.getByRole('button', { name: 'Remove the pictures' }));
    expect(await toastOf('The pictures are removed.')).toBe('success');
    expect(actions).toEqual([[expect.anything(), { action: 'hide', part: 'picture', reason: 'A face', version: '1' }]]);
  });

  test('in the dialog that hides content, preselects the part of the review that the newest report is about, such as the pictures', async () => {
    fakeCases({
      open: [
        aCase({
          reports: [
            {
              by: 'customer',
              about: 'picture',
              reason: 'private',
              text: '',
              createdAt: '2026-11-04T10:00:00.000Z',
              status: 'open',
            },
          ],
        }),
      ],
    });
    const { user } = await openModeration();
    await user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Pictures' }).checked).toBe(true);
  });

  test('asks for a reason before it hides a review', async () => {
    const actions = fakeCases({ open: [aCase()] });
    const app = await openModeration();
    await decide(app, 'Hide', '  ');
    await screen.findByText('Enter a reason.');
    expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
    expect(actions).toEqual([]);
  });

  test('dismisses the reports of a case', async () => {
    const row = aCase();
    const actions = fakeCases({
      open: [row, aCase({ _id: `review-${'f'.repeat(24)}`, review: aReview(aService({ title: 'Fan swap' })) })],
    });
    const { user } = await openModeration();
    await screen.findByText('2 open cases');
    await user.click((await card('Review of Hood repair')).getByRole('button', { name: /^Dismiss the reports about/ }));
    expect(await toastOf('The reports are dismissed.')).toBe('success');
    expect(actions).toEqual([[row._id, { action: 'dismiss', reason: '', version: '1' }]]);
    await screen.findByText('1 open case');
    await (await card('Review of Hood repair')).findByText(/^Closed [^,]+$/);
  });

  test('restores hidden content of a closed case', async () => {
    const row = decided(aCase(), {
      hidden: { review: { reason: 'Advertising', at: '2026-11-04T10:00:00.000Z' } },
    });
    const actions = fakeCases({ closed: [row] });
    const app = await openModeration('/moderation?status=closed');
    await screen.findByText('1 closed case');
    await decide(app, 'Restore', 'A mistake');
    expect(await toastOf('The content is visible again.')).toBe('success');
    expect(actions).toEqual([[row._id, { action: 'restore', part: 'review', reason: 'A mistake', version: '2' }]]);
  });

  test('shows that pictures are removed even after the author’s request for another look was dismissed, lifts their block, and says that they do not come back', async () => {
    const removal = {
      action: 'hide',
      part: 'picture',
      reason: 'A face',
      at: '2026-11-01T10:00:00.000Z',
      by: 'Mo',
    } as const;
    const dismissal = {
      ...removal,
      action: 'dismiss',
      part: 'review',
      reason: '',
      at: '2026-11-02T10:00:00.000Z',
    } as const;
    const review = aReview(service, { photos: [] });
    const actions = fakeCases({ closed: [decided(aCase({ review }), { history: [removal, dismissal] })] });
    const app = await openModeration('/moderation?status=closed');
    const shown = await card('Review of Hood repair');
    shown.getByText('Pictures removed');
    shown.getByText(/^Closed [^,]+$/);
    shown.getByText('Removed');
    await app.user.click(shown.getByRole('button', { name: restoreButton }));
    screen.getByText('The removed pictures do not come back. But their author can use them again.');
    await app.user.fill(screen.getByLabelText('Reason'), 'A mistake');
    await app.user.click(screen.getByRole('button', { name: 'Allow the pictures again' }));
    expect(await toastOf('The pictures can be used again.')).toBe('success');
    expect(actions).toMatchObject([[expect.anything(), { action: 'restore', part: 'picture', reason: 'A mistake' }]]);
  });

  test('offers no decision about the moderator’s own content', async () => {
    fakeCases({ open: [aCase({ isOwn: true })] });
    await openModeration();
    const shown = await card('Review of Hood repair');
    shown.getByText('This is about your own service, review, reply or conversation. Another moderator must decide.');
    expect(buttonsOf(shown)).toEqual([]);
  });

  test('if the content has changed, shows its new state in the dialog, keeps the typed reason, and sends the next decision with the new version', async () => {
    const row = aCase();
    const actions = fakeCases({ open: [row] });
    const review = { ...(row.review ?? aReview(service)), review: 'Buy my lamps.' };
    const current = { ...row, version: '2', review };
    api.use(
      http.post('/api/moderation/:id', () => problem(412, 'The case has changed.', {}, { current }), { once: true }),
    );
    const app = await openModeration();
    await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    const dialog = within(screen.getByRole('dialog', { name: 'Hide content' }));
    dialog.getByText('Sam Spam');
    dialog.getByText('Buy my filters.');
    await app.user.fill(dialog.getByLabelText('Reason'), 'Advertising');
    await app.user.click(dialog.getByRole('button', { name: 'Hide the review' }));
    await dialog.findByText(outdatedText);
    dialog.getByText('Buy my lamps.');
    await app.user.click(dialog.getByRole('button', { name: 'Hide the review' }));
    expect(await toastOf('The content is hidden.')).toBe('success');
    expect(actions).toEqual([[row._id, { action: 'hide', part: 'review', reason: 'Advertising', version: '2' }]]);
  });

  test('if another moderator has already hidden the content, says in the dialog that nothing is left to decide', async () => {
    const row = aCase();
    fakeCases({ open: [row] });
    const at = new Date().toJSON();
    const current = decided(row, { hidden: { review: { reason: 'Theirs', at } } });
    api.use(http.post('/api/moderation/:id', () => problem(412, 'The case has changed.', {}, { current })));
    const app = await openModeration();
    await decide(app, 'Hide', 'Mine');
    const dialog = within(screen.getByRole('dialog', { name: 'Hide content' }));
    await dialog.findByText('There is nothing left to decide here.');
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Mine');
    await app.user.click(dialog.getByRole('button', { name: 'Close' }));
    const shown = await card('Review of Hood repair');
    shown.getByText('Review hidden');
    expect(buttonsOf(shown)).toEqual(['Restore']);
    expect(draftKeys()).toEqual([]);
  });

  test('sends the version that the moderator has seen, even if a newer version is loaded while the dialog is open', async () => {
    const row = aCase();
    const actions = fakeCases({ open: [row] });
    const app = await openModeration();
    await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    fakeCases({
      open: [{ ...row, version: '2', reportCount: 2, hidden: { review: { reason: 'Spam', at: row.statusSince } } }],
    });
    refreshList();
    await screen.findByText('Review hidden');
    api.use(
      http.post('/api/moderation/:id', async ({ request, params }) => {
        actions.push([params.id, await request.json()]);
        return problem(412, 'The case has changed.');
      }),
    );
    const dialog = within(screen.getByRole('dialog', { name: 'Hide content' }));
    await app.user.click(dialog.getByRole('radio', { name: 'Pictures' }));
    await app.user.fill(dialog.getByLabelText('Reason'), 'A face');
    await app.user.click(dialog.getByRole('button', { name: hideButton }));
    await dialog.findByText(outdatedText);
    expect(actions).toEqual([[row._id, { action: 'hide', part: 'picture', reason: 'A face', version: '1' }]]);
  });

  test('keeps the dialog with the typed reason if another moderator decides the case and a refresh removes the case from the list', async () => {
    const row = aCase();
    const current = decided(row);
    fakeCases({ open: [row] });
    const app = await openModeration();
    await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    const dialog = within(screen.getByRole('dialog', { name: 'Hide content' }));
    const reason = dialog.getByLabelText<HTMLTextAreaElement>('Reason');
    await app.user.fill(reason, 'Advertising');
    const actions = fakeCases({ closed: [current] });
    refreshList();
    await screen.findByText('No open cases');
    expect([reason.isConnected, reason.value]).toEqual([true, 'Advertising']);
    api.use(
      http.post('/api/moderation/:id', () => problem(412, 'The case has changed.', {}, { current }), { once: true }),
    );
    await app.user.click(dialog.getByRole('button', { name: hideButton }));
    await dialog.findByText(outdatedText);
    expect([reason.isConnected, reason.value]).toEqual([true, 'Advertising']);
    await app.user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Moderation'));
    await app.user.click(screen.getByRole('link', { name: 'Closed' }));
    await decide(app, 'Hide', ' again');
    expect(await toastOf('The content is hidden.')).toBe('success');
    expect(actions).toMatchObject([[row._id, { reason: 'Advertising again', version: '2' }]]);
  });

  test('keeps the typed reason for the next attempt if the moderator closes the dialog', async () => {
    const row = aCase();
    const actions = fakeCases({ open: [row] });
    const current = { ...row, version: '2', reportCount: 2 };
    api.use(
      http.post('/api/moderation/:id', () => problem(412, 'The case has changed.', {}, { current }), { once: true }),
    );
    const app = await openModeration();
    await decide(app, 'Hide', 'Advertising');
    await screen.findByText(outdatedText);
    await app.user.fill(screen.getByLabelText('Reason'), ' again');
    await app.user.click(screen.getByRole('button', { name: 'Close' }));
    await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    const dialog = within(screen.getByRole('dialog', { name: 'Hide content' }));
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Advertising again');
    await app.user.click(dialog.getByRole('button', { name: hideButton }));
    expect(await toastOf('The content is hidden.')).toBe('success');
    expect(actions).toEqual([[row._id, { action: 'hide', part: 'review', reason: 'Advertising again', version: '2' }]]);
    // The reason was for hiding the review, so the dialog that restores it begins with an empty field.
    await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: restoreButton }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('');
  });

  test('restores the typed reason and the chosen part if the moderator goes back and later opens the dialog again', async () => {
    const row = aCase();
    const actions = fakeCases({ open: [row] });
    await signedIn();
    const app = await open('/blogs', '/moderation');
    const openDialog = async () => {
      await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
      return within(screen.getByRole('dialog', { name: 'Hide content' }));
    };
    const dialog = await openDialog();
    await app.user.click(dialog.getByRole('radio', { name: 'Pictures' }));
    await app.user.fill(dialog.getByLabelText('Reason'), 'A face');
    dialog.getByText('Draft kept on this device');
    const { user } = app.session.getState();
    expect(draftKeys()).toEqual([`rtr-draft:${user?.uid}:moderation hide ${row._id}`]);
    await act(() => app.router.navigate(-1));
    await screen.findByRole('heading', { level: 1, name: 'Blogs' });
    await app.go('/moderation');
    const reopened = await openDialog();
    expect(reopened.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('A face');
    await app.user.click(reopened.getByRole('button', { name: hideButton }));
    expect(await toastOf('The pictures are removed.')).toBe('success');
    expect(actions).toEqual([[row._id, { action: 'hide', part: 'picture', reason: 'A face', version: '1' }]]);
    expect(draftKeys()).toEqual([]);
  });

  describe.each([
    ['works', () => {}],
    ['is full', fillStorage],
  ])('if the browser storage %s', (_, prepareStorage) => {
    /** Types a reason for hiding the content of the case, closes the dialog and clicks on “Dismiss”. */
    const typeAndDismiss = async () => {
      await signedIn();
      const app = await open('/blogs', '/moderation');
      prepareStorage();
      await app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
      await app.user.fill(screen.getByLabelText('Reason'), 'Advertising');
      await app.user.click(screen.getByRole('button', { name: 'Close' }));
      await app.user.click(
        (await card('Review of Hood repair')).getByRole('button', { name: /^Dismiss the reports about/ }),
      );
      return app;
    };
    const leavesNothing = async ({ router }: Opened) => {
      await waitFor(() => expect(draftKeys()).toEqual([]));
      await act(() => router.navigate(-1));
      await screen.findByRole('heading', { level: 1, name: 'Blogs' });
    };

    test('removes the draft of a reason for hiding content when the moderator dismisses the reports instead', async () => {
      fakeCases({ open: [aCase()] });
      const app = await typeAndDismiss();
      expect(await toastOf('The reports are dismissed.')).toBe('success');
      await leavesNothing(app);
    });

    test('removes the draft of a reason for hiding content when another moderator has already hidden the content', async () => {
      const row = aCase();
      fakeCases({ open: [row] });
      const hidden = { review: { reason: 'Theirs', at: row.statusSince } };
      const current = decided(row, { hidden });
      api.use(http.post('/api/moderation/:id', () => problem(412, 'The case has changed.', {}, { current })));
      const app = await typeAndDismiss();
      await screen.findByText('Review hidden');
      await leavesNothing(app);
    });
  });

  test('keeps no draft without a reason, even if the moderator has chosen another part or cleared the reason', async () => {
    fakeCases({ open: [aCase()] });
    const app = await openModeration();
    const openDialog = async () =>
      app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    await openDialog();
    await app.user.click(screen.getByRole('radio', { name: 'Pictures' }));
    expect(draftKeys()).toEqual([]);
    await app.user.fill(screen.getByLabelText('Reason'), 'A');
    await app.user.clear(screen.getByLabelText('Reason'));
    expect(draftKeys()).toEqual([]);
    expect(screen.queryByText('Draft kept on this device')).toBeNull();
    await app.user.click(screen.getByRole('button', { name: 'Close' }));
    await openDialog();
    expect(screen.queryByText(/We kept your draft/)).toBeNull();
  });

  test('if the browser storage is full, keeps the typed reason and the chosen part on the page, and asks for confirmation before the moderator leaves', async () => {
    const actions = fakeCases({ open: [aCase()] });
    await signedIn();
    const app = await open('/blogs', '/moderation');
    fillStorage();
    const openDialog = async () =>
      app.user.click((await card('Review of Hood repair')).getByRole('button', { name: hideButton }));
    const goBack = async () => {
      await act(() => app.router.navigate(-1));
      await app.user.click(
        within(await screen.findByRole('dialog', { name: 'Leave without sending?' })).getByRole('button', {
          name: 'Stay',
        }),
      );
    };
    await openDialog();
    await app.user.click(screen.getByRole('radio', { name: 'Pictures' }));
    await app.user.fill(screen.getByLabelText('Reason'), 'Advertising');
    await screen.findByText('Your browser cannot save drafts. Send this form before you leave the page.');
    await goBack();
    await app.user.click(screen.getByRole('button', { name: 'Close' }));
    await goBack();
    await openDialog();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Advertising');
    await app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: hideButton }));
    expect(await toastOf('The pictures are removed.')).toBe('success');
    expect(actions).toMatchObject([[expect.any(String), { part: 'picture', reason: 'Advertising' }]]);
    await act(() => app.router.navigate(-1));
    await screen.findByRole('heading', { level: 1, name: 'Blogs' });
  });

  test('keeps the reason in the dialog if the content could not be hidden', async () => {
    fakeCases({ open: [aCase()] });
    api.use(http.post('/api/moderation/:id', () => problem(503, 'The database does not answer.'), { once: true }));
    const app = await openModeration();
    await decide(app, 'Hide', 'Advertising');
    await screen.findByText('Your decision was not saved. Try again.');
    await app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: hideButton }));
    expect(await toastOf('The content is hidden.')).toBe('success');
  });

  test('shows the message of the API if the content cannot be hidden', async () => {
    fakeCases({ open: [aCase()] });
    api.use(http.post('/api/moderation/:id', () => problem(400, 'A review has no such part.')));
    const app = await openModeration();
    await decide(app, 'Hide', 'Advertising');
    await within(screen.getByRole('dialog')).findByText('A review has no such part.');
  });

  test('shows an error on the case if its reports could not be dismissed, and removes the error after a click on “Hide”', async () => {
    fakeCases({ open: [aCase()] });
    api.use(http.post('/api/moderation/:id', () => problem(503, 'The database does not answer.')));
    const { user } = await openModeration();
    await user.click((await card('Review of Hood repair')).getByRole('button', { name: /^Dismiss the reports about/ }));
    const shown = await card('Review of Hood repair');
    expect(await shown.findByText('Your decision was not saved. Try again.')).toBeTruthy();
    await user.click(shown.getByRole('button', { name: hideButton }));
    expect(shown.queryByText('Your decision was not saved. Try again.')).toBeNull();
  });

  test('says after a click on “Closed” that no case is closed, and shows the open cases again after a click on “Open”', async () => {
    fakeCases({ open: [aCase()] });
    const { user, address } = await openModeration();
    await cards();
    await user.click(screen.getByRole('link', { name: 'Closed' }));
    await screen.findByRole('heading', { name: 'No closed cases' });
    expect(address()).toBe('/moderation?status=closed');
    await user.click(screen.getByRole('link', { name: 'Open' }));
    await cards();
  });

  test('adds the next page of cases with the button Load more', async () => {
    const [first, second] = [aCase(), aCase({ _id: `review-${'e'.repeat(24)}` })];
    api.use(
      http.get('/api/moderation', ({ request }) =>
        new URL(request.url).searchParams.get('after')
          ? HttpResponse.json([second], { headers: { 'X-Total-Count': '2' } })
          : HttpResponse.json([first], {
              headers: { 'X-Total-Count': '2', Link: '</moderation?after=x>; rel="next"' },
            }),
      ),
    );
    const { user } = await openModeration();
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  });

  test.each(['/moderation', '/moderation?status=closed'])(
    'is replaced by the Not Found page for customers who are no moderators, at the address %s',
    async (path) => {
      api.use(http.get('/api/moderation', () => problem(404, 'Not found.')));
      await openModeration(path);
      await screen.findByRole('heading', { level: 1, name: 'This page isn’t on the menu' });
      await waitFor(() => expect(document.title).toBe('Not Found RTR Cloud Kitchen'));
    },
  );

  test('is replaced by the Not Found page for visitors, without a request to the API', async () => {
    const { address } = await open('/moderation');
    await screen.findByRole('heading', { level: 1, name: 'This page isn’t on the menu' });
    expect(address()).toBe('/moderation');
  });

  test('is replaced by the Not Found page when the moderator signs out in another tab', async () => {
    fakeCases({ open: [aCase()] });
    await openModeration();
    await cards();
    inAnotherTab(() => localStorage.clear());
    await screen.findByRole('heading', { level: 1, name: 'This page isn’t on the menu' });
    expect(screen.queryByRole('article')).toBeNull();
  });
});

describe('the account page', () => {
  test('links to the page Moderation for a moderator', async () => {
    const mo = await customer('Mo Moderator');
    await makeModerator(mo);
    fakeCases({});
    api.use(http.get('/api/review', () => HttpResponse.json([])));
    const app = await open('/login');
    await logIn(app, mo);
    await app.go('/account');
    await app.user.click(await screen.findByRole('link', { name: 'See the reported content' }));
    await screen.findByRole('heading', { level: 1, name: 'Moderation' });
    await screen.findByRole('heading', { name: 'No open cases' });
  });

  test('has no link to the page Moderation for customers who are not moderators', async () => {
    await signedIn();
    api.use(http.get('/api/review', () => HttpResponse.json([])));
    await open('/account');
    await screen.findByRole('heading', { name: 'Your reports' });
    expect(screen.queryByRole('heading', { name: 'Moderation' })).toBeNull();
  });
});

describe('a case about a message', () => {
  const message = {
    serviceId: service._id,
    serviceTitle: 'Hood repair',
    name: 'Sam Spam',
    text: 'Buy my filters.',
    photoCount: 2,
    createdAt: '2026-11-04T10:00:00.000Z',
  };
  const messageCase = (given: Partial<ModerationCase> = {}) =>
    aCase({ _id: `message-${'a'.repeat(24)}`, review: undefined, message, ...given });

  test('shows the text, the sender and the number of photos, and can be hidden', async () => {
    const row = messageCase();
    const actions = fakeCases({ open: [row] });
    const { user } = await openModeration();
    const shown = await card('Message about Hood repair');
    shown.getByText('Buy my filters.');
    shown.getByText('Sam Spam');
    shown.getByText('2 private photos, which moderators cannot see');
    await user.click(shown.getByRole('button', { name: 'Hide the message from Sam Spam' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Hide content' }));
    dialog.getByText('Only moderators and operators can read this reason.');
    await user.type(dialog.getByLabelText('Reason'), 'Advertising');
    await user.click(dialog.getByRole('button', { name: 'Hide the message' }));
    await waitFor(() =>
      expect(actions).toEqual([[row._id, { action: 'hide', part: 'message', reason: 'Advertising', version: '1' }]]),
    );
  });

  test('names a closed account, and a message that does not exist any more', async () => {
    const gone = messageCase({ _id: `message-${'b'.repeat(24)}`, message: undefined });
    fakeCases({ open: [messageCase({ message: { ...message, name: '', text: '', photoCount: 1 } }), gone] });
    await openModeration();
    const shown = await card('Message about Hood repair');
    shown.getByText('Closed account');
    shown.getByText('This message has no text.');
    shown.getByText('1 private photo, which moderators cannot see');
    const deleted = await card('Deleted message');
    deleted.getByText('This content was deleted by its author.');
    expect(deleted.queryByRole('button', { name: /^Hide/ })).toBeNull();
  });
});
