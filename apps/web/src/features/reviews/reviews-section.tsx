import type { Review, ServiceDetails } from '@rtr/shared';
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { isBadRequest } from '../../lib/api-error.ts';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { useHttp } from '../../lib/http-context.ts';
import type { Page } from '../../lib/page.ts';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { Alert } from '../../ui/alert.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Toolbar } from '../../ui/page.tsx';
import { PageState } from '../../ui/page-state.tsx';
import { RetryAlert } from '../../ui/retry-alert.tsx';
import { commonText } from '../../ui/texts.ts';
import { comparators, countedStars, useReviewDeletions } from './deletion.tsx';
import { useLinkedReview } from './linked-review.ts';
import { LinkedReviewNotice } from './linked-review-notice.tsx';
import { ownReviewsOfServiceQuery, publicReviewQuery, type ReviewSearch, serviceReviewsQuery } from './queries.ts';
import { ReviewFilters, ReviewSortChoice, useReviewAddress } from './review-filters.tsx';
import { reviewSearchIn } from './review-search.ts';
import { ReviewTable } from './review-table.tsx';
import { reviewText } from './texts.ts';

const text = {
  showing: (reviews: string) => `Showing ${reviews}.`,
  noneOf: (reviews: string) => `No ${reviews}.`,
  selected: ({ rating, photos, q }: ReviewSearch) =>
    `${rating ? `${rating}-star reviews` : 'reviews'}${photos ? ' with photos' : ''}${q && ` that mention “${q}”`}`,
  showAll: 'Show all reviews',
  none: { title: 'No reviews yet', body: 'Be the first to say how it went. Two sentences help the next kitchen.' },
  failed: 'The reviews did not load. The rest of this page is complete.',
};

interface ReviewsSectionProps {
  service: Pick<ServiceDetails, '_id' | 'reviewCount' | 'ratingCount' | 'distribution'>;
  title: string;
  /** The signed-in customer. Null for a visitor. Undefined until the auth state is known. */
  user: { uid: string; email: string } | null | undefined;
  /** Whether the customer is the lister of the service. */
  isLister: boolean;
  addReview: ReactNode;
  /** Renders the button that reports a review. `name` is the name of the review for screen readers. */
  report: (review: Review, name: string, isOwn: boolean) => ReactNode;
}

export function ReviewsSection({ service, title, user, isLister, addReview, report }: ReviewsSectionProps) {
  const search = reviewSearchIn(new URLSearchParams(useLocation().search));
  const http = useHttp();
  const client = useQueryClient();
  const reader = user?.uid;
  const serviceId = service._id;
  const list = useInfiniteQuery({
    ...serviceReviewsQuery(http, serviceId, search, reader),
    // Until the reviews with the customer's own votes have loaded, shows the cached reviews that were loaded for
    // visitors.
    initialData: () =>
      client.getQueryData<InfiniteData<Page<Review>, string>>(serviceReviewsQuery(http, serviceId, search).queryKey),
    initialDataUpdatedAt: 0,
  });
  const { hasFailed, retry, announcement } = useFirstLoad(list, { loading: reviewText.loading, failed: text.failed });
  const isOutdatedPage = hasFailed && search.after !== undefined && isBadRequest(list.error);
  const listed = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const own = useQuery({
    ...ownReviewsOfServiceQuery(http, { email: user?.email ?? '', serviceId }),
    enabled: Boolean(user),
  });
  const deletions = useReviewDeletions<Review>();
  const isOwn = (review: Review) =>
    deletions.stateOf(review) !== undefined || (own.data ?? []).some(({ _id }) => user && _id === review._id);
  const linked = useLinkedReview({
    serviceId,
    listed,
    findDeleted: deletions.find,
  });
  const linkedForReader = useQuery({
    ...publicReviewQuery(http, linked.review?._id ?? '', reader),
    enabled: reader !== undefined && linked.review !== undefined,
  });
  const separate =
    linked.review && deletions.stateOf(linked.review) !== 'gone' ? (linkedForReader.data ?? linked.review) : undefined;
  const rows = deletions.rowsOf(
    listed,
    // With a filter by stars, the API supports only the orders `useful` and `newest`. It then uses `newest` instead of every
    // other order.
    comparators[search.rating && search.sort !== 'useful' ? 'newest' : search.sort],
    (review) => review._id !== linked.review?._id && isSelected(review, search),
  );
  const reached = linked.isReached ? (separate ?? rows.find(({ _id }) => _id === linked.id)) : undefined;
  const isOwnKnown = user !== undefined && !own.isLoading;
  const addressTo = useReviewAddress();
  const foundCount = list.data?.pages.at(-1)?.total;
  const isFiltered = Boolean(search.rating || search.q || search.photos);
  const total = isFiltered ? service.reviewCount : (foundCount ?? service.reviewCount);
  const isEmpty = total === 0 && !hasFailed;
  return (
    <section aria-labelledby="reviews" className="grid gap-6">
      <Toolbar>
        <h2 id="reviews" className="text-section tabular-nums">
          {reviewText.total(total)}
        </h2>
        <div className="flex flex-wrap items-center gap-4 empty:hidden">
          {!isEmpty && addReview}
          {total > 0 && <ReviewSortChoice isLister={isLister} />}
        </div>
      </Toolbar>
      <div className={`grid items-start gap-6 ${service.ratingCount > 0 ? 'lg:grid-cols-[18rem_1fr] lg:gap-8' : ''}`}>
        {service.reviewCount > 0 && <ReviewFilters service={service} />}
        <div className="flex min-w-0 flex-col gap-6">
          <LinkedReviewNotice
            linked={linked}
            reachedBy={reached && isOwnKnown ? (isOwn(reached) ? 'author' : 'other') : undefined}
          />
          <LiveRegion variant="collapsible">
            {isFiltered && (
              <p ref={focusHeadingOnRemoval} className="flex flex-wrap items-center gap-x-4 gap-y-1 wrap-anywhere">
                {(foundCount === 0 ? text.noneOf : text.showing)(text.selected(search))}
                <Link to={addressTo({ rating: undefined, q: '', photos: false })} preventScrollReset className="link">
                  {text.showAll}
                </Link>
              </p>
            )}
            {announcement && <p className={hasFailed ? 'sr-only' : 'text-muted'}>{announcement}</p>}
          </LiveRegion>
          {search.after && (
            <p ref={focusHeadingOnRemoval}>
              <Link to={{ ...addressTo({}), hash: 'reviews' }} className="link">
                {commonText.firstPage}
              </Link>
            </p>
          )}
          {isOutdatedPage && <Alert kind="warn">{commonText.outdatedPage}</Alert>}
          {hasFailed && !isOutdatedPage && (
            <RetryAlert pending={list.isFetching} onRetry={retry}>
              {text.failed}
            </RetryAlert>
          )}
          {(rows.length > 0 || separate) && (
            <ReviewTable
              service={title}
              reviews={rows}
              linked={separate}
              isOwn={isOwn}
              reader={isOwnKnown ? (user ? 'customer' : 'visitor') : 'unknown'}
              isLister={isLister}
              deletions={deletions}
              report={report}
            />
          )}
          {isEmpty && (
            <PageState level={3} picture="/pictures/no-review.svg" title={text.none.title} action={addReview}>
              <p>{text.none.body}</p>
            </PageState>
          )}
          {list.hasNextPage && (
            <LoadMore
              list={list}
              failure={reviewText.moreFailed}
              nextPage={{ ...addressTo({ ...search, after: list.data?.pages.at(-1)?.after }), hash: 'reviews' }}
            />
          )}
        </div>
      </div>
    </section>
  );
}

/** True if a review that the customer has just deleted belongs into the list, so that its Undo button is shown there. */
function isSelected(review: Review, { rating, q, photos }: ReviewSearch): boolean {
  const content = review.review.toLowerCase();
  return (
    (!rating || String(countedStars(review)) === rating) &&
    (!photos || review.photos !== undefined) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => content.includes(word))
  );
}
