import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import {
  accessTokenFor,
  api,
  bearerOf,
  customer,
  problem,
  providerSessionKey,
  signedIn,
  storeProviderSession,
  subjectOf,
  type TestCustomer,
} from './support/api.ts';
import { inAnotherTab, open, toastOf } from './support/app.tsx';
import { aReview, aService } from './support/catalogue.ts';

const tokenKey = 'rtr-cloud-kitchen-token';

/**
 * Fakes the API route that deletes the account. `respond` can replace its response. Returns the uids of the customers who
 * sent a request.
 */
function fakeDeletion(respond: () => unknown = () => undefined): string[] {
  const deleted: string[] = [];
  api.use(
    http.get('/api/review', () => HttpResponse.json([])),
    http.delete('/api/account', async ({ request }) => {
      deleted.push(subjectOf(bearerOf(request) ?? ''));
      const response = await respond();
      return response instanceof Response ? response : HttpResponse.json({ acknowledged: true, deletedCount: 0 });
    }),
  );
  return deleted;
}

async function openDialog({ user }: Awaited<ReturnType<typeof open>>) {
  await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
  return within(screen.getByRole('dialog', { name: 'Delete your account' }));
}

test('the dialog that deletes the account closes when another customer uses another tab to log in', async () => {
  await signedIn();
  const second = await customer();
  const deleted = fakeDeletion();
  const app = await open('/account');
  await openDialog(app);
  inAnotherTab(() => storeProviderSession(second));
  await screen.findByText(second.email);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(deleted).toEqual([]);

  const dialog = await openDialog(app);
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  expect(await toastOf('Your account is deleted.')).toBe('success');
  await waitFor(() => expect(app.session.getState().user).toBeNull());
  expect(deleted).toEqual([second.uid]);
});

test('if a customer logs in while the account of another customer is being deleted, the new customer stays signed in', async () => {
  const first = await signedIn();
  const second = await customer();
  const token = accessTokenFor(second.idToken);
  localStorage.setItem(`rtr-draft:${first.uid}:service`, '{}');
  const deleted = fakeDeletion(() => {
    inAnotherTab(() => {
      storeProviderSession(second);
      localStorage.setItem(tokenKey, token);
    });
    return waitFor(() => expect(app.session.getState().user?.uid).toBe(second.uid));
  });
  const app = await open('/account');
  const dialog = await openDialog(app);
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  expect(await toastOf('Your account is deleted.')).toBe('success');
  await waitFor(() => expect(localStorage.getItem(`rtr-draft:${first.uid}:service`)).toBeNull());
  expect(deleted).toEqual([first.uid]);
  expect(localStorage.getItem(tokenKey)).toBe(token);
  expect(app.session.getState().user?.uid).toBe(second.uid);
});

test.for(['the customer signs out', 'another customer logs in'])(
  'a failed deletion of an account does not count as a success if %s in another tab',
  async (change) => {
    const first = await signedIn();
    const second = await customer();
    fakeDeletion(async () => {
      inAnotherTab(() => {
        if (change === 'the customer signs out') localStorage.removeItem(providerSessionKey());
        else storeProviderSession(second);
      });
      await waitFor(() => expect(app.session.getState().user?.uid).not.toBe(first.uid));
      return problem(503, 'The database does not answer.');
    });
    api.use(
      http.post('/api/jwt', ({ request }) =>
        subjectOf(bearerOf(request) ?? '') === second.uid ? problem(401, 'Its session has ended.') : undefined,
      ),
    );
    const app = await open('/blogs');
    await app.session.waitForUser();
    await expect(app.session.deleteAccount(first.uid)).rejects.toMatchObject({ status: 503 });
  },
);

describe('when a login in another tab replaces the signed-in customer with another customer,', () => {
  const service = aService();
  const review = aReview(service, { review: 'The words of the first customer' });

  /** Fakes an API with one review by `author`. Other customers can only read it. */
  function fakeReview(author: TestCustomer) {
    const isAuthor = (request: Request) => subjectOf(bearerOf(request) ?? '') === author.uid;
    api.use(
      http.get('/api/review', ({ request }) => {
        const email = new URL(request.url).searchParams.get('email');
        if ((email === author.email) !== isAuthor(request)) return problem(403, 'Send your own email.');
        return HttpResponse.json(isAuthor(request) ? [{ ...review, email }] : []);
      }),
      http.get('/api/review/:id', ({ request }) =>
        HttpResponse.json(isAuthor(request) ? { ...review, email: author.email } : review),
      ),
    );
  }

  test('the page My Review shows the reviews of the new customer', async () => {
    const first = await signedIn();
    const second = await customer();
    fakeReview(first);
    await open('/myreview');
    await screen.findByText(review.review);
    inAnotherTab(() => storeProviderSession(second));
    await screen.findByRole('heading', { name: 'You have not reviewed anything yet' });
    expect(screen.queryByText(review.review)).toBeNull();
  });

  test('the page that edits a review no longer shows the text of the review, and says that only its author can edit it', async () => {
    const first = await signedIn();
    const second = await customer();
    fakeReview(first);
    await open(`/editreview/${review._id}`);
    await screen.findByDisplayValue(review.review);
    inAnotherTab(() => storeProviderSession(second));
    await screen.findByRole('heading', { name: 'Only its author can edit this review.' });
    expect(screen.queryByDisplayValue(review.review)).toBeNull();
  });
});
