import type { Review, ServiceDetails } from '@rtr/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, problem, signedIn } from '../support/api.ts';
import { open } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

/** Fakes an API with one service and this number of reviews, each with a different text. */
function fakeReviews(count: number): { service: ServiceDetails; reviews: Review[] } {
  const service = aService({ reviewCount: count });
  const reviews = Array.from({ length: count }, (_, at) => aReview(service, { review: `Words ${at + 1}.` }));
  serve([service], reviews);
  return { service, reviews };
}

const linkTo = ({ serviceId, _id }: Pick<Review, 'serviceId' | '_id'>) => `/services/${serviceId}#review-${_id}`;
const at = (reviews: Review[], place: number) => reviews.at(place) as Review;
const rows = () => screen.getAllByRole('row').slice(1);
const rowOf = async (words: string) => (await screen.findByText(words)).closest('tr') as HTMLElement;
const notice = (words: string) => screen.findByText(words);

describe('a link to a review', () => {
  test('focuses and announces the row of this review in the list', async () => {
    const { reviews } = fakeReviews(3);
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await open(linkTo(at(reviews, 1)));
    const row = await rowOf('Words 2.');
    const region = screen
      .getAllByRole('status')
      .find(({ textContent }) => textContent === 'Showing the review from your link.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    expect(scrolled.mock.contexts.at(-1)).toBe(row);
    expect(region ?? (await notice('Showing the review from your link.'))).toBeTruthy();
    expect(rows()).toHaveLength(3);
    expect(screen.queryByText('From your link')).toBeNull();
  });

  test('announces the review in a live region that already exists, as screen readers require', async () => {
    const { service, reviews } = fakeReviews(2);
    const { go } = await open(`/services/${service._id}`);
    await rowOf('Words 1.');
    const regions = screen.getAllByRole('status');
    await go(linkTo(at(reviews, 1)));
    const said = await notice('Showing the review from your link.');
    expect(regions).toContain(said);
  });

  test('shows the review in the first row, with a label, when the review is on a later page of the list', async () => {
    const { reviews } = fakeReviews(45);
    await open(linkTo(at(reviews, -1)));
    const row = await rowOf('Words 45.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    expect(rows()[0]).toBe(row);
    within(row).getByText('From your link');
    expect(rows()).toHaveLength(21);
  });

  test('shows the review in the first row, and not a second time when “Load more” loads it', async () => {
    const { reviews } = fakeReviews(25);
    const { user } = await open(linkTo(at(reviews, -1)));
    const row = await rowOf('Words 25.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await screen.findByText('Words 24.');
    expect(rows()).toHaveLength(25);
    expect(rows()[0]).toBe(row);
    expect(screen.getAllByText('Words 25.')).toHaveLength(1);
  });

  test('shows the review even if the star filter of the list excludes this review', async () => {
    const { service, reviews } = fakeReviews(2);
    const late = aReview(service, { review: 'Late.', rating: 1 });
    serve([service], [...reviews, late]);
    await open(`/services/${service._id}?rating=5&sort=highest#review-${late._id}`);
    const row = await rowOf('Late.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    within(row).getByText('From your link');
    await waitFor(() => expect(rows()).toHaveLength(3));
  });

  test('moves the focus to this review even if another linked review on the same page has the focus', async () => {
    const { reviews } = fakeReviews(45);
    const { go } = await open(linkTo(at(reviews, 2)));
    const third = await rowOf('Words 3.');
    await waitFor(() => expect(document.activeElement).toBe(third));
    await go(`#review-${at(reviews, -1)._id}`);
    const last = await rowOf('Words 45.');
    await waitFor(() => expect(document.activeElement).toBe(last));
    await go(`#review-${at(reviews, 0)._id}`);
    const first = await rowOf('Words 1.');
    await waitFor(() => expect(document.activeElement).toBe(first));
    expect(screen.queryByText('Words 45.')).toBeNull();
    // A second click on the same link must focus the row again.
    screen.getByRole('combobox', { name: 'Sort by' }).focus();
    await go(`#review-${at(reviews, 0)._id}`);
    await waitFor(() => expect(document.activeElement).toBe(first));
  });

  test('does not focus the review again when the customer goes back to the page', async () => {
    const { reviews } = fakeReviews(2);
    const { go, back } = await open(linkTo(at(reviews, 0)));
    const row = await rowOf('Words 1.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    await go(`#review-${at(reviews, 1)._id}`);
    const second = await rowOf('Words 2.');
    await waitFor(() => expect(document.activeElement).toBe(second));
    await go('/blogs');
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Blogs'));
    await back();
    const again = await rowOf('Words 2.');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).not.toBe(again);
    expect(screen.queryByText('Showing the review from your link.')).toBeNull();
  });

  test('says that the review was not found when it does not exist, and shows the list', async () => {
    const { service } = fakeReviews(2);
    await open(`/services/${service._id}#review-${'f'.repeat(24)}`);
    await notice('The review from your link was not found. It may have been deleted, or the link may be wrong.');
    expect(rows()).toHaveLength(2);
  });

  test('says that the review was not found when the id in the link is invalid, and sends no request for this id', async () => {
    const { service } = fakeReviews(2);
    api.use(
      http.get('/api/review/:id', () => {
        throw new Error('asked');
      }),
    );
    await open(`/services/${service._id}#review-..%2Fsecrets`);
    await notice('The review from your link was not found. It may have been deleted, or the link may be wrong.');
    expect(rows()).toHaveLength(2);
  });

  test('if the review does not belong to the service in the link, shows a message with a link to the review on the right page', async () => {
    const { service, reviews } = fakeReviews(1);
    const other = aService({ title: 'Duct cleaning', reviewCount: 1 });
    const foreign = aReview(other, { review: 'Spotless.' });
    serve([service, other], [...reviews, foreign]);
    const { user, address } = await open(`/services/${service._id}#review-${foreign._id}`);
    await notice('The review from your link is about another service.');
    expect(screen.queryByText('Spotless.')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Go to this review' }));
    const row = await rowOf('Spotless.');
    expect(address()).toBe(linkTo(foreign));
    await waitFor(() => expect(document.activeElement).toBe(row));
  });

  test('shows the list when the review fails to load, and the button Try again loads the review', async () => {
    const { reviews } = fakeReviews(25);
    api.use(http.get('/api/review/:id', () => problem(500, 'Something broke.'), { once: true }));
    const { user } = await open(linkTo(at(reviews, -1)));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The review from your link did not load.');
    expect(rows()).toHaveLength(20);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    const row = await rowOf('Words 25.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows the review even if the list fails to load', async () => {
    const { reviews } = fakeReviews(1);
    api.use(http.get('/api/allreview', () => problem(500, 'Something broke.')));
    await open(linkTo(at(reviews, 0)));
    const row = await rowOf('Words 1.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    screen.getByText('The reviews did not load. The rest of this page is complete.');
  });

  test('loads the review without an access token if the API rejects the token, so that a customer whose session has expired can read it', async () => {
    await signedIn();
    const { reviews } = fakeReviews(25);
    api.use(
      http.get('/api/review', () => problem(401, 'Send a current access token.')),
      http.get('/api/review/:id', ({ request }) =>
        request.headers.has('Authorization')
          ? problem(401, 'Send a current access token.')
          : HttpResponse.json(at(reviews, -1)),
      ),
      http.post('/api/jwt', () => problem(503, 'The API is unavailable.')),
    );
    await open(linkTo(at(reviews, -1)));
    const row = await rowOf('Words 25.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    await notice('Showing the review from your link.');
    expect(within(row).queryByText('Yours')).toBeNull();
  });

  test('announces “Showing your review.” and shows the Edit link and the Delete button if the review is the customer’s own', async () => {
    const cora = await signedIn();
    const { reviews } = fakeReviews(25);
    const own = at(reviews, -1);
    api.use(http.get('/api/review', () => HttpResponse.json([{ ...own, email: cora.email }])));
    await open(linkTo(own));
    const row = await rowOf('Words 25.');
    await waitFor(() => expect(document.activeElement).toBe(row));
    await notice('Showing your review.');
    within(row).getByText('Yours');
    within(row).getByRole('link', { name: 'Edit your review of Hood repair' });
    within(row).getByRole('button', { name: 'Delete your review of Hood repair' });
  });
});
