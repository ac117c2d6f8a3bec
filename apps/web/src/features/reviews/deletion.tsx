// Deleting a review of one's own, with Undo in its place: the same on every screen that lists it.
import type { Review, ReviewSort } from '@rtr/shared';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type ActionFunctionArgs, useFetcher } from 'react-router-dom';
import { type App, appIn } from '../../lib/app.ts';
import { failureOf } from '../../lib/failure.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Button } from '../../ui/button.tsx';
import { failureText } from '../../ui/failure-alert.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ticket, TicketCell } from '../../ui/ticket-table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { deleteReview, restoreReview } from './write.ts';

const text = {
  delete: 'Delete',
  deleteOf: (service: string) => `Delete your review of ${service}`,
  sure: 'Are you sure want to delete the review',
  deleting: 'Deleting your review…',
  deleted: 'Deleted Successfully',
  alreadyDeleted: 'This review was already deleted.',
  notDeleted: 'Your review was not deleted. Try again.',
  deletedOf: (service: string) => (
    <>
      Your review of <bdi>{service}</bdi> is deleted.
    </>
  ),
  undo: 'Undo',
  restoring: 'Bringing your review back…',
  back: 'Your review is back.',
  tooLate: 'It is too late to bring this one back.',
  notBack: 'Your review is not back yet. Try again.',
};

type Intent = 'delete' | 'restore';
type Done = { intent: Intent } & (
  | { done: 'deleted' | 'gone' | 'back' | 'too late' }
  | { done: 'failed'; said: string }
);

/** What a route that lists own reviews does on being sent to. */
export async function deleteOrRestore({ request, context }: ActionFunctionArgs): Promise<Done> {
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
      const said = failure.reason === 'away' ? text.notDeleted : failureText(failure, text.notDeleted);
      toast.error(said, { id });
      return { intent: 'delete', done: 'failed', said };
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
    if (failure.reason === 'missing') {
      toast.error(text.tooLate, { id });
      return { intent: 'restore', done: 'too late' };
    }
    const said = failure.reason === 'away' ? text.notBack : failureText(failure, text.notBack);
    toast.error(said, { id });
    return { intent: 'restore', done: 'failed', said };
  }
}

/** What became of a review while this screen is open. */
type Fate = 'asked' | 'deleted' | 'gone' | 'back';

const newest = (a: Review, b: Review) => b.createdAt.localeCompare(a.createdAt);
const orders: Record<ReviewSort, (a: Review, b: Review) => number> = {
  newest,
  highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0) || newest(a, b),
  lowest: (a, b) => (a.rating ?? 6) - (b.rating ?? 6) || newest(a, b),
};

export type Fates<R extends Review = Review> = ReturnType<typeof useFates<R>>;

/** Keeps each review that is deleted on this screen, so that Undo can stand in its row's place. */
export function useFates<R extends Review>() {
  const [fates, setFates] = useState<ReadonlyMap<string, { review: R; fate: Fate; failure: string | undefined }>>(
    new Map(),
  );
  const fateOf = ({ _id }: Review) => fates.get(_id)?.fate;
  return {
    fateOf,
    /** What was said of the last attempt, if it failed. */
    failureOf: ({ _id }: Review) => fates.get(_id)?.failure,
    settle: (review: R, fate: Fate, failure?: string) =>
      setFates((before) => new Map(before).set(review._id, { review, fate, failure })),
    /** The review with this id, if something became of it here. */
    held: (id: string | undefined) => (id === undefined ? undefined : fates.get(id)?.review),
    /** The rows of a list as it is now, and between them those it has lost here; all of them such that belong to it. */
    rows(listed: R[], order: ReviewSort = 'newest', belongs: (review: R) => boolean = () => true): R[] {
      const lost = [...fates.values()]
        .map(({ review }) => review)
        .filter(({ _id }) => listed.every((other) => other._id !== _id));
      const rows = lost.length > 0 ? [...listed, ...lost].toSorted(orders[order]) : listed;
      return rows.filter((review) => fateOf(review) !== 'gone' && belongs(review));
    },
  };
}

interface OwnReviewProps<R extends Review> {
  review: R;
  service: string;
  fates: Fates<R>;
}

/** Asks, then deletes. Where it is wide `compact` leaves the icon: its column says what it does. */
export function DeleteButton<R extends Review>({
  review,
  service,
  fates,
  compact = false,
}: OwnReviewProps<R> & { compact?: boolean }) {
  const { underWay, send } = useSending(review, fates);
  const button = useRef<HTMLButtonElement>(null);
  const fate = fates.fateOf(review);
  // Undo, which was pressed, has gone: the focus stays in its row.
  useLayoutEffect(() => {
    if (fate === 'back') button.current?.focus();
  }, [fate]);
  const askAndDelete = () => {
    if (!confirm(text.sure)) return;
    fates.settle(review, 'asked');
    void send('delete');
  };
  return (
    <Button
      ref={button}
      tone="danger"
      pending={underWay}
      aria-label={text.deleteOf(service)}
      className={compact ? 'sm:px-3!' : ''}
      onClick={askAndDelete}
    >
      <Icon name="bin" />
      <span className={compact ? 'sm:sr-only' : ''}>{text.delete}</span>
    </Button>
  );
}

/** Stands in the place of a deleted review's row, in a table of so many columns. */
export function DeletedTicket<R extends Review>({
  review,
  service,
  fates,
  columns,
}: OwnReviewProps<R> & { columns: number }) {
  const { underWay, send } = useSending(review, fates);
  const undo = useRef<HTMLButtonElement>(null);
  // The button that was pressed has gone: the focus stays in its row.
  useLayoutEffect(() => undo.current?.focus(), []);
  return (
    <Ticket className="items-start pl-4">
      <TicketCell colSpan={columns} className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="grid gap-2">
            <p className="text-muted wrap-anywhere">{text.deletedOf(service)}</p>
            <NotDone review={review} fates={fates} />
          </div>
          <Button ref={undo} tone="quiet" pending={underWay} onClick={() => void send('restore')}>
            {text.undo}
          </Button>
        </div>
      </TicketCell>
    </Ticket>
  );
}

/** Stands in the row of a review that is still as it was, after its toast has gone. */
export function NotDone<R extends Review>({ review, fates }: { review: R; fates: Fates<R> }) {
  const failure = fates.failureOf(review);
  if (!failure) return null;
  return (
    <p className="flex gap-2 text-small text-error">
      <Icon name="alert" size={20} />
      <span>{failure}</span>
    </p>
  );
}

/** Sends to the route's action, and settles what becomes of it. */
function useSending<R extends Review>(review: R, fates: Fates<R>) {
  const fetcher = useFetcher<Done>();
  const settle = useEffectEvent((outcome: Done) => {
    const { intent, done } = outcome;
    if (done === 'failed') fates.settle(review, intent === 'restore' ? 'deleted' : 'back', outcome.said);
    else fates.settle(review, done === 'too late' ? 'gone' : done);
  });
  useEffect(() => {
    if (fetcher.data) settle(fetcher.data);
  }, [fetcher.data]);
  const [send, underWay] = useSingleFlight((intent: Intent) =>
    fetcher.submit({ intent, id: review._id }, { method: 'post' }),
  );
  return { underWay, send };
}
