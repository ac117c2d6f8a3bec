import type { OwnReview } from '@rtr/shared';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { sessionIn } from '../features/auth/session-context.ts';
import { ByLister } from '../features/reviews/by-lister.tsx';
import { DeleteButton, DeletedTicket, type Fates, NotDone, useFates } from '../features/reviews/deletion.tsx';
import { EditLink } from '../features/reviews/edit-link.tsx';
import { ownReviewsQuery } from '../features/reviews/queries.ts';
import { priceOf, titleOf } from '../features/services/texts.ts';
import { ageOf } from '../lib/age.ts';
import { appIn } from '../lib/app.ts';
import { useNow } from '../lib/now.tsx';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { FoldedText } from '../ui/folded-text.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { Picture } from '../ui/picture.tsx';
import { Stars } from '../ui/stars.tsx';
import { Ticket, TicketCell, TicketTable } from '../ui/ticket-table.tsx';

export { deleteOrRestore as action } from '../features/reviews/deletion.tsx';

const text = {
  name: 'My Review',
  total: (total: number) => `Total Review: ${total}`,
  columns: ['Delete', 'Date', 'Service Information', 'Review', 'Edit'],
  edited: 'edited',
  yourReview: (service: string) => `your review of ${service}`,
  stars: (stars: number) => `${stars} of 5 stars`,
  wordless: 'No words.',
  loading: 'Loading reviews…',
  retry: 'Try again',
  failed: { title: 'Your reviews did not load', body: 'The connection or our server failed. Nothing is lost.' },
  moreFailed: 'The next reviews did not load. Those above are complete.',
  empty: {
    title: 'You have not reviewed anything yet',
    body: 'Pick a service you have used and say how it went.',
    action: 'Find a service',
  },
};

export async function loader({ context }: LoaderFunctionArgs) {
  const user = await sessionIn(context).waitForUser();
  // The parent route redirects visitors to the login.
  if (!user) return null;
  const { http, queries } = appIn(context);
  const query = ownReviewsQuery(http, user.email);
  // A failure is shown by the page itself.
  await queries.prefetchInfiniteQuery(query);
  return { query };
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  return (
    <div className="column grid gap-6 py-8 md:py-12">
      <PageHead name={text.name} />
      <h1 className="text-heading">{text.name}</h1>
      {data ? <Reviews query={data.query} /> : <ProgressBars />}
    </div>
  );
}

function Reviews({ query }: { query: ReturnType<typeof ownReviewsQuery> }) {
  const list = useInfiniteQuery(query);
  const fates = useFates<OwnReview>();
  const { hasFailed, retry, announcement } = useFirstLoad(list, {
    loading: text.loading,
    failed: text.failed.title,
  });

  if (hasFailed)
    return (
      <>
        <p role="status" className="sr-only">
          {announcement}
        </p>
        <Alert
          action={
            <Button tone="quiet" pending={list.isFetching} onClick={retry}>
              {text.retry}
            </Button>
          }
        >
          <h2 className="font-bold">{text.failed.title}</h2>
          <p>{text.failed.body}</p>
        </Alert>
      </>
    );
  const total = list.data?.pages.at(-1)?.total;
  if (total === undefined) return <ProgressBars label={text.loading} />;

  const listed = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const rows = fates.rows(listed);
  // Right at once, and not only when the list is there anew.
  const count =
    (total ?? listed.length) - listed.length + rows.filter((review) => fates.fateOf(review) !== 'deleted').length;

  return (
    <>
      <p role="status" className="text-title tabular-nums">
        {text.total(count)}
      </p>
      {rows.length > 0 && (
        <TicketTable label={text.name} columns={text.columns}>
          {rows.map((review) => (
            <Row key={review._id} review={review} fates={fates} />
          ))}
        </TicketTable>
      )}
      {count === 0 && (
        <PageState
          picture="/pictures/no-review.svg"
          title={text.empty.title}
          action={<ButtonLink to="/services">{text.empty.action}</ButtonLink>}
        >
          <p>{text.empty.body}</p>
        </PageState>
      )}
      {list.hasNextPage && (
        <LoadMore
          pending={list.isFetchingNextPage}
          loadedCount={listed.length}
          failed={list.isFetchNextPageError}
          failure={text.moreFailed}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function Row({ review, fates }: { review: OwnReview; fates: Fates<OwnReview> }) {
  const now = useNow();
  const service = titleOf({ title: review.serviceName });
  const own = { review, service, fates };
  if (fates.fateOf(review) === 'deleted') return <DeletedTicket {...own} columns={text.columns.length} />;
  return (
    <Ticket className="items-start gap-x-4 gap-y-3 pl-4">
      <TicketCell className="max-sm:order-4 sm:w-20">
        <DeleteButton {...own} compact />
      </TicketCell>
      <TicketCell className="text-small text-muted tabular-nums max-sm:order-2 max-sm:w-full sm:w-36">
        <time dateTime={review.createdAt} className="sm:block">
          <bdi>{review.date || new Date(review.createdAt).toLocaleDateString()}</bdi>
        </time>
        <span className="max-sm:before:content-['_·_'] sm:block">
          <bdi>{review.time}</bdi>
        </span>
        <span className="max-sm:before:content-['_·_'] sm:block">{ageOf(review.createdAt, now)}</span>
        {review.updatedAt !== review.createdAt && (
          <span className="max-sm:before:content-['_·_'] sm:block">{text.edited}</span>
        )}
      </TicketCell>
      <TicketCell className="max-sm:order-1 max-sm:w-full sm:w-72">
        <div className="flex gap-3">
          <Picture src={review.img} alt="" className="w-20! shrink-0 self-start rounded-drawn" />
          <div className="grid min-w-0 content-start gap-1">
            <Link to={`/services/${review.serviceId}`} className="link wrap-anywhere">
              {service}
            </Link>
            <span className="text-small wrap-anywhere text-muted">{priceOf(review)}</span>
            <ByLister review={review} />
          </div>
        </div>
      </TicketCell>
      <TicketCell className="max-sm:order-3 max-sm:tear-line max-sm:w-full max-sm:pt-3">
        <div className="grid gap-2">
          {review.rating !== undefined && (
            <p>
              <Stars value={review.rating} />
              <span className="sr-only">{text.stars(review.rating)}</span>
            </p>
          )}
          {review.review.trim() ? (
            <FoldedText words={review.review} what={text.yourReview(service)} />
          ) : (
            <p className="text-muted">{text.wordless}</p>
          )}
          <NotDone review={review} fates={fates} />
        </div>
      </TicketCell>
      <TicketCell className="max-sm:order-5 sm:w-20">
        <EditLink id={review._id} service={service} compact />
      </TicketCell>
    </Ticket>
  );
}
