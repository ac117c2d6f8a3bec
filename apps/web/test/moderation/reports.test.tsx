import type { OwnReport, OwnReview } from '@rtr/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { api, bearerOf, customer, limitReached, problem, providerCall, signedIn } from '../support/api.ts';
import { logIn, type Opened, open } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

const service = aService({ img: '', reviewCount: 1 });
const photos = [{ url: '/pictures/u/0123456789abcdef01234567', alt: 'Grease' }];
const review = aReview(service);
const reviewName = 'the review by Amira Haddad, 11/3/2026';

const anOwnReport = (given: Partial<OwnReport> = {}): OwnReport => ({
  target: { kind: 'review', id: review._id, serviceId: service._id, title: service.title },
  about: 'review',
  reason: 'spam',
  text: '',
  createdAt: '2026-11-04T10:00:00.000Z',
  status: 'open',
  ...given,
});

/** Fakes an API that stores reports. Returns the reports that it receives. */
function fakeReports(status: 200 | 201 = 201): unknown[] {
  const reports: unknown[] = [];
  const receive = async ({ request }: { request: Request }) => {
    expect(bearerOf(request)).toBe(localStorage.getItem('rtr-cloud-kitchen-token'));
    reports.push([new URL(request.url).pathname, await request.json()]);
    return HttpResponse.json(anOwnReport(), { status });
  };
  api.use(http.post('/api/review/:id/report', receive), http.post('/api/services/:id/report', receive));
  return reports;
}

async function openDetails(...reviews: (typeof review)[]): Promise<Opened> {
  await signedIn();
  serve([service], reviews);
  api.use(http.get('/api/review', () => HttpResponse.json([])));
  return open(`/services/${service._id}`);
}

async function openDialog({ user }: Opened, name: string) {
  await user.click(await screen.findByRole('button', { name: `Report ${name}` }));
  return within(await screen.findByRole('dialog', { name: `Report ${name}` }));
}

/** Opens the dialog, and waits for its form, which is shown when the session is known. */
async function openReport(app: Opened, name: string) {
  const dialog = await openDialog(app, name);
  await dialog.findByRole('button', { name: 'Send report' });
  return dialog;
}

const send = async ({ user }: Opened, dialog: ReturnType<typeof within>, reason = 'Spam or advertising') => {
  await user.click(dialog.getByRole('radio', { name: reason }));
  await user.click(dialog.getByRole('button', { name: 'Send report' }));
};

describe('the dialog that reports a review', () => {
  test('sends the reason and the details, and links to the reports on the account page', async () => {
    const reports = fakeReports();
    const app = await openDetails(review);
    const dialog = await openReport(app, reviewName);
    dialog.getByText(/If you have already reported this, your new report replaces the earlier one\./);
    await app.user.fill(dialog.getByLabelText('Details (optional)'), 'He sells filters.');
    await send(app, dialog);
    await dialog.findByText('Your report is sent. A moderator will read it.');
    expect(reports).toEqual([
      [`/api/review/${review._id}/report`, { about: 'review', reason: 'spam', text: 'He sells filters.' }],
    ]);
    const link = dialog.getByRole('link', { name: 'See the outcome on your account page' });
    expect(link.getAttribute('href')).toBe('/account#reports');
    await app.user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: `Report ${reviewName}` }));
  });

  test('sends nothing until the customer chooses a reason', async () => {
    const reports = fakeReports();
    const app = await openDetails(review);
    const dialog = await openReport(app, reviewName);
    await app.user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(reports).toEqual([]);
    const reasons = within(dialog.getByRole('group', { name: 'What is wrong?' }));
    reasons.getByText('Choose a reason.');
    const first = dialog.getByRole('radio', { name: 'Spam or advertising' });
    expect(document.activeElement).toBe(first);
    await app.user.click(first);
    expect(dialog.queryByText('Choose a reason.')).toBeNull();
  });

  test('keeps the reason and the text until the report is sent, even if the session ends', async () => {
    const app = await openDetails(review);
    const dialog = await openReport(app, reviewName);
    await app.user.fill(dialog.getByLabelText('Details (optional)'), 'He was never there.');
    dialog.getByText('Draft kept on this device');
    let isExpired = true;
    api.use(
      http.post('/api/review/:id/report', () => problem(401, 'Send a current access token.')),
      http.post('/api/jwt', () => (isExpired ? problem(401, 'No.') : undefined)),
    );
    await send(app, dialog, 'False or misleading');
    await waitFor(() => expect(screen.getAllByText(/Your session has ended/)).not.toEqual([]));
    await app.close();

    isExpired = false;
    const reports = fakeReports();
    const again = await open(`/services/${service._id}`);
    const reopened = await openReport(again, reviewName);
    expect(reopened.getByRole<HTMLInputElement>('radio', { name: 'False or misleading' }).checked).toBe(true);
    await again.user.click(reopened.getByRole('button', { name: 'Send report' }));
    await reopened.findByText('Your report is sent. A moderator will read it.');
    expect(reports).toEqual([[expect.anything(), { about: 'review', reason: 'fake', text: 'He was never there.' }]]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('rtr-draft:'))).toEqual([]);
  });

  test('shows progress bars until the session is known, so that each draft is stored for the right customer', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    api.use(http.post(providerCall('lookup'), () => isReleased));
    const app = await openDetails(review);
    const dialog = await openDialog(app, reviewName);
    await dialog.findByRole('progressbar');
    expect(dialog.queryByLabelText('Details (optional)')).toBeNull();
    release();
    await app.user.fill(await dialog.findByLabelText('Details (optional)'), 'He was never there.');
    const { user } = app.session.getState();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('rtr-draft:'))).toEqual([
      `rtr-draft:${user?.uid}:report review ${review._id}`,
    ]);
  });

  test('if the customer has reported the same review before, says that the new report replaces the earlier report', async () => {
    fakeReports(200);
    const app = await openDetails(review);
    const dialog = await openReport(app, reviewName);
    await send(app, dialog, 'False or misleading');
    expect(await dialog.findByText('Your report is sent. It replaces your earlier report.')).toBeTruthy();
  });

  test('asks what the report is about if the review has photos', async () => {
    const reports = fakeReports();
    const app = await openDetails({ ...review, photos });
    const dialog = await openReport(app, reviewName);
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Review' }).checked).toBe(true);
    await app.user.click(dialog.getByRole('radio', { name: 'Pictures' }));
    await send(app, dialog, 'Private information about someone');
    await dialog.findByText('Your report is sent. A moderator will read it.');
    expect(reports).toEqual([[expect.anything(), { about: 'picture', reason: 'private', text: '' }]]);
  });

  test.each([
    [
      'the daily limit is reached',
      () => limitReached('reports-per-day', 'You can send the next one in 5 hours.'),
      /^You can send the next one in 5 hours\.$/,
    ],
    [
      'the customer was too fast',
      () => problem(429, 'Slow down.', { 'Retry-After': '7' }),
      'That was quick. Try again in 7 seconds.',
    ],
    [
      'the review is gone',
      () => problem(404, 'There is no review with this id.'),
      'This is no longer on the site, so your report was not sent.',
    ],
    [
      'the customer wrote the content',
      () => problem(403, 'You cannot report your own review.'),
      'You cannot report your own review.',
    ],
    ['the report is invalid', () => problem(400, 'The text is too long.'), /^Your report was not sent\.$/],
    [
      'the database is down',
      () => problem(503, 'The database does not answer.'),
      'Your report was not sent. Try again.',
    ],
  ])('shows an error if %s, and keeps the text', async (_, response, message) => {
    const app = await openDetails(review);
    api.use(http.post('/api/review/:id/report', response));
    const dialog = await openReport(app, reviewName);
    await app.user.fill(dialog.getByLabelText('Details (optional)'), 'He sells filters.');
    await send(app, dialog);
    await dialog.findByText(message);
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Details (optional)').value).toBe('He sells filters.');
  });

  test('can send the report again after a failure', async () => {
    const app = await openDetails(review);
    const reports = fakeReports();
    api.use(http.post('/api/review/:id/report', () => problem(503, 'The database does not answer.'), { once: true }));
    const dialog = await openReport(app, reviewName);
    await send(app, dialog);
    await app.user.click(await dialog.findByRole('button', { name: 'Try again' }));
    await dialog.findByText('Your report is sent. A moderator will read it.');
    expect(reports).toHaveLength(1);
  });
});

test('the dialog that reports a service asks whether the report is about its picture, and sends the report', async () => {
  const reports = fakeReports();
  await signedIn();
  const pictured = aService({ title: 'Fan swap' });
  serve([pictured]);
  api.use(http.get('/api/review', () => HttpResponse.json([])));
  const app = await open(`/services/${pictured._id}`);
  const dialog = await openReport(app, 'Fan swap');
  await app.user.click(dialog.getByRole('radio', { name: 'Pictures' }));
  await send(app, dialog, 'Something else');
  await dialog.findByText('Your report is sent. A moderator will read it.');
  expect(reports).toEqual([[`/api/services/${pictured._id}/report`, { about: 'picture', reason: 'other', text: '' }]]);
});

test('authors cannot report their own reviews', async () => {
  const { email } = await signedIn();
  serve([service], [review]);
  api.use(http.get('/api/review', () => HttpResponse.json([{ ...review, email } satisfies OwnReview])));
  await open(`/services/${service._id}`);
  await screen.findByText('Yours');
  expect(screen.queryByRole('button', { name: /^Report .*review/ })).toBeNull();
});

describe('if a review has a reply,', () => {
  const at = '2026-11-04T10:00:00.000Z';
  const answered = { ...review, reply: { text: 'Thank you.', name: 'Lena Fitter', createdAt: at, updatedAt: at } };

  test('the author of the review can report only the reply', async () => {
    const reports = fakeReports();
    const { email } = await signedIn();
    serve([service], [answered]);
    api.use(http.get('/api/review', () => HttpResponse.json([{ ...answered, email } satisfies OwnReview])));
    const app = await open(`/services/${service._id}`);
    await screen.findByText('Yours');
    const dialog = await openReport(app, 'your review of Hood repair');
    await send(app, dialog, 'Insults, threats or hate');
    await dialog.findByText('Your report is sent. A moderator will read it.');
    expect(reports).toEqual([[expect.anything(), { about: 'reply', reason: 'abuse', text: '' }]]);
  });

  test('the lister can report the pictures of the review, but not their own reply or their own service', async () => {
    const { distribution: _, ...own } = service;
    api.use(http.get('/api/account/services', () => HttpResponse.json([{ ...own, unansweredCount: 0 }])));
    const app = await openDetails({ ...answered, photos });
    await screen.findByRole('link', { name: /^Edit reply/ });
    const dialog = await openReport(app, reviewName);
    dialog.getByRole('radio', { name: 'Pictures' });
    expect(dialog.queryByRole('radio', { name: 'Reply' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Report Hood repair' })).toBeNull();
  });
});

test('for a visitor, Report is a link that opens the login, and the dialog for the report opens after the login', async () => {
  const cora = await customer();
  serve([service], [review]);
  api.use(http.get('/api/review', () => HttpResponse.json([])));
  const app = await open(`/services/${service._id}`);
  await app.user.click(await screen.findByRole('link', { name: `Report ${reviewName}` }));
  await waitFor(() => expect(app.address()).toBe('/login'));
  await screen.findByText('Log in to send your report.');
  await logIn(app, cora);
  await waitFor(() => expect(app.address()).toBe(`/services/${service._id}#review-${review._id}`));
  await screen.findByRole('dialog', { name: `Report ${reviewName}` });
});

describe('the section “Your reports” of the account page', () => {
  async function openAccount(...reports: OwnReport[]) {
    await signedIn();
    api.use(
      http.get('/api/review', () => HttpResponse.json([], { headers: { 'X-Total-Count': '0' } })),
      http.get('/api/account/reports', () => HttpResponse.json(reports)),
    );
    await open('/account');
    return within((await screen.findByRole('heading', { name: 'Your reports' })).closest('section') as HTMLElement);
  }

  test('says where to report content if the customer has not reported anything', async () => {
    const section = await openAccount();
    const hint =
      'You have not reported anything. To report a review, a service or a message, use “Report” on its page.';
    expect(await section.findByText(hint)).toBeTruthy();
  });

  test.each<[string, Partial<OwnReport>, string]>([
    ['is open', {}, 'A moderator has not decided yet.'],
    [
      'was dismissed',
      { status: 'closed', outcome: 'kept' },
      'A moderator has read your report. The content stays on the site.',
    ],
    [
      'led to hidden pictures',
      { status: 'closed', outcome: 'hidden', hiddenPart: 'picture' },
      'A moderator has removed the pictures.',
    ],
  ])('shows the state of a report that %s, and links to the review', async (_, given, outcome) => {
    const section = await openAccount(anOwnReport(given));
    await section.findByText(outcome);
    expect(section.getByRole('link', { name: 'Review of Hood repair' }).getAttribute('href')).toBe(
      `/services/${service._id}#review-${review._id}`,
    );
  });

  test('shows the author and the first words of the reported review', async () => {
    const target = { kind: 'review', id: review._id, serviceId: service._id, title: 'Hood repair' } as const;
    const section = await openAccount(anOwnReport({ target: { ...target, author: 'Sam Spam', excerpt: 'Buy this.' } }));
    const author = await section.findByText('By Sam Spam');
    expect(author.parentElement?.textContent).toBe('By Sam SpamBuy this.');
  });

  test('does not link to a service that a moderator has hidden', async () => {
    const target = { kind: 'service', id: service._id, serviceId: service._id, title: 'Hood repair' } as const;
    const report = anOwnReport({
      target,
      about: 'service',
      status: 'closed',
      outcome: 'hidden',
      hiddenPart: 'service',
    });
    const section = await openAccount(report);
    await section.findByText('A moderator has hidden the service.');
    section.getByText('Hood repair');
    expect(section.queryByRole('link')).toBeNull();
  });

  test('shows an error and a retry button if the reports do not load', async () => {
    await signedIn();
    let calls = 0;
    api.use(
      http.get('/api/review', () => HttpResponse.json([])),
      http.get('/api/account/reports', () => {
        calls += 1;
        return calls === 1 ? problem(500, 'Something broke on our side.') : HttpResponse.json([anOwnReport()]);
      }),
    );
    const { user } = await open('/account');
    await screen.findByRole('heading', { name: 'Your reports did not load' });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('A moderator has not decided yet.');
  });
});

describe('the author of hidden content', () => {
  const hidden = { reason: 'It names a neighbour.', at: '2026-11-04T10:00:00.000Z' };

  test('reads the reason of a hidden review on the page My Review, and can neither edit nor delete the review', async () => {
    const { email } = await signedIn();
    api.use(http.get('/api/review', () => HttpResponse.json([{ ...review, email, hidden } satisfies OwnReview])));
    await open('/myreview');
    await screen.findByText(
      'A moderator hid this review on 4 November 2026. Only you and our moderators can still see this.',
    );
    screen.getByText('Reason: It names a neighbour.');
    expect(screen.queryByRole('link', { name: /^Edit/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
  });

  test('asks for another look once, and then reads that they have asked', async () => {
    const { email } = await signedIn();
    let own: OwnReview = { ...review, email, hidden };
    const sent: unknown[] = [];
    api.use(
      http.get('/api/review', () => HttpResponse.json([own])),
      http.post('/api/review/:id/appeal', async ({ request, params }) => {
        sent.push([params.id, await request.json()]);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const app = await open('/myreview');
    await app.user.click(await screen.findByRole('button', { name: 'Ask for another look at this review' }));
    await app.user.click(screen.getByRole('button', { name: 'Send to the moderators' }));
    await screen.findByText('Enter your reason.');
    await app.user.fill(screen.getByLabelText('Why is this decision wrong?'), 'It is true.');
    screen.getByText('Draft kept on this device');
    await app.user.click(screen.getByRole('button', { name: 'Send to the moderators' }));
    const text = 'You have asked for another look. If a moderator changes this decision, you see it here.';
    await screen.findByText(text);
    expect(sent).toEqual([[review._id, { text: 'It is true.', about: 'review' }]]);
    own = { ...own, hidden: { ...hidden, isAppealed: true } };
    await app.close();
    await open('/myreview');
    await screen.findByText(text);
    expect(screen.queryByRole('button', { name: /^Ask for another look/ })).toBeNull();
  });

  test('reads on the page My Review that photos were removed, and can edit the review', async () => {
    const { email } = await signedIn();
    const own: OwnReview = { ...review, email, removedPhotos: hidden };
    api.use(http.get('/api/review', () => HttpResponse.json([own])));
    await open('/myreview');
    await screen.findByText('A moderator removed photos of this review on 4 November 2026. You can add other photos.');
    screen.getByRole('link', { name: /^Edit/ });
  });

  test('finds a link on the page of the service to edit their visible review, but none to edit their hidden review', async () => {
    const { email } = await signedIn();
    serve([service], []);
    const visible: OwnReview = { ...aReview(service), email };
    let own: OwnReview[] = [{ ...review, email, hidden }];
    api.use(http.get('/api/review', () => HttpResponse.json(own)));
    const app = await open(`/services/${service._id}`);
    await waitFor(() => expect(app.queries.isFetching()).toBe(0));
    expect(screen.queryByRole('link', { name: 'Edit your review' })).toBeNull();
    own = [...own, visible];
    await app.close();
    await open(`/services/${service._id}`);
    const link = await screen.findByRole('link', { name: 'Edit your review' });
    expect(link.getAttribute('href')).toBe(`/editreview/${visible._id}`);
  });

  test('reads on the edit page of a hidden review why the review is hidden', async () => {
    const { email } = await signedIn();
    api.use(http.get('/api/review/:id', () => HttpResponse.json({ ...review, email, hidden })));
    await open(`/editreview/${review._id}`);
    await screen.findByRole('heading', { level: 1, name: 'You cannot edit this review.' });
    screen.getByText('Reason: It names a neighbour.');
  });
});
