import type { OwnReview } from '@rtr/shared';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useFetcher, useLoaderData } from 'react-router-dom';
import { ready } from '../features/auth/session.ts';
import { ownReviewsQuery } from '../features/reviews/queries.ts';
import { deleteReview, restoreReview } from '../features/reviews/write.ts';
import { priceOf, titleOf } from '../features/services/texts.ts';
import { ageOf } from '../lib/age.ts';
import { type App, appIn } from '../lib/app.ts';
import { failureOf } from '../lib/failure.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { failureText } from '../ui/failure-alert.tsx';
import { Icon } from '../ui/icon.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { Picture } from '../ui/picture.tsx';
import { Stars } from '../ui/stars.tsx';
import { Ticket, TicketCell, TicketTable } from '../ui/ticket-table.tsx';
import { toast } from '../ui/toasts.tsx';

const text = {
  name: 'My Review',
  total: (total: number) => `Total Review: ${total}`,
  columns: ['Delete', 'Date', 'Service Information', 'Review', 'Edit'],
  delete: 'Delete',
  deleteOf: (service: string) => `Delete your review of ${service}`,
  edit: 'Edit',
  editOf: (service: string) => `Edit your review of ${service}`,
  sure: 'Are you sure want to delete the review',
  deleting: 'Deleting your review…',
  deleted: 'Deleted Successfully',
  alreadyDeleted: 'This review was already deleted.',
  notDeleted: 'Your review was not deleted. Try again.',
  deletedOf: (service: string) => `Your review of ${service} is deleted.`,
  undo: 'Undo',
  restoring: 'Bringing your review back…',
  back: 'Your review is back.',
  tooLate: 'It is too late to bring this one back.',
  notBack: 'Your review is not back yet. Try again.',
  edited: 'edited',
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
  const user = await ready();
  // The page around this one sends visitors to the login.
  if (!user) return null;
  const { http, queries } = appIn(context);
  const query = ownReviewsQuery(http, user.email);
  // A failure is shown by the page itself.
  await queries.prefetchInfiniteQuery(query);
  return { query };
}

type Done = { intent: 'delete' | 'restore'; done: 'deleted' | 'gone' | 'back' | 'too late' | 'failed' };

export async function action({ request, context }: ActionFunctionArgs): Promise<Done> {
  const form = await request.formData();
  const id = String(form.get('id'));
  return form.get('intent') === 'restore' ? restore(appIn(context), id) : remove(appIn(context), id);
}

async function remove(app: App, id: string): Promise<Done> {
  try {
    if ((await toast.during(deleteReview(app, id), text.deleting, id)) > 0) {
      toast.success(text.deleted, { id });
      return { intent: 'delete', done: 'deleted' };
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure.reason !== 'missing') {
      toast.error(failure.reason === 'away' ? text.notDeleted : failureText(failure, text.notDeleted), { id });
      return { intent: 'delete', done: 'failed' };
    }
  }
  toast.blank(text.alreadyDeleted, { id });
  return { intent: 'delete', done: 'gone' };
}

async function restore(app: App, id: string): Promise<Done> {
  try {
    await toast.during(restoreReview(app, id), text.restoring, id);
    toast.success(text.back, { id });
    return { intent: 'restore', done: 'back' };
  } catch (error) {
    const failure = failureOf(error);
    const late = failure.reason === 'missing';
    const said = failure.reason === 'away' ? text.notBack : failureText(failure, text.notBack);
    toast.error(late ? text.tooLate : said, { id });
    return { intent: 'restore', done: late ? 'too late' : 'failed' };
  }
}

export function Component() {
  usePageTitle(text.name);
  const data = useLoaderData<typeof loader>();
  return (
    <div className="column grid gap-6 py-8 md:py-12">
      <h1 className="text-heading">{text.name}</h1>
      {data ? <Reviews query={data.query} /> : <ProgressBars />}
    </div>
  );
}

/** What became of a review while this screen is open: it keeps its row, so that Undo stands in its place. */
type Fate = 'asked' | 'deleted' | 'gone' | 'back';

function Reviews({ query }: { query: ReturnType<typeof ownReviewsQuery> }) {
  const list = useInfiniteQuery(query);
  const [fates, setFates] = useState<ReadonlyMap<string, { review: OwnReview; fate: Fate }>>(new Map());
  const settle = (review: OwnReview, fate: Fate) =>
    setFates((before) => new Map(before).set(review._id, { review, fate }));
  const fateOf = ({ _id }: OwnReview) => fates.get(_id)?.fate;

  const total = list.data?.pages.at(-1)?.total;
  if (total === undefined)
    return list.isError && !list.isFetching ? (
      <Alert
        action={
          <Button tone="quiet" onClick={() => void list.refetch()}>
            {text.retry}
          </Button>
        }
      >
        <h2 className="font-bold">{text.failed.title}</h2>
        <p>{text.failed.body}</p>
      </Alert>
    ) : (
      <ProgressBars label={text.loading} />
    );

  const listed = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const missing = [...fates.values()]
    .map(({ review }) => review)
    .filter(({ _id }) => listed.every((other) => other._id !== _id));
  const rows = [...listed, ...missing]
    .filter((review) => fateOf(review) !== 'gone')
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const isDeleted = (review: OwnReview) => fateOf(review) === 'deleted' || fateOf(review) === 'gone';
  const count = total - listed.filter(isDeleted).length + missing.filter((review) => fateOf(review) === 'back').length;

  return (
    <>
      <p role="status" className="text-title tabular-nums">
        {text.total(count)}
      </p>
      {rows.length > 0 && (
        <TicketTable label={text.name} columns={text.columns}>
          {rows.map((review) => (
            <Row
              key={review._id}
              review={review}
              fate={fateOf(review)}
              onFate={(fate) => {
                settle(review, fate);
                if (fate === 'back') void list.refetch();
              }}
            />
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
          failed={list.isFetchNextPageError}
          failure={text.moreFailed}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

const row = 'items-start gap-x-4 gap-y-3 pl-4';

interface RowProps {
  review: OwnReview;
  fate: Fate | undefined;
  onFate: (fate: Fate) => void;
}

function Row({ review, fate, onFate }: RowProps) {
  const fetcher = useFetcher<typeof action>();
  const underWay = fetcher.formData?.get('intent');
  const service = titleOf({ title: review.serviceName });
  const undo = useRef<HTMLButtonElement>(null);
  const remove = useRef<HTMLButtonElement>(null);

  const settle = useEffectEvent(({ intent, done }: Done) => {
    if (done !== 'failed') onFate(done === 'too late' ? 'gone' : done);
    else onFate(intent === 'restore' ? 'deleted' : 'back');
  });
  useEffect(() => {
    if (fetcher.data) settle(fetcher.data);
  }, [fetcher.data]);
  // The button that was pressed has gone: the focus stays in its row.
  useEffect(() => {
    if (fate === 'deleted') undo.current?.focus();
    if (fate === 'back') remove.current?.focus();
  }, [fate]);

  const send = (intent: Done['intent']) => void fetcher.submit({ intent, id: review._id }, { method: 'post' });
  const askAndRemove = () => {
    if (!confirm(text.sure)) return;
    onFate('asked');
    send('delete');
  };

  if (fate === 'deleted')
    return (
      <Ticket className={row}>
        <TicketCell colSpan={text.columns.length} className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="text-muted wrap-anywhere">{text.deletedOf(service)}</p>
            <Button ref={undo} tone="quiet" pending={underWay === 'restore'} onClick={() => send('restore')}>
              {text.undo}
            </Button>
          </div>
        </TicketCell>
      </Ticket>
    );
  return (
    <Ticket className={row}>
      <TicketCell className="max-sm:order-4 sm:w-20">
        <Button
          ref={remove}
          tone="danger"
          pending={underWay === 'delete'}
          aria-label={text.deleteOf(service)}
          className="sm:px-3!"
          onClick={askAndRemove}
        >
          <Icon name="bin" />
          <span className="sm:sr-only">{text.delete}</span>
        </Button>
      </TicketCell>
      <TicketCell className="text-small text-muted tabular-nums max-sm:order-2 max-sm:w-full sm:w-36">
        <time dateTime={review.createdAt} className="sm:block">
          {review.date || new Date(review.createdAt).toLocaleDateString()}
        </time>
        <span className="max-sm:before:content-['_·_'] sm:block">{review.time}</span>
        <span className="max-sm:before:content-['_·_'] sm:block">{ageOf(review.createdAt)}</span>
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
            <p className="measure whitespace-pre-wrap wrap-anywhere">{review.review}</p>
          ) : (
            <p className="text-muted">{text.wordless}</p>
          )}
        </div>
      </TicketCell>
      <TicketCell className="max-sm:order-5 sm:w-20">
        <ButtonLink
          tone="quiet"
          to={`/editreview/${review._id}`}
          aria-label={text.editOf(service)}
          className="sm:px-3!"
        >
          <Icon name="pencil" />
          <span className="sm:sr-only">{text.edit}</span>
        </ButtonLink>
      </TicketCell>
    </Ticket>
  );
}
