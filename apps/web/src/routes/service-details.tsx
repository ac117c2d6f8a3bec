import type { Review, ReviewSort } from '@rtr/shared';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useLocation,
  useNavigate,
  useRouteError,
} from 'react-router-dom';
import { useSession } from '../features/auth/session-context.ts';
import { addressOf } from '../features/reviews/address.ts';
import { countedStars, useFates } from '../features/reviews/deletion.tsx';
import { useLinkedReview } from '../features/reviews/linked-review.ts';
import { ownReviewsOfQuery, publicReviewQuery, serviceReviewsQuery } from '../features/reviews/queries.ts';
import { ReviewTable } from '../features/reviews/review-table.tsx';
import { Distribution, type StarRow } from '../features/reviews/star-distribution.tsx';
import { serviceQuery } from '../features/services/queries.ts';
import { ListersRating, Rating } from '../features/services/rating.tsx';
import { SaveButton } from '../features/services/save-button.tsx';
import { addViewed } from '../features/services/saved-services.ts';
import { SimilarServices, similarServicesQuery } from '../features/services/similar.tsx';
import { previewPictureOf, serviceData, summaryOf } from '../features/services/structured-data.ts';
import { priceOf, titleOf } from '../features/services/texts.ts';
import { UnlistedService } from '../features/services/unlisted-service.tsx';
import { isNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { onDemand } from '../lib/on-demand.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Icon } from '../ui/icon.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState } from '../ui/page-state.tsx';
import { Picture } from '../ui/picture.tsx';
import { ShareButton } from '../ui/share-button.tsx';
import { RouteError } from './error.tsx';

export { deleteOrRestore as action } from '../features/reviews/deletion.tsx';

const Lightbox = lazy(onDemand(async () => ({ default: (await import('../ui/lightbox.tsx')).Lightbox })));

const text = {
  enlarge: (title: string) => `Enlarge the picture of ${title}`,
  noPicture: 'No picture given',
  addReview: 'Add Review',
  loginToAdd: 'Login for Add Review',
  description: 'About this service',
  share: (title: string) => `Share ${title}`,
  noDescription: 'The lister gave no description.',
  stars: 'Customers’ stars',
  total: (total: number) => `Total Review: ${total}`,
  sort: 'Sort by',
  sorts: { newest: 'Newest', highest: 'Highest stars', lowest: 'Lowest stars' } satisfies Record<ReviewSort, string>,
  showing: (stars: string) => `Showing ${stars}-star reviews.`,
  showAll: 'Show all reviews',
  first: 'Back to the first reviews',
  noneWith: (stars: string) => `No ${stars}-star reviews.`,
  none: { title: 'No reviews yet', body: 'Be the first to say how it went. Two sentences help the next kitchen.' },
  failed: 'The reviews did not load. The rest of this page is complete.',
  retry: 'Try again',
  loading: 'Loading reviews…',
  linked: {
    reached: 'Here is the linked review.',
    reachedOwn: 'Here is your review.',
    missing: 'The linked review is not here. It may have been deleted, or the link is mistyped.',
    elsewhere: 'The linked review is about another service.',
    readElsewhere: 'Read it there',
    failed: 'The linked review did not load. The rest of this page is complete.',
  },
};

const starRows = ['1', '2', '3', '4', '5'] as const;
const sorts = Object.keys(text.sorts) as ReviewSort[];

export async function loader({ params: { id = '' }, request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const { searchParams } = new URL(request.url);
  const rating = starRows.find((stars) => stars === searchParams.get('rating'));
  const sort = sorts.find((known) => known === searchParams.get('sort')) ?? 'newest';
  const after = searchParams.get('after') ?? undefined;
  const service = serviceQuery(http, id);
  const reviews = serviceReviewsQuery(http, { serviceId: id, rating, sort, after });
  // Without the service there is no page. A failure of the reviews is shown in their section.
  const [found] = await Promise.all([queries.ensureQueryData(service), queries.prefetchInfiniteQuery(reviews)]);
  return {
    service,
    reviews,
    rating,
    sort,
    after,
    similar: similarServicesQuery(http, found),
    linkedReview: (reviewId: string) => publicReviewQuery(http, reviewId),
    ownReviews: (email: string) => ownReviewsOfQuery(http, { email, serviceId: id }),
  };
}

type Loaded = Awaited<ReturnType<typeof loader>>;

export function Component() {
  const { service: query, similar } = useLoaderData<Loaded>();
  const { data: service } = useSuspenseQuery(query);
  const title = titleOf(service);
  const storage = useStorage();
  useEffect(() => addViewed(storage, service._id), [storage, service._id]);
  return (
    // The key resets the local state when another service is shown.
    <div key={service._id} className="column grid gap-12 pt-6 md:gap-18 md:pt-12">
      <PageHead
        name={title}
        listed={{
          path: `/services/${service._id}`,
          description: summaryOf(service),
          previewPicture: previewPictureOf(service),
          structuredData: (origin) => serviceData(service, origin),
        }}
      />
      <div className="grid items-start gap-6 md:grid-cols-2 md:gap-12">
        <EnlargeablePicture src={service.img} title={title} />
        <div className="grid gap-4">
          <h1 className="text-heading wrap-anywhere">{title}</h1>
          <p className="text-heading wrap-anywhere tabular-nums">{priceOf(service)}</p>
          <Rating {...service} />
          <ListersRating claim={service.ratting} className="wrap-anywhere" />
          <div className="flex flex-wrap gap-3">
            <AddReview id={service._id} className="max-sm:w-full" />
            <SaveButton service={service} />
            <ShareButton label={text.share(title)} title={title} path={`/services/${service._id}`} />
          </div>
          <section className="tear-line mt-2 grid gap-2 pt-4">
            <h2 className="text-title">{text.description}</h2>
            <p className="measure whitespace-pre-line wrap-anywhere">
              {service.description.trim() || <span className="text-muted">{text.noDescription}</span>}
            </p>
          </section>
        </div>
      </div>
      <Reviews />
      <SimilarServices query={similar} />
    </div>
  );
}

function EnlargeablePicture({ src, title }: { src: string; title: string }) {
  const [open, setOpen] = useState(false);
  const picture = <Picture src={src} alt={src ? title : text.noPicture} eager transition="service-picture" />;
  const frame = 'block w-full overflow-hidden rounded-card border-2 border-ink';
  if (!src) return <div className={frame}>{picture}</div>;
  return (
    <>
      <button
        type="button"
        aria-label={text.enlarge(title)}
        onClick={() => setOpen(true)}
        className={`${frame} group relative cursor-zoom-in noscript:cursor-auto`}
      >
        {picture}
        <span className="absolute right-3 bottom-3 grid size-12 place-items-center rounded-control border-2 border-ink bg-surface text-ink group-hover:bg-sunken noscript:hidden">
          <Icon name="enlarge" />
        </span>
      </button>
      {open && (
        <Suspense>
          <Lightbox src={src} title={title} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The link to the form. Its text depends on the session. */
function AddReview({ id, tone, className = '' }: { id: string; tone?: 'quiet'; className?: string }) {
  const { user, loading } = useSession();
  const from = useLocation();
  return (
    <ButtonLink to={`/review/${id}`} state={{ from }} {...(tone && { tone })} className={className}>
      {user || loading ? text.addReview : text.loginToAdd}
    </ButtonLink>
  );
}

function Reviews() {
  const { service: query, reviews, rating, sort, after, linkedReview, ownReviews } = useLoaderData<Loaded>();
  const { data: service } = useSuspenseQuery(query);
  const list = useInfiniteQuery(reviews);
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);
  const listed = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const { user, loading } = useSession();
  const own = useQuery({ ...ownReviews(user?.email ?? ''), enabled: user !== null });
  const fates = useFates();
  const isOwn = (review: Review) =>
    fates.fateOf(review) !== undefined || (user !== null && (own.data ?? []).some(({ _id }) => _id === review._id));
  const linked = useLinkedReview({
    serviceId: service._id,
    listed,
    held: fates.held,
    query: linkedReview,
    said: { loading: text.loading, failed: text.linked.failed },
  });
  const apart = linked.review && fates.fateOf(linked.review) !== 'gone' ? linked.review : undefined;
  const rows = fates.rows(
    listed,
    sort,
    (review) => review._id !== linked.review?._id && (!rating || String(countedStars(review)) === rating),
  );
  const reachedReview = linked.isReached && (apart ?? rows.find(({ _id }) => _id === linked.id));
  const knowsOwn = !loading && !own.isLoading;

  const from = useLocation();
  const navigate = useNavigate();
  const chosen = rating && (Number(rating) as StarRow);
  const address = (stars?: StarRow, by: ReviewSort = sort, cursor?: string) => {
    const parameters = new URLSearchParams({
      ...(stars && { rating: String(stars) }),
      ...(by !== 'newest' && { sort: by }),
      ...(cursor && { after: cursor }),
    });
    return { pathname: from.pathname, search: parameters.toString() };
  };
  const found = list.data?.pages.at(-1)?.total;
  const total = rating ? service.reviewCount : (found ?? service.reviewCount);
  return (
    <section aria-labelledby="reviews" className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="reviews" className="text-section tabular-nums">
          {text.total(total)}
        </h2>
        {total > 0 && (
          <Choice
            label={text.sort}
            value={sort}
            options={text.sorts}
            onChoose={(by) =>
              void navigate(address(chosen, by), {
                preventScrollReset: true,
                replace: true,
              })
            }
            action={from.pathname}
            name="sort"
            keep={rating ? { rating } : {}}
          />
        )}
      </div>
      <div className={service.ratingCount > 0 ? 'grid items-start gap-6 lg:grid-cols-[18rem_1fr] lg:gap-8' : ''}>
        {service.ratingCount > 0 && (
          <div className="max-w-120 lg:sticky lg:top-6">
            <Distribution distribution={service.distribution} chosen={chosen} addressOf={(stars) => address(stars)} />
          </div>
        )}
        <div className="flex min-w-0 flex-col gap-6">
          <p role="status" className="sr-only">
            {reachedReview && knowsOwn && (isOwn(reachedReview) ? text.linked.reachedOwn : text.linked.reached)}
          </p>
          <div role="status" className="empty:absolute">
            {linked.missing && <p>{text.linked.missing}</p>}
            {linked.elsewhere && (
              <p className="flex flex-wrap gap-x-4">
                {text.linked.elsewhere}
                <Link to={addressOf(linked.elsewhere)} className="link">
                  {text.linked.readElsewhere}
                </Link>
              </p>
            )}
          </div>
          <p role="status" className="sr-only">
            {linked.announcement}
          </p>
          {linked.failed && (
            <Alert
              action={
                <Button tone="quiet" pending={linked.retrying} onClick={linked.retry}>
                  {text.retry}
                </Button>
              }
            >
              {text.linked.failed}
            </Alert>
          )}
          <div role="status" className="empty:absolute">
            {rating && (
              <p ref={focusHeadingOnRemoval} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                {found === 0 ? text.noneWith(rating) : text.showing(rating)}
                <Link to={address()} preventScrollReset className="link">
                  {text.showAll}
                </Link>
              </p>
            )}
            {announcement && <p className={hasFailed ? 'sr-only' : 'text-muted'}>{announcement}</p>}
          </div>
          {after && (
            <p ref={focusHeadingOnRemoval}>
              <Link to={{ ...address(chosen), hash: 'reviews' }} className="link">
                {text.first}
              </Link>
            </p>
          )}
          {(hasFailed || list.isFetchNextPageError) && (
            <Alert
              action={
                <Button
                  tone="quiet"
                  pending={list.isFetching}
                  onClick={hasFailed ? retry : () => void list.fetchNextPage()}
                >
                  {text.retry}
                </Button>
              }
            >
              {text.failed}
            </Alert>
          )}
          {(rows.length > 0 || apart) && (
            <ReviewTable service={titleOf(service)} reviews={rows} linked={apart} isOwn={isOwn} fates={fates} />
          )}
          {total === 0 && !hasFailed && !list.isError && (
            <PageState
              level={3}
              picture="/pictures/no-review.svg"
              title={text.none.title}
              action={<AddReview id={service._id} tone="quiet" />}
            >
              <p>{text.none.body}</p>
            </PageState>
          )}
          {list.hasNextPage && (
            <LoadMore
              pending={list.isFetchingNextPage}
              loadedCount={listed.length}
              failed={list.isFetchNextPageError}
              onMore={() => void list.fetchNextPage()}
              nextPage={{ ...address(chosen, sort, list.data?.pages.at(-1)?.after), hash: 'reviews' }}
            />
          )}
        </div>
      </div>
    </section>
  );
}

/** An unknown service has its own page. Other errors have the common error page. */
export function ErrorBoundary() {
  return isNotFound(useRouteError()) ? <UnlistedService /> : <RouteError />;
}
