import { addressOfReview, titleOf } from '@rtr/shared';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, useLocation, useParams, useRouteError } from 'react-router-dom';
import { listerReviewsQuery } from '../features/reviews/queries.ts';
import { QuotedReview } from '../features/reviews/quoted-review.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { listerQuery, listerServicesQuery } from '../features/services/queries.ts';
import { Rating } from '../features/services/rating.tsx';
import { ServiceCard, ServiceGrid, ServiceGridItem } from '../features/services/service-card.tsx';
import { listerData } from '../features/services/structured-data.ts';
import { serviceText } from '../features/services/texts.ts';
import { isBadRequest, isNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { dayOf } from '../lib/date.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { useHttp } from '../lib/http-context.ts';
import type { Page as ListPage } from '../lib/page.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { Alert } from '../ui/alert.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RetryAlert } from '../ui/retry-alert.tsx';
import { commonText } from '../ui/texts.ts';
import { RouteError } from './error.tsx';

const text = {
  since: 'Lists services here since ',
  description: (name: string) => `The kitchen services of ${name}, with customer reviews.`,
  services: 'Services',
  reviews: 'Newest reviews',
  noReviews: 'No reviews yet.',
  reviewsFailed: 'The reviews did not load',
  replies: (share: number) =>
    share === 0 ? 'Has not replied to reviews yet' : `Replies to ${Math.round(share * 100)}% of reviews`,
  missing: {
    title: 'This lister has no services here',
    body: 'They may have withdrawn their services or closed their account, or the link is mistyped.',
  },
};

/** The query parameters with the cursors at which the two lists start, for browsers without JavaScript. */
const cursorNames = { services: 'after', reviews: 'reviewsAfter' } as const;

function queriesOf(http: ReturnType<typeof useHttp>, id: string, search: string) {
  const cursor = (name: string) => new URLSearchParams(search).get(name) ?? undefined;
  return {
    lister: listerQuery(http, id),
    services: listerServicesQuery(http, id, cursor(cursorNames.services)),
    reviews: listerReviewsQuery(http, id, cursor(cursorNames.reviews)),
  };
}

export async function loader({ params: { id = '' }, request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const { lister, services, reviews } = queriesOf(http, id, new URL(request.url).search);
  // If a list does not load, only its section shows an error.
  await Promise.all([
    queries.ensureQueryData(lister),
    queries.prefetchInfiniteQuery(services),
    queries.prefetchInfiniteQuery(reviews),
  ]);
  return null;
}

export function Component() {
  const { id = '' } = useParams();
  const { search } = useLocation();
  const queries = queriesOf(useHttp(), id, search);
  const { data: lister } = useSuspenseQuery(queries.lister);
  const services = useInfiniteQuery(queries.services);
  const reviews = useInfiniteQuery(queries.reviews);
  const { name, picture, createdAt, replyShare } = lister;
  return (
    <Page key={id}>
      <PageHead
        name={name}
        listed={{
          path: `/listers/${id}`,
          description: text.description(name),
          structuredData: (origin) => listerData(lister, services.data?.pages[0]?.rows ?? [], origin),
        }}
      />
      <header className="grid gap-3">
        <div className="flex items-center gap-4">
          <Avatar src={picture} name={name} />
          <h1 className="min-w-0 text-heading wrap-anywhere">
            <bdi>{name}</bdi>
          </h1>
        </div>
        <Rating {...lister} />
        <p className="text-muted tabular-nums">
          {text.since}
          <time dateTime={createdAt}>{dayOf(createdAt)}</time>
          {replyShare !== null && ` · ${text.replies(replyShare)}`}
        </p>
      </header>
      <ListSection
        title={text.services}
        list={services}
        cursorName={cursorNames.services}
        text={{ ...serviceText, more: serviceText.moreFailed }}
        render={(rows) => (
          <ServiceGrid>
            {rows.map((service, index) => (
              <ServiceGridItem key={service._id}>
                <ServiceCard service={service} eager={index === 0} />
              </ServiceGridItem>
            ))}
          </ServiceGrid>
        )}
      />
      <ListSection
        title={text.reviews}
        list={reviews}
        cursorName={cursorNames.reviews}
        text={{ loading: reviewText.loading, failed: text.reviewsFailed, more: reviewText.moreFailed }}
        render={(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">{text.noReviews}</p>
          ) : (
            <ul className="grid gap-4 lg:grid-cols-2 lg:items-start">
              {rows.map((review) => (
                <li key={review._id} className="min-w-0">
                  <QuotedReview
                    review={review}
                    heading={
                      <h3 className="text-title wrap-anywhere">
                        <Link to={addressOfReview(review)} className="link">
                          {titleOf({ title: review.serviceName })}
                        </Link>
                      </h3>
                    }
                  />
                </li>
              ))}
            </ul>
          )
        }
      />
    </Page>
  );
}

interface ListSectionProps<T> {
  title: string;
  list: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  cursorName: string;
  text: { loading: string; failed: string; more: string };
  render: (rows: T[]) => ReactNode;
}

function ListSection<T>({ title, list, cursorName, text, render }: ListSectionProps<T>) {
  const { pathname, search } = useLocation();
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);
  const pages = list.data?.pages ?? [];
  const isFirst = !new URLSearchParams(search).has(cursorName);
  return (
    <section aria-labelledby={cursorName} className="grid gap-6 pt-6">
      <h2 id={cursorName} className="text-section">
        {title}
      </h2>
      {!isFirst && (
        <p ref={focusHeadingOnRemoval}>
          <Link to={{ pathname, hash: cursorName }} className="link">
            {commonText.firstPage}
          </Link>
        </p>
      )}
      <LiveRegion variant="collapsible">
        {announcement && <p className={hasFailed ? 'sr-only' : 'text-muted'}>{announcement}</p>}
      </LiveRegion>
      {hasFailed && !isFirst && isBadRequest(list.error) ? (
        <Alert kind="warn">{commonText.outdatedPage}</Alert>
      ) : (
        hasFailed && <RetryAlert title={text.failed} level={3} pending={list.isFetching} onRetry={retry} />
      )}
      {list.data && render(pages.flatMap(({ rows }) => rows))}
      {list.hasNextPage && (
        <LoadMore
          list={list}
          failure={text.more}
          nextPage={{ pathname, search: `?${cursorName}=${pages.at(-1)?.after ?? ''}`, hash: cursorName }}
        />
      )}
    </section>
  );
}

export function ErrorBoundary() {
  if (!isNotFound(useRouteError())) return <RouteError />;
  return (
    <MessagePage
      name={commonText.notFound}
      picture="/pictures/placeholder.svg"
      title={text.missing.title}
      action={<ButtonLink to="/services">{serviceText.seeAll}</ButtonLink>}
    >
      <p>{text.missing.body}</p>
    </MessagePage>
  );
}
